"""What is said for every verdict, and for every kind of gap."""

from __future__ import annotations

import msgspec
import pytest

from beatnote.comparison import Executed, Pair
from beatnote.proof.licences import CLASSES
from beatnote.proof.residual import Finding
from beatnote.proof.verdict import VERDICTS, Condition, Output
from beatnote.report.sentences import (
    class_sentences,
    condition_sentence,
    executed_sentence,
    gap_sentence,
    labels,
    shown_parts,
    step_sentence,
    untimed_sentence,
    verdict_sentence,
)
from tests.report.comparisons import ALIKE, SLOWER, comparison, part, programs, time_of

LABELS = Condition("0 ≤ labels[i] ≤ 6", True)
POSITIVE = Condition("v[i] > 0", None)
FOUR = tuple(Output(k, verdict) for k, verdict in enumerate(("equal", "agrees", "equal", "equal")))

SAID = {
    "identical": (
        programs("identical", instructions=Pair(11, 11)),
        "Identical: jax:matvec and tensorflow:matvec are the same program up to names, order and metadata "
        "(11 instructions).",
    ),
    "equal": (
        programs("equal"),
        "Proven: jax:matvec and tensorflow:matvec compute the same function over the reals "
        "(11 instructions against 38, 8 terms each after normalisation).",
    ),
    "equal, other terms": (
        programs("equal", normalised=Pair(1, 9)),
        "Proven: jax:matvec and tensorflow:matvec compute the same function over the reals "
        "(11 instructions against 38, 1 term against 9 after normalisation).",
    ),
    "equal-if": (
        programs("equal-if", conditions=(LABELS, POSITIVE)),
        "Proven: jax:matvec and tensorflow:matvec compute the same function over the reals wherever "
        "0 ≤ labels[i] ≤ 6 and v[i] > 0 (11 instructions against 38, 8 terms each after normalisation).",
    ),
    "equal-if, many": (
        programs("equal-if", conditions=tuple(Condition(f"x{k} > 0", True) for k in range(5))),
        "Proven: jax:matvec and tensorflow:matvec compute the same function over the reals wherever "
        "5 conditions hold (11 instructions against 38, 8 terms each after normalisation).",
    ),
    "agrees": (
        programs("agrees", executed=Executed(3, (1e-6,), (2e-7,))),
        "Not proven; executed on 3 inputs, every output within tolerance (largest relative difference 2e-7).",
    ),
    "agrees, partly proven": (
        programs("agrees", outputs=FOUR, executed=Executed(1, (0.0,) * 4, (0.0, 2.24e-7, 0.0, 0.0))),
        "Not proven (3 of 4 outputs are); executed on 1 input, every output within tolerance "
        "(largest relative difference 2.2e-7).",
    ),
    "different": (
        programs("different", executed=Executed(3, (757.2,), (0.9735,))),
        "Different: jax:matvec and tensorflow:matvec do not compute the same; executed on 3 inputs, "
        "the output differs by up to 757, 0.97 of its largest element.",
    ),
    "different, one of four": (
        programs(
            "different",
            outputs=(*FOUR[:3], Output(3, "different")),
            executed=Executed(3, (0.0, 0.0, 0.0, 1.5), (0.0, 0.0, 0.0, 0.25)),
        ),
        "Different: jax:matvec and tensorflow:matvec do not compute the same; executed on 3 inputs, "
        "output 3 of 4 outputs differs by up to 1.5, 0.25 of its largest element.",
    ),
    "different, not a number": (
        programs("different", executed=Executed(3, (None,), (None,))),
        "Different: jax:matvec and tensorflow:matvec do not compute the same; executed on 3 inputs, "
        "the output differs in type, shape, or where it is NaN or infinite.",
    ),
    "unknown, elided": (
        programs("unknown", notes=("B leaves out the value of constant c.1 ({...})",)),
        "Unknown: jax:matvec and tensorflow:matvec are neither proven the same nor executed, "
        "because B leaves out the value of constant c.1 ({...}).",
    ),
    "unknown, residual": (
        programs("unknown", residual=(Finding("mul", "x", "y", "arithmetic"),)),
        "Unknown: jax:matvec and tensorflow:matvec are neither proven the same nor executed, "
        "because the proof stops at 1 place and the programs were not run.",
    ),
    "unknown, condition broken": (
        programs("unknown", conditions=(Condition("v[i] > 0", False),)),
        "Unknown: jax:matvec and tensorflow:matvec are neither proven the same nor executed, "
        "because the proof needs v[i] > 0, which sample inputs break.",
    ),
    "unknown, nothing more to say": (
        programs("unknown"),
        "Unknown: jax:matvec and tensorflow:matvec are neither proven the same nor executed, "
        "because the proof does not reach every output and the programs were not run.",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_the_verdict_in_one_sentence(name):
    facts, sentence = SAID[name]
    assert verdict_sentence(comparison(facts)) == sentence


def test_every_verdict_has_a_sentence_of_its_own():
    # GIVEN every verdict WHEN it is said
    said = {verdict: verdict_sentence(comparison(programs(verdict))) for verdict in VERDICTS}
    # THEN only proofs are called proven, and none of them more than over the reals
    assert {verdict for verdict, sentence in said.items() if sentence.startswith("Proven")} == {"equal", "equal-if"}
    assert all("over the reals" in said[verdict] for verdict in ("equal", "equal-if"))
    assert len({sentence.split()[0] for sentence in said.values()}) == 5


@pytest.mark.parametrize(
    ("a", "b", "called"),
    [
        ("jax:mlp/forward", "tensorflow:mlp", ("jax:mlp/forward", "tensorflow:mlp")),
        ("dumps/a/step.hlo", "dumps/b/tf.hlo", ("step.hlo", "tf.hlo")),
        ("dumps/a/step.hlo", "dumps/b/step.hlo", ("dumps/a/step.hlo", "dumps/b/step.hlo")),
        ("some/dump/::jit_step", "x.hlo", ("dump::jit_step", "x.hlo")),
        ("evil\x1b[2J.hlo", "x\u202e.hlo", ("evil\\x1b[2J.hlo", "x\\u202e.hlo")),
    ],
)
def test_sides_are_called_by_their_files(a, b, called):
    assert labels(comparison(programs(), a=a, b=b)) == called


def test_a_name_without_end_is_shortened():
    first, _ = labels(comparison(programs(), a="a_inference" * 30))
    assert len(first) == 60
    assert "…" in first


def test_classes_are_said_where_something_is_proven():
    # GIVEN a proof by every class, and none at all
    assert [sentence.split(":")[0].lower() for sentence in class_sentences(programs(classes=CLASSES))] == list(CLASSES)
    assert class_sentences(programs()) == (
        "The proof re-associates no sums, shifts no exponentials and takes no conversion for exact.",
    )
    # THEN nothing is said of the reasoning where it led nowhere, and nothing had to be reasoned where all is identical
    assert class_sentences(programs("different", classes=CLASSES)) == ()
    assert class_sentences(programs("identical")) == ()


def test_conditions_say_whether_they_held():
    said = [condition_sentence(Condition("x", held)) for held in (True, False, None)]
    assert said == ["held on every sample input", "does not hold on every sample input", "not checked"]


@pytest.mark.parametrize(
    ("executed", "sentence"),
    [
        (None, ""),
        (Executed(3, (0.0,), (0.0,)), "Both programs executed on 3 sample inputs: no difference at all."),
        (
            Executed(1, (1.5e-8,), (2.2e-7,)),
            "Both programs executed on 1 sample input: the largest difference is 1.5e-8, "
            "2.2e-7 of the output's largest element.",
        ),
        (
            Executed(3, (None,), (None,)),
            "Both programs executed on 3 sample inputs: the output differs in type, shape, "
            "or where it is NaN or infinite.",
        ),
    ],
)
def test_what_running_showed(executed, sentence):
    assert executed_sentence(programs(executed=executed)) == sentence


def test_a_gap_is_split_by_whose_it_is():
    assert step_sentence(SLOWER) == (
        "A step in its framework: A takes 118 µs (quartiles 113 to 123 µs, n = 100), "
        "B takes 277 µs (quartiles 258 to 312 µs, n = 100)."
    )
    assert gap_sentence(SLOWER) == (
        "B takes 159 µs a step more than A (95 % interval 151 to 165 µs): framework +260 µs (+256 to +265 µs) "
        "and compiler −94 µs (−106 to −85 µs); program and unexplained are within noise."
    )


def test_a_gap_within_noise_is_called_that():
    assert gap_sentence(ALIKE) == (
        "No measurable gap, each program alone under jaxlib: B minus A is +0.2 µs, within noise "
        "(95 % interval −0.6 to +1.4 µs)."
    )
    # AND of two files, only the program's part is a part
    assert [p.name for p in shown_parts(ALIKE)] == ["program"]


def test_parts_that_cancel_are_told():
    time = time_of(
        (10.0, 9.9, 10.1),
        (10.1, 9.9, 10.2),
        (0.1, -0.1, 0.3),
        part("program", -2.0, -2.2, -1.8),
        part("compiler", 0.0, -0.1, 0.1),
        part("framework", 2.1, 1.9, 2.3),
        part("unexplained", 0.0, -0.1, 0.1),
    )
    assert gap_sentence(time) == (
        "No measurable gap: B minus A is +0.1 ms, within noise (95 % interval −0.1 to +0.3 ms). "
        "Parts that can be measured: program −2.0 ms (−2.2 to −1.8 ms) and framework +2.1 ms (+1.9 to +2.3 ms)."
    )


def test_a_faster_b_whose_gap_no_part_explains():
    time = time_of((20.0, 19.0, 21.0), (18.0, 17.0, 19.0), (-2.0, -3.0, -1.0), part("program", -2.0, -5.0, 1.0))
    assert gap_sentence(time) == (
        "B takes 2.0 ms a step less than A (95 % interval 1.0 to 3.0 ms): no part of it stands out from noise."
    )


def test_the_gap_of_two_files_is_the_programs():
    gap = (0.5, 0.4, 0.6)
    time = time_of((1.0, 0.9, 1.1), (1.5, 1.4, 1.6), gap, part("program", *gap), live=False)
    assert gap_sentence(time) == (
        "B takes 0.50 ms a step more than A, each program alone under jaxlib (95 % interval 0.40 to 0.60 ms); "
        "no framework ran, so all of it is the program."
    )


def test_one_framework_missing_is_no_framework():
    # GIVEN a side that is only a file WHEN the other ran in its framework THEN both are told alone
    mixed = msgspec.structs.replace(SLOWER, a=msgspec.structs.replace(SLOWER.a, step_ms=None))
    assert step_sentence(mixed).startswith("A step of the program alone, under jaxlib: A takes 8.0 µs")


def test_why_there_is_no_time():
    assert untimed_sentence(programs()) == "Not timed: the programs were not executed."
    assert untimed_sentence(programs(notes=("not executed: jaxlib is not installed",))) == (
        "Not timed: jaxlib is not installed."
    )
