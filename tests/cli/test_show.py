"""`beatnote show`: a file, a text of several programs, a dump folder; the page and the facts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import SAME, beatnote
from tests.report.comparisons import read_page

OTHER = """HloModule jit_other
ENTRY main {
  x = f32[2,2] parameter(0)
  c = f32[2,2] constant({...})
  unused = f32[2,2] negate(x)
  ROOT r = f32[2,2] add(x, c)
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "same.hlo").write_text(SAME, encoding="utf-8")
    (tmp_path / "both.hlo").write_text(f"{SAME}\n// -----\n{OTHER}", encoding="utf-8")
    dump = tmp_path / "dump"
    dump.mkdir()
    for title, text in (
        ("module_0001.same.before_optimizations", SAME),
        ("module_0002.jit_other.before_optimizations", OTHER),
        ("module_0002.jit_other.cpu_after_optimizations", OTHER),
    ):
        (dump / f"{title}.txt").write_text(text, encoding="utf-8")
    return tmp_path


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def test_a_file(folder):
    done = beatnote("show", "same.hlo", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert lines(done.stdout) == [
        "same.hlo is an HLO program.",
        "",
        "same: 2 instructions in 1 computation",
        "takes x f32[4]",
        "yields output 0 f32[4]",
        "opcodes: parameter 1, negate 1",
        "",
        "One run: 4 flop; 16 B read and 16 B written.",
        "At most 32 B held at once, in the order of the text, 16 B of it arguments.",
        "Nothing in it is fused yet: what runs reads and writes less.",
        "",
        "instruction runs operations bytes share",
        "r negate f32[4] 1 4 32 B 100 %",
        "Shares are the mean of those of all operations and of all bytes.",
    ]
    # no page unless one is asked for
    assert not list(folder.glob("*.html"))


def test_a_file_of_several_programs(folder):
    done = beatnote("show", "both.hlo", cwd=folder)
    assert "both.hlo holds 2 HLO programs." in done.stdout
    assert "jit_other: 4 instructions in 1 computation" in done.stdout
    assert "values left out of the text ({...}): c" in done.stdout


def test_a_dump_folder(folder):
    done = beatnote("show", "dump", cwd=folder)
    assert lines(done.stdout) == [
        "dump is an XLA dump of 3 programs.",
        "module_0001.same.before_optimizations (0.1 kB)",
        "module_0002.jit_other.before_optimizations (0.2 kB)",
        "module_0002.jit_other.cpu_after_optimizations (0.2 kB)",
        "Pick one with dump::NAME, by the module's name or the whole title.",
    ]


def test_facts_on_standard_output_and_nothing_else(folder):
    done = beatnote("show", "dump::jit_other", "--json", "-", cwd=folder)
    facts = json.loads(done.stdout)
    assert facts["schema"] == "beatnote.description/1"
    assert [program["name"] for program in facts["programs"]] == ["jit_other"]
    assert facts["programs"][0]["elided"] == ["c"]
    assert "parsed" not in facts


@pytest.mark.parametrize("operand", ["both.hlo", "dump", "dump::jit_other"])
def test_a_page_with_the_same_facts(folder, operand):
    done = beatnote("show", operand, "--html", "page.html", "--json", "facts.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert {"wrote page.html", "wrote facts.json"} <= set(done.stderr.splitlines())
    page = read_page((folder / "page.html").read_text(encoding="utf-8"))
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    assert json.loads(page.one("script", id="facts").text) == facts
    assert page.one("h1").text in done.stdout


def test_a_page_beside_facts_on_standard_output(folder):
    done = beatnote("show", "same.hlo", "--html", "page.html", "--json", "-", cwd=folder)
    assert json.loads(done.stdout)["operand"] == "same.hlo"
    assert (folder / "page.html").exists()


def test_the_picks_on_the_page_of_a_dump_can_be_shown(folder):
    facts = json.loads(beatnote("show", "dump", "--json", "-", cwd=folder).stdout)
    picks = [entry["pick"] for entry in facts["modules"]]
    assert picks == ["same", "jit_other", "module_0002.jit_other.cpu_after_optimizations"]
    for pick in picks:
        assert beatnote("show", f"dump::{pick}", cwd=folder).returncode == 0


def test_a_page_that_cannot_be_written(folder):
    done = beatnote("show", "same.hlo", "--html", "no/such/page.html", cwd=folder)
    assert done.returncode == 2
    assert "cannot write no/such/page.html: No such file or directory" in done.stderr
    assert "same.hlo is an HLO program." in done.stdout  # what was found out is not lost


def test_how_long_it_takes_at_least_on_chips(folder):
    done = beatnote("show", "same.hlo", "--chip", "a100", "--chip", "v3", "--json", "facts.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "On A100 SXM4 80 GB 0.0157 ns by the roofline: 0.0157 ns bound by memory." in done.stdout
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    assert [chip["name"] for chip in facts["chips"]] == ["a100", "tpu-v3"]
    (program,) = facts["programs"]
    cost = program["cost"]
    assert cost["total"] == {
        "flops": 4,
        "transcendentals": 0,
        "bytes_read": 16,
        "bytes_written": 16,
        "matrix_flops": {},
    }
    assert [roofline["chip"] for roofline in cost["rooflines"]] == ["a100", "tpu-v3"]
    assert cost["expensive"][0]["bound"] == {"a100": "memory", "tpu-v3": "memory"}
    assert program["no_cost"] == ""


def test_this_machine_as_a_chip(folder):
    done = beatnote("show", "same.hlo", "--chip", "cpu", cwd=folder)
    assert "On this machine (" in done.stdout


def test_a_chip_that_is_not_in_the_table(folder):
    done = beatnote("show", "same.hlo", "--chip", "abacus", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("beatnote: no chip 'abacus' in the table: there are tpu-v2, ")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ENTRY e { x = f32[4] parameter(0)\n ROOT r = f32[4] call(x), to_apply=f }", "computation 'f' is referred to"),
        ("f { x = f32[4] parameter(0)\n ROOT r = f32[4] call(x), to_apply=f }", "computation 'f' refers to itself"),
        ("ENTRY e { ROOT x = f32[999999999999,999999999999] parameter(0) }", "holds more than 2⁶³ bytes"),
        ("ENTRY e { x = f32[?] parameter(0)\n ROOT r = f32[?] negate(x) }", "known only at run time"),
    ],
)
def test_a_program_whose_cost_cannot_be_told_is_shown_all_the_same(folder, text, why):
    (folder / "odd.hlo").write_text(text, encoding="utf-8")
    done = beatnote("show", "odd.hlo", "--json", "facts.json", "--html", "page.html", "--chip", "a100", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert why in " ".join(done.stdout.split())
    (program,) = json.loads((folder / "facts.json").read_text(encoding="utf-8"))["programs"]
    assert program["cost"] is None
    assert why in program["no_cost"]
