"""Operations that look equal and are not: what they are given besides numbers, and what a text leaves out.

Each pair must end in a condition, a class of reasoning, or not equal; those of arithmetic are in `test_traps`.
"""

from __future__ import annotations

import pytest

from beatnote.comparison import compare
from beatnote.hlo.text import parse
from beatnote.proof.parameters import ParameterMismatch

from .comparing import PROVEN, compared, texts
from .texts import module


@pytest.mark.parametrize("run", [False, True])
def test_min_from_minus_infinity_is_not_min(run: bool) -> None:
    body = """c = f32[] constant({})
              r = f32[] reduce(x, c), dimensions={{0}}, to_apply=min_f32"""
    found = compared("x: f32[4]", body.format("-inf"), body.format("inf"), run=run)
    assert found.programs.verdict not in PROVEN


def test_elided_constants_are_never_equal() -> None:
    body = """c = f32[4] constant({...})
              r = f32[4] add(x, c)"""
    found = compared("x: f32[4]", body, body)
    assert found.programs.verdict == "unknown"
    assert any("leaves out the value of constant c" in note for note in found.programs.notes)


def test_random_numbers_are_never_equal() -> None:
    body = """low = f32[] constant(0)
              high = f32[] constant(1)
              u = f32[4] rng(low, high), distribution=rng_uniform
              r = f32[4] add(x, u)"""
    other = body.replace("add(x, u)", "add(u, x)")
    assert compared("x: f32[4]", body, other).programs.verdict not in PROVEN


def test_random_bits_from_a_key_are_a_function_of_the_key() -> None:
    body = """bits = (u64[2], u32[4]) rng-bit-generator(key), algorithm=rng_three_fry
              u = u32[4] get-tuple-element(bits), index=1
              r = u32[4] {}"""
    same = compared("key: u64[2]", body.format("negate(u)"), body.format("copy(u)").replace("copy(u)", "negate(u)"))
    other = compared("key: u64[2]", body.format("negate(u)"), body.format("not(u)"))
    assert same.programs.verdict == "identical"
    assert other.programs.verdict not in PROVEN


def test_a_clamped_dynamic_slice_is_a_one_hot_sum_only_inside() -> None:
    found = compared(
        "x: f32[4], i: s32[]",
        """s = f32[1] dynamic-slice(x, i), dynamic_slice_sizes={1}
           r = f32[] reshape(s)""",
        """k = s32[4] iota(), iota_dimension=0
           spread = s32[4] broadcast(i), dimensions={}
           hit = pred[4] compare(k, spread), direction=EQ
           one = f32[4] convert(hit)
           r = f32[] dot(one, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}""",
    )
    assert found.programs.verdict == "equal-if"
    assert texts(found) == ["0 ≤ i ≤ 3"]


def test_scatter_with_repeated_indices_is_not_a_selection() -> None:
    found = compared(
        "x: f32[4], i: s32[2,1], u: f32[2]",
        """r = f32[4] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0},
               scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second_f32""".replace("\n", " "),
        """r = f32[4] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0},
               scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum_f32""".replace("\n", " "),
    )
    assert found.programs.verdict not in PROVEN


@pytest.mark.parametrize(("types", "result"), [(("bf16", "f32"), "f32"), (("f32", "f32"), "bf16")])
def test_a_dot_does_not_round_its_operands_first(types: tuple[str, str], result: str) -> None:
    # GIVEN a dot one of whose types is bfloat16, and the dot of operands rounded to bfloat16
    dot = result + "[] dot({}), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}"
    found = compared(
        f"x: {types[0]}[64], y: {types[1]}[64]",
        f"r = {dot.format('x, y')}",
        f"""a = bf16[64] convert(x)
            b = bf16[64] convert(y)
            r = {dot.format("a, b")}""",
    )
    assert found.programs.verdict == "equal"
    assert found.programs.classes == ("precision",)


def test_an_elided_constant_in_two_calls_is_never_equal() -> None:
    text = """HloModule test
    table {{
      c = f32[4] constant({{...}})
      ROOT r = f32[4] copy(c)
    }}

    ENTRY main {{
      x = f32[4] parameter(0)
      a = f32[4] call(), to_apply=table
      b = f32[4] call(), to_apply=table
      ROOT s = f32[4] {}
    }}"""
    once, twice = parse(text.format("add(x, a)")), parse(text.format("add(b, x)"))
    found = compare(once, twice, run=False)
    assert found.programs.verdict == "unknown"
    # AND inside one program it is one constant
    none = compare(parse(text.format("subtract(a, b)")), parse(text.format("subtract(b, a)")), run=False)
    assert none.programs.verdict == "equal"


@pytest.mark.parametrize(
    ("parameters", "body", "attributes"),
    [
        ("x: f32[4]", 'r = f32[4] custom-call(x), custom_call_target="f"', ("", ", channel_id=1")),
        (
            "x: f32[4]",
            'r = f32[4] custom-call(x), custom_call_target="f"',
            (", backend_config={a}", ", backend_config={b}"),
        ),
        (
            "x: f32[4]",
            'r = f32[4] custom-call(x), custom_call_target="f"',
            (", sharding={manual}", ", sharding={replicated}"),
        ),
        (
            "x: f32[4]",
            "r = f32[4] all-reduce(x), to_apply=sum_f32",
            (", replica_groups={}", ", channel_id=1, replica_groups={}"),
        ),
        (
            "x: f32[4]",
            "r = f32[4] all-reduce(x), to_apply=sum_f32",
            (", replica_groups={{0,1}}", ", replica_groups={{0},{1}}"),
        ),
        ("x: f32[4]", "r = f32[4] all-reduce(x), replica_groups={}", (", to_apply=sum_f32", ", to_apply=max_f32")),
        (
            "k: u64[2]",
            "r = (u64[2], u32[4]) rng-bit-generator(k)",
            (", algorithm=rng_philox", ", algorithm=rng_three_fry"),
        ),
    ],
)
def test_attributes_that_matter_keep_operations_apart(parameters: str, body: str, attributes: tuple[str, str]) -> None:
    first, second = (body + text for text in attributes)
    assert compared(parameters, first, second).programs.verdict not in PROVEN
    assert compared(parameters, first, first + ", metadata={}").programs.verdict == "identical"


def test_which_channel_a_collective_uses_does_not_matter() -> None:
    body = "r = f32[4] all-reduce(x), to_apply=sum_f32, replica_groups={{}}, channel_id={}"
    assert compared("x: f32[4]", body.format(1), body.format(2)).programs.verdict == "equal"


@pytest.mark.parametrize("run", [False, True])
def test_select_and_scatter_depends_on_what_selects(run: bool) -> None:
    # GIVEN the gradients of a maximum and of a minimum over windows, their computations named alike
    text = """HloModule test
    pick {{
      x = f32[] parameter(0)
      y = f32[] parameter(1)
      ROOT p = pred[] compare(x, y), direction={}
    }}

    plus {{
      x = f32[] parameter(0)
      y = f32[] parameter(1)
      ROOT s = f32[] add(x, y)
    }}

    ENTRY main {{
      x = f32[8] parameter(0)
      g = f32[4] parameter(1)
      z = f32[] constant(0)
      ROOT r = f32[8] select-and-scatter(x, g, z), window={{size=2 stride=2}}, select=pick, scatter=plus
    }}"""
    largest, least = parse(text.format("GE")), parse(text.format("LE"))
    assert compare(largest, least, run=run).programs.verdict == ("different" if run else "unknown")


def test_a_custom_call_depends_on_the_layout_of_its_result() -> None:
    text = """ENTRY main {{
      x = f32[2,2] parameter(0)
      ROOT r = f32[2,2]{} custom-call(x), custom_call_target="fill"
    }}"""
    plain, row_major, column_major = (parse(text.format(layout)) for layout in ("", "{1,0}", "{0,1}"))
    assert compare(plain, row_major, run=False).programs.verdict == "equal"
    assert compare(plain, column_major, run=False).programs.verdict not in PROVEN


def test_a_custom_call_of_a_tuple_is_not_one_of_its_elements() -> None:
    found = compared(
        "x: f32[4], y: f32[4]",
        """t = (f32[4], f32[4]) tuple(x, y)
           r = f32[4] custom-call(t), custom_call_target="f\"""",
        'r = f32[4] custom-call(x, y), custom_call_target="f"',
    )
    assert found.programs.verdict not in PROVEN


def test_which_shard_a_device_sees_matters() -> None:
    # GIVEN the two halves of an array dealt to two devices, one way and the other
    body = """s = f32[4] custom-call(x), custom_call_target="Sharding", sharding={{devices=[2]{}}}
              r = f32[2] custom-call(s), custom_call_target="SPMDFullToShardShape", sharding={{manual}}"""
    assert compared("x: f32[4]", body.format("0,1"), body.format("1,0")).programs.verdict not in PROVEN


def test_a_bitcast_between_tiles_is_not_a_reshape() -> None:
    # GIVEN 8×256 in tiles of 8×128: in memory, a tile's rows lie together
    text = """ENTRY main {{
      x = f32[8,256]{{1,0{0}}} parameter(0)
      ROOT r = f32[8,2,128]{{2,1,0{0}}} {1}(x)
    }}"""
    tiled = [parse(text.format(":T(8,128)", opcode)) for opcode in ("bitcast", "reshape")]
    plain = [parse(text.format("", opcode)) for opcode in ("bitcast", "reshape")]
    assert compare(*tiled, run=False).programs.verdict not in PROVEN
    assert compare(*plain, run=False).programs.verdict == "equal"


def test_a_forced_pair_that_conflicts_is_one_line() -> None:
    a = module("a: f32[4], c: f32[3]", "r = f32[4] negate(a)")
    b = module("b: f32[4], d: f32[3]", "r = f32[4] negate(b)")
    for names, words in (
        ({"a": "d"}, "cannot map a=d: f32[4] is not f32[3]"),
        ({"a": "b", "0": "1"}, "cannot map 0=1: one of the two is mapped to another already"),
        ({"a": "nothing"}, "B has no parameter 'nothing'; it has b, d"),
    ):
        with pytest.raises(ParameterMismatch) as error:
            compare(a, b, run=False, map=names)
        assert str(error.value) == words


def test_products_of_other_precision_are_precision() -> None:
    body = """d = f32[2] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}{}
              r = f32[2] negate(d)"""
    highest = body.format(", operand_precision={highest,highest}")
    found = compared("x: f32[2,3], y: f32[3]", body.format(""), highest)
    assert (found.programs.verdict, found.programs.classes) == ("equal", ("precision",))
    usual = compared("x: f32[2,3], y: f32[3]", body.format(""), body.format(", operand_precision={default,default}"))
    assert (usual.programs.verdict, usual.programs.classes) == ("equal", ())


def test_adding_updates_one_by_one_is_reordering() -> None:
    # GIVEN updates that all fall on one element, which XLA adds to it one by one
    scattered = """i = s32[3,1] constant({{0},{0},{0}})
                   r = f32[1] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0},
                       scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum_f32""".replace(",\n", ",")
    summed = """z = f32[] constant(0)
                s = f32[] reduce(u, z), dimensions={0}, to_apply=sum_f32
                b = f32[1] reshape(s)
                r = f32[1] add(x, b)"""
    found = compared("x: f32[1], u: f32[3]", scattered, summed)
    assert (found.programs.verdict, found.programs.classes) == ("equal", ("reordering",))
