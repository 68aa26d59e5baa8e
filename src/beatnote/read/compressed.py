"""Files that were compressed with gzip or zstd: what is in them, up to a size that is sure to be a program's."""

from __future__ import annotations

import gzip
import io
import sys
import zlib

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAX_BYTES = 2**30
"""What a file may hold once it is no longer compressed."""

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"


class CompressionError(ValueError):
    """A compressed file that is damaged, or holds more than `MAX_BYTES`."""


def decompressed(content: bytes, limit_bytes: int = MAX_BYTES) -> bytes:
    """Return what compressed bytes hold; other bytes as they are.

    Args:
        content: of a file.
        limit_bytes: what may be in it at most.

    Raises:
        CompressionError: they are cut off, damaged, or hold more.
    """
    if content.startswith(_GZIP):
        kind, reader = "gzip", gzip.GzipFile(fileobj=io.BytesIO(content))
    elif content.startswith(_ZSTD):
        kind, reader = "zstd", zstd.ZstdFile(io.BytesIO(content))
    else:
        return content
    try:
        held = reader.read(limit_bytes + 1)
    except (EOFError, OSError, zlib.error, zstd.ZstdError) as error:
        raise CompressionError(f"is {kind}-compressed, but damaged: {error}") from None
    if len(held) > limit_bytes:
        raise CompressionError(
            f"is {kind}-compressed and holds more than {limit_bytes / 2**20:g} MiB: decompress it first"
        )
    return held
