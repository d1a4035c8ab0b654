"""A GPU that is not here: what is pretended, what is predicted, what Triton compiles."""

from __future__ import annotations

import pytest
import torch

from runtime_probe.kernels.eager import Op
from runtime_probe.kernels.gpu import devices, ptx, roofline, stand_in
from tests.kernels.collected import collected

pytestmark = pytest.mark.truth


def test_each_figure_says_where_it_comes_from() -> None:
    with open(devices._TABLE, encoding="utf-8") as file:
        rows = [text.rstrip("\n").split("\t") for text in file if not text.startswith("#")]
    assert all(len(row) == 5 and all(row) for row in rows)
    assert {"h100", "a100", "l4"} <= set(devices.known())
    assert devices.lookup("l4").bandwidth == 300
    assert devices.key_of("NVIDIA H100 80GB HBM3") == "h100"
    assert devices.key_of("NVIDIA GeForce GTX 680") == ""
    with pytest.raises(KeyError):
        devices.lookup("any")


def test_the_roofline_is_the_slower_of_memory_and_arithmetic() -> None:
    device = devices.lookup("h100")
    moved = int(3350e9 * 0.8 * 100e-6)  # 100 µs of memory
    assert roofline.of_kernel(device, 1, moved, 0, "float32") == pytest.approx(100, rel=1e-6)
    work = int(989.5e12 * 0.65 * 300e-6)  # 300 µs of matrix products in bfloat16
    assert roofline.of_kernel(device, 1, moved, work, "bfloat16") == pytest.approx(300, rel=1e-6)
    assert roofline.of_kernel(device, 3, 16, 0, "float32") == 3 * device.launch_compiled
    ops = [Op(moved, 0, "float32"), Op(16, 0, "float32")]
    assert roofline.of_eager(device, ops) == pytest.approx(100 + device.launch_eager, rel=1e-6)


def test_nothing_of_the_pretence_is_left() -> None:
    pytest.importorskip("triton")
    from torch._dynamo import device_interface
    from triton.runtime.driver import driver

    before = (
        torch.cuda.is_available,
        torch.version.cuda,
        dict(device_interface.device_interfaces),
        vars(driver).copy(),
    )
    with stand_in.pretended(devices.lookup("a100")):
        assert torch.cuda.is_available()
        assert torch.cuda.get_device_capability() == (8, 0)
    after = (torch.cuda.is_available, torch.version.cuda, dict(device_interface.device_interfaces), vars(driver).copy())
    assert before == after


def test_the_kernels_of_an_imaginary_gpu_become_ptx() -> None:
    pytest.importorskip("triton")
    (kernel,) = collected("pointwise", "h100").kernels()
    with stand_in.pretended(devices.lookup("h100")):
        made = ptx.of_inductor(kernel["source"], kernel["name"])
    assert ".target sm_90" in made.ptx
    assert made.registers is not None
    assert 0 < made.registers < 256
    assert made.spills == 0
    (cost,) = collected("pointwise", "h100").costs()
    assert cost["target"] == kernel["target"] == "h100"
    device = devices.lookup("h100")
    assert kernel["predicted_us"] == device.launch_compiled
    assert cost["predicted_ratio"] == pytest.approx(5 * device.launch_eager / device.launch_compiled)


def test_nothing_is_predicted_for_this_processor() -> None:
    (cost,) = collected("pointwise").costs()
    assert (cost["target"], cost["predicted_ratio"]) == ("cpu", None)
