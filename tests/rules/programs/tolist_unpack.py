import torch


def fn(img, hw):
    h, w = hw.tolist()
    return img[:h, :w].sum()


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(8, 8), torch.tensor([2, 3]))
