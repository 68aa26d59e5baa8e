"""Our counts beside those of XLA's own HloCostAnalysis, instruction by instruction and program by program."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from beatnote.hlo.cost import CostError, cost_of
from beatnote.hlo.errors import HloSyntaxError
from beatnote.hlo.module import Module
from beatnote.hlo.render import render
from beatnote.hlo.text import parse
from beatnote.record.live import Live

from .programs import ADD, GREATER
from .xla_cost import LEFT_OUT, alone, alone_of_each, xla_counts
from .xla_deviations import DEVIATIONS, LOOPS, deviations_of

pytest.importorskip("jaxlib")

DOCS_TEXT = (Path(__file__).resolve().parents[3] / "docs" / "cost.md").read_text(encoding="utf-8")
TABLE = re.compile(r"^\| ([\w-]+) \| ((?:`[\w-]+`(?:, )?)*) ?\| ([0-9]+) \|", re.MULTILINE)
FIGURES = ("flops", "transcendental operations", "bytes")
ROUNDING = 2.0**-24
"""Of the single-precision numbers that XLA adds up."""


@pytest.fixture(scope="session")
def published(shared_data: Path) -> dict[str, Module]:
    """Every published module that is whole, by file, and number where a file has several."""
    found: dict[str, Module] = {}
    for file in sorted((shared_data / "hlo").glob("*/*.hlo")):
        try:
            modules = list(parse(file.read_text(encoding="utf-8")))
        except HloSyntaxError:
            continue
        for number, module in enumerate(modules):
            try:
                cost_of(module)
            except CostError:
                continue
            if not file.name.endswith(".fragment.hlo"):
                found[f"{file.stem}#{number}"] = msgspec.structs.replace(module, following=())
    assert len(found) > 25
    return found


def check_one(one: Module) -> set[str]:
    """Check that XLA's counts are ours and what the rules say; return the rules that were needed."""
    ours = cost_of(one).total
    more = deviations_of(one)
    expected = (
        ours.flops + sum(m.flops for m in more.values()),
        ours.transcendentals + sum(m.transcendentals for m in more.values()),
        ours.bytes_accessed + sum(m.bytes for m in more.values()),
    )
    theirs = xla_counts(render(one))
    rounding = ROUNDING * (1 + len(one.entry.root_instruction.operands))  # that many numbers are added up
    for what, mine, xlas in zip(FIGURES, expected, theirs, strict=True):
        assert abs(mine - xlas) <= rounding * abs(mine), f"{what}: {mine} {xlas} {more}\n{render(one)}"
    return set(more)


def check_program(module: Module) -> None:
    """Check that XLA's totals are the sums of ours and what the rules say, loops turning once."""
    counted = cost_of(module)
    total = counted.total
    expected = np.array([total.flops, total.transcendentals, total.bytes_accessed], dtype=float)
    summed = 0
    for name, runs in counted.runs.items():
        computation = module.computation(name)
        summed += len(computation.instructions)
        for instruction in computation.instructions:
            if instruction.opcode not in LEFT_OUT:
                for more in deviations_of(alone(module, computation, instruction)).values():
                    expected += runs * np.array(more)
    theirs = xla_counts(render(module))
    for what, mine, xlas in zip(FIGURES, expected, theirs, strict=True):
        assert abs(mine - xlas) <= ROUNDING * summed**0.5 * 4 * abs(mine), f"{module.name} {what}: {mine} {xlas}"


def test_every_instruction_of_the_published_programs(published: dict[str, Module]):
    # GIVEN every instruction alone, WHEN counted by both, THEN they agree but for the rules in the table of the docs
    opcodes: dict[str, set[str]] = defaultdict(set)
    programs: dict[str, set[str]] = defaultdict(set)
    for name, module in published.items():
        for one in alone_of_each(module):
            for rule in check_one(one):
                opcodes[rule].add(one.entry.root_instruction.opcode)
                programs[rule].add(name)
        for loop in cost_of(module).loops:
            if loop.turns != 1:
                opcodes[LOOPS].add("while")
                programs[LOOPS].add(name)
    shown = {rule: (set(re.findall(r"`([\w-]+)`", row)), int(count)) for rule, row, count in TABLE.findall(DOCS_TEXT)}
    assert f"Every instruction of {len(published)} published programs" in " ".join(DOCS_TEXT.split())
    assert set(shown) == {rule.name for rule in DEVIATIONS} | {LOOPS}
    assert shown == {rule: (opcodes[rule], len(programs[rule])) for rule in shown}


def test_the_totals_of_the_published_programs(published: dict[str, Module], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("beatnote.hlo.cost.program.trip_count", lambda *_: None)
    for module in published.values():
        check_program(module)


@pytest.mark.parametrize("framework", ["jax", "tensorflow"])
@pytest.mark.parametrize("model", ["matvec", "mlp", "layernorm", "attention"])
def test_programs_recorded_now(live: Callable[[str, str, str], Live], framework: str, model: str):
    pytest.importorskip(framework)
    recorded = live(framework, model, "gradient")
    for module in (recorded.before, recorded.after):
        for one in alone_of_each(module):
            check_one(one)
        check_program(module)


def test_programs_with_loops_and_branches_recorded_now(monkeypatch: pytest.MonkeyPatch):
    jax = pytest.importorskip("jax")
    import jax.numpy as jnp

    def turning(x):
        return jax.lax.scan(lambda c, v: (jnp.tanh(c @ c) * v[0], jnp.sin(v)), x, x)

    def branched(x):
        return jax.lax.cond(x.sum() > 0, lambda y: jnp.exp(y @ y), lambda y: y, x)

    def searched(x):
        return jnp.cumsum(jnp.take(x, jnp.arange(3), axis=0), axis=1)

    # GIVEN
    monkeypatch.setattr("beatnote.hlo.cost.program.trip_count", lambda *_: None)
    for function in (turning, branched, searched):
        lowered = jax.jit(function).lower(jnp.ones((8, 8), jnp.float32))
        for text in (
            lowered.as_text(dialect="hlo"),
            lowered.compile().runtime_executable().hlo_modules()[0].to_string(),
        ):
            # THEN
            module = parse(text)
            for one in alone_of_each(module):
                check_one(one)
            check_program(module)


@pytest.mark.parametrize(
    ("line", "parameters", "ours", "xlas"),
    [
        # XLA: 2 · 4 · elements · ⌊log₂ n⌋
        ("c64[8] fft(p0), fft_type=FFT, fft_length={8}", ("c64[8]",), 120, 192),
        # XLA: the whole triangle's square
        ("f32[4,2] triangular-solve(p0, p1), left_side=true", ("f32[4,4]", "f32[4,2]"), 32, 64),
        # XLA: the logarithm of all elements, not of those sorted, and no comparator
        ("f32[2,8] sort(p0), dimensions={1}, to_apply=ge", ("f32[2,8]",), 48, 64),
        # XLA: complex numbers as real ones
        ("c64[8] multiply(p0, p0)", ("c64[8]",), 48, 8),
        ("c64[2,4] dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}", ("c64[2,3]", "c64[3,4]"), 192, 48),
        # XLA: nothing
        ("f32[4] reduce-scatter(p0), replica_groups={{0,1}}, dimensions={0}, to_apply=add", ("f32[8]",), 8, 0),
    ],
)
def test_formulas_of_other_opcodes(line, parameters, ours, xlas):
    lines = [f"p{k} = {shape} parameter({k})" for k, shape in enumerate(parameters)]
    text = "HloModule m\n{}{}\nENTRY e {{\n{}\nROOT r = {}\n}}\n".format(ADD, GREATER, "\n".join(lines), line)
    assert cost_of(parse(text)).total.flops == ours
    assert xla_counts(text)[0] == xlas
