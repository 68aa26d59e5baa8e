"""The protocol messages that XLA writes programs in: the fields we read, by their public numbers.

Source: xla/service/hlo.proto and xla/xla_data.proto. Enumerations are plain numbers here; their names are where they
are printed. Making message types of this table is in `schema`. It is one table, and long, so that it can be held
against XLA's two files from top to bottom.
"""

from __future__ import annotations

FIELDS = """
Wrapper                      # of HloProto, HloSnapshot and HloUnoptimizedSnapshot alike, what is first in it
  late Wrapper first = 1

HloModuleProto
  string name = 1
  string entry_computation_name = 2
  int64 entry_computation_id = 6
  repeated late HloComputationProto computations = 3
  late ProgramShapeProto host_program_shape = 4
  int64 id = 5
  int64 pjrt_id = 23
  HloScheduleProto schedule = 7
  HloInputOutputAliasProto input_output_alias = 8
  repeated bytes payloads = 22
  HloBufferDonorProto buffer_donor = 18
  DeviceAssignmentProto device_assignment = 15
  StackFrameIndexProto stack_frame_index = 17
  late FrontendAttributes frontend_attributes = 19

HloScheduleProto
  repeated HloScheduleProto.Sequence sequences = 1
HloScheduleProto.Sequence
  int64 key = 1
  HloScheduleProto.InstructionSequence value = 2
HloScheduleProto.InstructionSequence
  repeated int64 instruction_ids = 1

HloInputOutputAliasProto
  repeated HloInputOutputAliasProto.AliasEntryProto entries = 1
HloInputOutputAliasProto.AliasEntryProto
  repeated int64 output_shape_index = 1
  int64 parameter_number = 2
  repeated int64 parameter_shape_index = 3
  int64 kind = 4

HloBufferDonorProto
  repeated HloBufferDonorProto.BufferDonorEntryProto entries = 1
HloBufferDonorProto.BufferDonorEntryProto
  int64 parameter_number = 1
  repeated int64 parameter_shape_index = 2

DeviceAssignmentProto
  int64 replica_count = 1
  int64 computation_count = 2

StackFrameIndexProto
  repeated bytes file_names = 1
  repeated bytes function_names = 2
  repeated StackFrameIndexProto.FileLocation file_locations = 3
  repeated StackFrameIndexProto.StackFrame stack_frames = 4
StackFrameIndexProto.FileLocation
  int64 file_name_id = 1
  int64 function_name_id = 2
  int64 line = 3
  int64 column = 4
  int64 end_line = 5
  int64 end_column = 6
StackFrameIndexProto.StackFrame
  int64 file_location_id = 1
  int64 parent_frame_id = 2

HloComputationProto
  string name = 1
  repeated late HloInstructionProto instructions = 2
  late ProgramShapeProto program_shape = 4
  int64 id = 5
  int64 root_id = 6
  bool is_fusion_computation = 7
  bytes execution_thread = 8

HloInstructionProto
  string name = 1
  string opcode = 2
  late ShapeProto shape = 3
  late OpMetadata metadata = 7
  late LiteralProto literal = 8
  int64 parameter_number = 9
  string fusion_kind = 11
  int64 tuple_index = 13
  repeated int64 dimensions = 14
  late Window window = 15
  late ConvolutionDimensionNumbers convolution_dimension_numbers = 16
  repeated HloInstructionProto.SliceDimensions slice_dimensions = 17
  int64 exponent_bits = 18
  int64 mantissa_bits = 19
  repeated int64 dynamic_slice_sizes = 20
  late PaddingConfig padding_config = 21
  bytes outfeed_config = 22
  int64 distribution = 23
  float epsilon = 24
  int64 feature_index = 25
  int64 channel_id = 26
  bytes infeed_config = 27
  bytes custom_call_target = 28
  late ShapeProto outfeed_shape = 29
  late DotDimensionNumbers dot_dimension_numbers = 30
  int64 fft_type = 31
  repeated int64 fft_length = 32
  late GatherDimensionNumbers gather_dimension_numbers = 33
  repeated int64 gather_slice_sizes = 34
  int64 id = 35
  repeated int64 operand_ids = 36
  repeated int64 control_predecessor_ids = 37
  repeated int64 called_computation_ids = 38
  late OpSharding sharding = 40
  bytes backend_config = 43
  int64 all_reduce_id = 45
  bool is_host_transfer = 47
  late ScatterDimensionNumbers scatter_dimension_numbers = 48
  repeated ReplicaGroup replica_groups = 49
  int64 feature_group_count = 50
  late PrecisionConfig precision_config = 51
  repeated SourceTarget source_target_pairs = 52
  late OpSharding domain_entry_sharding = 54
  late OpSharding domain_exit_sharding = 55
  bool constrain_layout = 56
  repeated late ShapeProto operand_shapes_with_layout = 57
  int64 batch_group_count = 58
  TriangularSolveOptions triangular_solve_options = 59
  bool is_stable = 60
  ParameterReplication parameter_replication = 61
  CholeskyOptions cholesky_options = 62
  string comparison_direction = 63
  bool custom_call_has_side_effect = 65
  int64 delta = 66
  bool indices_are_sorted = 67
  late FrontendAttributes frontend_attributes = 68
  bool unique_indices = 69
  int64 rng_algorithm = 70
  bool use_global_device_ids = 71
  string comparison_type = 72
  bool is_cross_program_prefetch = 73
  repeated OutputOperandAliasing output_operand_aliasing = 74
  int64 padding_type = 75
  int64 custom_call_schedule = 76
  int64 custom_call_api_version = 77
  bytes async_execution_thread = 79
  int64 cross_program_prefetch_index = 80
  int64 k = 81
  late StatisticsViz statistics_viz = 82
  bool largest = 85
  late CollectiveDeviceListProto collective_device_list = 87
  late OriginalValueProto original_value = 88
  bool is_composite = 89
  late RaggedDotDimensionNumbers ragged_dot_dimension_numbers = 90
  late ResultAccuracy result_accuracy = 91
  late IotaReplicaGroupListProto iota_collective_device_list = 92
  late MeshAxesReplicaGroupListProto mesh_axes_replica_group_list = 93
  bool is_reverse = 94
  int64 num_carries = 95
  int64 is_associative = 96
  int64 conv_kind = 97
  late SparsityConfig sparsity_config = 98
  late Payload backend_config_payload = 99
HloInstructionProto.SliceDimensions
  int64 start = 1
  int64 limit = 2
  int64 stride = 3

Payload
  bytes value = 1
  int64 id = 2

ShapeProto
  int64 element_type = 2
  repeated int64 dimensions = 3
  repeated late ShapeProto tuple_shapes = 4
  late LayoutProto layout = 5
  repeated bool is_dynamic_dimension = 6
LayoutProto
  repeated int64 minor_to_major = 1
  repeated TileProto tiles = 6
  int64 element_size_in_bits = 7
  int64 memory_space = 8
  repeated int64 dim_level_types = 9
  late ShapeProto physical_shape = 10
  int64 index_primitive_type = 11
  int64 pointer_primitive_type = 12
  repeated bool dim_unique = 13
  repeated bool dim_ordered = 14
  int64 dynamic_shape_metadata_prefix_bytes = 15
  int64 tail_padding_alignment_in_elements = 16
  repeated SplitConfigProto split_configs = 17
TileProto
  repeated int64 dimensions = 1
SplitConfigProto
  int64 dimension = 1
  repeated int64 split_indices = 2
ProgramShapeProto
  repeated late ShapeProto parameters = 1
  late ShapeProto result = 2

LiteralProto
  late ShapeProto shape = 1
  repeated bool preds = 2
  bytes u8s = 3
  repeated int32 s32s = 4
  repeated int64 s64s = 5
  repeated uint32 u32s = 6
  repeated uint64 u64s = 7
  repeated float f32s = 8
  repeated double f64s = 9
  repeated late LiteralProto tuple_literals = 10
  bytes f16s = 11
  repeated float c64s = 12
  bytes bf16s = 13
  bytes s8s = 15
  bytes u16s = 16
  bytes s16s = 17
  repeated double c128s = 18
  bytes f8e5m2s = 19
  bytes f8e4m3fns = 20
  bytes s4s = 21
  bytes u4s = 22
  bytes f8e4m3b11fnuzs = 23
  bytes f8e5m2fnuzs = 24
  bytes f8e4m3fnuzs = 25
  bytes s2s = 26
  bytes u2s = 27
  bytes f8e4m3s = 28
  bytes f8e3m4s = 29
  bytes s1s = 30
  bytes u1s = 31
  bytes f4e2m1fns = 32
  bytes f8e8m0fnus = 33
  repeated int64 dynamic_sizes = 34

OpMetadata
  bytes op_type = 1
  bytes op_name = 2
  bytes source_file = 3
  int64 source_line = 4
  repeated int64 profile_type = 5
  bytes deduplicated_name = 12
  int64 stack_frame_id = 15
  bytes scheduling_name = 16
  int64 source_end_line = 17
  int64 source_column = 18
  int64 source_end_column = 19
  Payload metadata_payload = 20

Window
  repeated WindowDimension dimensions = 1
WindowDimension
  int64 size = 1
  int64 stride = 2
  int64 padding_low = 3
  int64 padding_high = 4
  int64 window_dilation = 5
  int64 base_dilation = 6
  bool window_reversal = 7
PaddingConfig
  repeated PaddingConfig.PaddingConfigDimension dimensions = 1
PaddingConfig.PaddingConfigDimension
  int64 edge_padding_low = 1
  int64 edge_padding_high = 2
  int64 interior_padding = 3
ConvolutionDimensionNumbers
  int64 kernel_input_feature_dimension = 3
  int64 kernel_output_feature_dimension = 4
  repeated int64 kernel_spatial_dimensions = 6
  int64 input_batch_dimension = 7
  int64 input_feature_dimension = 8
  int64 output_batch_dimension = 9
  int64 output_feature_dimension = 10
  repeated int64 input_spatial_dimensions = 11
  repeated int64 output_spatial_dimensions = 12
DotDimensionNumbers
  repeated int64 lhs_contracting_dimensions = 1
  repeated int64 rhs_contracting_dimensions = 2
  repeated int64 lhs_batch_dimensions = 3
  repeated int64 rhs_batch_dimensions = 4
RaggedDotDimensionNumbers
  late DotDimensionNumbers dot_dimension_numbers = 1
  repeated int64 lhs_ragged_dimensions = 2
  repeated int64 rhs_group_dimensions = 3
GatherDimensionNumbers
  repeated int64 offset_dims = 1
  repeated int64 collapsed_slice_dims = 2
  repeated int64 start_index_map = 3
  int64 index_vector_dim = 4
  repeated int64 operand_batching_dims = 5
  repeated int64 start_indices_batching_dims = 6
ScatterDimensionNumbers
  repeated int64 update_window_dims = 1
  repeated int64 inserted_window_dims = 2
  repeated int64 scatter_dims_to_operand_dims = 3
  int64 index_vector_dim = 4
  repeated int64 input_batching_dims = 5
  repeated int64 scatter_indices_batching_dims = 6
TriangularSolveOptions
  bool left_side = 1
  bool lower = 2
  bool unit_diagonal = 3
  int64 transpose_a = 4
CholeskyOptions
  bool lower = 1
PrecisionConfig
  repeated int64 operand_precision = 1
  int64 algorithm = 2
SparsityConfig
  SparsityConfig.TensorSparsityConfig lhs = 1
  SparsityConfig.TensorSparsityConfig rhs = 2
SparsityConfig.TensorSparsityConfig
  int64 num_non_zero = 1
  int64 block_size = 2
  int64 dimension = 3
  int64 stride = 4
ParameterReplication
  repeated bool replicated_at_leaf_buffers = 1
OutputOperandAliasing
  repeated int64 output_shape_index = 1
  int64 operand_index = 2
  repeated int64 operand_shape_index = 3
ResultAccuracy
  int64 mode = 1
  ResultAccuracy.Tolerance tolerance = 2
ResultAccuracy.Tolerance
  double atol = 1
  double rtol = 2
  int64 ulps = 3

FrontendAttributes
  repeated FrontendAttributes.Entry map = 1
FrontendAttributes.Entry
  bytes key = 1
  bytes value = 2
StatisticsViz
  int64 stat_index_to_visualize = 1
  repeated Statistic statistics = 2
Statistic
  bytes stat_name = 1
  double stat_val = 2
OriginalValueProto
  repeated OriginalValueElementProto elements = 1
  bool is_synthetic_call = 2
OriginalValueElementProto
  repeated int64 shape_index = 1
  OriginalArrayProto original_array = 2
OriginalArrayProto
  bytes instruction_name = 1
  repeated int64 shape_index = 2

OpSharding
  int64 type = 1
  late ShapeProto tile_shape = 2
  repeated int64 tile_assignment_dimensions = 3
  repeated int64 tile_assignment_devices = 4
  repeated late OpSharding tuple_shardings = 5
  bool replicate_on_last_tile_dim = 6
  repeated late OpMetadata metadata = 7
  repeated int64 last_tile_dims = 8
  repeated int64 iota_reshape_dims = 9
  repeated int64 iota_transpose_perm = 10
  bool is_shard_group = 11
  int64 shard_group_id = 12
  int64 shard_group_type = 13
  NamedShardingProto named_sharding = 14
NamedShardingProto
  MeshProto mesh = 2
  repeated NamedShardingProto.DimensionSharding dim_shardings = 3
  repeated AxisRefProto replicated_axes = 4
  repeated AxisRefProto unreduced_axes = 5
  repeated late OpMetadata metadata = 6
  repeated AxisRefProto manual_axes = 7
NamedShardingProto.DimensionSharding
  repeated AxisRefProto axes = 1
  bool is_closed = 2
MeshProto
  repeated MeshProto.MeshAxis axes = 1
  repeated int64 device_ids = 2
  MeshProto.IotaTransform iota_transform = 3
MeshProto.MeshAxis
  bytes name = 1
  int64 size = 2
MeshProto.IotaTransform
  repeated int64 reshape_dims = 1
  repeated int64 transpose_perm = 2
AxisRefProto
  int64 mesh_axis_index = 1
  AxisRefProto.SubAxis sub_axis_info = 2
AxisRefProto.SubAxis
  int64 pre_size = 1
  int64 size = 2
ReplicaGroup
  repeated int64 replica_ids = 1
SourceTarget
  int64 source = 1
  int64 target = 2
CollectiveDeviceListProto
  repeated ReplicaGroup replica_groups = 1
  late IotaReplicaGroupListProto iota_replica_group_list = 2
IotaReplicaGroupListProto
  int64 num_replica_groups = 1
  int64 num_devices_per_group = 2
  repeated int64 iota_reshape_dims = 3
  repeated int64 iota_transpose_perm = 4
MeshAxesReplicaGroupListProto
  MeshProto mesh = 1
  repeated AxisRefProto axes = 2
"""
"""Messages and their fields, as they stand in a .proto file but for the braces and what is left out.

A field marked `late` is kept as bytes until someone asks for what is in it: submessages that occur often are then read
once, and none can nest without end. Strings that XLA prints escaped are bytes as well.
"""
