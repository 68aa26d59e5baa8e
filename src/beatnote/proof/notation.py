"""Terms written for people, in index notation: `2·Σk W[i,k]·x[k] − 2·y[i]`."""

from __future__ import annotations

from fractions import Fraction

from beatnote.proof.index import Digit, Index
from beatnote.proof.licences import Claim
from beatnote.proof.terms import Monomial, Number, Poly, Table

_LETTERS = "ijklmnpqrstuvw"
MAX_LENGTH = 400

_NEEDS = {"nonzero": "≠ 0", "nonnegative": "≥ 0", "defined": "is defined"}

_FUNCTIONS = {"exp": "exp", "log": "log", "logistic": "logistic", "tanh": "tanh", "maximum": "max"}
_REDUCTIONS = {"maximum": "max", "minimum": "min", "multiply": "Π", "and": "all", "or": "any"}


class Notation:
    """How terms of a table are written.

    Args:
        table: of the terms.
        names: of the parameters, by number.
    """

    def __init__(self, table: Table, names: dict[int, str] | None = None) -> None:
        self.table = table
        self.names = names or {}

    def poly(self, poly: Poly, letters: dict[int, str] | None = None) -> str:
        """Write a polynomial; index variables are lettered in order unless letters are given."""
        text = self._poly(poly, letters if letters is not None else _lettered(self._variables(poly)))
        return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - 1]}…"

    def claim(self, claim: Claim) -> str:
        """Write a claim as a sentence."""
        if claim.what == "finite":
            return f"every element of {self._parameter(claim.number)} is finite"
        node = self.table.nodes[claim.number]
        letters = _lettered(range(len(node.extents) + len(node.bound)))
        sides = [self._poly(poly, letters) for poly in node.polys]
        if claim.what in ("true", "false"):
            return self._test(
                node.kind, str(node.attributes[0]) if node.attributes else "", sides, claim.what == "true"
            )
        needed = f"{sides[0]} {_NEEDS[claim.what]}"
        if len(sides) == 1:
            return needed
        single = len(node.polys[1]) == 1 and node.polys[1][0][1] == 1
        return f"{needed} where {sides[1] if single else f'{sides[1]} = 1'}"

    def _test(self, kind: str, dtype: str, sides: list[str], holds: bool) -> str:
        if kind == "equal":
            return f"{sides[0]} {'=' if holds else '≠'} 0"
        if kind == "nan":
            return f"{sides[0]} is {'not ' if holds else ''}a number"
        if kind != "greater":
            return f"{kind}({', '.join(sides)}) is {'true' if holds else 'false'}"
        left, right = (sides[0], "0") if len(sides) == 1 else (sides[0], sides[1])
        if dtype != "real" and holds and right.lstrip("-−").isdigit():
            return f"{left} ≥ {_number(int(right.replace('−', '-')) + 1)}"
        return f"{left} {'>' if holds else '≤'} {right}"

    def _variables(self, poly: Poly) -> list[int]:
        return sorted({v for monomial, _ in poly for atom, _ in monomial for v in self.table.variables(atom)})

    def _poly(self, poly: Poly, letters: dict[int, str]) -> str:
        if not poly:
            return "0"
        parts: list[str] = []
        for monomial, c in poly:
            sign = "−" if c < 0 else "+"
            text = self._product(monomial, abs(c), letters)
            parts.append(text if not parts and c > 0 else f"{sign}{text}" if not parts else f" {sign} {text}")
            if sum(map(len, parts)) > MAX_LENGTH:
                break
        return "".join(parts)

    def _product(self, monomial: Monomial, c: Number, letters: dict[int, str]) -> str:
        above = [self._power(atom, e, letters) for atom, e in monomial if e > 0]
        below = [self._power(atom, -e, letters) for atom, e in monomial if e < 0]
        number = _number(c)
        head = "·".join(above if above and c == 1 else [number, *above])
        if not below:
            return head
        return f"{head}/{below[0]}" if len(below) == 1 else f"{head}/({'·'.join(below)})"

    def _power(self, atom: int, exponent: Number, letters: dict[int, str]) -> str:
        text = self._atom(atom, letters)
        if exponent == 1:
            return text
        if exponent == Fraction(1, 2):
            return f"sqrt({text.removeprefix('(').removesuffix(')') if text.startswith('(') else text})"
        return f"{text}^{exponent if isinstance(exponent, int) else f'({exponent})'}"

    def _atom(self, atom: int, letters: dict[int, str]) -> str:
        kind, number, arguments = self.table.atoms[atom]
        if kind == "leaf":
            leaf = self.table.leaves[number]
            name = self._parameter(leaf.key) if leaf.kind == "parameter" else leaf.note  # type: ignore[arg-type]
            return f"{name}[{', '.join(index_text(i, letters) for i in arguments)}]" if arguments else name
        if kind == "node":
            return self._node(number, arguments, letters)
        inside = index_text(arguments[0], letters)
        return {"index": inside, "at-least-0": f"[{inside} ≥ 0]", "is-0": f"[{inside} = 0]"}[kind]

    def _node(self, number: int, arguments: tuple[Index, ...], letters: dict[int, str]) -> str:
        node = self.table.nodes[number]
        inner = {k: _argument(argument, letters) for k, argument in enumerate(arguments)}
        taken = set(inner.values()) | set(letters.values())
        fresh = [letter for letter in _LETTERS if letter not in taken] + [f"i{k}" for k in range(100)]
        for k in range(len(node.bound)):
            inner[len(arguments) + k] = fresh[k]
        bound = ",".join(fresh[: len(node.bound)])
        sides = [self._poly(poly, inner) for poly in node.polys]
        if node.kind == "sum":
            return f"Σ{bound} {sides[0]}" if len(node.polys[0]) == 1 else f"Σ{bound} ({sides[0]})"
        if node.kind in ("reduce", "boolean") and node.bound:
            return f"{_REDUCTIONS.get(str(node.attributes[0]), node.attributes[0])}_{bound}({sides[0]})"
        if node.kind == "whole":
            return f"({sides[0]})"
        if node.kind in ("greater", "equal", "nan"):
            return f"[{self._test(node.kind, str(node.attributes[0]) if node.attributes else '', sides, True)}]"
        if node.kind == "power":
            return f"({sides[0]})^{node.attributes[0]}"
        name = _FUNCTIONS.get(node.kind) or (
            str(node.attributes[1]) if node.kind in ("function", "boolean") else node.kind
        )
        return f"{name}({', '.join(sides)})"

    def _parameter(self, number: object) -> str:
        return self.names.get(number, f"parameter {number}") if isinstance(number, int) else str(number)


def _lettered(variables: list[int] | range) -> dict[int, str]:
    return {v: _LETTERS[k] if k < len(_LETTERS) else f"i{k}" for k, v in enumerate(variables)}


def _argument(index: Index, letters: dict[int, str]) -> str:
    text = index_text(index, letters)
    return text if len(index[1]) <= 1 and not index[0] else f"({text})"


def index_text(index: Index, letters: dict[int, str]) -> str:
    """Write an index as arithmetic on letters."""
    parts: list[str] = []
    for c, atom in index[1]:
        if isinstance(atom, Digit):
            text = letters.get(atom.variable, f"i{atom.variable}")
            if atom.divisor != 1:
                text = f"{text}//{atom.divisor}"
            text = text if atom.divisor == 1 and c == 1 else f"({text})" if atom.divisor != 1 and c != 1 else text
        else:
            text = f"({index_text(atom.inner, letters)}){'//' if atom.part == 'quotient' else '%'}{atom.divisor}"
        sign = "−" if c < 0 else "+"
        text = text if abs(c) == 1 else f"{abs(c)}·{text}"
        parts.append(text if not parts and c > 0 else f"{sign}{text}")
    if index[0] or not parts:
        parts.append(_number(index[0]) if not parts else f"{'+' if index[0] > 0 else '−'}{abs(index[0])}")
    return "".join(parts)


def _number(value: Number) -> str:
    if isinstance(value, int) or value.denominator <= 10_000:
        return str(value).replace("-", "−")
    return f"{float(value):.9g}"
