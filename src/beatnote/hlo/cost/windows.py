"""The window of convolution, reduce-window and select-and-scatter, and at how many places it meets an element."""

from __future__ import annotations

import re
from functools import lru_cache
from math import gcd

import msgspec

from beatnote.hlo.errors import CostError
from beatnote.hlo.module import Instruction

MAX_COUNTED = 10_000
"""Windows larger than this in one dimension, at more places than this, are taken to lie inside throughout."""

_FIELD = re.compile(r"(\w+)=(\S+)")
_PADDING = re.compile(r"(-?\d{1,18})_(-?\d{1,18})")


class WindowDimension(msgspec.Struct, frozen=True):
    """One dimension of a window: element k at place o meets input (o·stride + k·dilation − low) / input_dilation."""

    size: int
    stride: int = 1
    low: int = 0
    dilation: int = 1
    input_dilation: int = 1


def window_of(instruction: Instruction) -> tuple[WindowDimension, ...]:
    """Read `window={size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x1 rhs_dilate=1x1}`; none is no dimensions.

    Raises:
        CostError: it has another form.
    """
    fields: dict[str, str] = dict(_FIELD.findall(instruction.attributes.get("window", "").strip("{}")))
    rank = len(fields["size"].split("x")) if "size" in fields else 0
    rows = zip(
        _numbers(instruction, fields.get("size", ""), rank, 0),
        _numbers(instruction, fields.get("stride", ""), rank, 1),
        _lows(instruction, fields.get("pad", ""), rank),
        _numbers(instruction, fields.get("rhs_dilate", ""), rank, 1),
        _numbers(instruction, fields.get("lhs_dilate", ""), rank, 1),
        strict=True,
    )
    return tuple(WindowDimension(*row) for row in rows)


def _numbers(instruction: Instruction, text: str, rank: int, least: int) -> list[int]:
    words = text.split("x") if text else ["1"] * rank
    if len(words) != rank or not all(re.fullmatch(r"\d{1,18}", word) and int(word) >= least for word in words):
        raise CostError(f"the window of {instruction.name!r} should have {rank} numbers, found {text[:40]!r}")
    return [int(word) for word in words]


def _lows(instruction: Instruction, text: str, rank: int) -> list[int]:
    words = text.split("x") if text else ["0_0"] * rank
    found = [_PADDING.fullmatch(word) for word in words]
    if len(words) != rank or not all(found):
        raise CostError(f"the window of {instruction.name!r} should have padding such as 1_1x0_2, found {text[:40]!r}")
    return [int(one.group(1)) for one in found if one]


@lru_cache(maxsize=4096)
def meetings(dimension: WindowDimension, inputs: int, places: int) -> int:
    """Count the pairs of a window element and a place at which they meet an input, and not padding or a gap.

    The sum over the shorter of the two of how many of the other solve `o·stride + k·dilation − low = i·input_dilation`
    with i within the input, which is a linear congruence.
    """
    if min(dimension.size, places) > MAX_COUNTED:
        return dimension.size * places // dimension.input_dilation
    steps = (dimension.stride, dimension.dilation)
    counted, step, other_step = dimension.size, steps[1], steps[0]
    others = places
    if places < dimension.size:
        counted, others, step, other_step = places, dimension.size, steps[0], steps[1]
    gap = dimension.input_dilation
    reach = gap * (inputs - 1)
    shared = gcd(other_step, gap)
    modulus = gap // shared
    inverse = pow(other_step // shared, -1, modulus)
    total = 0
    for n in range(counted if inputs > 0 else 0):
        start = dimension.low - n * step
        first = max(0, -(-start // other_step))
        last = min(others - 1, (start + reach) // other_step)
        if start % shared or last < first:
            continue
        wanted = start % gap // shared * inverse % modulus
        first += (wanted - first) % modulus
        total += (last - first) // modulus + 1 if first <= last else 0
    return total
