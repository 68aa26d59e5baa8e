"""Where the time goes: pure functions from measurements to the parts of a gap.

May import: `hlo` and `runs`.
"""
