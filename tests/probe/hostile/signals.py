import signal

import torch

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGHUP):
    signal.signal(number, lambda *_: None)


def fn(x):
    while True:
        pass
