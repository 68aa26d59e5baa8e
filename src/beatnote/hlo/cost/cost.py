"""Cost: operations and bytes as one number each, to be added up."""

from __future__ import annotations

import msgspec

LARGEST = (1 << 63) - 1
"""The largest count that is told."""


class Cost(msgspec.Struct, frozen=True):
    """Operations and bytes.

    Attributes:
        flops: operations on elements, whether floating-point, whole or logical; transcendental ones are not in it.
        transcendentals: exponentials, logarithms, powers, roots, trigonometric functions.
        bytes_read: from the device's memory.
        bytes_written: to it.
        matrix_flops: those flops that products of matrices and convolutions make, by element type of the left operand.
    """

    flops: int = 0
    transcendentals: int = 0
    bytes_read: int = 0
    bytes_written: int = 0
    matrix_flops: dict[str, int] = {}

    @property
    def operations(self) -> int:
        """Those of all kinds."""
        return self.flops + self.transcendentals

    @property
    def bytes_accessed(self) -> int:
        """Read and written."""
        return self.bytes_read + self.bytes_written

    @property
    def weight(self) -> int:
        """Operations and bytes in one number, by which branches of a conditional are compared."""
        return self.operations + self.bytes_accessed

    @property
    def largest(self) -> int:
        """The largest of all counts, which are never negative."""
        return max(self.flops, self.transcendentals, self.bytes_accessed)

    def __add__(self, other: Cost) -> Cost:
        matrix = self.matrix_flops
        if other.matrix_flops:
            matrix = dict(matrix)
            for element_type, flops in other.matrix_flops.items():
                matrix[element_type] = matrix.get(element_type, 0) + flops
        return Cost(
            self.flops + other.flops,
            self.transcendentals + other.transcendentals,
            self.bytes_read + other.bytes_read,
            self.bytes_written + other.bytes_written,
            matrix,
        )

    def times(self, count: int) -> Cost:
        """Return the cost of so many runs."""
        if count == 1:
            return self
        return Cost(
            self.flops * count,
            self.transcendentals * count,
            self.bytes_read * count,
            self.bytes_written * count,
            {element_type: flops * count for element_type, flops in self.matrix_flops.items()},
        )

    def with_traffic(self, read: int, written: int) -> Cost:
        """Return the same operations, and bytes read and written."""
        return Cost(self.flops, self.transcendentals, read, written, self.matrix_flops)


NOTHING = Cost()
