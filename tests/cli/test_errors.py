"""Bad operands: one line that says what to do, exit code 2, nothing half written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import SAME, beatnote


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "same.hlo").write_text(SAME, encoding="utf-8")
    (tmp_path / "other.hlo").write_text(SAME.replace("f32[4]", "f32[5]"), encoding="utf-8")
    (tmp_path / "empty.hlo").write_text("\n", encoding="utf-8")
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7\n\x00\x01")
    (tmp_path / "module.hlo.pb").write_bytes(b"\x0a\x04test\x12\x00\x00")
    (tmp_path / "broken.hlo").write_text(SAME.replace("negate(x)", "negate(y)"), encoding="utf-8")
    (tmp_path / "nothing").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("operand", "expected"),
    [
        ("missing.hlo", "no such file: missing.hlo"),
        ("empty.hlo", "empty.hlo is empty: expected HLO (a file such as"),
        ("paper.pdf", "paper.pdf is a PDF: expected HLO (a file such as"),
        ("module.hlo.pb", "module.hlo.pb: these 9 bytes are not a HloModuleProto: they are cut off or damaged"),
        ("nothing", "nothing holds no XLA dump"),
        ("jax:resnet51", "resnet51"),
        ("jax:matvec/backward", "backward"),
        ("theano:matvec", "no framework 'theano' to record; there are jax, tensorflow"),
        ("same.hlo::other", "same.hlo holds no module 'other'; it has same"),
        ("other.hlo", "the programs' parameters cannot be paired: A takes (x: f32[4]) and B takes (x: f32[5])"),
    ],
)
def test_bad_operands(folder: Path, operand: str, expected: str) -> None:
    # WHEN a good operand is compared with a bad one
    done = beatnote("compare", "same.hlo", operand, cwd=folder, blocked=("tensorflow",))
    # THEN the last line says what is wrong, and nothing is written
    lines = done.stderr.strip().splitlines()
    assert done.returncode == 2
    assert lines[-1].startswith("beatnote: ")
    assert expected in lines[-1]
    assert "Traceback" not in done.stderr
    assert not (folder / "report.html").exists()


def test_a_broken_program_is_located(folder: Path) -> None:
    done = beatnote("compare", "same.hlo", "broken.hlo", cwd=folder)
    assert done.returncode == 2
    assert "broken.hlo:4:26: operand 'y' is not defined above in this computation" in done.stderr
    assert "^" in done.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("framework", ["jax", "tensorflow"])
def test_a_framework_that_is_not_installed(folder: Path, framework: str) -> None:
    done = beatnote("compare", f"{framework}:matvec", "same.hlo", cwd=folder, blocked=("jax", "jaxlib", "tensorflow"))
    assert done.returncode == 2
    assert f"{framework} is not installed: pip install 'beatnote[{framework}]'" in done.stderr.splitlines()[-1]


def test_without_any_framework_files_are_still_proven(folder: Path) -> None:
    done = beatnote(
        "compare", "same.hlo", "same.hlo", "--no-run", "--expect", "identical", cwd=folder,
        blocked=("jax", "jaxlib", "flax", "tensorflow", "keras", "torch", "ml_dtypes"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Identical" in done.stdout
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_without_jaxlib_a_run_says_that_it_is_missing(folder: Path) -> None:
    done = beatnote("compare", "same.hlo", "same.hlo", "--no-html", cwd=folder, blocked=("jax", "jaxlib"))
    assert done.returncode == 0
    assert "jax is not installed" in done.stdout.replace("\n", " ")


def test_expectations_set_the_exit_code(folder: Path) -> None:
    (folder / "positive.hlo").write_text(SAME.replace("negate", "abs"), encoding="utf-8")
    done = beatnote("compare", "same.hlo", "positive.hlo", "--no-html", "--expect", "equal", cwd=folder)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == "beatnote: expected equal, found different"


def test_an_unknown_verdict_cannot_be_expected(folder: Path) -> None:
    done = beatnote("compare", "same.hlo", "same.hlo", "--expect", "nearly", cwd=folder)
    assert done.returncode == 2
    assert "no verdict 'nearly' to expect; there are identical, equal" in done.stderr


def test_a_page_that_cannot_be_written(folder: Path) -> None:
    done = beatnote("compare", "same.hlo", "same.hlo", "--no-run", "--html", "no/such/folder.html", cwd=folder)
    assert done.returncode == 2
    assert "cannot write no/such/folder.html: No such file or directory" in done.stderr
    assert "Identical" in done.stdout  # what was found out is not lost


def test_mapping_by_name(folder: Path) -> None:
    for name, order in (("pq", "p, q"), ("qp", "q, p")):
        text = f"""HloModule {name}
ENTRY main {{
  p = f32[4] parameter(0)
  q = f32[4] parameter(1)
  ROOT r = f32[4] subtract({order})
}}
"""
        (folder / f"{name}.hlo").write_text(text, encoding="utf-8")
    plain = beatnote("compare", "pq.hlo", "qp.hlo", "--no-run", "--no-html", cwd=folder)
    named = beatnote(
        "compare", "pq.hlo", "qp.hlo", "--no-run", "--no-html", "--map", "p=q", "--map", "q=p", "--expect", "equal",
        cwd=folder,
    )  # fmt: skip
    auto = beatnote(
        "compare", "pq.hlo", "qp.hlo", "--no-run", "--no-html", "--map", "auto", "--expect", "equal", cwd=folder
    )
    wrong = beatnote("compare", "pq.hlo", "qp.hlo", "--no-run", "--no-html", "--map", "p=z", cwd=folder)
    assert "--map auto does so" in plain.stdout.replace("\n", " ")
    assert named.returncode == 0
    assert auto.returncode == 0
    assert wrong.returncode == 2
    assert "B has no parameter 'z'; it has p, q" in wrong.stderr
