"""Programs from strangers: counted or refused in words, never a traceback, and nothing that JSON cannot hold."""

from __future__ import annotations

from random import Random
from time import perf_counter

import msgspec
from hypothesis import given, settings

from beatnote.hlo.cost.chips import CHIPS
from beatnote.hlo.cost.summary import summarise
from beatnote.hlo.errors import CostError, HloSyntaxError
from beatnote.hlo.module import Module
from beatnote.hlo.text import parse
from tests.hlo.strategies import FORMS, damaged, modules

from .programs import ADD, GREATER, loop

TURNING = loop(
    "n = s32[] constant(9)\n ROOT q = pred[] compare(i, n), direction=LT",
    "one = s32[] constant(1)\n j = s32[] add(i, one)",
).replace("ENTRY e", "turning")
WHOLE = """
fused { a = f32[8,8] parameter(0)
  z = s32[] constant(0)
  u = f32[1,8] slice(a), slice={[0:1], [0:8]}
  ROOT d = f32[8,8] dynamic-update-slice(a, u, z, z) }
ENTRY e { x = f32[8,8] parameter(0)
  v = f32[8] parameter(1)
  k = f32[3,3,1,1] parameter(2)
  i = f32[1,8,8,1] reshape(x)
  c = f32[1,8,8,1] convolution(i, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  zero = f32[] constant(0)
  p = f32[1,4,4,1] reduce-window(c, zero), window={size=1x2x2x1 stride=1x2x2x1}, to_apply=add
  s = f32[1,8,8,1] select-and-scatter(c, p, zero), window={size=1x2x2x1 stride=1x2x2x1}, select=ge, scatter=add
  d = f32[8,8] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  f = f32[8,8] fusion(d), kind=kLoop, calls=fused
  w = (s32[], f32[8]) call(v), to_apply=turning
  g = f32[8] get-tuple-element(w), index=1
  h = f32[8] sort(g), dimensions={0}, to_apply=ge
  r = f32[8] all-reduce(h), replica_groups={{0,1}}, to_apply=add
  m = (f32[8,8], s8[64]) custom-call(x, f), custom_call_target="__cublas$gemm", backend_config={"a":1}
  t = f32[8,8] transpose(f), dimensions={1,0}
  ROOT o = (f32[8,8], f32[8], f32[1,8,8,1]) tuple(t, r, s) }
"""
EVERYTHING = f"{ADD}{GREATER}{TURNING}{WHOLE}"
TEXTS = (*sorted(FORMS.values()), *([EVERYTHING] * 8))


def check(module: Module) -> bool:
    """Count, or be refused in words."""
    try:
        found = summarise(module, (CHIPS["a100"],))
    except CostError:
        return False
    msgspec.json.encode(found)
    return True


def test_the_whole_counts():
    assert check(parse(EVERYTHING))


def test_damaged_texts(heavy: bool):
    random = Random(3)
    counted = refused = 0
    for _ in range(40_000 if heavy else 2_000):
        try:
            module = parse(damaged(random.choice(TEXTS), random))
        except HloSyntaxError:
            continue
        if check(module):
            counted += 1
        else:
            refused += 1
    assert counted > 50
    assert refused > 50


@given(modules())
@settings(max_examples=150, deadline=None)
def test_random_modules(module: Module):
    check(module)


def test_what_doubles_with_every_line_takes_no_time():
    # GIVEN values that are twice what the line before is, if one believes it
    tuples = "\n".join(f" t{k} = f32[] tuple(t{k - 1}, t{k - 1})" for k in range(1, 60))
    renamed = "\n".join(f" t{k} = f32[8] bitcast(t{k - 1}, t{k - 1})" for k in range(1, 60))
    fused = f"f {{ t0 = f32[8] parameter(0)\n{renamed}\n ROOT s = f32[2] slice(t59), slice={{[0:2]}} }}\n"
    user = "ENTRY e { x = f32[8] parameter(0)\n ROOT r = f32[2] fusion(x), kind=kLoop, calls=f }"
    # THEN
    assert not check(parse(f"ENTRY e {{ t0 = f32[] parameter(0)\n{tuples}\n ROOT r = f32[] negate(t0) }}"))
    assert check(parse(fused + user))


def test_a_tuple_of_many_that_is_taken_apart_takes_no_time():
    many = 5_000
    shapes = ", ".join(["f32[1]"] * many)
    elements = "\n".join(f" g{k} = f32[1] get-tuple-element(x), index={k}" for k in range(many))
    start = perf_counter()
    assert check(parse(f"ENTRY e {{ x = ({shapes}) parameter(0)\n{elements}\n ROOT r = f32[1] negate(g7) }}"))
    assert perf_counter() - start < 20
