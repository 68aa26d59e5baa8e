"""Our reading beside that of XLA's own parser: names, opcodes, shapes, operands, called computations."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from beatnote.hlo.text import HloSyntaxError, parse

from .reading import comparable, read_by_us, read_by_xla
from .strategies import FORMS, damaged

pytest.importorskip("jaxlib")

FOLDERS = ("seeds", "models", "xla-benchmarks", "issues")


def test_the_published_modules_are_read_as_xla_reads_them(shared_data: Path):
    # GIVEN
    files = sorted(file for folder in FOLDERS for file in (shared_data / "hlo" / folder).glob("*.hlo"))
    texts = [text for file in files for text in re.split(r"(?m)^(?=HloModule)", file.read_text(encoding="utf-8"))]

    # WHEN
    theirs = read_by_xla(texts)

    # THEN
    read = [(text, found) for text, found in zip(texts, theirs, strict=True) if isinstance(found, dict)]
    assert len(read) > 25
    for text, found in read:
        assert comparable(read_by_us(parse(text))) == comparable(found), text[:80]


def test_programs_of_the_installed_jax_are_read_as_xla_reads_them():
    jax = pytest.importorskip("jax")
    import jax.numpy as jnp

    # GIVEN
    def scanned(x):
        return jax.lax.scan(lambda c, v: (c * v + 1, jnp.sin(c)), x[0], x)

    def branched(x):
        return jax.lax.cond(x.sum() > 0, lambda y: jnp.sort(y, axis=0), lambda y: y[::-1] @ y.T @ y, x)

    def convolved(x):
        image = x.reshape(1, 4, 4, 1)
        return jax.grad(lambda k: jax.nn.relu(jax.lax.conv(image, k, (1, 1), "SAME")).sum())(jnp.ones((1, 4, 3, 3)))

    x = jnp.ones((4, 4), jnp.float32)
    texts: list[str] = []
    for function in (scanned, branched, convolved, jax.random.split):
        lowered = jax.jit(function).lower(jax.random.key(0) if function is jax.random.split else x)
        texts.append(lowered.as_text(dialect="hlo"))
        texts.extend(module.to_string() for module in lowered.compile().runtime_executable().hlo_modules())

    # WHEN
    theirs = read_by_xla(texts)

    # THEN
    assert len(texts) == 8
    for text, found in zip(texts, theirs, strict=True):
        assert read_by_us(parse(text)) == found


def test_what_we_read_of_damaged_texts_is_what_xla_reads():
    # GIVEN
    random = Random(2)
    texts: list[str] = []
    forms = sorted(FORMS.values())
    while len(texts) < 250:
        text = damaged(random.choice(forms), random)
        try:
            parse(text)
        except HloSyntaxError:
            continue
        texts.append(text)

    # WHEN
    theirs = read_by_xla(texts)

    # THEN
    both = [(parse(text), found) for text, found in zip(texts, theirs, strict=True) if isinstance(found, dict)]
    assert len(both) > 50
    for ours, found in both:
        assert comparable(read_by_us(ours)) == comparable(found)
