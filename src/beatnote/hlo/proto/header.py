"""The `HloModule` line and the tables below it, from HloModuleProto."""

from __future__ import annotations

from collections.abc import Iterable

from beatnote.hlo.proto.metadata import frontend_attributes_text
from beatnote.hlo.proto.schema import Proto, decode
from beatnote.hlo.proto.shapes import Shapes
from beatnote.hlo.proto.spelling import braced, enumerated, quoted

_ALIAS_KINDS = ("undefined-alias", "may-alias", "must-alias")
_LOCATION = ("file_name_id", "function_name_id", "line", "end_line", "column", "end_column")


def header_text(module: Proto, shapes: Shapes) -> str:
    """Write the attributes of a module, without the leading comma.

    Raises:
        ProtoError: one is damaged.
    """
    parts = ["is_scheduled=true"] if module.HasField("schedule") else []
    aliases = [
        f"{braced(one.output_shape_index)}: ({one.parameter_number}, {braced(one.parameter_shape_index)}, "
        f"{enumerated(_ALIAS_KINDS, one.kind)})"
        for one in module.input_output_alias.entries
    ]
    if aliases:
        parts.append(f"input_output_alias={{ {', '.join(aliases)} }}")
    donors = [f"({one.parameter_number}, {braced(one.parameter_shape_index)})" for one in module.buffer_donor.entries]
    if donors:
        parts.append(f"buffer_donor={{ {', '.join(donors)} }}")
    if module.host_program_shape:
        program = decode("ProgramShapeProto", module.host_program_shape)
        parameters = ", ".join(str(shapes[data]) for data in program.parameters)
        parts.append(f"entry_computation_layout={{({parameters})->{shapes[program.result]}}}")
    for name, count in (
        ("replica_count", module.device_assignment.replica_count),
        ("num_partitions", module.device_assignment.computation_count),
    ):
        if count > 1:
            parts.append(f"{name}={count}")
    attributes = frontend_attributes_text(module.frontend_attributes)
    if attributes:
        parts.append(f"frontend_attributes={{{attributes}}}")
    return ", ".join(parts)


def tables(module: Proto) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Write the tables that stack frames are looked up in: none, or all four."""
    frames = module.stack_frame_index
    if not frames.stack_frames:
        return ()
    locations = (" ".join(f"{name}={getattr(one, name)}" for name in _LOCATION) for one in frames.file_locations)
    parents = (
        f"file_location_id={one.file_location_id} parent_frame_id={one.parent_frame_id + 1}"
        for one in frames.stack_frames
    )
    rows = {
        "FileNames": map(quoted, frames.file_names),
        "FunctionNames": map(quoted, frames.function_names),
        "FileLocations": (f"{{{one}}}" for one in locations),
        "StackFrames": (f"{{{one}}}" for one in parents),
    }
    return tuple((title, _numbered(lines)) for title, lines in rows.items())


def _numbered(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{number} {line}" for number, line in enumerate(lines, 1))
