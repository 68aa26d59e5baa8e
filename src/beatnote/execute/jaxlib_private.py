"""Every name that jaxlib does not promise to keep, used here and nowhere else.

`missing_names` says which of them the installed jaxlib lacks.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from beatnote.execute.frameworks import require

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = (
    "jaxlib._hlo.hlo_module_from_text",
    "jaxlib._hlo.HloModule.from_serialized_hlo_module_proto",
    "jaxlib._hlo.HloModule.as_serialized_hlo_module_proto",
    "jaxlib._hlo.HloModule.to_string",
    "jaxlib._hlo.HloPrintOptions.print_large_constants",
    "jaxlib._hlo.XlaComputation.as_serialized_hlo_module_proto",
    "jaxlib._jax.mlir.hlo_to_stablehlo",
    "jaxlib._jax.CompileOnlyPyClient.compile",
    "jaxlib._jax.Executable.cost_analysis",
    "jaxlib._jax.Executable.get_compiled_memory_stats",
    "jaxlib._jax.Executable.hlo_modules",
    "jaxlib._jax.mlir.mlir_module_to_xla_computation",
    "jaxlib._jax.CompileOptions",
    "jaxlib._jax.DeviceList",
    "jaxlib._jax.Device.client",
    "jaxlib._jax.Client.compile_and_load",
    "jaxlib._jax.LoadedExecutable.execute_sharded",
    "jaxlib._jax.LoadedExecutable.hlo_modules",
    "jaxlib._jax.ExecuteResults.disassemble_into_single_device_arrays",
)
"""Module, class and member, by dots."""


def missing_names() -> list[str]:
    """List those of `NAMES` that the installed jaxlib does not have.

    Raises:
        MissingFrameworkError: JAX is not installed.
    """
    require("jax")
    return [name for name in NAMES if not _exists(name)]


def _exists(name: str) -> bool:
    package, module, *members = name.split(".")
    try:
        found: Any = importlib.import_module(f"{package}.{module}")
    except ImportError:
        return False
    for member in members:
        if not hasattr(found, member):
            return False
        found = getattr(found, member)
    return True


def bytecode_from_text(text: str) -> bytes:
    """Turn HLO text into MLIR bytecode (StableHLO).

    Raises:
        RuntimeError: jaxlib's, for text that XLA cannot read or import.
    """
    module = require("jaxlib._hlo", extra="jax").hlo_module_from_text(text)
    return require("jaxlib._jax", extra="jax").mlir.hlo_to_stablehlo(module.as_serialized_hlo_module_proto())


def proto_from_mlir(program: str | bytes) -> bytes:
    """Turn StableHLO, text or bytecode, into a serialized HloModuleProto.

    Raises:
        MissingFrameworkError: JAX is not installed.
        RuntimeError: jaxlib's, for what is not StableHLO or of a version that it does not know.
    """
    jaxlib = require("jaxlib._jax", extra="jax")
    return jaxlib.mlir.mlir_module_to_xla_computation(program).as_serialized_hlo_module_proto()


def load(bytecode: bytes, device: Any) -> Any:
    """Compile bytecode for one device with the default options and load it there.

    Raises:
        RuntimeError: jaxlib's, for a program that XLA cannot compile.
    """
    jaxlib = require("jaxlib._jax", extra="jax")
    return device.client.compile_and_load(bytecode, jaxlib.DeviceList((device,)), jaxlib.CompileOptions())


def execute(loaded: Any, arguments: Sequence[Any]) -> list[Any]:
    """Start a loaded program on arrays on its device and return its outputs, perhaps not computed yet."""
    shards = loaded.execute_sharded(arguments).disassemble_into_single_device_arrays()
    return [on_devices[0] for on_devices in shards]


def tpu_devices(topology: str) -> list[Any]:
    """Open a TPU topology without a TPU; its devices can only be compiled for.

    Raises:
        Exception: jax's or libtpu's, for a topology that does not open.
    """
    return list(require("jax.experimental.topologies").get_topology_desc(topology, "tpu").devices)


def compile_only(bytecode: bytes, device: Any) -> Any:
    """Compile bytecode for a device that is not here, with the default options.

    Raises:
        Exception: jaxlib's, for a program that the compiler refuses.
    """
    jaxlib = require("jaxlib._jax", extra="jax")
    context = require("jax._src.interpreters.mlir").make_ir_context()
    with context:
        module = require("jaxlib.mlir.ir").Module.parse(bytecode)
        return device.client.compile(module, jaxlib.DeviceList((device,)), jaxlib.CompileOptions())


def full_text_of_proto(proto: bytes) -> str:
    """Print a serialized HloModuleProto, every constant in full.

    Raises:
        RuntimeError: jaxlib's, for bytes that are not such a proto or of another version.
    """
    return full_text(require("jaxlib._hlo", extra="jax").HloModule.from_serialized_hlo_module_proto(proto))


def full_text(hlo_module: Any) -> str:
    """Print a jaxlib HloModule, every constant in full."""
    options = require("jaxlib._hlo", extra="jax").HloPrintOptions()
    options.print_large_constants = True
    return hlo_module.to_string(options)


def optimized_module(loaded: Any) -> Any:
    """Return the jaxlib HloModule that a loaded program runs, after XLA's passes."""
    return loaded.hlo_modules()[0]
