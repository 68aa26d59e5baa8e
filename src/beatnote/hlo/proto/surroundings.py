"""What the attributes of an instruction refer to: names of computations, instructions above, texts already written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.proto.literals import Literals
from beatnote.hlo.proto.metadata import metadata_text
from beatnote.hlo.proto.shapes import Shapes
from beatnote.hlo.shapes import Shape


class Surroundings:
    """A computation of a module, as its instructions see it.

    It holds no instructions: their attributes are written after the reading, and hold it.

    Attributes:
        place: what errors in its instructions' attributes name first: the file and the computation.
        shapes: those met so far in the module.
        literals: texts of those met so far in the module.
        computations: names by id.
        payloads: bytes that instructions name by number.
        metadata_text: what OpMetadata is written as.
        names: of the instructions so far, by id.
        shape_of: the shapes of the instructions so far, by id.
    """

    def __init__(self, computations: dict[int, str], payloads: Sequence[bytes], place: tuple[str, ...]) -> None:
        self.place = place
        self.shapes = Shapes()
        self.literals = Literals(self.shapes)
        self.computations = computations
        self.payloads = payloads
        self.metadata_text = partial(metadata_text, payloads=payloads)
        self.names: dict[int, str] = {}
        self.shape_of: dict[int, Shape] = {}
        self._texts: dict[tuple[Callable[[bytes], str], bytes], str] = {}

    def within(self, place: str) -> Surroundings:
        """Return the surroundings in a computation of the same module, without instructions yet."""
        inner = Surroundings.__new__(Surroundings)
        inner.__dict__.update(self.__dict__)
        inner.place, inner.names, inner.shape_of = (*self.place, place), {}, {}
        return inner

    def text(self, write: Callable[[bytes], str], data: bytes) -> str:
        """Return what a submessage is written as; that is found out once."""
        text = self._texts.get((write, data))
        if text is None:
            text = self._texts[write, data] = write(data)
        return text

    def known(self, number: int) -> int:
        """Return the id of a called computation.

        Raises:
            ProtoError: there is none of that id.
        """
        if number not in self.computations:
            raise ProtoError(f"calls computation {number}, which is not in the module")
        return number

    def instruction(self, number: int) -> str:
        """Return the name of an instruction of the same computation.

        Raises:
            ProtoError: there is none of that id.
        """
        name = self.names.get(number)
        if name is None:
            raise ProtoError(f"refers to instruction {number}, which is not above it in its computation")
        return name
