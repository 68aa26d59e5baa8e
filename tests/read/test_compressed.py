"""What compressed files hold: no more than the limit, or one error."""

from __future__ import annotations

import gzip

import pytest
from backports import zstd

from beatnote.read.compressed import CompressionError, decompressed

CONTENT = b"HloModule m" * 100
FORMS = {"gzip": gzip.compress, "zstd": zstd.compress}


@pytest.mark.parametrize("kind", FORMS)
def test_what_was_compressed_comes_back(kind: str):
    assert decompressed(FORMS[kind](CONTENT)) == CONTENT
    assert decompressed(FORMS[kind](CONTENT) + FORMS[kind](b"more")) == CONTENT + b"more"


def test_other_bytes_stay_as_they_are():
    assert decompressed(CONTENT) is CONTENT


@pytest.mark.parametrize("kind", FORMS)
def test_what_would_be_too_much_is_never_in_memory(kind: str):
    bomb = FORMS[kind](bytes(50_000_000))
    assert len(decompressed(bomb, 50_000_000)) == 50_000_000
    with pytest.raises(CompressionError, match=f"is {kind}-compressed and holds more than 1 MiB: decompress it first"):
        decompressed(bomb, 2**20)


@pytest.mark.parametrize("kind", FORMS)
def test_damage_is_one_error(kind: str):
    data = FORMS[kind](CONTENT)
    for damaged in (data[: len(data) // 2], data[:4], data[:-3] + b"abc", data[:8] + b"\xff" * 20):
        with pytest.raises(CompressionError, match=f"is {kind}-compressed, but damaged"):
            decompressed(damaged)
