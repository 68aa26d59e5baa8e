"""Small programs to count the cost of, and one instruction's cost."""

from __future__ import annotations

from beatnote.hlo.cost import Charge, cost_of
from beatnote.hlo.cost.cost import Cost
from beatnote.hlo.text import parse

ADD = "add { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = f32[] add(a, b) }\n"
GREATER = "ge { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = pred[] compare(a, b), direction=GE }\n"


def charge_of(line: str, *parameters: str, before: str = ADD) -> Charge | None:
    """The charge of one instruction `r = …` on operands `p0`, `p1` … of the shapes given; None where it is free."""
    lines = [f"p{k} = {shape} parameter({k})" for k, shape in enumerate(parameters)]
    module = parse("{}\nENTRY e {{\n{}\nROOT r = {}\n}}\n".format(before, "\n".join(lines), line))
    charges = [charge for charge in cost_of(module).charges if charge.instruction.name == "r"]
    return charges[0] if charges else None


def cost(line: str, *parameters: str, before: str = ADD) -> Cost:
    """The cost of one instruction."""
    charge = charge_of(line, *parameters, before=before)
    return charge.cost if charge else Cost()


def loop(condition: str, body: str, start: str = "0", dtype: str = "s32", config: str = "") -> str:
    """A while loop on a counter `i` and a vector `v` that is doubled each turn; `condition` and `body` are of `i`."""
    carry = f"({dtype}[], f32[8])"
    return f"""
cond {{
  c = {carry} parameter(0)
  i = {dtype}[] get-tuple-element(c), index=0
  {condition}
}}
body {{
  c = {carry} parameter(0)
  i = {dtype}[] get-tuple-element(c), index=0
  v = f32[8] get-tuple-element(c), index=1
  w = f32[8] add(v, v)
  {body}
  ROOT t = {carry} tuple(j, w)
}}
ENTRY e {{
  i = {dtype}[] constant({start})
  v = f32[8] parameter(0)
  c = {carry} tuple(i, v)
  ROOT w = {carry} while(c), condition=cond, body=body{config}
}}
"""
