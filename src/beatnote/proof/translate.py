"""From instructions to terms: calls are inlined, dead code is left out, every opcode finds its meaning.

Which opcode means what is in `dispatch` and `pointwise`; an operation that neither explains becomes a leaf that equals
only the same operation on equal operands.
"""

from __future__ import annotations

import re
from collections.abc import Hashable

from beatnote.hlo.attributes import AttributeFormError
from beatnote.hlo.calls import called_computations
from beatnote.hlo.literal import LiteralError
from beatnote.hlo.module import Computation, Instruction, Module
from beatnote.hlo.shapes import ELEMENT_TYPES, ArrayShape, Layout, Shape, TupleShape, leaves
from beatnote.proof.algebra import Undefined
from beatnote.proof.attributes import compared_attributes, how_exactly
from beatnote.proof.dispatch import INDEXED, STRUCTURE, VIEWS
from beatnote.proof.domains import Domain, everywhere
from beatnote.proof.functions import Functions
from beatnote.proof.pointwise import ELEMENTWISE, pointwise
from beatnote.proof.terms import ZERO, Leaf, poly_variables
from beatnote.proof.value import COMPUTED, Untranslatable, Value, Values, combined, own_sign, shaped
from beatnote.proof.value import leaves as value_leaves

MAX_INSTRUCTIONS = 500_000
"""Instructions, counted each time a computation is inlined."""

MAX_CALL_DEPTH = 64

_OF_DEVICES = re.compile(r"(all|collective|ragged|reduce-scatter|partition-id|replica-id)\b")
"""Opcodes whose result depends on how many devices there are."""

EFFECTS = frozenset({"infeed", "outfeed", "send", "send-done", "recv", "recv-done"})
"""Opcodes that do something besides yielding a result."""

RANDOM = frozenset({"rng", "rng-get-and-update-state"})
"""Opcodes whose result is not a function of their operands."""


class Translation:
    """One program's terms.

    Attributes:
        outputs: the arrays of the entry computation's result, left to right.
        values: what each live instruction yields, by (computation, instruction); for a computation inlined more than
            once, at its first call.
        elided: names of constants used whose value the text leaves out.
        effects: names of instructions that do something besides yielding a result.
        random: names of instructions used that are not functions of their operands.
    """

    def __init__(self, k: Functions, module: Module, parameters: tuple[int, ...], side: str) -> None:
        self.k = k
        self.module = module
        self.side = side
        self.values: dict[tuple[str, str], Values] = {}
        self.elided: list[str] = []
        self.effects: list[str] = []
        self.random: list[str] = []
        self._effectful = effectful_computations(module)
        self._parameters = iter(parameters)
        self._count = 0
        self._calls: list[str] = []
        entry = self._current = module.entry
        arguments = tuple(self._argument(p.shape, p.name) for p in entry.parameters)
        self.outputs = value_leaves(self._run(entry, arguments))

    @property
    def place(self) -> str:
        """Name the computation that is being read."""
        return self._current.name

    def _argument(self, shape: Shape, name: str) -> Values:
        if isinstance(shape, TupleShape):
            return tuple(self._argument(element, name) for element in shape.elements)
        number = next(self._parameters)
        leaf = self.k.table.leaf(
            Leaf("parameter", number, shape.dimensions, shape.element_type, 1 << number, own_sign(shape), name)
        )
        return self._leaf_value(leaf, shape, 1 << number, frozenset())

    def _leaf_value(self, leaf: int, shape: ArrayShape, support: int, domain: Domain) -> Value:
        special = "some" if shape.is_dynamic else ""
        value = Value(ZERO, shape.dimensions, shape.element_type, support, domain, own_sign(shape), special)
        return value if value.is_empty else value._replace(poly=self.k.read(leaf, value.indices))

    def _run(self, computation: Computation, arguments: tuple[Values, ...]) -> Values:
        if computation.name in self._calls or len(self._calls) > MAX_CALL_DEPTH:
            raise Untranslatable(f"computation {computation.name!r} calls itself, or calls nest too deep")
        if len(arguments) != len(computation.parameters):
            raise Untranslatable(f"computation {computation.name!r} is called with {len(arguments)} operands")
        if [p.parameter_number for p in computation.parameters] != list(range(len(arguments))):
            raise Untranslatable(f"the parameters of computation {computation.name!r} are not numbered from 0 on")
        self._calls.append(computation.name)
        outer, self._current = self._current, computation
        found: dict[str, Values] = {}
        live = live_names(computation, self._effectful)
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
        """Translate an instruction from arrays to an array."""
        opcode = instruction.opcode
        kinds = [operand.kind for operand in operands] + [ELEMENT_TYPES[shape.element_type].kind]
        unexplained = (
            shape.is_dynamic or any(o.special == "some" for o in operands) or any(k not in COMPUTED for k in kinds)
        )
        if opcode in VIEWS and not shape.is_dynamic:
            return VIEWS[opcode](self, instruction, shape, operands)
        if opcode in ELEMENTWISE:
            return pointwise(self.k, instruction, shape, operands, unexplained=unexplained)
        if opcode in INDEXED and not unexplained:
            result = INDEXED[opcode](self, instruction, shape, operands)
            if result is not None:
                return result
        return self.operation(instruction, list(operands))

    # Operations that are not explained

    def operation(self, instruction: Instruction, operands: list[Values], special: str = "") -> Values:
        """Make the result of an operation leaves that equal only those of the same operation on equal operands."""
        arrays = [leaf for operand in operands for leaf in value_leaves(operand)]
        support, domain = combined(*arrays)
        domain = everywhere(self.k, domain)
        if any(v >= len(a.extents) for a in arrays for v in poly_variables(self.k.table, a.poly)):
            raise Untranslatable(f"instruction {instruction.name!r} ({instruction.opcode}) is not known, and is mapped")
        key: tuple[Hashable, ...] = (
            instruction.opcode,
            str(_without_layout(instruction.shape)),
            self._surroundings(instruction),
            compared_attributes(instruction),
            () if self.k.licences.precision else how_exactly(instruction),
            tuple(_nesting(operand) for operand in operands),
            tuple((a.dtype, a.extents, a.poly, a.special) for a in arrays),
            tuple(self._closure(name) for name in called_computations(instruction)),
        )
        if has_effect(instruction):
            self.effects.append(instruction.name)
        if has_effect(instruction) or is_random(instruction):
            self.random.append(instruction.name)
            key = ("unique", self.side, self._count)
        if special == "" and any(a.special for a in arrays):
            special = "some"
        return self._leaves(instruction, instruction.shape, key, support, domain, special, [0])

    def _surroundings(self, instruction: Instruction) -> Hashable:
        """Say what else than operands and attributes an operation depends on."""
        if instruction.opcode == "bitcast":
            return str(instruction.shape), str(self.operand_layout(instruction))
        if instruction.opcode == "custom-call":  # it is given memory, and may read the operands' shardings
            operands = [self._current[name] for name in instruction.operands]
            shardings = (
                [o.attributes.get("sharding") for o in operands] if "SPMD" in instruction.attributes_text else []
            )
            return tuple(str(_without_usual_layout(i.shape)) for i in (instruction, *operands)), tuple(shardings)
        if _OF_DEVICES.match(instruction.opcode):
            header = self.module.attributes
            return header.get("replica_count", "1"), header.get("num_partitions", "1")
        return None

    def unknown(self, instruction: Instruction, key: tuple[Hashable, ...]) -> Values:
        """Make a value that equals only one of the same key."""
        return self._leaves(instruction, instruction.shape, key, 0, frozenset(), "", [0])

    def _leaves(
        self,
        instruction: Instruction,
        shape: Shape,
        key: tuple[Hashable, ...],
        support: int,
        domain: Domain,
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
            own_sign(shape),
            instruction.opcode,
        )
        place[0] += 1
        value = self._leaf_value(self.k.table.leaf(leaf), shape, support, domain)
        return value._replace(special=special or value.special)

    def _closure(self, name: str) -> Hashable:
        """Say what a computation computes, as something to compare: its terms over arguments of its own."""
        computation = self.computation(name)
        arguments: list[Values] = []
        number = 0
        for parameter in computation.parameters:
            flat: list[Value] = []
            for shape in leaves(parameter.shape):
                leaf = Leaf(
                    "argument",
                    number,
                    shape.dimensions,
                    shape.element_type,
                    1 << number,
                    own_sign(shape),
                    parameter.name,
                )
                flat.append(self._leaf_value(self.k.table.leaf(leaf), shape, 1 << number, frozenset()))
                number += 1
            arguments.append(shaped(parameter.shape, iter(flat)))
        guards = set(self.k.ledger.guards)
        result = value_leaves(self._run(computation, tuple(arguments)))
        self.k.ledger.guards = guards  # a test of values inside a loop is nothing to ask of the inputs
        return tuple((v.dtype, v.extents, v.poly, v.support, v.domain, v.special) for v in result)

    def computation(self, name: str) -> Computation:
        """Find a computation that an instruction calls."""
        try:
            return self.module.computation(name.lstrip("%"))
        except KeyError:
            raise Untranslatable(f"computation {name!r} is not in the text") from None

    def operand_layout(self, instruction: Instruction) -> Layout | None:
        """Return the layout of an instruction's first operand, where the text gives one."""
        shape = self._current[instruction.operands[0]].shape
        return shape.layout if isinstance(shape, ArrayShape) else None

    def call(self, name: str, operands: list[Values]) -> Values:
        """Inline a computation."""
        return self._run(self.computation(name), tuple(operands))


def _without_layout(shape: Shape) -> Shape:
    if isinstance(shape, TupleShape):
        return TupleShape(tuple(_without_layout(element) for element in shape.elements))
    return ArrayShape(shape.element_type, shape.dimensions, shape.dynamic)


def _without_usual_layout(shape: Shape) -> Shape:
    """Leave out layouts that a text without layouts means: row-major, without tiles."""
    if isinstance(shape, TupleShape):
        return TupleShape(tuple(_without_usual_layout(element) for element in shape.elements))
    usual = Layout(tuple(reversed(range(len(shape.dimensions)))))
    return _without_layout(shape) if shape.layout in (None, usual) else shape


def _nesting(values: Values) -> Hashable:
    """Say how an operand's tuples nest."""
    return None if isinstance(values, Value) else tuple(map(_nesting, values))


def has_effect(instruction: Instruction) -> bool:
    """Whether an instruction does something besides yielding a result."""
    return instruction.opcode in EFFECTS or "custom_call_has_side_effect=true" in instruction.attributes_text


def is_random(instruction: Instruction) -> bool:
    """Whether an instruction's result may be another for equal operands; what a callback does is not in the text."""
    target = instruction.attributes.get("custom_call_target", "")
    return instruction.opcode in RANDOM or "callback" in target.lower()


def effectful_computations(module: Module) -> frozenset[str]:
    """Names of computations that contain an effect, in themselves or in what they call."""
    found = {c.name for c in module.computations if any(map(has_effect, c.instructions))}
    calls = {c.name: {name for i in c.instructions for name in called_computations(i)} for c in module.computations}
    while callers := {name for name, called in calls.items() if called & found} - found:
        found |= callers
    return frozenset(found)


def live_names(computation: Computation, effectful: frozenset[str] = frozenset()) -> frozenset[str]:
    """Names of the instructions that a computation's result depends on, and of those with effects."""
    live = {computation.root}
    live |= {
        i.name
        for i in computation.instructions
        if has_effect(i) or (effectful and effectful.intersection(called_computations(i)))
    }
    for instruction in reversed(computation.instructions):
        if instruction.name in live:
            live.update(instruction.operands)
    return frozenset(live)
