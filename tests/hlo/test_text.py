"""Reading HLO text: every form of every era, the round trip, and where errors point."""

from __future__ import annotations

from ..conftest import SHARED

WHOLE = sorted(
    [
        *SHARED.glob("hlo/seeds/*.hlo"),
        *SHARED.glob("hlo/models/*.hlo"),
        *SHARED.glob("hlo/xla-benchmarks/*.hlo"),
        *SHARED.glob("hlo/issues/*.complete.hlo"),
    ]
)
PARTIAL = sorted([*SHARED.glob("hlo/issues/*.truncated*"), *SHARED.glob("hlo/issues/*.fragment*")])
