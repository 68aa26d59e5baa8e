"""Opcodes by how they are counted: tables, no logic.

An operation is one on an element, whether of floating-point, whole or logical numbers, as XLA's HloCostAnalysis counts
them, so that its counts and ours can be compared.
"""

from __future__ import annotations

TRANSCENDENTAL = frozenset(
    {
        "acos", "acosh", "asin", "asinh", "atan2", "atanh", "cbrt", "cosh", "cosine", "erf", "exponential",
        "exponential-minus-one", "log", "log-plus-one", "logistic", "power", "rng", "rng-bit-generator",
        "rsqrt", "sine", "sinh", "sqrt", "tan", "tanh",
    }
)  # fmt: skip
"""One transcendental operation an element of the result."""

ELEMENTWISE = frozenset(
    {
        "abs", "add", "and", "bitcast-convert", "ceil", "clamp", "compare", "complex", "convert",
        "count-leading-zeros", "divide", "floor", "imag", "is-finite", "maximum", "minimum", "multiply",
        "negate", "not", "or", "popcnt", "real", "reduce-precision", "remainder", "round-nearest-afz",
        "round-nearest-even", "select", "shift-left", "shift-right-arithmetic", "shift-right-logical", "sign",
        "stochastic-convert", "subtract", "xor",
    }
)  # fmt: skip
"""One flop an element of the result, or as many as `COMPLEX_FLOPS` says."""

COMPLEX_FLOPS = {"multiply": 6, "divide": 11, "abs": 4, "select": 1, "real": 1, "imag": 1, "complex": 1}
"""Flops of one operation on complex numbers, by their definition on real ones; 2 where nothing else is said."""

FREE = frozenset(
    {
        "add-dependency", "after-all", "bitcast", "constant", "domain", "get-dimension-size",
        "get-tuple-element", "opt-barrier", "parameter", "partition-id", "replica-id",
        "set-dimension-size", "tuple",
    }
)  # fmt: skip
"""Nothing is computed or moved: what there is has another name, or is a number that the device knows."""

MOVES = frozenset(
    {
        "all-gather", "all-to-all", "broadcast", "collective-broadcast", "collective-permute", "concatenate",
        "copy", "dynamic-reshape", "dynamic-slice", "dynamic-update-slice", "gather", "infeed", "iota",
        "outfeed", "pad", "ragged-all-to-all", "recv", "reshape", "reverse", "rng-get-and-update-state", "send",
        "slice", "topk", "transpose",
    }
)  # fmt: skip
"""Bytes are moved and nothing is computed."""

CONTROL = frozenset({"call", "while", "conditional"})
"""What they cost is what the computations cost that they run."""

BATCH_NORM_FLOPS = {"batch-norm-training": 7, "batch-norm-inference": 4, "batch-norm-grad": 9}
"""Flops an element of the operand, as XLA's BatchNormExpander writes them out; those a feature are not counted.

Training: x in Σx, x·x and Σx², then −mean, ·rsqrt, ·scale, +offset. Inference: the last four. Gradient: x−mean, its
product with the gradient and two sums; then N·grad − Σgrad − (x−mean)·c, and the product with the scale.
"""

COLLECTIVES = frozenset(
    {
        "all-gather", "all-reduce", "all-to-all", "collective-broadcast", "collective-permute",
        "ragged-all-to-all", "reduce-scatter",
    }
)  # fmt: skip

START, DONE = "-start", ("-update", "-done")
"""An asynchronous operation is counted where it starts."""

RESULT_OF_START = {"all-gather": 1, "collective-permute": 1, "copy": 0, "recv": 0, "send": 0}
"""Which element of a start's tuple is the result; where none is given, that of async-start, 1, if it has one."""

FREE_CUSTOM_CALLS = frozenset(
    {
        "AllocateBuffer", "annotate_device_placement", "CreateBuffer", "LayoutConstraint", "MoveToDevice",
        "MoveToHost", "Pin", "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "Unpin",
        "xla.sdy.FuncResultSharding", "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape",
    }
)  # fmt: skip
"""Custom calls that mark something and do nothing."""

MATRIX_CUSTOM_CALLS = (
    "__cublas$gemm",
    "__cublas$lt$matmul",
    "__cublas$lt$matmul$f8",
    "__cublas$lt$groupedMatmul",
    "__onednn$matmul",
    "__triton_gemm",
)
"""Custom calls that multiply matrices: operands 0 and 1, the product first in the result."""

CONVOLUTION_CUSTOM_CALLS = {
    "__cudnn$convForward": "input kernel -> output",
    "__cudnn$convForwardGraph": "input kernel -> output",
    "__cudnn$convBiasActivationForward": "input kernel -> output",
    "__cudnn$convBackwardInput": "output kernel -> input",
    "__cudnn$convBackwardFilter": "input output -> kernel",
    "__onednn$convolution": "input kernel -> output",
}
"""Custom calls that convolve, and what operands 0 and 1 and the result are of the forward convolution."""

ELEMENTWISE_CUSTOM_CALLS = {"__onednn$softmax": (4, 1), "__onednn$layernorm": (7, 0), "TopK": (0, 0)}
"""Flops and transcendental operations an element of operand 0: shift, difference, sum and quotient, and exp; moments,
then −mean, ·rsqrt, ·scale, +offset."""

FACTORISATIONS = {"potrf": (1, 3), "getrf": (2, 3), "geqrf": (4, 3), "trsm": (1, 1), "gesdd": (22, 1), "syevd": (9, 1)}
"""LAPACK routines and flops as a fraction of n³ a matrix (LAPACK Users' Guide, 3rd ed., table 3.13); for others m ≥ n,
n is the smaller extent and the count a lower bound."""
