"""What is known of an instruction: metadata, frontend attributes, statistics, accuracy, origin."""

from __future__ import annotations

from collections.abc import Sequence

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.proto.schema import Proto, decode
from beatnote.hlo.proto.spelling import braced, comma_list, enumerated, escaped, quoted_or_json, six_digits
from beatnote.hlo.shape_text import MAX_DEPTH

_PRINTED_WITH = ("op_type", "op_name", "source_file", "scheduling_name", "stack_frame_id")
_ACCURACY_MODES = ("default", "highest")


def metadata_text(data: bytes, payloads: Sequence[bytes] = ()) -> str:
    """Read OpMetadata; '' where XLA prints none, because it says nothing of where the instruction comes from.

    Args:
        data: the message.
        payloads: what the module keeps apart; metadata may name one of them by its number.

    Raises:
        ProtoError: it is not one.
    """
    metadata = decode("OpMetadata", data)
    parts: list[str] = []
    if metadata.op_type:
        parts.append(f'op_type="{escaped(metadata.op_type)}"')
    if metadata.op_name:
        parts.append(f'op_name="{escaped(metadata.op_name)}"')
    if metadata.source_file:
        parts.append(f'source_file="{escaped(metadata.source_file)}"')
    if metadata.source_line:
        parts.append(f"source_line={metadata.source_line}")
    if metadata.source_end_line:
        parts.append(f"source_end_line={metadata.source_end_line}")
    if metadata.source_column:
        parts.append(f"source_column={metadata.source_column}")
    if metadata.source_end_column:
        parts.append(f"source_end_column={metadata.source_end_column}")
    if metadata.profile_type:
        parts.append(f"profile_type={{{comma_list(metadata.profile_type)}}}")
    if metadata.deduplicated_name:
        parts.append(f'deduplicated_name="{escaped(metadata.deduplicated_name)}"')
    if metadata.scheduling_name:
        parts.append(f'scheduling_name="{escaped(metadata.scheduling_name)}"')
    if metadata.stack_frame_id:
        parts.append(f"stack_frame_id={metadata.stack_frame_id}")
    payload = payload_of(metadata.metadata_payload, payloads)
    if payload:
        parts.append(f'metadata_payload="{escaped(payload)}"')
    is_printed = payload or any(getattr(metadata, name) for name in _PRINTED_WITH)
    return " ".join(parts) if is_printed else ""


def payload_of(payload: Proto, payloads: Sequence[bytes]) -> bytes:
    """Return what a Payload holds or names.

    Raises:
        ProtoError: it names one that is not there.
    """
    if not payload.HasField("id"):
        return payload.value
    number: int = payload.id
    if not 0 <= number < len(payloads):
        raise ProtoError(f"names payload {number}, but the module has {len(payloads)}")
    return payloads[number]


def frontend_attributes_text(data: bytes) -> str:
    """Read FrontendAttributes and write them sorted by name; '' where there are none."""
    pairs = sorted((entry.key, entry.value) for entry in decode("FrontendAttributes", data).map)
    return ",".join(f"{key.decode('utf-8', 'backslashreplace')}={quoted_or_json(value)}" for key, value in pairs)


def statistics_text(data: bytes) -> str:
    """Read StatisticsViz; '' where there are none."""
    found = decode("StatisticsViz", data)
    if not found.statistics:
        return ""
    pairs = (f"{escaped(one.stat_name)}={six_digits(one.stat_val)}" for one in found.statistics)
    return f"visualizing_index={found.stat_index_to_visualize},{','.join(pairs)}"


def accuracy_text(data: bytes) -> str:
    """Read ResultAccuracy; '' for the usual one."""
    accuracy = decode("ResultAccuracy", data)
    if accuracy.mode:
        return f"mode={enumerated(_ACCURACY_MODES, accuracy.mode)}"
    if not accuracy.HasField("tolerance"):
        return ""
    bounds = accuracy.tolerance
    return f"tolerance={{atol={six_digits(bounds.atol)},rtol={six_digits(bounds.rtol)},ulps={bounds.ulps}}}"


def origin_text(data: bytes) -> str:
    """Read OriginalValueProto: for each leaf of the shape, the array it was before XLA changed the program.

    Raises:
        ProtoError: it is not one, or its places do not form a tuple.
    """
    origin = decode("OriginalValueProto", data)
    if origin.is_synthetic_call:
        return "[synthetic_call]"
    leaves = [(tuple(element.shape_index), _leaf(element)) for element in origin.elements]
    return _tree(sorted(leaves), 0)


def _leaf(element: Proto) -> str:
    if not element.HasField("original_array"):
        return "{}"
    array = element.original_array
    index = f" {braced(array.shape_index)}" if array.shape_index else ""
    return f'{{"{escaped(array.instruction_name)}"{index}}}'


def _tree(leaves: Sequence[tuple[tuple[int, ...], str]], depth: int) -> str:
    """Write leaves that share the first `depth` numbers of their place, as the tuple they are in."""
    if len(leaves) == 1 and len(leaves[0][0]) == depth:
        return leaves[0][1]
    if depth > MAX_DEPTH or any(len(place) <= depth for place, _ in leaves):
        raise ProtoError("an origin's places do not form a tuple")
    groups: dict[int, list[tuple[tuple[int, ...], str]]] = {}
    for leaf in leaves:
        groups.setdefault(leaf[0][depth], []).append(leaf)
    return f"({', '.join(_tree(group, depth + 1) for group in groups.values())})"
