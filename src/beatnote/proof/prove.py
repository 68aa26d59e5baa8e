"""Proving two programs equal: with as few licences as will do, and saying which those were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from time import monotonic

import msgspec

from beatnote.hlo.module import Module
from beatnote.hlo.shapes import ELEMENT_TYPES
from beatnote.proof.domains import claims_between
from beatnote.proof.functions import Functions
from beatnote.proof.identical import identical
from beatnote.proof.licences import CLASSES, Claim, Ledger, Licences, TimeIsUpError
from beatnote.proof.parameters import (
    MAX_CANDIDATES,
    MAX_COLOURED,
    Pairing,
    Parameter,
    ParameterMismatch,
    candidates,
    colours_of,
    forced_pairs,
    parameters_of,
    preferred,
)
from beatnote.proof.terms import Table
from beatnote.proof.translate import Translation
from beatnote.proof.value import Untranslatable, Value

LIMIT_S = 60.0
"""Proving is given up after about this long."""

SUGGESTIONS = 4
"""How many other pairings are tried, only to suggest one, where names or positions already give one."""

MAX_ROUNDS = 4
"""Granting a test can bring further tests to light; how often that is followed up."""


class Attempt(msgspec.Struct, frozen=True):
    """Both programs under one set of licences.

    Attributes:
        licences: what was allowed.
        a: the first program's terms.
        b: the second's.
        proven: for each output, whether its terms are the same.
        rules: how often each rule of algebra was used, both sides together.
    """

    licences: Licences
    a: Translation
    b: Translation
    proven: tuple[bool, ...]
    rules: Counter[str]


class Proof(msgspec.Struct, frozen=True):
    """What could be proven.

    Attributes:
        table: the terms.
        identical: the programs are the same up to names, order and metadata.
        proven: for each output, whether both sides are the same function, under its claims.
        claims: for each output, the claims its proof needs; empty for outputs that are not proven.
        classes: of reasoning used.
        pairing: for each parameter of B its partner in A.
        parameters: of A and of B.
        attempt: the one that proved most; None where a program cannot be read as terms.
        suggestion: another pairing, under which every output would be proven.
        reason: why nothing could be proven at all, else ''.
    """

    table: Table
    identical: bool
    proven: tuple[bool, ...]
    claims: tuple[frozenset[Claim], ...]
    classes: tuple[str, ...]
    pairing: Pairing
    parameters: tuple[tuple[Parameter, ...], tuple[Parameter, ...]]
    attempt: Attempt | None
    suggestion: Pairing | None = None
    reason: str = ""

    @property
    def names(self) -> dict[int, str]:
        """What to call each parameter number: A's name, or B's where it has no partner."""
        a, b = self.parameters
        names = {k: parameter.name for k, parameter in enumerate(a)}
        for number, parameter in zip(numbers_of_b(self.pairing, len(a)), b, strict=True):
            names.setdefault(number, parameter.name)
        return names


def numbers_of_b(pairing: Pairing, count_a: int) -> tuple[int, ...]:
    """Return the number that each parameter of B goes by: its partner's, or one of its own."""
    return tuple(partner if partner is not None else count_a + j for j, partner in enumerate(pairing))


def prove(
    a: Module,
    b: Module,
    *,
    names: Mapping[str, str] | None = None,
    search: bool = False,
    limit_s: float = LIMIT_S,
) -> Proof:
    """Prove as many outputs of two programs equal as possible.

    Parameters are paired as the user says, else by name where both sides have the same names, else by position.
    Where shapes forbid that, and with `search`, pairings are tried until one proves; otherwise another pairing that
    would prove is only suggested.

    Args:
        a: a program.
        b: another.
        names: parameters of A -> parameters of B that the user says belong together.
        search: try pairings even where names or positions would do.
        limit_s: give up after about this many seconds.

    Raises:
        ParameterMismatch: their parameters or outputs cannot be paired.
    """
    parameters = parameters_of(a), parameters_of(b)
    forced = forced_pairs(*parameters, names or {})
    prover = _Prover(a, b, parameters, monotonic() + limit_s)
    given = None if search else preferred(*parameters, forced)
    pairings = [given] if given is not None else list(candidates(*parameters, forced))
    if not pairings or (parameters[1] and all(i is None for i in pairings[0])):
        raise ParameterMismatch(_mismatch(parameters))
    pairing, suggestion = pairings[0], None
    try:
        best = prover.ladder(pairing)
        if not all(best.proven):
            if given is not None:
                suggestion = prover.search(pairing, forced, enough=len(best.proven), tries=SUGGESTIONS)
            else:
                found = prover.search(pairing, forced, enough=sum(best.proven) + 1, tries=MAX_CANDIDATES)
                pairing, best = (found, prover.ladder(found)) if found is not None else (pairing, best)
        if any(_is_used(best, parameters, pairing, side) for side in (0, 1)):
            raise ParameterMismatch(_mismatch(parameters))
        best, claims = prover.minimised(pairing, best)
    except (Untranslatable, TimeIsUpError, RecursionError) as error:
        reason = "the terms nest too deep" if isinstance(error, RecursionError) else str(error)
        same = identical(a, b) and pairing == tuple(range(len(pairing)))
        return Proof(prover.table, same, (), (), (), pairing, parameters, None, reason=reason)
    same = identical(a, b) and pairing == tuple(range(len(pairing)))
    return Proof(
        prover.table,
        same,
        best.proven,
        claims,
        best.licences.classes,
        pairing,
        parameters,
        best,
        suggestion,
    )


def _is_used(
    attempt: Attempt, parameters: tuple[tuple[Parameter, ...], tuple[Parameter, ...]], pairing: Pairing, side: int
) -> bool:
    """Whether a side's outputs depend on a parameter that has no partner."""
    count = len(parameters[0])
    if side == 0:
        alone = [i for i in range(count) if i not in pairing]
        outputs = attempt.a.outputs
    else:
        alone = [count + j for j, partner in enumerate(pairing) if partner is None]
        outputs = attempt.b.outputs
    return any(output.support >> number & 1 for output in outputs for number in alone)


def _mismatch(parameters: tuple[tuple[Parameter, ...], tuple[Parameter, ...]]) -> str:
    sides = [
        f"{side} takes ({', '.join(f'{p.name}: {p.shape.element_type}{list(p.shape.dimensions)}' for p in found[:8])}"
        f"{', …' if len(found) > 8 else ''})"
        for side, found in zip("AB", parameters, strict=True)
    ]
    return f"the programs' parameters cannot be paired: {' and '.join(sides)}"


class _Prover:
    def __init__(
        self,
        a: Module,
        b: Module,
        parameters: tuple[tuple[Parameter, ...], tuple[Parameter, ...]],
        deadline_s: float,
    ) -> None:
        self.a, self.b = a, b
        self.deadline_s = deadline_s
        self.parameters = parameters
        self.table = Table()
        self._infinite = [
            n
            for n, p in enumerate(parameters[0])
            if p.shape.element_count and ELEMENT_TYPES[p.shape.element_type].kind in ("float", "complex")
        ]
        self._a: dict[Licences, Translation] = {}

    def attempt(self, pairing: Pairing, licences: Licences) -> Attempt:
        """Both programs' terms under these licences."""
        count = len(self.parameters[0])
        if licences not in self._a:  # the first program's terms do not depend on the pairing
            self._a[licences] = self._translated(self.a, tuple(range(count)), "a", licences)
        a = self._a[licences]
        b = self._translated(self.b, numbers_of_b(pairing, count), "b", licences)
        if len(a.outputs) != len(b.outputs):
            raise ParameterMismatch(
                f"the programs cannot be compared: A yields {len(a.outputs)} arrays and B {len(b.outputs)}"
            )
        harmless = not (a.effects or b.effects)
        proven = tuple(harmless and _same(x, y) for x, y in zip(a.outputs, b.outputs, strict=True))
        return Attempt(licences, a, b, proven, a.k.ledger.rules + b.k.ledger.rules)

    def _translated(self, module: Module, numbers: tuple[int, ...], side: str, licences: Licences) -> Translation:
        return Translation(Functions(self.table, Ledger(licences, self.deadline_s)), module, numbers, side)

    def ladder(self, pairing: Pairing) -> Attempt:
        """More and more licences until every output is proven; the attempt that proved most."""
        best = self.attempt(pairing, Licences())
        steps: list[Iterable[str]] = [("reordering",), ("reordering", "stability"), CLASSES]
        for classes in steps:
            if all(best.proven):
                return best
            plain = self.attempt(pairing, Licences().allowing(classes))
            best = max(best, plain, key=lambda one: sum(one.proven))
            if not all(best.proven):
                granted = self.with_guards(pairing, plain)
                best = max(best, granted, key=lambda one: sum(one.proven))
        return best

    def with_guards(self, pairing: Pairing, attempt: Attempt) -> Attempt:
        """Attempt again with the tests granted that the programs guard themselves by."""
        for _ in range(MAX_ROUNDS):
            licences = attempt.licences
            guards = attempt.a.k.ledger.guards | attempt.b.k.ledger.guards
            fresh = {g for g in guards if not _denied(g, licences.granted)} - licences.granted
            if not fresh:
                break
            granted = frozenset(licences.granted | {g for g in fresh if not _denied(g, fresh)})
            if granted == licences.granted:
                break
            attempt = self.attempt(pairing, msgspec.structs.replace(licences, granted=granted))
        return attempt

    def minimised(self, pairing: Pairing, attempt: Attempt) -> tuple[Attempt, tuple[frozenset[Claim], ...]]:
        """Leave out the licences that the attempt can do without; give it with the claims of each output."""
        wanted = attempt.proven
        for name in reversed(CLASSES):
            if getattr(attempt.licences, name):
                smaller = self.attempt(pairing, msgspec.structs.replace(attempt.licences, **{name: False}))
                attempt = smaller if _covers(smaller.proven, wanted) else attempt
        breaking: dict[Claim, tuple[bool, ...]] = {}
        for claim in sorted(attempt.licences.granted):
            granted = attempt.licences.granted - {claim}
            smaller = self.attempt(pairing, msgspec.structs.replace(attempt.licences, granted=granted))
            if _covers(smaller.proven, wanted):
                attempt = smaller
            else:
                breaking[claim] = smaller.proven
        needs = [
            frozenset(claim for claim, proven in breaking.items() if wanted[k] and not proven[k])
            for k in range(len(wanted))
        ]
        return attempt, self._claims(pairing, attempt, needs)

    def _claims(
        self, pairing: Pairing, attempt: Attempt, needs: list[frozenset[Claim]]
    ) -> tuple[frozenset[Claim], ...]:
        """Claim for each output its grants, all of them where it cannot be proven with just its own, and its domain.

        The domain is that of the attempt with just those grants: with others granted, programs may need less.
        """
        attempts = {
            granted: self.attempt(pairing, msgspec.structs.replace(attempt.licences, granted=granted))
            for granted in set(needs)
            if granted != attempt.licences.granted
        }
        claims: list[frozenset[Claim]] = []
        for k, granted in enumerate(needs):
            own = attempts.get(granted, attempt)
            used = own if own.proven[k] else attempt
            claims.append(used.licences.granted | self._domain(used, k) if used.proven[k] else frozenset[Claim]())
        return tuple(claims)

    def _domain(self, attempt: Attempt, k: int) -> frozenset[Claim]:
        """Claim what one program needs to yield a number as output k and the other does not."""
        a, b = attempt.a.outputs[k], attempt.b.outputs[k]
        different = a.support ^ b.support
        finite = {Claim("finite", n) for n in self._infinite if different >> n & 1}
        return claims_between(attempt.a.k, a.domain, b.domain) | finite

    def search(self, known: Pairing, forced: Mapping[int, int], *, enough: int, tries: int) -> Pairing | None:
        """Find a pairing under which at least `enough` outputs are proven with all licences."""
        everything = Licences().allowing(CLASSES)
        colours = self.colours(known)
        for pairing in islice(candidates(*self.parameters, forced, colours), tries):
            if pairing != known:
                attempt = self.with_guards(pairing, self.attempt(pairing, everything))
                if sum(attempt.proven) >= enough:
                    return pairing
        return None

    def colours(self, pairing: Pairing) -> tuple[list[int], list[int]] | None:
        """Colours of both programs' parameters, in the terms that re-association allows."""
        if max(map(len, self.parameters)) > MAX_COLOURED:
            return None
        attempt = self.attempt(pairing, Licences(reordering=True))
        count = len(self.parameters[0])
        return (
            colours_of(self.table, attempt.a.outputs, list(range(count))),
            colours_of(self.table, attempt.b.outputs, list(numbers_of_b(pairing, count))),
        )


def _denied(claim: Claim, claims: Iterable[Claim]) -> bool:
    """Whether its opposite is among the claims."""
    opposite = {"true": "false", "false": "true"}.get(claim.what, "")
    return Claim(opposite, claim.number) in claims


def _covers(proven: tuple[bool, ...], wanted: tuple[bool, ...]) -> bool:
    return all(p or not w for p, w in zip(proven, wanted, strict=True))


def _same(a: Value, b: Value) -> bool:
    return (a.poly, a.extents, a.dtype, a.special) == (b.poly, b.extents, b.dtype, b.special)
