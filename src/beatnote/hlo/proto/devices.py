"""Which devices hold and exchange what: shardings, replica groups and meshes, as XLA prints them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from beatnote.hlo.errors import ProtoError
from beatnote.hlo.proto.metadata import metadata_text
from beatnote.hlo.proto.schema import Proto, decode
from beatnote.hlo.proto.spelling import braced, comma_list, enumerated, escaped
from beatnote.hlo.shape_text import MAX_DEPTH

SHARDING_TYPES = ("replicated", "maximal", "tuple", "other", "manual", "unknown", "unreduced")
_TUPLE, _OTHER, _MAXIMAL = 2, 3, 1
_SHARD_GROUP_TYPES = ("shard_as", "shard_like")


def sharding_text(data: bytes, depth: int = 0) -> str:
    """Read an OpSharding.

    Raises:
        ProtoError: it is not one, or nests too deep.
    """
    if depth > MAX_DEPTH:
        raise ProtoError(f"shardings nested more than {MAX_DEPTH} deep")
    sharding = decode("OpSharding", data)
    if sharding.HasField("named_sharding"):
        return _named(sharding.named_sharding)
    if sharding.type == _TUPLE:
        return f"{{{', '.join(sharding_text(part, depth + 1) for part in sharding.tuple_shardings)}}}"
    parts = [_tiles(sharding)]
    if sharding.type == _OTHER and sharding.replicate_on_last_tile_dim:
        parts.append("last_tile_dim_replicate")
    if sharding.last_tile_dims:
        names = (enumerated(SHARDING_TYPES, kind) for kind in sharding.last_tile_dims)
        parts.append(f"last_tile_dims={{{', '.join(names)}}}")
    if sharding.is_shard_group:
        parts.append(f"{enumerated(_SHARD_GROUP_TYPES, sharding.shard_group_type)} {sharding.shard_group_id}")
    if sharding.metadata:
        parts.append(f"metadata={{{_metadata_list(sharding.metadata)}}}")
    return f"{{{' '.join(parts)}}}"


def _tiles(sharding: Proto) -> str:
    if sharding.type == _MAXIMAL:
        return f"maximal device={comma_list(sharding.tile_assignment_devices)}"
    if sharding.type != _OTHER:
        return enumerated(SHARDING_TYPES, sharding.type)
    tiles = f"devices=[{comma_list(sharding.tile_assignment_dimensions)}]"
    if sharding.iota_reshape_dims:
        return tiles + _iota(sharding.iota_reshape_dims, sharding.iota_transpose_perm)
    return tiles + comma_list(sharding.tile_assignment_devices)


def _iota(reshape: Sequence[int], permutation: Sequence[int]) -> str:
    """Write devices numbered from 0: `<=[2,4]T(1,0)`."""
    transposed = f"T({comma_list(permutation)})" if len(reshape) > 1 else ""
    return f"<=[{comma_list(reshape)}]{transposed}"


def _metadata_list(many: Sequence[bytes]) -> str:
    if len(many) == 1:
        return metadata_text(many[0])
    return ", ".join(f"{{{metadata_text(one)}}}" for one in many)


def replica_groups_text(instruction: Proto) -> str:
    """Write the devices of a collective in whichever of the forms they are given.

    Raises:
        ProtoError: a form is damaged.
    """
    if instruction.HasField("mesh_axes_replica_group_list"):
        groups = decode("MeshAxesReplicaGroupListProto", instruction.mesh_axes_replica_group_list)
        return f"{_mesh(groups.mesh)} {{{_axes(groups.axes, groups.mesh, ',')}}}"
    iota = instruction.iota_collective_device_list
    listed = instruction.replica_groups
    if not listed and instruction.collective_device_list:
        devices = decode("CollectiveDeviceListProto", instruction.collective_device_list)
        listed, iota = devices.replica_groups, devices.iota_replica_group_list or iota
    if iota:
        groups = decode("IotaReplicaGroupListProto", iota)
        shape = f"[{groups.num_replica_groups},{groups.num_devices_per_group}]"
        return shape + _iota(groups.iota_reshape_dims, groups.iota_transpose_perm)
    return f"{{{','.join(braced(group.replica_ids) for group in listed)}}}"


def _named(sharding: Proto) -> str:
    """Write a sharding over the named axes of a mesh."""
    mesh = sharding.mesh
    parts = [_mesh(mesh)]
    groups = {word: getattr(sharding, f"{word}_axes") for word in ("replicated", "unreduced", "manual")}
    said = [word for word, axes in groups.items() if axes]
    if sharding.dim_shardings or len(said) > 1 or (said and not _is_whole(groups[said[0]], mesh)):
        parts.append(f"[{', '.join(_dimension(one, mesh) for one in sharding.dim_shardings)}]")
        parts.extend(f"{word}={{{_axes(groups[word], mesh, ', ')}}}" for word in said)
    elif mesh.axes or not mesh.device_ids:
        parts.append(said[0] if said else "replicated")
    if sharding.metadata:
        parts.append(f"metadata={{{', '.join(f'{{{metadata_text(one)}}}' for one in sharding.metadata)}}}")
    return f"{{{', '.join(parts)}}}"


def _is_whole(axes: Sequence[Proto], mesh: Proto) -> bool:
    """Whether these are all the axes of a mesh, in order."""
    whole = [axis.mesh_axis_index for axis in axes if not axis.HasField("sub_axis_info")]
    return len(axes) == len(whole) and whole == list(range(len(mesh.axes)))


def _mesh(mesh: Proto) -> str:
    if not mesh.axes and mesh.device_ids:
        return f"maximal_mesh[device_id={mesh.device_ids[0]}]"
    axes = ",".join(f"'{escaped(axis.name)}'={axis.size}" for axis in mesh.axes)
    devices = comma_list(mesh.device_ids)
    if len(mesh.iota_transform.reshape_dims) > 1:
        devices = _iota(mesh.iota_transform.reshape_dims, mesh.iota_transform.transpose_perm).removeprefix("<=")
    return f"mesh[{axes}]{f', device_ids=({devices})' if devices else ''}"


def _dimension(dimension: Proto, mesh: Proto) -> str:
    parts = [_axis(axis, mesh) for axis in dimension.axes]
    return f"{{{', '.join(parts if dimension.is_closed else [*parts, '?'])}}}"


def _axes(axes: Iterable[Proto], mesh: Proto, separator: str) -> str:
    return separator.join(_axis(axis, mesh) for axis in axes)


def _axis(axis: Proto, mesh: Proto) -> str:
    if not 0 <= axis.mesh_axis_index < len(mesh.axes):
        raise ProtoError(f"a sharding names axis {axis.mesh_axis_index} of a mesh of {len(mesh.axes)}")
    name = f"'{escaped(mesh.axes[axis.mesh_axis_index].name)}'"
    part = axis.sub_axis_info
    return f"{name}:({part.pre_size}){part.size}" if axis.HasField("sub_axis_info") else name
