"""From instructions to terms: calls are inlined, dead code is left out, every opcode finds its meaning.

What each family of opcodes means is in `elementwise`, `views`, `contractions` and `gathers`; an operation that none
of them explains becomes a leaf that equals only the same operation on equal operands.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction

import numpy as np

from beatnote.hlo.attributes import AttributeFormError, integers, paddings, slices
from beatnote.hlo.literal import LiteralError, literal_values
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import ELEMENT_TYPES, ArrayShape, Layout, Shape, TupleShape, leaves
from beatnote.proof import elementwise, gathers, views
from beatnote.proof.algebra import Undefined, sign_of_power, sign_of_product, sign_of_sum
from beatnote.proof.contractions import dot, reduce, reducer
from beatnote.proof.domains import claims_of
from beatnote.proof.elementwise import settle
from beatnote.proof.fractions import short_fraction
from beatnote.proof.functions import Functions
from beatnote.proof.index import Index, variable
from beatnote.proof.index import constant as constant_index
from beatnote.proof.logic import whole_range
from beatnote.proof.terms import (
    ANY_SIGN,
    NEGATIVE,
    NULL,
    ONE,
    POSITIVE,
    ZERO,
    Leaf,
    Poly,
    as_constant,
    poly_variables,
    scalar,
)
from beatnote.proof.value import Value, Values, combined
from beatnote.proof.value import leaves as value_leaves

MAX_INSTRUCTIONS = 500_000
"""Instructions, counted each time a computation is inlined."""

MAX_CALL_DEPTH = 64

IGNORED_ATTRIBUTES = frozenset(
    "metadata sharding frontend_attributes parameter_replication origin statistics control-predecessors "
    "stack_frame_id channel_id operand_precision algorithm indices_are_sorted unique_indices "
    "to_apply calls condition body branch_computations true_computation false_computation called_computations".split()
)
"""Attributes that do not change what an unexplained operation computes, or that are looked into instead."""

SIDE_EFFECTS = frozenset("infeed outfeed send send-done recv recv-done rng rng-get-and-update-state".split())
"""Opcodes whose result is not a function of their operands, or that do something besides."""

COMPARED_AS = {"float": "real", "pred": "pred"}


class Untranslatable(ValueError):
    """A program that has no meaning as a term: malformed, too large, or with side effects."""


class Translation:
    """One program's terms.

    Attributes:
        outputs: the arrays of the entry computation's result, left to right.
        values: what each live instruction yields, by (computation, instruction); for a computation inlined more than
            once, at its first call.
        live: names of live instructions by computation, and of those reached only by dead ones not.
        elided: names of constants used whose value the text leaves out.
    """

    def __init__(self, k: Functions, module: Module, parameters: tuple[int, ...], side: str) -> None:
        self.k = k
        self.module = module
        self.side = side
        self.values: dict[tuple[str, str], Values] = {}
        self.elided: list[str] = []
        self.effects: list[str] = []
        self._parameters = iter(parameters)
        self._count = 0
        self._calls: list[str] = []
        entry = self._current = module.entry
        arguments = tuple(self._argument(p.shape, p.name) for p in entry.parameters)
        self.outputs = value_leaves(self._run(entry, arguments))

    def _argument(self, shape: Shape, name: str) -> Values:
        if isinstance(shape, TupleShape):
            return tuple(self._argument(element, name) for element in shape.elements)
        number = next(self._parameters)
        leaf = self.k.table.leaf(
            Leaf("parameter", number, shape.dimensions, shape.element_type, 1 << number, _own_sign(shape), name)
        )
        return self._leaf_value(leaf, shape, 1 << number, frozenset())

    def _leaf_value(self, leaf: int, shape: ArrayShape, support: int, domain: frozenset[object]) -> Value:
        indices = tuple(variable(axis, extent) for axis, extent in enumerate(shape.dimensions))
        poly = self.k.read(leaf, indices) if 0 not in shape.dimensions else ZERO
        special = "some" if shape.is_dynamic else ""
        return Value(poly, shape.dimensions, shape.element_type, support, domain, _own_sign(shape), special)  # type: ignore[arg-type]

    def _run(self, computation: Computation, arguments: tuple[Values, ...]) -> Values:
        if computation.name in self._calls or len(self._calls) > MAX_CALL_DEPTH:
            raise Untranslatable(f"computation {computation.name!r} calls itself, or calls nest too deep")
        if len(arguments) != len(computation.parameters):
            raise Untranslatable(f"computation {computation.name!r} is called with {len(arguments)} operands")
        self._calls.append(computation.name)
        outer, self._current = self._current, computation
        found: dict[str, Values] = {}
        live = live_names(computation)
        for instruction in computation.instructions:
            if instruction.name not in live:
                continue
            self._count += 1
            if self._count > MAX_INSTRUCTIONS:
                raise Untranslatable(f"more than {MAX_INSTRUCTIONS} instructions after inlining")
            if instruction.opcode == "parameter":
                value = arguments[instruction.parameter_number or 0]
            else:
                value = self._instruction(instruction, [found[name] for name in instruction.operands])
            self._check_shape(instruction, value)
            found[instruction.name] = value
            self.values.setdefault((computation.name, instruction.name), value)
        self._calls.pop()
        self._current = outer
        return found[computation.root]

    def _check_shape(self, instruction: Instruction, value: Values) -> None:
        expected = leaves(instruction.shape)
        actual = value_leaves(value)
        if len(expected) != len(actual) or any(
            (e.element_type, e.dimensions) != (a.dtype, a.extents) for e, a in zip(expected, actual, strict=True)
        ):
            found = ", ".join(f"{a.dtype}{list(a.extents)}" for a in actual)
            raise Untranslatable(f"instruction {instruction.name!r} should yield {instruction.shape}, yields {found}")

    def _instruction(self, instruction: Instruction, operands: list[Values]) -> Values:
        try:
            special = STRUCTURE.get(instruction.opcode)
            if special is not None:
                return special(self, instruction, operands)
            arrays = [operand for operand in operands if isinstance(operand, Value)]
            if len(arrays) != len(operands) or not isinstance(instruction.shape, ArrayShape):
                return self.operation(instruction, operands)
            return self._array(instruction, instruction.shape, arrays)
        except Undefined:
            return self.operation(instruction, operands, special="some")
        except (AttributeFormError, LiteralError, IndexError, KeyError, ValueError, ZeroDivisionError) as error:
            if isinstance(error, Untranslatable):
                raise
            raise Untranslatable(f"instruction {instruction.name!r} ({instruction.opcode}): {error}") from error

    def _array(self, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values:
        """An instruction from arrays to an array."""
        opcode = instruction.opcode
        complex_ = any(o.kind not in COMPUTED for o in operands) or ELEMENT_TYPES[shape.element_type].kind not in COMPUTED
        if shape.is_dynamic or any(o.special == "some" for o in operands):
            complex_ = True
        if opcode in VIEWS and not any(o.special == "some" and shape.is_dynamic for o in operands):
            return VIEWS[opcode](self, instruction, shape, operands)
        if opcode in ELEMENTWISE:
            return self._elementwise(instruction, shape, operands, unexplained=complex_)
        if not complex_ and opcode in INDEXED:
            result = INDEXED[opcode](self, instruction, shape, operands)
            if result is not None:
                return result
        return self.operation(instruction, list(operands))

    # Elementwise

    def _elementwise(
        self, instruction: Instruction, shape: ArrayShape, operands: list[Value], *, unexplained: bool
    ) -> Value:
        k, opcode = self.k, instruction.opcode
        extents = shape.dimensions
        operands = [o if o.extents == extents else views.viewed(k, o, extents, ()) for o in operands]
        support, domain = combined(*operands)
        around = Value(ZERO, extents, shape.element_type, support, domain)
        if around.is_empty:
            return around
        if any(o.special for o in operands) and not unexplained:
            chosen = self._chosen(opcode, operands)
            if chosen is not None:
                return chosen
            unexplained = True
        if unexplained:
            return self._function(instruction, around, operands)._replace(special="some")
        kind = operands[0].kind if operands else ""
        polys = [o.poly for o in operands]
        if opcode == "compare":
            direction = instruction.attributes.get("direction", "")
            dtype = COMPARED_AS.get(kind, operands[0].dtype)
            return around._replace(poly=k.compare(polys[0], polys[1], direction, dtype=dtype), sign=NULL | POSITIVE)
        if opcode == "select":
            return self._select(around, operands)
        if opcode == "convert":
            poly = elementwise.convert(k, polys[0], operands[0].dtype, shape.element_type)
            sign = operands[0].sign if around.kind == "float" and kind in ("float", "pred", "unsigned") else ANY_SIGN
            return around._replace(poly=poly, sign=sign & _own_sign(shape) or ANY_SIGN)
        if opcode == "clamp" and kind in ("signed", "unsigned"):
            return self._clamp_whole(around, operands)
        if kind == "float" and opcode in elementwise.REAL:
            return self._real(opcode, around, operands)
        if kind in ("signed", "unsigned") and opcode in elementwise.WHOLE:
            return around._replace(poly=elementwise.WHOLE[opcode](k, operands[0].dtype, *polys), sign=_own_sign(shape))
        if kind == "pred" and opcode in elementwise.TRUTH:
            return around._replace(poly=elementwise.TRUTH[opcode](k, *polys), sign=NULL | POSITIVE)
        if opcode == "reduce-precision" and k.licences.precision:
            return operands[0]
        return self._function(instruction, around, operands)

    def _function(self, instruction: Instruction, around: Value, operands: list[Value]) -> Value:
        """An elementwise function that is not explained."""
        polys = tuple(o.poly for o in operands)
        if instruction.opcode in elementwise.COMMUTATIVE:
            polys = tuple(sorted(polys))
        types = tuple(COMPARED_AS.get(o.kind, o.dtype) for o in operands)
        attributes = ("function", instruction.opcode, around.dtype, *types, *self._attributes(instruction))
        kind = "boolean" if around.kind == "pred" else "function"
        sign = _own_sign(around)
        closed = self.k.close(kind, attributes, polys)
        return around._replace(poly=((((self.k.atom_of(closed, sign), 1),), 1),), sign=sign)

    def _chosen(self, opcode: str, operands: list[Value]) -> Value | None:
        """An operation one of whose operands is infinite or NaN, where its result is one of its operands."""
        if opcode == "select":
            value = as_constant(operands[0].poly)
            if value is not None:
                return operands[1] if value else operands[2]
            if operands[2].special == "nan" and not operands[1].special:
                self.k.note_guard(operands[0].poly)
            if operands[1].special == "nan" and not operands[2].special:
                self.k.note_guard(self.k.negation(operands[0].poly))
            return None
        if opcode in ("maximum", "minimum") and operands[0].kind == "float":
            neutral, absorbing = ("-inf", "inf") if opcode == "maximum" else ("inf", "-inf")
            for one, other in (operands, operands[::-1]):
                if one.special == neutral or other.special == absorbing:
                    return other
        return None

    def _select(self, around: Value, operands: list[Value]) -> Value:
        test, a, b = operands
        value = as_constant(test.poly)
        if value is not None:
            return a if value else b
        poly = self.k.select(test.poly, a.poly, b.poly)
        if around.kind in ("signed", "unsigned"):
            poly = elementwise.wrap(poly, around.dtype)
        return around._replace(poly=poly, sign=a.sign | b.sign)

    def _clamp_whole(self, around: Value, operands: list[Value]) -> Value:
        low, value, high = operands
        dtype = value.dtype
        limits = as_constant(low.poly), as_constant(high.poly)
        if limits[0] is not None and limits[1] is not None and limits[0] <= limits[1]:
            return around._replace(poly=self.k.clamp_whole(value.poly, int(limits[0]), int(limits[1]), dtype=dtype))
        rows = elementwise.WHOLE
        poly = rows["minimum"](self.k, dtype, rows["maximum"](self.k, dtype, value.poly, low.poly), high.poly)
        return around._replace(poly=poly)

    def _real(self, opcode: str, around: Value, operands: list[Value]) -> Value:
        k = self.k
        polys = [o.poly for o in operands]
        for operand in operands if opcode in NEEDS_SIGN else ():
            k.learn(operand.poly, operand.sign)
        domain = around.domain
        for what, position in _requirements(opcode, polys):
            argument = k.add(polys[position], ONE) if opcode == "log-plus-one" else polys[position]
            domain |= claims_of(k, what, argument)
        poly = elementwise.REAL[opcode](k, *polys)
        if opcode in elementwise.ROUNDING:
            poly = settle(k, poly)
        return around._replace(poly=poly, domain=domain, sign=_sign(opcode, operands) or ANY_SIGN)

    # Operations that are not explained

    def operation(self, instruction: Instruction, operands: list[Values], special: str = "") -> Values:
        """The result of an operation as leaves that equal only those of the same operation on equal operands."""
        arrays = [leaf for operand in operands for leaf in value_leaves(operand)]
        support, domain = combined(*arrays)
        key: tuple[Hashable, ...] = (
            instruction.opcode,
            str(_without_layout(instruction.shape)),
            self._attributes(instruction),
            tuple((a.dtype, a.extents, a.poly, a.special) for a in arrays),
            tuple(self._closure(name) for name in called_computations(instruction)),
        )
        if instruction.opcode in SIDE_EFFECTS or "custom_call_has_side_effect=true" in instruction.attributes_text:
            self.effects.append(instruction.name)
            key = (self.side, *self._calls, instruction.name)
        if special == "" and any(a.special for a in arrays):
            special = "some"
        return self._leaves(instruction, instruction.shape, key, support, domain, special, [0])

    def _leaves(
        self,
        instruction: Instruction,
        shape: Shape,
        key: tuple[Hashable, ...],
        support: int,
        domain: frozenset[object],
        special: str,
        place: list[int],
    ) -> Values:
        if isinstance(shape, TupleShape):
            return tuple(
                self._leaves(instruction, element, key, support, domain, special, place) for element in shape.elements
            )
        leaf = Leaf(
            "operation",
            (key, place[0]),
            shape.dimensions,
            shape.element_type,
            support,
            _own_sign(shape),
            instruction.opcode,
        )
        place[0] += 1
        value = self._leaf_value(self.k.table.leaf(leaf), shape, support, domain)
        return value._replace(special=special or value.special)

    def _attributes(self, instruction: Instruction) -> tuple[tuple[str, str], ...]:
        return tuple(sorted((n, v) for n, v in instruction.attributes.items() if n not in IGNORED_ATTRIBUTES))

    def _closure(self, name: str) -> Hashable:
        """What a computation computes, as something to compare: its terms over arguments of its own."""
        computation = self._computation(name)
        arguments: list[Values] = []
        number = 0
        for parameter in computation.parameters:
            flat: list[Value] = []
            for shape in leaves(parameter.shape):
                leaf = Leaf(
                    "argument", number, shape.dimensions, shape.element_type, 1 << number, _own_sign(shape), parameter.name
                )
                flat.append(self._leaf_value(self.k.table.leaf(leaf), shape, 1 << number, frozenset()))
                number += 1
            arguments.append(_shaped(parameter.shape, iter(flat)))
        result = value_leaves(self._run(computation, tuple(arguments)))
        return tuple((v.dtype, v.extents, v.poly, v.support, v.domain, v.special) for v in result)

    def _computation(self, name: str) -> Computation:
        try:
            return self.module.computation(name.lstrip("%"))
        except KeyError:
            raise Untranslatable(f"computation {name!r} is not in the text") from None

    def operand_layout(self, instruction: Instruction) -> Layout | None:
        """The layout of an instruction's first operand, where the text gives one."""
        shape = self._current[instruction.operands[0]].shape
        return shape.layout if isinstance(shape, ArrayShape) else None

    def call(self, name: str, operands: list[Values]) -> Values:
        """A computation inlined."""
        return self._run(self._computation(name), tuple(operands))


def _own_sign(shape: ArrayShape | Value) -> int:
    kind = shape.kind if isinstance(shape, Value) else ELEMENT_TYPES[shape.element_type].kind
    return NULL | POSITIVE if kind in ("unsigned", "pred") else ANY_SIGN


def _without_layout(shape: Shape) -> Shape:
    if isinstance(shape, TupleShape):
        return TupleShape(tuple(_without_layout(element) for element in shape.elements))
    return ArrayShape(shape.element_type, shape.dimensions, shape.dynamic)


def _shaped(shape: Shape, flat: object) -> Values:
    if isinstance(shape, TupleShape):
        return tuple(_shaped(element, flat) for element in shape.elements)
    return next(flat)  # type: ignore[call-overload]


def live_names(computation: Computation) -> frozenset[str]:
    """Names of the instructions that a computation's result depends on, and of those with side effects."""
    live = {computation.root}
    live |= {i.name for i in computation.instructions if i.opcode in SIDE_EFFECTS}
    for instruction in reversed(computation.instructions):
        if instruction.name in live:
            live.update(instruction.operands)
    return frozenset(live)


def called_computations(instruction: Instruction) -> tuple[str, ...]:
    """Names of the computations an instruction refers to, in the order of its attributes."""
    names: list[str] = []
    for attribute in ("to_apply", "calls", "condition", "body", "true_computation", "false_computation"):
        if attribute in instruction.attributes:
            names.append(instruction.attributes[attribute].lstrip("%"))
    for attribute in ("branch_computations", "called_computations"):
        text = instruction.attributes.get(attribute, "")
        names += [name.strip().lstrip("%") for name in text.strip("{}").split(",") if name.strip()]
    return tuple(names)


# Signs and domains of real operations

NEEDS_SIGN = frozenset("divide sqrt rsqrt power log log-plus-one maximum minimum abs".split())


def _requirements(opcode: str, polys: list[Poly]) -> list[tuple[str, int]]:
    """What has to hold of which operand for the result to be a real number."""
    rows: dict[str, list[tuple[str, int]]] = {
        "divide": [("nonzero", 1)],
        "sqrt": [("nonnegative", 0)],
        "rsqrt": [("nonnegative", 0), ("nonzero", 0)],
        "log": [("nonnegative", 0), ("nonzero", 0)],
        "log-plus-one": [("nonnegative", 0), ("nonzero", 0)],
    }
    if opcode != "power":
        return rows.get(opcode, [])
    exponent = as_constant(polys[1])
    if exponent is None:
        return []
    needed = [("nonnegative", 0)] if Fraction(exponent).denominator != 1 else []
    return [*needed, ("nonzero", 0)] if exponent < 0 else needed


def _sign(opcode: str, operands: list[Value]) -> int:
    signs = [o.sign for o in operands]
    if opcode == "add":
        return sign_of_sum(*signs)
    if opcode == "subtract":
        return sign_of_sum(signs[0], sign_of_product(signs[1], NEGATIVE))
    if opcode == "negate":
        return sign_of_product(signs[0], NEGATIVE)
    if opcode == "multiply":
        return sign_of_power(signs[0], 2) if operands[0].poly == operands[1].poly else sign_of_product(*signs)
    if opcode == "divide":
        return sign_of_product(signs[0], sign_of_power(signs[1], -1))
    if opcode in ("sqrt", "rsqrt"):
        return sign_of_power(signs[0], Fraction(1 if opcode == "sqrt" else -1, 2))
    if opcode == "power":
        exponent = as_constant(operands[1].poly)
        return sign_of_power(signs[0], exponent) if exponent is not None else ANY_SIGN
    if opcode in ("exponential", "logistic"):
        return POSITIVE
    if opcode == "abs":
        return (signs[0] & (NULL | POSITIVE)) | (POSITIVE if signs[0] & NEGATIVE else 0)
    if opcode == "maximum" and not (signs[0] & NEGATIVE and signs[1] & NEGATIVE):
        return (signs[0] | signs[1]) & ~NEGATIVE
    return ANY_SIGN


# Instructions that are about tuples, calls and constants

Structure = Callable[[Translation, Instruction, list[Values]], Values]


def _get(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    operand = operands[0]
    index = int(instruction.attributes["index"])
    if isinstance(operand, Value) or not 0 <= index < len(operand):
        raise Untranslatable(f"instruction {instruction.name!r} takes element {index} of something else than a tuple")
    return operand[index]


def _constant(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    k, shape = t.k, instruction.shape
    if isinstance(shape, TupleShape) or ELEMENT_TYPES[shape.element_type].kind not in COMPUTED:
        key = ("constant", instruction.literal, str(shape))
        return t._leaves(instruction, shape, key, 0, frozenset(), "", [0])  # noqa: SLF001
    if instruction.is_elided:
        t.elided.append(instruction.name)
        return t._leaves(instruction, shape, (t.side, "elided", instruction.name), 0, frozenset(), "", [0])  # noqa: SLF001
    values = literal_values(instruction)
    around = Value(ZERO, shape.dimensions, shape.element_type, sign=_own_sign(shape))
    if values.size == 0:
        return around
    first = values.flat[0]
    if values.size == 1 or bool(np.all(values == first)) or (values.dtype.kind == "f" and bool(np.all(np.isnan(values)))):
        return _uniform(t, around, first)
    if values.dtype.kind == "f" and not bool(np.all(np.isfinite(values))):
        around = around._replace(special="some")
    leaf = t.k.table.leaf(
        Leaf("literal", (values.dtype.str, values.tobytes(), k.licences.precision), shape.dimensions,
             shape.element_type, 0, _sign_of_array(values), "constant")
    )
    t.k.table.literals[leaf] = values
    return around._replace(
        poly=k.read(leaf, tuple(variable(a, e) for a, e in enumerate(shape.dimensions))), sign=_sign_of_array(values)
    )


def _uniform(t: Translation, around: Value, first: object) -> Value:
    if around.kind == "float":
        number = float(first)  # type: ignore[arg-type]
        if not np.isfinite(number):
            name = "nan" if np.isnan(number) else "inf" if number > 0 else "-inf"
            leaf = t.k.table.leaf(Leaf("special", name, (), around.dtype, 0, ANY_SIGN, name))
            return around._replace(poly=t.k.read(leaf, ()), special=name)
        exact = Fraction(number)
        value = short_fraction(exact, around.dtype) if t.k.licences.precision else exact
    else:
        value = Fraction(int(first))  # type: ignore[call-overload]
    sign = POSITIVE if value > 0 else NEGATIVE if value < 0 else NULL
    return around._replace(poly=scalar(value), sign=sign)


def _sign_of_array(values: np.ndarray) -> int:  # type: ignore[type-arg]
    if values.dtype.kind == "b":
        return NULL | POSITIVE
    return (
        (NEGATIVE if bool(np.any(values < 0)) else 0)
        | (NULL if bool(np.any(values == 0)) else 0)
        | (POSITIVE if bool(np.any(values > 0)) else 0)
    ) or ANY_SIGN


def _conditional(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    names = called_computations(instruction)
    test = operands[0]
    if not isinstance(test, Value) or test.dtype != "pred" or len(names) != 2 or test.special:
        return t.operation(instruction, operands)
    yes, no = (value_leaves(t.call(name, [operand])) for name, operand in zip(names, operands[1:], strict=True))
    chosen: list[Value] = []
    for a, b in zip(yes, no, strict=True):
        support, domain = combined(test, a, b)
        if a.special or b.special or a.kind not in COMPUTED:
            return t.operation(instruction, operands)
        where = views.viewed(t.k, test, a.extents, ())
        chosen.append(t._select(Value(ZERO, a.extents, a.dtype, support, domain), [where, a, b]))  # noqa: SLF001
    return _shaped(instruction.shape, iter(chosen))


def _map(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    """A scalar computation applied to each element: the indices are given names of their own meanwhile."""
    arrays = [operand for operand in operands if isinstance(operand, Value)]
    extents = arrays[0].extents
    names = [t.k.fresh() for _ in extents]
    there: Mapping[int, Index] = {a: variable(n, e) for a, (n, e) in enumerate(zip(names, extents, strict=True))}
    scalars: list[Values] = [o._replace(poly=t.k.substitute(o.poly, there), extents=()) for o in arrays]
    result = t.call(called_computations(instruction)[0], scalars)
    if not isinstance(result, Value):
        raise Untranslatable(f"instruction {instruction.name!r} maps to a tuple")
    back: Mapping[int, Index] = {n: variable(a, e) for a, (n, e) in enumerate(zip(names, extents, strict=True))}
    if any(v not in names for v in poly_variables(t.k.table, result.poly)):
        raise Untranslatable(f"instruction {instruction.name!r} maps to something else than a scalar")
    return result._replace(poly=t.k.substitute(result.poly, back), extents=extents)


def _custom_call(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    if instruction.attributes.get("custom_call_target") == '"Sharding"' and len(operands) == 1:
        return operands[0]  # where an array is kept, not what it holds
    return t.operation(instruction, operands)


def _async_start(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    shape = instruction.shape
    if not isinstance(shape, TupleShape) or len(shape.elements) < 2:
        raise Untranslatable(f"instruction {instruction.name!r} should yield a tuple of operands, result and context")
    result = t.call(called_computations(instruction)[0], operands)
    rest = t.operation(instruction, operands)
    return (tuple(operands), result, *(rest[2:] if isinstance(rest, tuple) else ()))


def _copy_start(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    rest = t.operation(instruction, operands)
    return (operands[0], operands[0], *(rest[2:] if isinstance(rest, tuple) else ()))


def _element(position: int) -> Structure:
    def take(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
        operand = operands[0]
        if isinstance(operand, Value) or len(operand) <= position:
            raise Untranslatable(f"instruction {instruction.name!r} should be given a tuple")
        return operand[position]

    return take


def _inline(t: Translation, instruction: Instruction, operands: list[Values]) -> Values:
    return t.call(called_computations(instruction)[0], operands)


STRUCTURE: dict[str, Structure] = {
    "tuple": lambda t, instruction, operands: tuple(operands),
    "get-tuple-element": _get,
    "constant": _constant,
    "call": _inline,
    "fusion": _inline,
    "map": _map,
    "conditional": _conditional,
    "custom-call": _custom_call,
    "async-start": _async_start,
    "async-update": lambda t, instruction, operands: operands[0],
    "async-done": _element(1),
    "copy-start": _copy_start,
    "copy-done": _element(0),
    "copy": lambda t, instruction, operands: operands[0],
    "optimization-barrier": lambda t, instruction, operands: operands[0],
    "add-dependency": lambda t, instruction, operands: operands[0],
    "domain": lambda t, instruction, operands: operands[0],
}

COMPUTED = frozenset({"float", "signed", "unsigned", "pred"})
"""Kinds of element types that terms are computed with."""

ELEMENTWISE = (
    frozenset(elementwise.REAL)
    | frozenset(elementwise.WHOLE)
    | frozenset(elementwise.TRUTH)
    | elementwise.UNEXPLAINED
    | {"compare", "select", "convert", "reduce-precision", "is-finite"}
)


# Instructions that move elements

View = Callable[[Translation, Instruction, ArrayShape, list[Value]], Values]


def _bitcast(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values:
    (value,) = operands
    if value.dtype != shape.element_type:
        return t.operation(instruction, list(operands))
    orders: list[tuple[int, ...]] = []
    source = t.operand_layout(instruction)
    for extents, layout in ((shape.dimensions, shape.layout), (value.extents, source)):
        default = tuple(reversed(range(len(extents))))
        orders.append(layout.minor_to_major if layout is not None and layout.minor_to_major else default)
    sources = views.bitcast_sources(shape.dimensions, orders[0], value.extents, orders[1])
    return views.viewed(t.k, value, shape.dimensions, sources)


def _iota(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values:
    axis = int(instruction.attributes.get("iota_dimension", "0"))
    if ELEMENT_TYPES[shape.element_type].kind not in ("float", "signed", "unsigned"):
        return t.operation(instruction, list(operands))
    poly = t.k.index_value(variable(axis, shape.dimensions[axis]))
    element = ELEMENT_TYPES[shape.element_type]
    most = 1 << element.precision if element.kind == "float" else whole_range(shape.element_type)[1]
    if shape.dimensions[axis] > most:
        return t.operation(instruction, list(operands))
    return Value(poly, shape.dimensions, shape.element_type, sign=NULL | POSITIVE)


def _joined(make: View) -> View:
    """A view of several operands; tests would multiply infinities by 0, so those are left alone."""

    def view(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values:
        if any(o.special or o.kind not in COMPUTED for o in operands):
            return t.operation(instruction, list(operands))
        return make(t, instruction, shape, operands)

    return view


VIEWS: dict[str, View] = {
    "reshape": lambda t, i, shape, o: views.reshape(t.k, o[0], shape.dimensions),
    "bitcast": _bitcast,
    "transpose": lambda t, i, shape, o: views.transpose(t.k, o[0], integers(i.attributes["dimensions"])),
    "broadcast": lambda t, i, shape, o: views.broadcast(
        t.k, o[0], shape.dimensions, integers(i.attributes.get("dimensions", "{}"))
    ),
    "slice": lambda t, i, shape, o: views.slice_of(t.k, o[0], slices(i.attributes["slice"])),
    "reverse": lambda t, i, shape, o: views.reverse(t.k, o[0], integers(i.attributes["dimensions"])),
    "iota": _iota,
    "pad": _joined(lambda t, i, shape, o: views.pad(t.k, o[0], o[1], paddings(i.attributes["padding"]))),
    "concatenate": _joined(
        lambda t, i, shape, o: views.concatenate(t.k, tuple(o), integers(i.attributes["dimensions"])[0])
    ),
}


# Instructions that contract, or read at positions that are data

Indexed = Callable[[Translation, Instruction, ArrayShape, list[Value]], Values | None]


def _dot(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values | None:
    if any(o.special for o in operands) or ELEMENT_TYPES[shape.element_type].kind == "pred":
        return None
    return dot(t.k, operands[0], operands[1], instruction, shape.dimensions, shape.element_type)


def _reduce(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values | None:
    names = called_computations(instruction)
    if len(operands) != 2 or len(names) != 1:
        return None
    opcode = reducer(t._computation(names[0]))  # noqa: SLF001
    value, initial = operands
    if opcode is None or value.special:
        return None
    if initial.special and initial.special != {"maximum": "-inf", "minimum": "inf"}.get(opcode):
        return None
    return reduce(t.k, value, initial, opcode, integers(instruction.attributes["dimensions"]))


def _scatter(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values | None:
    names = called_computations(instruction)
    if len(operands) != 3 or len(names) != 1 or any(o.special for o in operands):
        return None
    if reducer(t._computation(names[0])) != "add" or operands[0].kind == "pred":  # noqa: SLF001
        return None
    return gathers.scatter_add(t.k, *operands, instruction)


def _without_special(make: Indexed) -> Indexed:
    def indexed(t: Translation, instruction: Instruction, shape: ArrayShape, operands: list[Value]) -> Values | None:
        return None if any(o.special for o in operands) else make(t, instruction, shape, operands)

    return indexed


def _starts(t: Translation, value: Value, starts: list[Value]) -> tuple[Value, ...]:
    """Start positions as scalars; programs before 2020 give them as one vector."""
    if len(starts) == 1 and len(starts[0].extents) == 1:
        (vector,) = starts
        return tuple(views.viewed(t.k, vector, (), (constant_index(axis),)) for axis in range(len(value.extents)))
    return tuple(starts)


INDEXED: dict[str, Indexed] = {
    "dot": _dot,
    "reduce": _reduce,
    "scatter": _scatter,
    "gather": _without_special(lambda t, i, shape, o: gathers.gather(t.k, o[0], o[1], i, shape.dimensions)),
    "dynamic-slice": _without_special(
        lambda t, i, shape, o: gathers.dynamic_slice(t.k, o[0], _starts(t, o[0], o[1:]), shape.dimensions)
    ),
    "dynamic-update-slice": _without_special(
        lambda t, i, shape, o: gathers.dynamic_update_slice(t.k, o[0], o[1], _starts(t, o[0], o[2:]))
    ),
}
