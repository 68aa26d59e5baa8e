"""Programs read from protocol messages: the same data as from the text that XLA prints of them."""

from __future__ import annotations

import gc
import re
import weakref
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import pytest

from beatnote.hlo.module import Module
from beatnote.hlo.proto import ProtoError, read_proto
from beatnote.hlo.proto.body import ProtoBody
from beatnote.hlo.proto.schema import message_types
from beatnote.hlo.text import parse

from .printing import printed_by_xla

SMALL = """HloModule small, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }

add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT sum = f32[] add(x, y)
}

ENTRY main {
  p = f32[2,3]{1,0} parameter(0)
  zero = f32[] constant(0)
  total = f32[2]{0} reduce(p, zero), dimensions={1}, to_apply=add, metadata={op_name="jit(f)/sum" source_line=7}
  ROOT both = (f32[2,3]{1,0}, f32[2]{0}) tuple(p, total)
}
"""


def without_compilation_settings(module: Module) -> Module:
    """A module without the parts of its header that XLA has from its flags and not from the program."""
    text = re.sub(r", allow_spmd_sharding_propagation_to_\w+=\{[^{}]*\}", "", module.attributes_text)
    return Module(module.name, module.computations, module.entry_name, text, module.tables, module.following)


def assert_same(ours: Module, theirs: Module) -> None:
    """Both modules hold the same, part by part, so that a failure shows the part."""
    assert [one.name for one in ours.computations] == [one.name for one in theirs.computations]
    for mine, other in zip(ours.computations, theirs.computations, strict=True):
        for instruction, printed in zip(mine.instructions, other.instructions, strict=True):
            assert instruction == printed
    assert ours == theirs


@pytest.fixture(scope="session")
def small() -> bytes:
    pytest.importorskip("jaxlib")
    (printed,) = printed_by_xla([SMALL])
    assert isinstance(printed, tuple), printed
    return printed[0]


def test_the_published_modules_are_read_as_their_text_is(shared_data: Path):
    pytest.importorskip("jaxlib")

    # GIVEN
    files = sorted((shared_data / "hlo").rglob("*.hlo"))
    texts = [text for file in files for text in re.split(r"(?m)^(?=HloModule)", file.read_text(encoding="utf-8"))]

    # WHEN
    printed = [one for one in printed_by_xla(texts) if isinstance(one, tuple)]

    # THEN
    assert len(printed) > 25
    for proto, text in printed:
        assert_same(read_proto(proto), parse(text))


def test_programs_of_the_installed_jax_are_read_as_their_text_is():
    jax = pytest.importorskip("jax")
    import jax.numpy as jnp

    from beatnote.execute.jaxlib_private import full_text

    def scanned(x):
        return jax.lax.scan(lambda c, v: (c * v + 1, jnp.sin(c)), x[0], x)

    def branched(x):
        return jax.lax.cond(x.sum() > 0, lambda y: jnp.sort(y, axis=0), lambda y: y[::-1] @ y.T @ y, x)

    def switched(x):
        return jax.lax.switch(x.sum().astype(int), [jnp.sin, jnp.cos, jnp.cumsum][:2], x)

    def convolved(x):
        image = x.reshape(1, 4, 4, 1)
        return jax.grad(lambda k: jax.nn.relu(jax.lax.conv(image, k, (1, 1), "SAME")).sum())(jnp.ones((1, 4, 3, 3)))

    def indexed(x):
        rows = jnp.array([0, 2])
        return x.at[rows].add(1.5), x[rows, :], jax.lax.dynamic_slice(x, (1, 1), (2, 2)), jax.lax.top_k(x, 2)

    def windowed(x):
        return jax.lax.reduce_window(x, 0.0, jax.lax.add, (2, 2), (1, 1), "SAME"), jnp.fft.fft(x), x.astype("bfloat16")

    def solved(x):
        return jnp.linalg.cholesky(x @ x.T), jax.lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1]), (0, x))

    # GIVEN
    modules: list[Any] = []
    for function in (scanned, branched, switched, convolved, indexed, windowed, solved, jax.random.normal):
        lowered = jax.jit(function).lower(jax.random.key(0) if function is jax.random.normal else jnp.ones((4, 4)))
        modules.append(lowered.compiler_ir("hlo").as_hlo_module())
        modules.extend(lowered.compile().runtime_executable().hlo_modules())

    for module in modules:
        # WHEN
        ours = read_proto(module.as_serialized_hlo_module_proto())

        # THEN
        assert_same(ours, without_compilation_settings(parse(full_text(module))))


def test_programs_of_the_installed_tensorflow_are_read_as_their_text_is():
    pytest.importorskip("jaxlib")
    tf = pytest.importorskip("tensorflow")

    # GIVEN
    @tf.function(jit_compile=True)
    def step(x, y):
        with tf.GradientTape() as tape:
            tape.watch(y)
            loss = tf.reduce_sum(tf.nn.relu(tf.matmul(x, y)) ** 2)
        return tape.gradient(loss, y), tf.nn.softmax(x), tf.sort(x), tf.random.stateless_normal([3], [1, 2])

    x = tf.ones((4, 4))
    protos = [
        step.experimental_get_compiler_ir(x, x)(stage=stage) for stage in ("hlo_serialized", "optimized_hlo_serialized")
    ]

    # WHEN
    printed = printed_by_xla(protos)

    # THEN
    for proto, found in zip(protos, printed, strict=True):
        assert isinstance(found, tuple), found
        assert_same(read_proto(proto), parse(found[1]))


def test_a_module_is_found_inside_the_messages_that_hold_one(small: bytes):
    # GIVEN
    types = message_types()
    hlo_proto = types["Wrapper"](first=small).SerializeToString() + b"\x1a\x04\x0a\x02\x08\x01"  # buffer_assignment
    snapshot = types["Wrapper"](first=hlo_proto).SerializeToString() + b"\x22\x03cpu"  # execution_platform

    # THEN
    assert read_proto(hlo_proto) == read_proto(small)
    assert read_proto(snapshot) == read_proto(small)


def read_whole(data: bytes, name: str = "<proto>") -> Module:
    """Read a module, and write the attributes of all its instructions."""
    module = read_proto(data, name=name)
    for instruction in module.instructions():
        assert isinstance(instruction.attributes_text, str)
    return module


def edited(proto: bytes, kind: str, **fields: Any) -> bytes:
    """A module with other values in some fields of every message of a kind: the module or its instructions."""
    types = message_types()
    module: Any = types["HloModuleProto"].FromString(proto)
    targets = [module] if kind == "HloModuleProto" else []
    computations: list[Any] = [types["HloComputationProto"].FromString(data) for data in module.computations]
    targets.extend(computations if kind == "HloComputationProto" else [])
    instructions: list[list[Any]] = [
        [types["HloInstructionProto"].FromString(data) for data in one.instructions] for one in computations
    ]
    targets.extend(one for some in instructions for one in some if kind == "HloInstructionProto")
    for target in targets:
        for name, value in fields.items():
            target.ClearField(name)
            if isinstance(value, list):
                getattr(target, name).extend(value)
            else:
                setattr(target, name, value)
    for computation, some in zip(computations, instructions, strict=True):
        if kind != "HloComputationProto" or "instructions" not in fields:
            del computation.instructions[:]
            computation.instructions.extend(one.SerializeToString() for one in some)
    if kind != "HloModuleProto" or "computations" not in fields:
        del module.computations[:]
        module.computations.extend(one.SerializeToString() for one in computations)
    return module.SerializeToString()


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        ("HloModuleProto", {"entry_computation_id": 99}, "the entry is computation 99, which is not in the module"),
        ("HloComputationProto", {"id": 5}, "two computations have the id 5"),
        ("HloComputationProto", {"name": "same"}, "two computations have the same name"),
        ("HloComputationProto", {"name": ""}, "an instruction or computation has no name"),
        ("HloComputationProto", {"root_id": 77}, "computation 'add': the root is instruction 77, which is not in"),
        ("HloComputationProto", {"instructions": []}, "computation 'add': the root is instruction"),
        ("HloComputationProto", {"instructions": [b"\x0a\xff"]}, "computation 'add': these 2 bytes are not a HloInstr"),
        ("HloInstructionProto", {"name": "twice"}, "computation 'add': two instructions have the same name or id"),
        ("HloInstructionProto", {"opcode": "No opcode"}, "instruction 0 'x': expected an opcode such as add, found"),
        ("HloInstructionProto", {"operand_ids": [123]}, "instruction 2 'sum': refers to instruction 123, which is"),
        (
            "HloInstructionProto",
            {"called_computation_ids": [3]},
            "instruction 2 'total': calls computation 3, which is",
        ),
        ("HloInstructionProto", {"control_predecessor_ids": [9]}, "instruction 'x': refers to instruction 9, which is"),
        ("HloInstructionProto", {"parameter_number": 3}, "computation 'add': parameters should be numbered 0 to 1"),
        ("HloInstructionProto", {"shape": b"\x10\x63"}, "instruction 0 'x': unknown element type 99 in a shape"),
        ("HloInstructionProto", {"sharding": b"\x0a"}, "instruction 'x': these 1 bytes are not a OpSharding"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(small: bytes, kind: str, fields: dict[str, Any], message: str):
    with pytest.raises(ProtoError, match=re.escape(message)) as caught:
        read_whole(edited(small, kind, **fields), "m.hlo.pb")
    assert str(caught.value).startswith("m.hlo.pb: ")


def test_names_are_cleaned_as_xla_cleans_them(small: bytes):
    proto = edited(small, "HloComputationProto", name="9 é/computation").replace(b"zero", b"2(+)")
    with pytest.raises(ProtoError, match="same name"):
        read_proto(proto)
    module = read_proto(small.replace(b"zero", b"2(+)").replace(b"total", b"to/al"))
    assert [one.name for one in module.entry.instructions] == ["p", "____", "to_al", "both"]


def test_an_opcode_of_the_future_is_kept_with_all_its_fields(small: bytes):
    instruction = read_proto(small.replace(b"reduce", b"refuse")).entry["total"]
    assert instruction.opcode == "refuse"
    assert instruction.attributes["dimensions"] == '{"1"}'
    assert instruction.attributes["calls"] == "%add"
    assert instruction.metadata["op_name"] == "jit(f)/sum"


def test_a_field_of_the_future_is_kept():
    proto = message_types()["HloInstructionProto"]
    data = proto(name="x", opcode="parameter", id=1, shape=b"\x10\x0b").SerializeToString() + b"\xba\x3e\x02hi"
    computation = message_types()["HloComputationProto"](name="c", id=1, root_id=1, instructions=[data])
    module = message_types()["HloModuleProto"](
        name="m", entry_computation_id=1, computations=[computation.SerializeToString()]
    )
    assert read_proto(module.SerializeToString()).entry["x"].attributes == {"field_999": "6869"}


def test_a_field_of_the_future_in_a_submessage_is_kept(small: bytes):
    for field, known in {"sharding": "{replicated}", "frontend_attributes": None}.items():
        proto = edited(small, "HloInstructionProto", **{field: b"\xc0\x3e\x07"})
        attributes = read_proto(proto).entry["total"].attributes
        assert attributes[f"{field}.field_1000"] == "7"
        assert attributes.get(field) == known


def test_a_constant_without_a_value_is_elided(small: bytes):
    module = read_proto(edited(small, "HloInstructionProto", literal=b""))
    assert module.entry["zero"].is_elided


def test_no_bytes_do_worse_than_an_error(small: bytes, heavy: bool):
    # GIVEN
    random = Random(5)
    inputs = [small[:length] for length in range(len(small))]
    for _ in range(20_000 if heavy else 2_000):
        data = bytearray(small)
        for _ in range(random.randint(1, 4)):
            at = random.randrange(len(data))
            if random.random() < 0.6:
                data[at] = random.randrange(256)
            else:
                del data[at : at + random.randint(1, 9)]
        inputs.append(bytes(data))
    inputs.extend(random.randbytes(random.randint(0, 200)) for _ in range(500))

    # WHEN
    outcomes = [0, 0]
    for data in inputs:
        start = perf_counter()
        try:
            read_whole(data)
            outcomes[0] += 1
        except ProtoError:
            outcomes[1] += 1
        assert perf_counter() - start < 2

    # THEN
    assert min(outcomes) > 50


def nested(depth: int, tag: bytes) -> bytes:
    """A message inside a message, and so on, so deep."""
    data = b""
    for _ in range(depth):
        length = len(data)
        prefix = b""
        while length > 127:
            prefix += bytes([length & 127 | 128])
            length >>= 7
        data = tag + prefix + bytes([length]) + data
    return data


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("shape", nested(20_000, b"\x10\x0d\x22")),  # a tuple in a tuple …
        ("shape", b"\x10\x0b\x2a" + nested(1_000, b"\x52")),  # a physical shape's layout
        ("sharding", nested(20_000, b"\x08\x02\x2a")),
        ("literal", nested(20_000, b"\x52")),
        ("literal", b"\x0a\x09\x10\x0b\x1a\x06\x80\x80\x80\x80\x80\x20"),  # f32[2**40] without an element
        ("literal", b"\x0a\x0b\x10\x0b\x1a\x07\x80\x80\x80\x80\x80\x20\x00"),  # f32[2**40,0]
    ],
)
def test_what_claims_to_be_huge_is_an_error_at_once(small: bytes, field: str, value: bytes):
    start = perf_counter()
    with pytest.raises(ProtoError):
        read_whole(edited(small, "HloInstructionProto", **{field: value}))
    assert perf_counter() - start < 2


def test_a_circle_of_calls_is_an_error(small: bytes):
    types = message_types()
    module: Any = types["HloModuleProto"].FromString(small)
    for place, data in enumerate(module.computations):
        computation: Any = types["HloComputationProto"].FromString(data)
        instruction: Any = types["HloInstructionProto"].FromString(computation.instructions[-1])
        instruction.opcode = "call"
        instruction.called_computation_ids.append(
            types["HloComputationProto"].FromString(module.computations[1 - place]).id  # type: ignore[attr-defined]
        )
        computation.instructions[-1] = instruction.SerializeToString()
        module.computations[place] = computation.SerializeToString()
    with pytest.raises(ProtoError, match="in a circle"):
        read_proto(module.SerializeToString())


def test_a_module_is_freed_without_the_garbage_collector(small: bytes, monkeypatch: pytest.MonkeyPatch):
    # GIVEN
    alive: list[weakref.ref[object]] = []

    class Watched(ProtoBody):
        def __init__(self, around: Any) -> None:
            super().__init__(around)
            alive.append(weakref.ref(around))

    monkeypatch.setattr("beatnote.hlo.proto.program.ProtoBody", Watched)
    gc.disable()
    try:
        # WHEN
        module = read_proto(small)
        assert all(one() is not None for one in alive)
        del module

        # THEN
        assert [one() for one in alive] == [None, None]
    finally:
        gc.enable()
