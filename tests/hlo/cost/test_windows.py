"""Windows: reading them, and counting where they meet elements."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beatnote.hlo.cost import CostError
from beatnote.hlo.cost.windows import MAX_COUNTED, WindowDimension, meetings, window_of
from beatnote.hlo.module import Instruction
from beatnote.hlo.shapes import array


def windowed(text: str) -> Instruction:
    return Instruction("r", "convolution", array("f32"), (), None, text)


def test_reading_a_window():
    text = "window={size=3x1 stride=2x1 pad=1_0x-4_2 lhs_dilate=1x5 rhs_dilate=3x1 rhs_reversal=1x1}"
    assert window_of(windowed(text)) == (WindowDimension(3, 2, 1, 3, 1), WindowDimension(1, 1, -4, 1, 5))
    assert window_of(windowed("window={}")) == window_of(windowed("")) == ()


@pytest.mark.parametrize("text", ["size=3 stride=0", "size=3 stride=1x1", "size=a", "size=3 pad=1", "size=3 pad=1_1_1"])
def test_a_window_of_another_form_is_an_error(text):
    with pytest.raises(CostError, match="the window of 'r' should have"):
        window_of(windowed(f"window={{{text}}}"))


@given(
    st.builds(
        WindowDimension,
        st.integers(0, 6),
        st.integers(1, 4),
        st.integers(-5, 6),
        st.integers(1, 4),
        st.integers(1, 4),
    ),
    st.integers(0, 7),
    st.integers(0, 7),
)
def test_meetings_are_those_of_trying_all(dimension, inputs, places):
    met = 0
    for k in range(dimension.size):
        for o in range(places):
            at = o * dimension.stride + k * dimension.dilation - dimension.low
            met += at % dimension.input_dilation == 0 and 0 <= at // dimension.input_dilation < inputs
    assert meetings(dimension, inputs, places) == met


def test_a_window_beyond_all_bounds_is_taken_to_lie_inside():
    huge = 10**15
    assert meetings(WindowDimension(huge), huge, huge) == huge * huge
    assert meetings(WindowDimension(MAX_COUNTED), huge, huge - MAX_COUNTED + 1) == MAX_COUNTED * (
        huge - MAX_COUNTED + 1
    )
