"""Reading an array at other indices gives what XLA moves there."""

from __future__ import annotations

import numpy as np
import pytest

from beatnote.proof.index import evaluate
from beatnote.proof.views import bitcast_sources

from .executed import hold, inputs_of, numbers, program, same, translation

MOVES = {
    "reshape splits": ("x: f32[12]", "r = f32[3,4] reshape(x)"),
    "reshape joins": ("x: f32[2,3,4]", "r = f32[24] reshape(x)"),
    "reshape regroups": ("x: f32[4,6]", "r = f32[3,8] reshape(x)"),
    "reshape of extents 1": ("x: f32[1,3,1]", "r = f32[3,1,1,1] reshape(x)"),
    "reshape to a scalar": ("x: f32[1,1]", "r = f32[] reshape(x)"),
    "transpose": ("x: f32[2,3,4]", "r = f32[4,2,3] transpose(x), dimensions={2,0,1}"),
    "transpose after reshape": (
        "x: f32[6,4]",
        "a = f32[2,3,4] reshape(x)\nr = f32[4,3,2] transpose(a), dimensions={2,1,0}",
    ),
    "slice": ("x: f32[5,6]", "r = f32[2,3] slice(x), slice={[1:3], [2:5]}"),
    "slice with strides": ("x: f32[7,8]", "r = f32[3,3] slice(x), slice={[0:7:3], [1:8:3]}"),
    "slice of a slice": ("x: f32[20]", "a = f32[7] slice(x), slice={[1:20:3]}\nr = f32[3] slice(a), slice={[1:7:2]}"),
    "slice of nothing": ("x: f32[5]", "r = f32[0] slice(x), slice={[2:2]}"),
    "reverse": ("x: f32[2,3,4]", "r = f32[2,3,4] reverse(x), dimensions={0,2}"),
    "reverse of a stride": ("x: f32[9]", "a = f32[3] slice(x), slice={[1:9:3]}\nr = f32[3] reverse(a), dimensions={0}"),
    "broadcast of a scalar": ("x: f32[]", "r = f32[2,3] broadcast(x), dimensions={}"),
    "broadcast between": ("x: f32[2,3]", "r = f32[2,4,3] broadcast(x), dimensions={0,2}"),
    "broadcast in another order": ("x: f32[2,3]", "r = f32[3,2] broadcast(x), dimensions={1,0}"),
    "pad": ("x: f32[2,3], p: f32[]", "r = f32[5,4] pad(x, p), padding=1_2x0_1"),
    "pad inside": ("x: f32[4], p: f32[]", "r = f32[12] pad(x, p), padding=1_1_2"),
    "pad that cuts off": ("x: f32[6], p: f32[]", "r = f32[3] pad(x, p), padding=-1_-2"),
    "pad that cuts off what it pads inside": ("x: f32[4], p: f32[]", "r = f32[6] pad(x, p), padding=-2_1_1"),
    "pad that leaves nothing": ("x: f32[4], p: f32[]", "r = f32[0] pad(x, p), padding=-2_-2"),
    "pad of nothing": ("x: f32[0], p: f32[]", "r = f32[3] pad(x, p), padding=1_2"),
    "pad of whole numbers": ("x: s8[2,2], p: s8[]", "r = s8[4,3] pad(x, p), padding=1_1x0_0_1"),
    "pad of truth values": ("x: pred[3], p: pred[]", "r = pred[5] pad(x, p), padding=2_0"),
    "concatenate": ("x: f32[2,3], y: f32[2,1]", "r = f32[2,4] concatenate(x, y), dimensions={1}"),
    "concatenate three, one empty": (
        "x: f32[2], y: f32[0], z: f32[1]",
        "r = f32[3] concatenate(x, y, z), dimensions={0}",
    ),
    "concatenate with itself": ("x: s8[3]", "a = s8[6] concatenate(x, x), dimensions={0}\nr = s8[2,3] reshape(a)"),
    "concatenate truth values": ("x: pred[2], y: pred[2]", "r = pred[4] concatenate(x, y), dimensions={0}"),
    "reverse of a concatenation": (
        "x: f32[2], y: f32[3]",
        "a = f32[5] concatenate(x, y), dimensions={0}\nr = f32[5] reverse(a), dimensions={0}",
    ),
    "reshape of a pad": (
        "x: f32[2,3], p: f32[]",
        "a = f32[4,3] pad(x, p), padding=1_1x0_0\nr = f32[2,6] reshape(a)",
    ),
}


@pytest.mark.parametrize("name", MOVES)
def test_moved_elements_are_those_that_xla_moves(name: str) -> None:
    hold(program(*MOVES[name]))


@pytest.mark.parametrize(
    ("parameters", "there_and_back"),
    [
        ("x: f32[2,3]", "a = f32[3,2] transpose(x), dimensions={1,0}\nr = f32[2,3] transpose(a), dimensions={1,0}"),
        ("x: f32[4,6]", "a = f32[3,8] reshape(x)\nr = f32[4,6] reshape(a)"),
        ("x: f32[5]", "a = f32[5] reverse(x), dimensions={0}\nr = f32[5] reverse(a), dimensions={0}"),
        ("x: f32[5]", "z = f32[] constant(0)\na = f32[9] pad(x, z), padding=2_2\nr = f32[5] slice(a), slice={[2:7]}"),
        (
            "x: f32[5]",
            "z = f32[] constant(0)\na = f32[9] pad(x, z), padding=0_0_1\nr = f32[5] slice(a), slice={[0:9:2]}",
        ),
        ("x: f32[3]", "a = f32[6] concatenate(x, x), dimensions={0}\nr = f32[3] slice(a), slice={[3:6]}"),
        ("x: f32[1,3]", "a = f32[3] reshape(x)\nr = f32[1,3] broadcast(a), dimensions={1}"),
    ],
)
def test_there_and_back_is_nothing_done(parameters: str, there_and_back: str) -> None:
    shape = parameters.split(": ")[1]
    assert same(program(parameters, there_and_back), program(parameters, f"r = {shape} copy(x)"))


@pytest.mark.parametrize(
    ("parameters", "a", "b"),
    [
        ("x: f32[3,3]", "r = f32[3,3] transpose(x), dimensions={1,0}", "r = f32[3,3] copy(x)"),
        ("x: f32[4]", "r = f32[4] reverse(x), dimensions={0}", "r = f32[4] copy(x)"),
        ("x: f32[5]", "r = f32[2] slice(x), slice={[0:4:2]}", "r = f32[2] slice(x), slice={[0:4:3]}"),
        (
            "x: f32[2,2]",
            "r = f32[2,2,2] broadcast(x), dimensions={0,1}",
            "r = f32[2,2,2] broadcast(x), dimensions={0,2}",
        ),
        (
            "x: f32[2], y: f32[2]",
            "r = f32[4] concatenate(x, y), dimensions={0}",
            "r = f32[4] concatenate(y, x), dimensions={0}",
        ),
        ("x: f32[2], y: f32[]", "r = f32[4] pad(x, y), padding=1_1", "r = f32[4] pad(x, y), padding=2_0"),
        (
            "x: f32[2,6]",
            "r = f32[3,4] reshape(x)",
            "a = f32[6,2] transpose(x), dimensions={1,0}\nr = f32[3,4] reshape(a)",
        ),
    ],
)
def test_elements_that_go_elsewhere_differ(parameters: str, a: str, b: str) -> None:
    assert not same(program(parameters, a), program(parameters, b))


def test_a_part_that_is_cut_off_needs_nothing() -> None:
    # GIVEN 1/x in the part of an array that a slice takes away, and in the part that it leaves
    body = """o = f32[] constant(1)
              ones = f32[2] broadcast(o), dimensions={{}}
              d = f32[2] divide(ones, x)
              a = f32[4] concatenate(d, y), dimensions={{0}}
              r = f32[2] slice(a), slice={{{}}}"""
    taken, left = (translation(program("x: f32[2], y: f32[2]", body.format(part))) for part in ("[2:4]", "[0:2]"))
    # THEN only the latter asks that x is not 0
    assert not taken.outputs[0].domain
    assert left.outputs[0].domain


@pytest.mark.parametrize("order", [(1, 0), (0, 1)])
@pytest.mark.parametrize("source_order", [(1, 0), (0, 1)])
def test_a_bitcast_reads_memory_in_another_order(order: tuple[int, int], source_order: tuple[int, int]) -> None:
    # GIVEN a 4×3 array whose memory, read in order, counts up
    memory = np.arange(12)
    source = memory.reshape((4, 3) if source_order == (1, 0) else (3, 4))
    source = source if source_order == (1, 0) else source.T
    expected = memory.reshape((6, 2) if order == (1, 0) else (2, 6))
    expected = expected if order == (1, 0) else expected.T
    # WHEN the elements of a bitcast to 6×2 are taken from where it says
    places = {0: np.arange(6)[:, None], 1: np.arange(2)[None, :]}
    first, second = (evaluate(index, places) for index in bitcast_sources((6, 2), order, (4, 3), source_order))
    # THEN they count up in their own order of memory
    assert np.array_equal(source[first, second], expected)


def test_whole_numbers_keep_their_range() -> None:
    made = program("x: s8[3]", "a = s8[3] add(x, x)\nb = s8[3] add(a, a)\nr = s8[3] reverse(b), dimensions={0}")
    inputs = inputs_of(made)
    found = translation(made)
    assert np.array_equal(numbers(found, found.outputs[0], inputs), (inputs[0] * np.int8(4))[::-1])
