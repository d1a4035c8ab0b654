import torch


def fn(x):
    if torch.compiler.is_dynamo_compiling():
        return x + 1
    print("eager")
    return x + 1


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.ones(3))
