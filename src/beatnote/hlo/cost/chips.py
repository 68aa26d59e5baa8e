"""What chips can do at most, as their makers publish it: a table.

All rates are those of one chip, dense (without sparsity), at boost clock; bandwidths are in bytes a second, the
interconnect's in one direction, all links of the chip together. Real programs reach a part of them.
"""

from __future__ import annotations

import msgspec

from beatnote.hlo.shapes import ELEMENT_TYPES


class Chip(msgspec.Struct, frozen=True):
    """One chip.

    Attributes:
        name: what it is picked by.
        title: what people call it.
        matrix_flops_s: flops a second of matrix products by the type multiplied; `f32` is always there.
        vector_flops_s: flops a second of everything else, in f32.
        memory_bytes_s: bandwidth of its memory.
        memory_bytes: size of its memory.
        link_bytes_s: bandwidth to other chips in one direction; 0 for none.
        sources: where the figures are published, or how they were measured.
    """

    name: str
    title: str
    matrix_flops_s: dict[str, float]
    vector_flops_s: float
    memory_bytes_s: float
    memory_bytes: int
    link_bytes_s: float
    sources: tuple[str, ...]

    def matrix_rate(self, element_type: str) -> float:
        """Return the flops a second of products of a type; where it has none, of the next type that holds it."""
        family = _family(element_type)
        while family not in self.matrix_flops_s:
            family = _WIDER.get(family, "f32")
        return self.matrix_flops_s[family]


THIS_MACHINE = "cpu"
"""The name of the chip that is not in the table: this machine's processor, measured."""


class UnknownChipError(LookupError):
    """A chip that is not in the table."""

    def __str__(self) -> str:
        return str(self.args[0])


_WIDER = {"f8": "f16", "f16": "f32", "bf16": "f32", "s8": "bf16", "f64": "f32"}
"""Where products of a type are done that the chip has no unit for. For f64 and large whole numbers the rate is then too
high, and the time a lower bound."""

_T, _G, _GI = 1e12, 1e9, 2**30
_CACM = "N. Jouppi et al., A Domain-Specific Supercomputer for Training Deep Neural Networks, CACM 63(7), 2020"
_V4 = "N. Jouppi et al., TPU v4: An Optically Reconfigurable Supercomputer, ISCA 2023"
_DOCS = "https://cloud.google.com/tpu/docs/"
_NVIDIA = "https://www.nvidia.com/content/dam/en-zz/Solutions/Data-Center/"


def _tpu(
    version: str, bf16: float, other: dict[str, float], vector: float, memory: tuple[float, int], link: float, *at: str
) -> Chip:
    """Make a TPU; f32 is multiplied in one bf16 pass, as XLA does by default (`precision_config` default)."""
    rates = {"f32": bf16, "bf16": bf16, "f16": bf16, **other}
    rates = {name: rate * _T for name, rate in rates.items()}
    return Chip(
        f"tpu-{version}", f"TPU {version}", rates, vector * _T, memory[0] * _G, memory[1] * _GI, link * _G, tuple(at)
    )


CHIPS: dict[str, Chip] = {
    chip.name: chip
    for chip in (
        _tpu("v2", 46, {}, 3, (700, 16), 4 * 62, _CACM),  # 4 links of 496 Gbit/s
        _tpu("v3", 123, {}, 4, (900, 32), 4 * 82, f"{_DOCS}v3", _CACM),  # 4 links of 656 Gbit/s
        # From v4 on no rate of the vector unit is published: that of the matrix units stands for it.
        _tpu("v4", 275, {"s8": 275}, 275, (1200, 32), 6 * 50, f"{_DOCS}v4", _V4),
        _tpu("v5e", 197, {"s8": 393}, 197, (819, 16), 200, f"{_DOCS}v5e"),
        _tpu("v5p", 459, {"f8": 459}, 459, (2765, 95), 600, f"{_DOCS}v5p"),
        _tpu("v6e", 918, {"s8": 1836}, 918, (1640, 32), 400, f"{_DOCS}v6e"),
        Chip(
            "v100",
            "V100 SXM2 32 GB",
            {"f16": 125 * _T, "f32": 15.7 * _T, "f64": 7.8 * _T},
            15.7 * _T,
            900 * _G,
            32 * 10**9,
            150 * _G,
            ("https://images.nvidia.com/content/technologies/volta/pdf/volta-v100-datasheet-update-us-1165301-r5.pdf",),
        ),
        Chip(
            "a100",
            "A100 SXM4 80 GB",
            # f32 by TF32, as XLA multiplies by default; without it 19.5
            {"s8": 624 * _T, "f16": 312 * _T, "bf16": 312 * _T, "f32": 156 * _T, "f64": 19.5 * _T},
            19.5 * _T,
            2039 * _G,
            80 * 10**9,
            300 * _G,
            (f"{_NVIDIA}a100/pdf/nvidia-a100-datasheet-us-nvidia-1758950-r4-web.pdf",),
        ),
        *(
            Chip(
                name,
                title,
                # f32 by TF32, as XLA multiplies by default; without it 67. Half of the figures with sparsity.
                {
                    "s8": 1979 * _T,
                    "f8": 1979 * _T,
                    "f16": 989 * _T,
                    "bf16": 989 * _T,
                    "f32": 494.5 * _T,
                    "f64": 67 * _T,
                },
                67 * _T,
                bandwidth * _G,
                size * 10**9,
                450 * _G,
                (source,),
            )
            for name, title, bandwidth, size, source in (
                ("h100", "H100 SXM5 80 GB", 3350, 80, "https://resources.nvidia.com/en-us-tensor-core/nvidia-tensor-core-gpu-datasheet"),
                ("h200", "H200 SXM5 141 GB", 4800, 141, "https://resources.nvidia.com/en-us-data-center-overview-mc/en-us-data-center-overview/hpc-datasheet-sc23-h200"),
            )
        ),
    )
}  # fmt: skip


def chip_named(name: str) -> Chip:
    """Find a chip: `a100`, `tpu-v4`, also written `tpu:v4` or `v4`.

    Raises:
        UnknownChipError: it is not in the table.
    """
    wanted = name.strip().lower().replace(":", "-").replace("_", "-")
    for candidate in (wanted, f"tpu-{wanted}", wanted.replace("tpuv", "tpu-v")):
        if candidate in CHIPS:
            return CHIPS[candidate]
    raise UnknownChipError(f"no chip {name!r} in the table: there are {', '.join(CHIPS)}, and cpu, this machine's")


def _family(element_type: str) -> str:
    if element_type in ("c64", "c128"):
        return "f32" if element_type == "c64" else "f64"
    if element_type.startswith(("f8", "f4")):
        return "f8"
    element = ELEMENT_TYPES[element_type]
    return "s8" if element.kind in ("signed", "unsigned", "pred") and element.bits <= 8 else element_type
