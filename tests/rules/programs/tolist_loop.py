import torch


def fn(x, idx):
    out = []
    for i in idx.tolist():
        out.append(x[i])
    return torch.stack(out)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.arange(6.0), torch.tensor([0, 2, 4]))
