import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("data")
given = parser.parse_args()


def fn(x):
    return x
