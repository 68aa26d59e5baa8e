"""This machine's processor, measured."""

from __future__ import annotations

import pytest

from beatnote.record import this_cpu


def test_this_processor_is_a_chip(monkeypatch: pytest.MonkeyPatch):
    # GIVEN small amounts of work
    monkeypatch.setattr(this_cpu, "SIDE", 128)
    monkeypatch.setattr(this_cpu, "STREAM_BYTES", 2**20)
    monkeypatch.setattr(this_cpu, "RUNS", 2)
    # WHEN
    chip = this_cpu.measure_this_cpu()
    # THEN
    assert chip.name == "cpu"
    assert 1e8 < chip.matrix_rate("f64") < 1e14
    assert 1e8 < chip.matrix_rate("bf16") == chip.matrix_rate("f32") < 1e14
    assert 1e7 < chip.vector_flops_s < 1e13
    assert 1e8 < chip.memory_bytes_s < 1e13
    assert chip.link_bytes_s == 0
    assert "best of 2 runs" in chip.sources[0]


def test_work_is_timed_at_its_best(monkeypatch: pytest.MonkeyPatch):
    clock = iter([0.0, 5.0, 10.0, 12.0, 20.0, 23.0, 30.0, 34.0, 40.0, 49.0])
    monkeypatch.setattr(this_cpu, "perf_counter", lambda: next(clock))
    assert this_cpu._best_s(lambda: None) == 2.0
