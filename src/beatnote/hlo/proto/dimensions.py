"""Which dimensions an instruction works on: windows, convolutions, dots, gathers, scatters, padding, slices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.proto.schema import Proto, decode
from beatnote.hlo.proto.spelling import braced

_MAX_SPATIAL = 64


def window_text(data: bytes) -> str:
    """Read a Window: `size=3x3 pad=1_1x1_1`; '' for one without dimensions."""
    dimensions = decode("Window", data).dimensions
    if not dimensions:
        return ""
    parts = [f"size={_by(one.size for one in dimensions)}"]
    if any(one.stride != 1 for one in dimensions):
        parts.append(f"stride={_by(one.stride for one in dimensions)}")
    if any(one.padding_low or one.padding_high for one in dimensions):
        parts.append(f"pad={_by(f'{one.padding_low}_{one.padding_high}' for one in dimensions)}")
    if any(one.base_dilation != 1 for one in dimensions):
        parts.append(f"lhs_dilate={_by(one.base_dilation for one in dimensions)}")
    if any(one.window_dilation != 1 for one in dimensions):
        parts.append(f"rhs_dilate={_by(one.window_dilation for one in dimensions)}")
    if any(one.window_reversal for one in dimensions):
        parts.append(f"rhs_reversal={_by(int(one.window_reversal) for one in dimensions)}")
    return " ".join(parts)


def _by(values: Iterable[object]) -> str:
    return "x".join(map(str, values))


def convolution_text(data: bytes) -> str:
    """Read ConvolutionDimensionNumbers: `b01f_01io->b01f`."""
    numbers = decode("ConvolutionDimensionNumbers", data)
    lhs = _labels(
        {"b": numbers.input_batch_dimension, "f": numbers.input_feature_dimension}, numbers.input_spatial_dimensions
    )
    rhs = _labels(
        {"i": numbers.kernel_input_feature_dimension, "o": numbers.kernel_output_feature_dimension},
        numbers.kernel_spatial_dimensions,
    )
    output = _labels(
        {"b": numbers.output_batch_dimension, "f": numbers.output_feature_dimension}, numbers.output_spatial_dimensions
    )
    return f"{lhs}_{rhs}->{output}"


def _labels(named: dict[str, int], spatial: Sequence[int]) -> str:
    if len(spatial) > _MAX_SPATIAL:
        raise ProtoError(f"a convolution of {len(spatial)} spatial dimensions")
    labels = ["?"] * (len(spatial) + 2)
    for label, place in (*named.items(), *((str(number), place) for number, place in enumerate(spatial))):
        if not 0 <= place < len(labels):
            raise ProtoError(f"a convolution of {len(labels)} dimensions names dimension {place}")
        labels[place] = label
    return "".join(labels)


def dot_text(data: bytes) -> str:
    """Read DotDimensionNumbers, with the names of the four attributes."""
    numbers = decode("DotDimensionNumbers", data)
    parts: list[str] = []
    for side in ("lhs", "rhs"):
        batch = getattr(numbers, f"{side}_batch_dimensions")
        if batch:
            parts.append(f"{side}_batch_dims={braced(batch)}")
        parts.append(f"{side}_contracting_dims={braced(getattr(numbers, f'{side}_contracting_dimensions'))}")
    return ", ".join(parts)


def ragged_dot_text(data: bytes) -> str:
    """Read RaggedDotDimensionNumbers, with the names of the attributes."""
    numbers = decode("RaggedDotDimensionNumbers", data)
    parts = [dot_text(numbers.dot_dimension_numbers), f"lhs_ragged_dims={braced(numbers.lhs_ragged_dimensions)}"]
    if numbers.rhs_group_dimensions:
        parts.append(f"rhs_group_dims={braced(numbers.rhs_group_dimensions)}")
    return ", ".join(parts)


def gather_text(data: bytes) -> str:
    """Read GatherDimensionNumbers, with the names of the attributes."""
    numbers = decode("GatherDimensionNumbers", data)
    return _indexing(
        numbers,
        always=("offset_dims", "collapsed_slice_dims", "start_index_map"),
        batching=("operand_batching_dims", "start_indices_batching_dims"),
    )


def scatter_text(data: bytes) -> str:
    """Read ScatterDimensionNumbers, with the names of the attributes."""
    numbers = decode("ScatterDimensionNumbers", data)
    return _indexing(
        numbers,
        always=("update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims"),
        batching=("input_batching_dims", "scatter_indices_batching_dims"),
    )


def _indexing(numbers: Proto, always: Sequence[str], batching: Sequence[str]) -> str:
    shown = (*always, *(name for name in batching if getattr(numbers, name)))
    parts = [f"{name}={braced(getattr(numbers, name))}" for name in shown]
    return ", ".join([*parts, f"index_vector_dim={numbers.index_vector_dim}"])


def padding_text(data: bytes) -> str:
    """Read a PaddingConfig: `1_1x0_3`, with interior padding where any dimension has some."""
    dimensions = decode("PaddingConfig", data).dimensions
    is_interior = any(one.interior_padding for one in dimensions)
    return _by(
        f"{one.edge_padding_low}_{one.edge_padding_high}" + (f"_{one.interior_padding}" if is_interior else "")
        for one in dimensions
    )


def slice_text(dimensions: Iterable[Proto]) -> str:
    """Write SliceDimensions: `[0:4], [0:8]`, with strides where any is not 1."""
    rows = [(one.start, one.limit, one.stride) for one in dimensions]
    is_strided = any(stride != 1 for _, _, stride in rows)
    return ", ".join(f"[{start}:{limit}{f':{stride}' if is_strided else ''}]" for start, limit, stride in rows)
