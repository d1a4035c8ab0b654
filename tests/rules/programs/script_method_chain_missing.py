import torch


def fn(x: torch.Tensor):
    return x.cpu().detach().numpy()


if __name__ == "__main__":
    captured = torch.jit.script(fn)
