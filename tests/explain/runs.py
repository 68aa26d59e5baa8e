"""MLPerf runs to explain: put together by hand, or drawn."""

from __future__ import annotations

from hypothesis import strategies as st

from beatnote.explain.cycles import APART, INSIDE, SUCCESS, Cycle, Run
from beatnote.explain.mlperf import Side, side_of


def a_run(
    cycles_s: list[float],
    *,
    epochs: float = 1.0,
    tail_s: float = 0.0,
    parts_s: tuple[float, float] | None = None,
    status: str = SUCCESS,
    benchmark: str = "resnet",
    counted_in: str = "epoch_num",
    **settings: object,
) -> Run:
    """A run of these cycles, each of so many epochs, each with the same evaluation and scoring if any."""
    cycles = tuple(Cycle(s, epochs, *(parts_s or (None, None))) for s in cycles_s)
    return Run(
        "result.txt",
        benchmark,
        status,
        sum(cycles_s) + tail_s,
        10.0,
        cycles,
        tail_s if cycles else None,
        counted_in,
        INSIDE if parts_s is None else APART,
        0.75,
        settings,
    )


def a_side(*runs: Run) -> Side:
    return side_of(runs)


seconds = st.floats(min_value=1e-3, max_value=1e5)


@st.composite
def sides(draw, *, apart: bool | None = None) -> Side:
    """A side of up to six runs, of one to five cycles each, some of which fail."""
    split = draw(st.booleans()) if apart is None else apart
    runs: list[Run] = []
    for number in range(draw(st.integers(1, 6))):
        steady = draw(st.lists(seconds, min_size=1, max_size=5))
        runs.append(
            a_run(
                steady,
                epochs=draw(st.sampled_from([1.0, 4.0])),
                tail_s=draw(st.floats(0, 10)),
                parts_s=(0.25 * min(steady), 0.125 * min(steady)) if split else None,
                status=draw(st.sampled_from([SUCCESS, SUCCESS, SUCCESS, "aborted"])) if number else SUCCESS,
            )
        )
    return side_of(runs)
