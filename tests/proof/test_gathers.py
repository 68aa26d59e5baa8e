"""Reading and writing at positions that are data, inside the array and outside, is what XLA does."""

from __future__ import annotations

import numpy as np
import pytest

from .executed import hold, is_left_whole, program, same

ROW = "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}"
ADD_ROW = (
    "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
    "to_apply=sum_f32"
)
POINT = (
    "update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply="
)

AT_POSITIONS = {
    "dynamic-slice": ("x: f32[5], i: s32[]", "r = f32[2] dynamic-slice(x, i), dynamic_slice_sizes={2}"),
    "dynamic-slice of a matrix": (
        "x: f32[4,5], i: s32[], j: s32[]",
        "r = f32[2,1] dynamic-slice(x, i, j), dynamic_slice_sizes={2,1}",
    ),
    "dynamic-slice of all": ("x: f32[3], i: s32[]", "r = f32[3] dynamic-slice(x, i), dynamic_slice_sizes={3}"),
    "dynamic-slice at an unsigned position": (
        "x: f32[5], i: u32[]",
        "r = f32[2] dynamic-slice(x, i), dynamic_slice_sizes={2}",
    ),
    "dynamic-slice at a narrow position": (
        "x: f32[200], i: s8[]",
        "r = f32[1] dynamic-slice(x, i), dynamic_slice_sizes={1}",
    ),
    "dynamic-slice at a constant": (
        "x: f32[5]",
        "i = s32[] constant(9)\nr = f32[2] dynamic-slice(x, i), dynamic_slice_sizes={2}",
    ),
    "dynamic-slice of whole numbers": ("x: s8[5], i: s32[]", "r = s8[2] dynamic-slice(x, i), dynamic_slice_sizes={2}"),
    "dynamic-slice of truth values": (
        "x: pred[5], i: s32[]",
        "r = pred[2] dynamic-slice(x, i), dynamic_slice_sizes={2}",
    ),
    "dynamic-update-slice": ("x: f32[5], u: f32[2], i: s32[]", "r = f32[5] dynamic-update-slice(x, u, i)"),
    "dynamic-update-slice of a matrix": (
        "x: f32[4,5], u: f32[2,1], i: s32[], j: s32[]",
        "r = f32[4,5] dynamic-update-slice(x, u, i, j)",
    ),
    "dynamic-update-slice of whole numbers": (
        "x: s8[5], u: s8[2], i: s32[]",
        "r = s8[5] dynamic-update-slice(x, u, i)",
    ),
    "dynamic-update-slice with nothing": ("x: f32[5], u: f32[0], i: s32[]", "r = f32[5] dynamic-update-slice(x, u, i)"),
    "gather of rows": ("x: f32[4,3], i: s32[5,1]", f"r = f32[5,3] gather(x, i), {ROW}"),
    "gather of rows at unsigned positions": ("x: f32[4,3], i: u32[5,1]", f"r = f32[5,3] gather(x, i), {ROW}"),
    "gather without an index dimension": (
        "x: f32[4,3], i: s32[5]",
        f"r = f32[5,3] gather(x, i), {ROW}",
    ),
    "gather of windows": (
        "x: f32[6,3], i: s32[2,2]",
        "r = f32[2,2,2] gather(x, i), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0,1}, "
        "index_vector_dim=1, slice_sizes={2,2}",
    ),
    "gather with swapped components": (
        "x: f32[4,3], i: s32[2,5]",
        "r = f32[5] gather(x, i), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={1,0}, "
        "index_vector_dim=0, slice_sizes={1,1}",
    ),
    "gather whose windows come first": (
        "x: f32[4,3], i: s32[2,5,1]",
        "r = f32[3,2,5] gather(x, i), offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, "
        "index_vector_dim=2, slice_sizes={1,3}",
    ),
    "gather in batches": (
        "x: f32[2,4], i: s32[2,3,1]",
        "r = f32[2,3] gather(x, i), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, "
        "operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}",
    ),
    "scatter": ("x: f32[4], i: s32[3,1], u: f32[3]", f"r = f32[4] scatter(x, i, u), {POINT}sum_f32"),
    "scatter of rows": ("x: f32[4,3], i: s32[5,1], u: f32[5,3]", f"r = f32[4,3] scatter(x, i, u), {ADD_ROW}"),
    "scatter of shorter rows": ("x: f32[4,3], i: s32[5,1], u: f32[5,2]", f"r = f32[4,3] scatter(x, i, u), {ADD_ROW}"),
    "scatter of whole numbers that wrap": (
        "x: s8[3], i: s32[6,1], u: s8[6]",
        f"r = s8[3] scatter(x, i, u), {POINT}add_s8",
    ),
    "scatter of nothing": ("x: f32[4], i: s32[0,1], u: f32[0]", f"r = f32[4] scatter(x, i, u), {POINT}sum_f32"),
    "scatter in batches": (
        "x: f32[2,4], i: s32[2,3,1], u: f32[2,3]",
        "r = f32[2,4] scatter(x, i, u), update_window_dims={}, inserted_window_dims={1}, "
        "scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={0}, "
        "index_vector_dim=2, to_apply=sum_f32",
    ),
}


@pytest.mark.parametrize("name", AT_POSITIONS)
def test_positions_inside_and_outside_are_treated_as_xla_does(name: str) -> None:
    # GIVEN positions of both signs, some of them at the ends of their type's range
    hold(program(*AT_POSITIONS[name]), seeds=range(5))


def test_repeated_positions_add_up() -> None:
    made = program(*AT_POSITIONS["scatter"])
    x, u = np.zeros(4, np.float32), np.array([1, 10, 100], np.float32)
    hold(made, [x, np.array([[2], [2], [2]], np.int32), u])


def test_one_vector_of_positions_is_one_position_a_dimension() -> None:
    # GIVEN a slice as programs before 2020 wrote it, and as they do now
    before = program("x: f32[4,5], i: s32[2]", "r = f32[2,1] dynamic-slice(x, i), dynamic_slice_sizes={2,1}")
    now = program(
        "x: f32[4,5], i: s32[2]",
        """a = s32[1] slice(i), slice={[0:1]}
           b = s32[1] slice(i), slice={[1:2]}
           c = s32[] reshape(a)
           d = s32[] reshape(b)
           r = f32[2,1] dynamic-slice(x, c, d), dynamic_slice_sizes={2,1}""",
    )
    assert same(before, now)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (
            "r = f32[2] dynamic-slice(x, i), dynamic_slice_sizes={2}",
            "r = f32[2] dynamic-slice(x, j), dynamic_slice_sizes={2}",
        ),
        ("r = f32[5] dynamic-update-slice(x, u, i)", "r = f32[5] dynamic-update-slice(x, u, j)"),
        ("r = f32[5] dynamic-update-slice(x, u, i)", "r = f32[5] copy(x)"),
    ],
)
def test_other_positions_are_other_elements(a: str, b: str) -> None:
    parameters = "x: f32[5], u: f32[2], i: s32[], j: s32[]"
    assert not same(program(parameters, a), program(parameters, b))


@pytest.mark.parametrize("to_apply", ["second_f32", "max_f32", "multiply_f32"])
def test_a_scatter_that_does_not_add_is_left_whole(to_apply: str) -> None:
    made = program("x: f32[4], i: s32[3,1], u: f32[3]", f"r = f32[4] scatter(x, i, u), {POINT}{to_apply}")
    assert is_left_whole(made, "scatter")


def test_a_scatter_of_windows_is_left_whole() -> None:
    # GIVEN windows of two elements, which are left out when only one of them is outside
    made = program(
        "x: f32[4], i: s32[3,1], u: f32[3,2]",
        "r = f32[4] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={}, "
        "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum_f32",
    )
    assert is_left_whole(made, "scatter")


def test_a_scatter_whose_positions_cannot_say_every_element_is_left_whole() -> None:
    made = program("x: f32[200], i: s8[3,1], u: f32[3]", f"r = f32[200] scatter(x, i, u), {POINT}sum_f32")
    assert is_left_whole(made, "scatter")
