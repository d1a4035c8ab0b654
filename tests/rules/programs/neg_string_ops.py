import torch


def fn(x, name):
    parts = name.split(".")
    if parts[0].startswith("enc") and parts[1].isdigit():
        return x * (int(parts[1]) + 1)
    return x


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3), "enc.0.w")
