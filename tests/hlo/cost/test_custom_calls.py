"""Custom calls to libraries are counted as what they compute."""

from __future__ import annotations

import pytest

from .programs import charge_of, cost

GEMM = '"dot_dimension_numbers":{"lhs_contracting_dimensions":["0"],"rhs_contracting_dimensions":["0"]}'


@pytest.mark.parametrize(
    ("line", "parameters", "flops"),
    [
        (
            '(f32[2,4], s8[100]) custom-call(p0, p1), custom_call_target="__cublas$gemm", '
            f'backend_config={{"gemm_backend_config":{{"beta":0,{GEMM}}}}}',
            ("f32[3,2]", "f32[3,4]"),
            48,
        ),
        (
            'f32[2,4] custom-call(p0, p1), custom_call_target="__cublas$gemm", backend_config="{'
            + GEMM.replace('"', '\\"')
            + '}"',
            ("f32[3,2]", "f32[3,4]"),
            48,
        ),
        (
            'f32[7,2,4] custom-call(p0, p1), custom_call_target="__onednn$matmul", '
            'backend_config={"outer_dimension_partitions":[],"onednn_matmul_config":{"transpose_b":false}}',
            ("f32[7,2,3]", "f32[7,3,4]"),
            7 * 48,
        ),
        (
            'f32[2,4] custom-call(p0, p1), custom_call_target="__onednn$matmul", '
            'backend_config={"onednn_matmul_config":{"transpose_a":true}}',
            ("f32[3,2]", "f32[3,4]"),
            48,
        ),
        (
            "(f32[1,5,4,4], u8[0]) custom-call(p0, p1), window={size=3x3 pad=1_1x1_1}, "
            'dim_labels=bf01_oi01->bf01, custom_call_target="__cudnn$convForward"',
            ("f32[1,6,4,4]", "f32[5,6,3,3]"),
            2 * 6 * 5 * 100,
        ),
        (
            "(f32[5,6,3,3], u8[0]) custom-call(p0, p1), window={size=3x3 pad=1_1x1_1}, "
            'dim_labels=bf01_oi01->bf01, custom_call_target="__cudnn$convBackwardFilter"',
            ("f32[1,6,4,4]", "f32[1,5,4,4]"),
            2 * 6 * 5 * 100,
        ),
        (
            "(f32[1,6,4,4], u8[0]) custom-call(p0, p1), window={size=3x3 pad=1_1x1_1}, "
            'dim_labels=bf01_oi01->bf01, custom_call_target="__cudnn$convBackwardInput"',
            ("f32[1,5,4,4]", "f32[5,6,3,3]"),
            2 * 6 * 5 * 100,
        ),
        (
            'f32[1,4,4,5] custom-call(p0, p1), custom_call_target="__onednn$convolution", '
            'backend_config={"onednn_conv_config":{"kernel":{"filter":{"output_feature_dim":"4"}}}}',
            ("f32[1,6,6,6]", "f32[3,3,6,5]"),
            2 * 16 * 5 * 6 * 9,
        ),
    ],
)
def test_products_in_custom_calls(line, parameters, flops):
    found = cost(line, *parameters)
    assert found.flops == flops
    assert found.matrix_flops == {"f32": flops}
    assert found.bytes_read > 0


@pytest.mark.parametrize(
    ("target", "shape", "flops", "transcendentals"),
    [
        ("__onednn$softmax", "f32[4,8]", 128, 32),
        ("lapack_spotrf_ffi", "f32[2,6,6]", 2 * 72, 0),
        ("cusolver_getrf_ffi", "f32[6,6]", 144, 0),
        ("TopK", "f32[8]", 0, 0),
    ],
)
def test_other_routines(target, shape, flops, transcendentals):
    charge = charge_of(f'{shape} custom-call(p0), custom_call_target="{target}"', shape)
    assert charge is not None
    assert charge.is_known
    assert (charge.cost.flops, charge.cost.transcendentals) == (flops, transcendentals)


def test_a_product_without_operands_is_not_known():
    charge = charge_of('f32[4] custom-call(p0), custom_call_target="__cublas$gemm"', "f32[4]")
    assert charge is not None
    assert not charge.is_known
