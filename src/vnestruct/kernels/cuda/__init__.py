"""The kernels for NVIDIA GPUs: CUDA sources, one per file, and the functions that launch them.

The functions take and return NumPy arrays; what stays on the device between calls is held by `DeviceGraph`.
CuPy is imported when the first of them is called.
"""

from vnestruct.kernels.cuda.balls import fill_rows
from vnestruct.kernels.cuda.device import DeviceMemoryError, count_devices, has_device, import_cupy
from vnestruct.kernels.cuda.graph import DeviceGraph
from vnestruct.kernels.cuda.radius_one import closed_form, closed_form_by_rank

__all__ = [
    "DeviceGraph", "DeviceMemoryError", "closed_form", "closed_form_by_rank",
    "count_devices", "fill_rows", "has_device", "import_cupy",
]  # fmt: skip
