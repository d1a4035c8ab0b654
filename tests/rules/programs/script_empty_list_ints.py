import torch


def fn(x: torch.Tensor):
    sizes = []
    for i in range(x.dim()):
        sizes.append(x.size(i))
    return x.reshape(sizes)


if __name__ == "__main__":
    captured = torch.jit.script(fn)
