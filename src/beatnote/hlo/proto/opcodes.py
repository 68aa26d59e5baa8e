"""Which attributes each opcode has, and how those that only one opcode has are written.

Source: PrintExtraAttributesImpl in xla/hlo/ir/hlo_instructions.cc, and the dumps of XLA itself.
"""

from __future__ import annotations

from beatnote.hlo.proto.devices import replica_groups_text, sharding_text
from beatnote.hlo.proto.dimensions import (
    convolution_text,
    dot_text,
    gather_text,
    padding_text,
    ragged_dot_text,
    scatter_text,
    slice_text,
    window_text,
)
from beatnote.hlo.proto.makers import (
    Attribute,
    always,
    enumeration,
    first_dimension,
    flag,
    late,
    where_given,
    where_set,
)
from beatnote.hlo.proto.schema import Proto, decode
from beatnote.hlo.proto.spelling import braced, enumerated, quoted, six_digits
from beatnote.hlo.proto.surroundings import Surroundings
from beatnote.hlo.shapes import ELEMENT_TYPES, ArrayShape

_FFT = ("FFT", "IFFT", "RFFT", "IRFFT")
_TRANSPOSE = ("TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
_PRECISION = ("default", "high", "highest")
_ALGORITHM = (
    "unset",
    "dot_any_f8_any_f8_f32",
    "dot_any_f8_any_f8_f32_fast_accum",
    "dot_f16_f16_f16",
    "dot_f16_f16_f32",
    "dot_bf16_bf16_bf16",
    "dot_bf16_bf16_f32",
    "dot_bf16_bf16_f32_x3",
    "dot_bf16_bf16_f32_x6",
    "dot_tf32_tf32_f32",
    "dot_tf32_tf32_f32_x3",
    "dot_f32_f32_f32",
    "dot_f64_f64_f64",
    "dot_bf16_bf16_f32_x9",
)
_DISTRIBUTION = ("rng_invalid", "rng_uniform", "rng_normal")
_RANDOM_ALGORITHM = ("rng_default", "rng_three_fry", "rng_philox")
_PADDING_TYPE = ("PADDING_INVALID", "PADDING_VALID", "PADDING_SAME")
_CONVOLUTION_KIND = ("unset", "fprop", "dgrad", "wgrad")
_TRI_STATE = ("unspecified", "true", "false")
_NO_DOT_DIMENSIONS = "lhs_contracting_dims={}, rhs_contracting_dims={}"
_SCHEDULE = ("SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST")
_API_VERSION = (
    "API_VERSION_UNSPECIFIED",
    "API_VERSION_ORIGINAL",
    "API_VERSION_STATUS_RETURNING",
    "API_VERSION_STATUS_RETURNING_UNIFIED",
    "API_VERSION_TYPED_FFI",
)
_COMPARISON_TYPES = {
    "float": "FLOAT",
    "complex": "FLOAT",
    "signed": "SIGNED",
    "unsigned": "UNSIGNED",
    "pred": "UNSIGNED",
}
"""How values of a kind of element type are compared unless another type of comparison is given."""


def _direction(instruction: Proto, around: Surroundings) -> str:
    text = f"direction={instruction.comparison_direction}"
    kind = instruction.comparison_type
    if not kind or not instruction.operand_ids:
        return text
    shape = around.shape_of[instruction.operand_ids[0]]
    usual = _COMPARISON_TYPES.get(ELEMENT_TYPES[shape.element_type].kind) if isinstance(shape, ArrayShape) else None
    return text if kind == usual else f"{text}, type={kind}"


def _precision_text(data: bytes) -> str:
    config = decode("PrecisionConfig", data)
    parts: list[str] = []
    if any(config.operand_precision):
        names = (enumerated(_PRECISION, one) for one in config.operand_precision)
        parts.append(f"operand_precision={{{','.join(names)}}}")
    if config.algorithm:
        parts.append(f"algorithm={enumerated(_ALGORITHM, config.algorithm)}")
    return ", ".join(parts)


def _aliasing(instruction: Proto, around: Surroundings) -> str:
    rows = (
        f"{braced(one.output_shape_index)}: ({one.operand_index}, {braced(one.operand_shape_index)})"
        for one in instruction.output_operand_aliasing
    )
    return f"output_to_operand_aliasing={{{', '.join(rows)}}}" if instruction.output_operand_aliasing else ""


def _layout_constraints(instruction: Proto, around: Surroundings) -> str:
    if not instruction.constrain_layout:
        return ""
    shapes = (str(around.shapes[data]) for data in instruction.operand_shapes_with_layout)
    return f"operand_layout_constraints={{{', '.join(shapes)}}}"


def _literal(instruction: Proto, around: Surroundings) -> str:
    if not instruction.literal:
        return ""
    shape = around.shapes[decode("LiteralProto", instruction.literal).shape]
    return f"literal={shape} {around.literals[instruction.literal]}"


def _triangular_solve(instruction: Proto, around: Surroundings) -> str:
    options = instruction.triangular_solve_options
    flags = [f"{name}=true" for name in ("left_side", "lower", "unit_diagonal") if getattr(options, name)]
    if options.transpose_a:
        flags.append(f"transpose_a={enumerated(_TRANSPOSE, options.transpose_a)}")
    return ", ".join(flags)


def _domain(instruction: Proto, around: Surroundings) -> str:
    entry, leave = instruction.domain_entry_sharding, instruction.domain_exit_sharding
    if not instruction.HasField("domain_entry_sharding") or not instruction.HasField("domain_exit_sharding"):
        return ""
    return f'domain={{kind="sharding", entry={sharding_text(leave)}, exit={sharding_text(entry)}}}'


def _group_counts(instruction: Proto, around: Surroundings) -> str:
    counts = {"feature": instruction.feature_group_count, "batch": instruction.batch_group_count}
    return ", ".join(f"{what}_group_count={count}" for what, count in counts.items() if count not in (0, 1))


def _replica_groups(instruction: Proto, around: Surroundings) -> str:
    return f"replica_groups={replica_groups_text(instruction)}"


def _api_version(instruction: Proto, around: Surroundings) -> str:
    version = instruction.custom_call_api_version
    return "" if version == 1 else f"api_version={enumerated(_API_VERSION, version)}"


def _outfeed_shape(instruction: Proto, around: Surroundings) -> str:
    return f"outfeed_shape={around.shapes[instruction.outfeed_shape]}"


def _replication(instruction: Proto, around: Surroundings) -> str:
    flags = instruction.parameter_replication.replicated_at_leaf_buffers
    return f"parameter_replication={{{','.join(map(flag, flags))}}}" if flags else ""


def _pairs(instruction: Proto, around: Surroundings) -> str:
    pairs = (f"{{{pair.source},{pair.target}}}" for pair in instruction.source_target_pairs)
    return f"source_target_pairs={{{','.join(pairs)}}}"


def _sparsity_text(data: bytes) -> str:
    config = decode("SparsityConfig", data)
    sides = [(side, getattr(config, side)) for side in ("lhs", "rhs") if config.HasField(side)]
    return ", ".join(
        f"{side}={{sparsity={one.num_non_zero}x{one.block_size} dimension={one.dimension} stride={one.stride}}}"
        for side, one in sides
    )


_DIMENSIONS = (always("dimensions", "dimensions", braced),)
_ONE_DIMENSION = (first_dimension("dimensions={{{}}}"),)
_WINDOW = (late("window={{{}}}", "window", window_text),)
_CONVOLUTION = (
    *_WINDOW,
    late("dim_labels={}", "convolution_dimension_numbers", convolution_text),
    _group_counts,
)
_PRECISION_CONFIG = (late("{}", "precision_config", _precision_text),)
_SPARSITY = (late("sparsity_config={{{}}}", "sparsity_config", _sparsity_text),)
_CHANNEL = (where_set("channel_id", "channel_id"),)
_TRANSFER = (*_CHANNEL, where_set("is_host_transfer", "is_host_transfer", flag))
_COLLECTIVE = (
    *_CHANNEL,
    _replica_groups,
    where_set("constrain_layout", "constrain_layout", flag),
)
_GLOBAL_IDS = (where_set("use_global_device_ids", "use_global_device_ids", flag),)
_PERMUTE = (*_CHANNEL, _pairs, where_set("slice_sizes", "dynamic_slice_sizes", braced))
_SORTED = (where_set("indices_are_sorted", "indices_are_sorted", flag),)
_BATCH_NORM = (always("epsilon", "epsilon", six_digits), always("feature_index", "feature_index"))

_PLAIN = """
    abs acos acosh add add-dependency after-all all-gather-done all-reduce-done and asin asinh async-done async-update
    atan2 atanh bitcast bitcast-convert call cbrt ceil clamp collective-permute-done complex conditional convert copy
    copy-done cosine cosh count-leading-zeros divide dynamic-reshape dynamic-update-slice erf exponential
    exponential-minus-one floor imag is-finite log log-plus-one logistic maximum minimum multiply negate not opt-barrier
    or partition-id popcnt power real remainder replica-id round-nearest-afz round-nearest-even rsqrt select shift-left
    shift-right-arithmetic shift-right-logical sign sine sinh sqrt stochastic-convert subtract tan tanh tuple while xor
"""

OPCODES: dict[str, tuple[Attribute, ...]] = {
    **dict.fromkeys(_PLAIN.split(), ()),
    "all-gather": (*_COLLECTIVE, *_ONE_DIMENSION, *_GLOBAL_IDS),
    "all-gather-start": (*_COLLECTIVE, *_ONE_DIMENSION, *_GLOBAL_IDS),
    "all-reduce": (*_COLLECTIVE, *_GLOBAL_IDS),
    "all-reduce-start": (*_COLLECTIVE, *_GLOBAL_IDS),
    "all-to-all": (*_COLLECTIVE, *_ONE_DIMENSION),
    "async-start": (where_set("async_execution_thread", "async_execution_thread", quoted),),
    "batch-norm-grad": _BATCH_NORM,
    "batch-norm-inference": _BATCH_NORM,
    "batch-norm-training": _BATCH_NORM,
    "broadcast": _DIMENSIONS,
    "cholesky": (lambda instruction, around: "lower=true" if instruction.cholesky_options.lower else "",),
    "collective-broadcast": _COLLECTIVE,
    "collective-permute": _PERMUTE,
    "collective-permute-start": _PERMUTE,
    "compare": (_direction,),
    "concatenate": _DIMENSIONS,
    "constant": (),
    "convolution": (
        *_CONVOLUTION,
        *_PRECISION_CONFIG,
        where_set("convolution_kind", "conv_kind", enumeration(_CONVOLUTION_KIND)),
        *_SPARSITY,
    ),
    "copy-start": (where_given("cross_program_prefetch_index", "cross_program_prefetch_index"),),
    "custom-call": (
        *_CONVOLUTION,
        *_PRECISION_CONFIG,
        where_set("padding_type", "padding_type", enumeration(_PADDING_TYPE)),
        always("custom_call_target", "custom_call_target", quoted),
        _layout_constraints,
        where_set("custom_call_has_side_effect", "custom_call_has_side_effect", flag),
        _literal,
        _aliasing,
        where_set("schedule", "custom_call_schedule", enumeration(_SCHEDULE)),
        _api_version,
    ),
    "domain": (_domain,),
    "dot": (late("{}", "dot_dimension_numbers", dot_text, _NO_DOT_DIMENSIONS), *_PRECISION_CONFIG),
    "dynamic-slice": (always("dynamic_slice_sizes", "dynamic_slice_sizes", braced),),
    "fft": (always("fft_type", "fft_type", enumeration(_FFT)), always("fft_length", "fft_length", braced)),
    "fusion": (always("kind", "fusion_kind"), _aliasing),
    "gather": (
        late("{}", "gather_dimension_numbers", gather_text),
        always("slice_sizes", "gather_slice_sizes", braced),
        *_SORTED,
    ),
    "get-dimension-size": _ONE_DIMENSION,
    "get-tuple-element": (always("index", "tuple_index"),),
    "infeed": (where_set("infeed_config", "infeed_config", quoted),),
    "iota": (first_dimension("iota_dimension={}"),),
    "map": _DIMENSIONS,
    "outfeed": (_outfeed_shape, where_set("outfeed_config", "outfeed_config", quoted)),
    "pad": (late("padding={}", "padding_config", padding_text, "padding="),),
    "parameter": (_replication,),
    "ragged-all-to-all": _COLLECTIVE,
    "ragged-dot": (late("{}", "ragged_dot_dimension_numbers", ragged_dot_text), *_PRECISION_CONFIG),
    "recv": _TRANSFER,
    "recv-done": _TRANSFER,
    "reduce": _DIMENSIONS,
    "reduce-precision": (always("exponent_bits", "exponent_bits"), always("mantissa_bits", "mantissa_bits")),
    "reduce-scatter": (*_COLLECTIVE, *_GLOBAL_IDS, *_ONE_DIMENSION),
    "reduce-window": _WINDOW,
    "reshape": (first_dimension("inferred_dimension={}"),),
    "reverse": _DIMENSIONS,
    "rng": (always("distribution", "distribution", enumeration(_DISTRIBUTION)),),
    "rng-bit-generator": (always("algorithm", "rng_algorithm", enumeration(_RANDOM_ALGORITHM)),),
    "rng-get-and-update-state": (always("delta", "delta"),),
    "scan": (
        *_DIMENSIONS,
        always("num_carries", "num_carries"),
        where_set("is_reverse", "is_reverse", flag),
        where_set("is_associative", "is_associative", enumeration(_TRI_STATE)),
    ),
    "scatter": (
        late("{}", "scatter_dimension_numbers", scatter_text),
        *_SORTED,
        where_set("unique_indices", "unique_indices", flag),
    ),
    "select-and-scatter": _WINDOW,
    "send": _TRANSFER,
    "send-done": _TRANSFER,
    "set-dimension-size": _ONE_DIMENSION,
    "slice": (lambda instruction, around: f"slice={{{slice_text(instruction.slice_dimensions)}}}",),
    "sort": (*_DIMENSIONS, where_set("is_stable", "is_stable", flag)),
    "topk": (always("k", "k"), always("largest", "largest", flag)),
    "transpose": _DIMENSIONS,
    "triangular-solve": (_triangular_solve,),
}
"""Opcode -> its own attributes, in XLA's order."""

_CALLING = """
    all-reduce all-reduce-start async-done async-start async-update call conditional custom-call fusion map reduce
    reduce-scatter reduce-window scan scatter select-and-scatter sort while
"""
NEVER_CALLING = frozenset(OPCODES).difference(_CALLING.split())
"""Opcodes that call no computation."""
