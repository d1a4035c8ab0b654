import no_such_module_at_all
import torch


def fn(x):
    return x
