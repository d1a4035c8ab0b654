import torch
import torch.nn.functional as F


def fn(logits, target, in_len, tgt_len):
    return F.ctc_loss(logits.log_softmax(-1), target, in_len, tgt_len)


if __name__ == "__main__":
    captured = torch.compile(fn)
    captured(torch.randn(5, 1, 4), torch.tensor([[1, 2]]), torch.tensor([5]), torch.tensor([2]))
