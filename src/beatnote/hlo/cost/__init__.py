"""What a program costs, from its text alone: operations, bytes, memory held, roofline time: `cost_of`.

Each file here has one rule or one table; `program` adds them up, and `summary` says it in few numbers. May import: what
`hlo` may, and `hlo` itself, but not `hlo.proto`; nothing in `hlo` outside of here imports it.
"""

from beatnote.hlo.cost.program import Charge, Cost, CostError, Loop, ProgramCost, cost_of

__all__ = ["Charge", "Cost", "CostError", "Loop", "ProgramCost", "cost_of"]
