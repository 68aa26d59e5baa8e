"""Reading programs that XLA wrote as protocol messages, `.hlo.pb` and the like: `read_proto`.

The data is what `text.parse` gives for the text that XLA dumps of the same program, with every constant in full. The
fields are in `fields`; what an instruction's fields are written as is in `attributes`.
"""

from __future__ import annotations

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.module import Computation, Module
from beatnote.hlo.proto.body import ProtoBody, clean_name
from beatnote.hlo.proto.header import header_text, tables
from beatnote.hlo.proto.order import printed_order
from beatnote.hlo.proto.schema import Proto, decode
from beatnote.hlo.proto.surroundings import Surroundings

__all__ = ["ProtoError", "read_proto"]

_WRAPPERS = 2


def read_proto(data: bytes, *, name: str = "<proto>") -> Module:
    """Read the module in an HloModuleProto, an HloProto or an HloSnapshot.

    Args:
        data: the serialized message.
        name: what errors call it, usually the file's path.

    Attributes of instructions are written when they are first asked for, and damage to them is found then.

    Raises:
        ProtoError: the bytes are none of these, or what they hold is not a program.
    """
    try:
        module = _module_in(data, _WRAPPERS)
        if module is None:
            raise ProtoError("these bytes are no HloProto: expected a module with computations in it")
        return _module(module, name)
    except ProtoError as error:
        raise error.within(name) from None


def _module_in(data: bytes, wrappers: int) -> Proto | None:
    """Find an HloModuleProto in bytes that are one, or that hold one first, inside so many messages at most.

    What is inside is tried before what is around it: no module's name is a message with computations in it, but a
    message around a module can be read as a module with a strange name.
    """
    if wrappers:
        try:
            inside = _module_in(decode("Wrapper", data).first, wrappers - 1)
        except ProtoError:
            inside = None
        if inside is not None:
            return inside
    module = decode("HloModuleProto", data)
    return module if module.computations else None


def _module(module: Proto, name: str) -> Module:
    names: dict[int, str] = {}
    for data in module.computations:
        computation = decode("HloComputationProto", data)
        if computation.id in names:
            raise ProtoError(f"two computations have the id {computation.id}")
        names[computation.id] = clean_name(computation.name)
    if len(set(names.values())) < len(names):
        raise ProtoError("two computations have the same name")
    entry = names.get(module.entry_computation_id)
    if entry is None:
        raise ProtoError(f"the entry is computation {module.entry_computation_id}, which is not in the module")
    around = Surroundings(names, tuple(module.payloads), (name,))
    schedules = {one.key: one.value.instruction_ids for one in module.schedule.sequences}
    computations: dict[int, Computation] = {}
    calls: dict[int, list[int]] = {}
    for data in module.computations:
        computation = decode("HloComputationProto", data)
        number, place = computation.id, f"computation {names[computation.id]!r}"
        try:
            body = ProtoBody(around.within(place))
            body.read(computation.instructions)
            computations[number] = body.computation(computation, names[number], schedules.get(number))
            calls[number] = body.calls
        except ProtoError as error:
            raise error.within(place) from None
    ordered = tuple(computations[number] for number in printed_order(calls))
    return Module(module.name, ordered, entry, header_text(module, around.shapes), tables(module))
