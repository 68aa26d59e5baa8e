"""What the attributes of an instruction refer to: names of computations, instructions above, texts already written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.module import Instruction
from beatnote.hlo.proto_metadata import metadata_text
from beatnote.hlo.proto_shapes import Shapes


class Surroundings:
    """A module while it is read, as its instructions see it.

    Attributes:
        shapes: those met so far.
        computations: names by id.
        metadata_text: what OpMetadata is written as.
        payloads: bytes that instructions name by number.
        found: the instructions above in the same computation, by id.
        calls: for each computation read so far those that it calls, by id.
    """

    def __init__(self, computations: dict[int, str], payloads: Sequence[bytes] = ()) -> None:
        self.shapes = Shapes()
        self.computations = computations
        self.payloads = payloads
        self.found: dict[int, Instruction] = {}
        self.calls: dict[int, list[int]] = {}
        self.metadata_text = partial(metadata_text, payloads=payloads)
        self._texts: dict[tuple[Callable[[bytes], str], bytes], str] = {}

    def text(self, write: Callable[[bytes], str], data: bytes) -> str:
        """Return what a submessage is written as; that is found out once."""
        text = self._texts.get((write, data))
        if text is None:
            text = self._texts[write, data] = write(data)
        return text

    def called(self, number: int) -> str:
        """Return the name of a called computation as it is written.

        Raises:
            ProtoError: there is none of that id.
        """
        name = self.computations.get(number)
        if name is None:
            raise ProtoError(f"calls computation {number}, which is not in the module")
        return f"%{name}"

    def instruction(self, number: int) -> Instruction:
        """Return an instruction above in the same computation.

        Raises:
            ProtoError: there is none of that id.
        """
        found = self.found.get(number)
        if found is None:
            raise ProtoError(f"refers to instruction {number}, which is not above it in its computation")
        return found
