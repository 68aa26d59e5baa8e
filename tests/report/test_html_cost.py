"""What a program costs, on the page."""

from __future__ import annotations

from beatnote.description import describe
from beatnote.report.html_show import render_show
from tests.report.comparisons import HOSTILE, Element, hostile_program, module, read_page

MODEL = """
HloModule m, input_output_alias={ {}: (0, {}, may-alias) }
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b) }
cond { c = f32[4,4] parameter(0)
  ROOT q = pred[] constant(true) }
body { c = f32[4,4] parameter(0)
  ROOT r = f32[4,4] all-reduce(c), replica_groups={{0,1}}, to_apply=add }
ENTRY e { x = f32[4,4] parameter(0)
  a = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(f)/M/dense/dot"}
  b = f32[4,4] exponential(a), metadata={op_name="jit(f)/M/act/exp"}
  ROOT w = f32[4,4] while(b), condition=cond, body=body, backend_config={"known_trip_count":{"n":"3"}} }
"""


def section(found: Element, name: str) -> list[list[str]]:
    rows = found.one("section", class_=name).one("table").all("tr")
    return [[" ".join(c.text.split()) for c in row.children if isinstance(c, Element)] for row in rows]


def test_everything_is_there():
    page = read_page(render_show(describe(module(MODEL), chips=["a100", "tpu-v3"])))
    cost = page.one("section", class_="cost")
    sentences = [" ".join(p.text.split()) for p in cost.all("p")]
    assert sentences[0] == (
        "One run: 176 flop (73 % in matrix products of f32), 16 transcendental operations; "
        "320 B read and 320 B written."
    )
    assert sentences[3].startswith("On A100 SXM4 80 GB 0.")
    assert sentences[4].startswith("On TPU v3 ")
    assert all(" by the roofline: " in sentence for sentence in sentences[3:5])
    assert sentences[-1] == "Output 0 may be written over parameter 0."
    heading, first, *_ = section(cost, "expensive")
    assert heading == ["instruction", "runs", "operations", "bytes", "a100", "tpu-v3", "share"]
    assert first[:7] == ["r", "all-reduce", "f32[4,4]", "", "3", "48", "384 B"]
    assert {row[0] for row in section(cost, "scopes")[1:]} == {"M/dense", "M/act", "no scope"}
    assert section(cost, "loops") == [["w", "3 turns", "48 flop, 384 B"]]
    assert section(cost, "collectives") == [["r", "all-reduce", "64 B", "among 2", "192 B sent"]]
    bars = [bar.attributes["width"] for bar in cost.one("section", class_="expensive").all("rect", class_="bar")]
    assert bars[0] == "100.0%"


def test_without_a_chip_there_are_no_times():
    page = read_page(render_show(describe(module(MODEL))))
    cost = page.one("section", class_="cost")
    assert not [p for p in cost.all("p") if "by the roofline" in p.text]
    assert section(cost, "expensive")[0] == ["instruction", "runs", "operations", "bytes", "share"]


def test_why_there_is_no_cost():
    text = "ENTRY e { x = f32[4] parameter(0)\n ROOT r = f32[4] call(x), to_apply=nothing }"
    cost = read_page(render_show(describe(module(text)))).one("section", class_="cost")
    assert [p.text for p in cost.all("p")] == [
        "What it costs cannot be told: computation 'nothing' is referred to, but is not in the module."
    ]
    assert not cost.all("table")


def test_hostile_text_stays_text():
    cost = read_page(render_show(describe(hostile_program()))).one("section", class_="cost")
    assert not cost.all("script")
    assert HOSTILE in [code.text for code in cost.one("section", class_="expensive").all("code")]
