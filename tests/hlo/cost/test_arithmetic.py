"""Operations, opcode by opcode."""

from __future__ import annotations

import pytest

from beatnote.hlo.cost import CostError

from .programs import ADD, GREATER, charge_of, cost


@pytest.mark.parametrize(
    ("line", "parameters", "flops", "transcendentals"),
    [
        ("f32[2,3] add(p0, p1)", ("f32[2,3]", "f32[2,3]"), 6, 0),
        ("pred[2,3] compare(p0, p1), direction=LT", ("f32[2,3]", "f32[2,3]"), 6, 0),
        ("f32[2,3] exponential(p0)", ("f32[2,3]",), 0, 6),
        ("f32[2,3] power(p0, p1)", ("f32[2,3]", "f32[2,3]"), 0, 6),
        ("c64[2,3] multiply(p0, p1)", ("c64[2,3]", "c64[2,3]"), 36, 0),
        ("f32[2,3] real(p0)", ("c64[2,3]",), 6, 0),
        ("f32[2] reduce(p0, p1), dimensions={1}, to_apply=add", ("f32[2,3]", "f32[]"), 4, 0),
        ("f32[2] reduce(p0, p1), dimensions={1}, to_apply=add", ("f32[2,0]", "f32[]"), 0, 0),
        ("f32[5] map(p0, p1), dimensions={0}, to_apply=add", ("f32[5]", "f32[5]"), 5, 0),
        ("f32[8] sort(p0), dimensions={0}, to_apply=ge", ("f32[8]",), 8 * 3, 0),
        ("f32[2,9] sort(p0), dimensions={1}, to_apply=ge", ("f32[2,9]",), 18 * 4, 0),
        ("f32[2,3] broadcast(p0), dimensions={}", ("f32[]",), 0, 0),
        ("f32[4,4] cholesky(p0), lower=true", ("f32[4,4]",), 64 // 3, 0),
        ("f32[4,2] triangular-solve(p0, p1), left_side=true", ("f32[4,4]", "f32[4,2]"), 32, 0),
        ("c64[8] fft(p0), fft_type=FFT, fft_length={8}", ("c64[8]",), 5 * 8 * 3, 0),
        ("c64[5] fft(p0), fft_type=RFFT, fft_length={8}", ("f32[8]",), 60, 0),
        ("f32[3] all-reduce(p0), replica_groups={}, to_apply=add", ("f32[3]",), 3, 0),
    ],
)
def test_what_an_instruction_computes(line, parameters, flops, transcendentals):
    found = cost(line, *parameters, before=ADD + GREATER)
    assert (found.flops, found.transcendentals) == (flops, transcendentals)


@pytest.mark.parametrize(
    ("line", "parameters", "flops"),
    [
        ("f32[2,4] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}", ("f32[2,3]", "f32[3,4]"), 48),
        (
            "bf16[7,2,4] dot(p0, p1), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
            "rhs_contracting_dims={1}",
            ("bf16[7,2,3]", "bf16[7,3,4]"),
            7 * 48,
        ),
        ("c64[2,4] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}", ("c64[2,3]", "c64[3,4]"), 192),
        ("f32[2,4] dot(p0, p1)", ("f32[2]", "f32[4]"), 16),
    ],
)
def test_products_of_matrices(line, parameters, flops):
    found = cost(line, *parameters)
    assert found.flops == flops
    assert found.matrix_flops == {parameters[0].partition("[")[0]: flops}


def test_a_convolution_multiplies_no_padding():
    # GIVEN 3×3 on 4×4 with a border of padding: the kernel's rows meet 3, 4 and 3 rows of the image
    line = "f32[2,4,4,5] convolution(p0, p1), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"
    assert cost(line, "f32[2,4,4,6]", "f32[3,3,6,5]").flops == 2 * 2 * 6 * 5 * 10 * 10


def test_a_window_that_reaches_over_the_edge_adds_less():
    # GIVEN a running sum over 8 elements, THEN it adds 7 + 6 + … + 0 times
    line = "f32[8] reduce-window(p0, p1), window={size=8 pad=7_0}, to_apply=add"
    assert cost(line, "f32[8]", "f32[]").flops == 28


def test_scatter_and_select_and_scatter_apply_their_computations():
    scatter = (
        "f32[9] scatter(p0, p1, p2), update_window_dims={}, inserted_window_dims={0}, "
        "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"
    )
    assert cost(scatter, "f32[9]", "s32[4,1]", "f32[4]").flops == 4
    pooled = "f32[8] select-and-scatter(p0, p1, p2), window={size=2 stride=2}, select=ge, scatter=add"
    assert cost(pooled, "f32[8]", "f32[4]", "f32[]", before=ADD + GREATER).flops == 4 + 4


def test_what_is_not_known_is_said():
    charge = charge_of('f32[4] custom-call(p0), custom_call_target="mystery"', "f32[4]")
    assert charge is not None
    assert not charge.is_known
    assert (charge.cost.flops, charge.cost.bytes_accessed) == (0, 32)
    unheard_of = charge_of("f32[4] frobnicate(p0)", "f32[4]")
    assert unheard_of is not None
    assert not unheard_of.is_known


@pytest.mark.parametrize(
    ("line", "parameters", "message"),
    [
        ("f32[2] dot(p0), lhs_contracting_dims={7}", ("f32[2]",), "dot 'r' in computation 'e' has not the operands"),
        ("f32[2] dot(p0, p1), lhs_contracting_dims={7}", ("f32[2]", "f32[2]"), "has not the operands or attributes"),
        ("f32[2] dot(p0, p1), lhs_contracting_dims=x", ("f32[2]", "f32[2]"), "expected a list of integers"),
        ("f32[2] convolution(p0, p1), dim_labels=b0f_io->bf", ("f32[2]", "f32[2]"), "dim_labels of 'r'"),
        ("f32[2] convolution(p0, p1)", ("f32[2]", "f32[2]"), "dim_labels of 'r'"),
        ("f32[2] reduce-window(p0, p1), window={size=2 stride=0}, to_apply=add", ("f32[2]", "f32[]"), "the window of"),
        ("f32[2] add(p0, p1), to_apply=nothing", ("f32[2]", "f32[2]"), "'nothing' is referred to"),
        ("f32[?] negate(p0)", ("f32[?]",), "known only at run time"),
    ],
)
def test_what_breaks_the_rules_is_an_error_that_says_so(line, parameters, message):
    with pytest.raises(CostError, match=message.replace("(", r"\(")):
        cost(line, *parameters)
