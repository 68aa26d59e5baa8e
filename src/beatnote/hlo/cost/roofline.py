"""The roofline time of a program on a chip, one instruction after the other: no bound and no prediction.

An instruction takes the longest of its times: for computing, for moving its bytes and for sending. The program's time
is the sum, so nothing overlaps between instructions, no cache holds what the last one wrote, every unit runs at the
rate its maker publishes, and starting an instruction takes no time.
Source: S. Williams et al., Roofline, CACM 52(4), 2009.
"""

from __future__ import annotations

import msgspec

from beatnote.hlo.cost.chips import Chip
from beatnote.hlo.cost.program import Charge, ProgramCost

BOUNDS: tuple[str, ...] = ("compute", "memory", "network")
"""What an instruction may wait for."""


class Times(msgspec.Struct, frozen=True):
    """The roofline time of something, in seconds, by what it waits for."""

    compute_s: float
    memory_s: float
    network_s: float

    @property
    def time_s(self) -> float:
        """The longest of the three."""
        return max(self.compute_s, self.memory_s, self.network_s)

    @property
    def bound(self) -> str:
        """Which of the three that is."""
        return BOUNDS[(self.compute_s, self.memory_s, self.network_s).index(self.time_s)]


class Roofline(msgspec.Struct, frozen=True):
    """The roofline time of a program on a chip.

    Attributes:
        chip: its name.
        time_s: the sum over instructions of the longest of their times, in seconds.
        bound_s: of that, the time of instructions bound by `compute`, `memory` and `network`.
        compute_s: the time of computing alone, were nothing else in the way.
        memory_s: the same of moving bytes.
        network_s: the same of sending.
    """

    chip: str
    time_s: float
    bound_s: dict[str, float]
    compute_s: float
    memory_s: float
    network_s: float


def times_of(charge: Charge, chip: Chip) -> Times:
    """Return the roofline time of one run of an instruction; a transcendental operation counts as one flop."""
    cost = charge.cost
    matrix = sum(flops / chip.matrix_rate(element_type) for element_type, flops in cost.matrix_flops.items())
    others = cost.flops - sum(cost.matrix_flops.values()) + cost.transcendentals
    sent = charge.collective.sent_bytes if charge.collective else None
    return Times(
        matrix + others / chip.vector_flops_s,
        cost.bytes_accessed / chip.memory_bytes_s,
        sent / chip.link_bytes_s if sent and chip.link_bytes_s else 0.0,
    )


def roofline_of(program: ProgramCost, chip: Chip) -> Roofline:
    """Add up the roofline time of a program."""
    bound_s = dict.fromkeys(BOUNDS, 0.0)
    sums = [0.0, 0.0, 0.0]
    for charge in program.charges:
        times = times_of(charge, chip)
        bound_s[times.bound] += charge.times * times.time_s
        for place, seconds in enumerate((times.compute_s, times.memory_s, times.network_s)):
            sums[place] += charge.times * seconds
    return Roofline(chip.name, sum(bound_s.values()), bound_s, *sums)
