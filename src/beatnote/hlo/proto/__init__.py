"""Programs that XLA wrote as protocol messages, `.hlo.pb` and the like: `read_proto`.

Each file here reads one kind of message or writes one kind of attribute; `program` puts them together. May import: what
`hlo` may, and `hlo` itself; nothing in `hlo` outside of here imports it.
"""

from beatnote.hlo.proto.program import ProtoError, read_proto

__all__ = ["ProtoError", "read_proto"]
