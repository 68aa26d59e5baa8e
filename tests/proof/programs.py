"""Hypothesis strategies: small HLO programs of every instruction that terms explain, as text."""

from __future__ import annotations

from math import prod

from hypothesis import strategies as st

ADD = """
add {
  x = f64[] parameter(0)
  y = f64[] parameter(1)
  ROOT sum = f64[] add(x, y)
}

largest {
  x = f64[] parameter(0)
  y = f64[] parameter(1)
  ROOT most = f64[] maximum(x, y)
}

add_whole {
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  ROOT sum = s32[] add(x, y)
}

all {
  x = pred[] parameter(0)
  y = pred[] parameter(1)
  ROOT both = pred[] and(x, y)
}
"""

REAL_UNARY = ("negate", "abs", "exponential", "sign", "logistic", "tanh", "sqrt", "rsqrt", "log")
REAL_BINARY = ("add", "subtract", "multiply", "maximum", "minimum", "divide")
WHOLE_BINARY = ("add", "subtract", "multiply", "maximum", "minimum")
TRUTH_BINARY = ("and", "or", "xor")
DIRECTIONS = ("EQ", "NE", "GT", "GE", "LT", "LE")

Dims = tuple[int, ...]


class _Builder:
    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.lines: list[str] = []
        self.values: list[tuple[str, str, Dims]] = []
        self.parameters = 0

    def emit(self, dtype: str, dims: Dims, body: str) -> str:
        name = f"v{len(self.lines)}"
        self.lines.append(f"  {name} = {shape(dtype, dims)} {body}")
        self.values.append((name, dtype, dims))
        return name

    def parameter(self, dtype: str, dims: Dims) -> str:
        self.parameters += 1
        return self.emit(dtype, dims, f"parameter({self.parameters - 1})")

    def constant(self, dtype: str) -> str:
        values = {
            "f64": st.sampled_from(("0", "1", "2", "-1", "0.5", "-3", "1e-05", "0.3")),
            "s32": st.sampled_from(("0", "1", "2", "-1", "3", "7")),
            "pred": st.sampled_from(("true", "false")),
        }
        return self.emit(dtype, (), f"constant({self.draw(values[dtype])})")

    def like(self, dtype: str, dims: Dims) -> str:
        """A value of this type and shape: an existing one, a constant broadcast, or a new parameter."""
        known = [name for name, d, e in self.values if (d, e) == (dtype, dims)]
        if known and self.draw(st.integers(0, 3)):
            return self.draw(st.sampled_from(known))
        if self.draw(st.booleans()):
            constant = self.constant(dtype)
            return self.emit(dtype, dims, f"broadcast({constant}), dimensions={{}}") if dims else constant
        return self.parameter(dtype, dims)

    def pick(self, dtype: str | None = None) -> tuple[str, str, Dims]:
        known = [value for value in self.values if dtype in (None, value[1])]
        if not known:
            name = self.parameter(dtype or "f64", self.draw(some_dims))
            return name, dtype or "f64", self.values[-1][2]
        return self.draw(st.sampled_from(known[-6:]))


some_dims = st.lists(st.integers(1, 4), max_size=3).map(tuple)


def shape(dtype: str, dims: Dims) -> str:
    """Shape text without a layout."""
    return f"{dtype}[{','.join(map(str, dims))}]"


def ints(values: object) -> str:
    """`{1,2}`."""
    return "{" + ",".join(map(str, values)) + "}"  # type: ignore[call-overload]


def _elementwise(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    if dtype == "pred":
        other = b.like("pred", dims)
        b.emit("pred", dims, f"{b.draw(st.sampled_from(TRUTH_BINARY))}({name}, {other})")
    elif dtype == "s32":
        other = b.like("s32", dims)
        b.emit("s32", dims, f"{b.draw(st.sampled_from(WHOLE_BINARY))}({name}, {other})")
    elif b.draw(st.booleans()):
        b.emit("f64", dims, f"{b.draw(st.sampled_from(REAL_UNARY))}({name})")
    else:
        other = b.like("f64", dims)
        b.emit("f64", dims, f"{b.draw(st.sampled_from(REAL_BINARY))}({name}, {other})")


def _compare(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    other = b.like(dtype, dims)
    b.emit("pred", dims, f"compare({name}, {other}), direction={b.draw(st.sampled_from(DIRECTIONS))}")


def _select(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    test, other = b.like("pred", dims), b.like(dtype, dims)
    b.emit(dtype, dims, f"select({test}, {name}, {other})")


def _convert(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    target = b.draw(st.sampled_from([t for t in ("f64", "s32") if t != dtype]))
    if not (dtype == "f64" and target == "s32"):
        b.emit(target, dims, f"convert({name})")


def _power(b: _Builder) -> None:
    name, _, dims = b.pick("f64")
    exponent = b.emit("f64", (), f"constant({b.draw(st.sampled_from(('1', '2', '3', '-1', '0.5', '0')))})")
    spread = b.emit("f64", dims, f"broadcast({exponent}), dimensions={{}}")
    b.emit("f64", dims, f"power({name}, {spread})")


def _clamp(b: _Builder) -> None:
    name, dtype, dims = b.pick(b.draw(st.sampled_from(("f64", "s32"))))
    low = b.emit(dtype, (), "constant(-1)")
    high = b.emit(dtype, (), "constant(2)")
    b.emit(dtype, dims, f"clamp({low}, {name}, {high})")


def _reshape(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    size = prod(dims)
    options = [(size,), (1, size), (size, 1), (*dims, 1), (1, *dims), tuple(reversed(dims))]
    options += [(d, size // d) for d in (2, 3, 4) if size % d == 0]
    options += [(size // d, d) for d in (2, 3, 4) if size % d == 0]
    target = b.draw(st.sampled_from(options))
    b.emit(dtype, target, f"reshape({name})")


def _transpose(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    order = b.draw(st.permutations(range(len(dims))))
    b.emit(dtype, tuple(dims[k] for k in order), f"transpose({name}), dimensions={ints(order)}")


def _broadcast(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    if len(dims) > 2:
        return
    place = b.draw(st.integers(0, len(dims)))
    extent = b.draw(st.integers(1, 3))
    target = (*dims[:place], extent, *dims[place:])
    kept = [k for k in range(len(target)) if k != place]
    b.emit(dtype, target, f"broadcast({name}), dimensions={ints(kept)}")


def _slice(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    rows = []
    target = []
    for extent in dims:
        start = b.draw(st.integers(0, extent - 1))
        limit = b.draw(st.integers(start + 1, extent))
        stride = b.draw(st.integers(1, 2))
        rows.append(f"[{start}:{limit}:{stride}]")
        target.append(-(-(limit - start) // stride))
    b.emit(dtype, tuple(target), f"slice({name}), slice={{{', '.join(rows)}}}")


def _reverse(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    chosen = [k for k in range(len(dims)) if b.draw(st.booleans())]
    b.emit(dtype, dims, f"reverse({name}), dimensions={ints(chosen)}")


def _pad(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    if not dims:
        return
    rows, target = [], []
    for extent in dims:
        low, high, interior = (b.draw(st.integers(*limits)) for limits in ((-1, 2), (0, 2), (0, 1)))
        size = low + high + extent + (extent - 1) * interior
        if size < 1:
            low, size = 0, high + extent + (extent - 1) * interior
        rows.append(f"{low}_{high}_{interior}")
        target.append(size)
    if prod(target) > 200:
        return
    filler = b.like(dtype, ())
    b.emit(dtype, tuple(target), f"pad({name}, {filler}), padding={'x'.join(rows)}")


def _concatenate(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    if not dims:
        return
    axis = b.draw(st.integers(0, len(dims) - 1))
    other_dims = tuple(b.draw(st.integers(1, 3)) if k == axis else e for k, e in enumerate(dims))
    other = b.like(dtype, other_dims)
    target = tuple(e + other_dims[k] if k == axis else e for k, e in enumerate(dims))
    b.emit(dtype, target, f"concatenate({name}, {other}), dimensions={{{axis}}}")


def _iota(b: _Builder) -> None:
    _, _, dims = b.pick()
    if dims:
        axis = b.draw(st.integers(0, len(dims) - 1))
        b.emit(b.draw(st.sampled_from(("s32", "f64"))), dims, f"iota(), iota_dimension={axis}")


def _reduce(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    chosen = [k for k in range(len(dims)) if b.draw(st.booleans())]
    target = tuple(e for k, e in enumerate(dims) if k not in chosen)
    to_apply, initial = {
        "f64": b.draw(st.sampled_from((("add", "0"), ("largest", "-inf")))),
        "s32": ("add_whole", "0"),
        "pred": ("all", "true"),
    }[dtype]
    start = b.emit(dtype, (), f"constant({initial})")
    b.emit(dtype, target, f"reduce({name}, {start}), dimensions={ints(chosen)}, to_apply={to_apply}")
    b.values = [value for value in b.values if value[0] != start or initial != "-inf"]


def _dot(b: _Builder) -> None:
    dtype = b.draw(st.sampled_from(("f64", "f64", "s32")))
    name, _, dims = b.pick(dtype)
    if not dims:
        return
    contracted = b.draw(st.integers(0, len(dims) - 1))
    batch = [k for k in range(len(dims)) if k != contracted and b.draw(st.integers(0, 2)) == 0]
    own = b.draw(st.lists(st.integers(1, 3), max_size=1))
    other_dims = (*(dims[k] for k in batch), dims[contracted], *own)
    other = b.like(dtype, other_dims)
    free = [k for k in range(len(dims)) if k != contracted and k not in batch]
    target = (*(dims[k] for k in batch), *(dims[k] for k in free), *own)
    if len(target) > 3:
        return
    b.emit(
        dtype,
        target,
        f"dot({name}, {other}), lhs_batch_dims={ints(batch)}, lhs_contracting_dims={{{contracted}}}, "
        f"rhs_batch_dims={ints(range(len(batch)))}, rhs_contracting_dims={{{len(batch)}}}",
    )


def _dynamic_slice(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    starts = [b.like("s32", ()) for _ in dims]
    target = tuple(b.draw(st.integers(1, e)) for e in dims)
    operands = ", ".join([name, *starts])
    b.emit(dtype, target, f"dynamic-slice({operands}), dynamic_slice_sizes={ints(target)}")


def _dynamic_update_slice(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    starts = [b.like("s32", ()) for _ in dims]
    update = b.like(dtype, tuple(b.draw(st.integers(1, e)) for e in dims))
    b.emit(dtype, dims, f"dynamic-update-slice({', '.join([name, update, *starts])})")


def _gather(b: _Builder) -> None:
    name, dtype, dims = b.pick()
    if not dims or len(dims) > 2:
        return
    count = b.draw(st.integers(1, 3))
    indices = b.like("s32", (count, 1))
    axis = b.draw(st.integers(0, len(dims) - 1))
    sizes = [1 if k == axis else e for k, e in enumerate(dims)]
    rest = [e for k, e in enumerate(dims) if k != axis]
    b.emit(
        dtype,
        (count, *rest),
        f"gather({name}, {indices}), offset_dims={ints(range(1, 1 + len(rest)))}, collapsed_slice_dims={{{axis}}}, "
        f"start_index_map={{{axis}}}, index_vector_dim=1, slice_sizes={ints(sizes)}",
    )


def _scatter(b: _Builder) -> None:
    name, _, dims = b.pick("f64")
    if not dims or len(dims) > 2:
        return
    count = b.draw(st.integers(1, 3))
    indices = b.like("s32", (count, 1))
    rest = dims[1:]
    updates = b.like("f64", (count, *rest))
    b.emit(
        "f64",
        dims,
        f"scatter({name}, {indices}, {updates}), update_window_dims={ints(range(1, 1 + len(rest)))}, "
        "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
    )


STEPS = (
    _elementwise, _elementwise, _elementwise, _compare, _select, _convert, _power, _clamp, _reshape, _reshape,
    _transpose, _broadcast, _slice, _reverse, _pad, _concatenate, _iota, _reduce, _reduce, _dot, _dot,
    _dynamic_slice, _dynamic_update_slice, _gather, _scatter,
)  # fmt: skip


@st.composite
def programs(draw: st.DrawFn, *, most: int = 8) -> str:
    """A module of a few instructions whose result is the last of them."""
    b = _Builder(draw)
    b.parameter(draw(st.sampled_from(("f64", "f64", "f64", "s32", "pred"))), draw(some_dims))
    for _ in range(draw(st.integers(1, most))):
        draw(st.sampled_from(STEPS))(b)
    b.lines[-1] = b.lines[-1].replace("  v", "  ROOT v", 1)
    return f"HloModule random\n{ADD}\nENTRY main {{\n" + "\n".join(b.lines) + "\n}\n"
