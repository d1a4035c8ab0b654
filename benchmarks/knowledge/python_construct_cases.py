# ruff: noqa: E501 - the cases are data, one a line
"""Python and PyTorch constructs inside a captured function: what `python_constructs.py` measures.

`### name` starts a construct; its source defines `f` (a function or an nn.Module instance) and perhaps `state()`, what the
program can observe besides the result. `@ EXPR` lines are the calls (each a tuple of arguments); the default calls change the
signs, then the length. A construct is measured with every call on the same captured object.
"""

from __future__ import annotations

PRELUDE = """
import asyncio, collections, contextlib, copy, dataclasses, enum, functools, itertools, logging, math, operator, os, random, threading, time
import types, typing, warnings
import numpy as np
import torch, torch.nn as nn, torch.nn.functional as F
from torch import Tensor
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union
from torch.utils.checkpoint import checkpoint
"""

CASES = r"""
### class in function
def f(x):
    class A:
        k = 2
    return x * A.k
### class with method in function
def f(x):
    class A:
        def g(self, t):
            return t * 2
    return A().g(x)
### nested function
def f(x):
    def g(t):
        return t * 2
    return g(x)
### nested function returned
def f(x):
    def g(t):
        return t * x
    return g
### closure over tensor
def f(x):
    w = x * 2
    def g(t):
        return t + w
    return g(x)
### nonlocal counter
def f(x):
    n = 0
    def g():
        nonlocal n
        n += 1
    g()
    g()
    return x * n
### closure cell from outside
def make():
    k = 3
    def g(x):
        return x * k
    return g
f = make()
### closure cell changed outside
def make():
    k = 0
    def g(x):
        nonlocal k
        k += 1
        return x * k
    return g
f = make()
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### closure tensor from outside
def make():
    w = torch.ones(1) * 3
    def g(x):
        return x * w
    return g
f = make()
### recursion
def g(x, n):
    return x if n == 0 else g(x + 1, n - 1)
def f(x):
    return g(x, 3)
### generator consumed by list
def g(x):
    yield x
    yield x + 1
def f(x):
    return torch.stack(list(g(x)))
### generator consumed by loop
def g(x):
    for i in range(3):
        yield x * i
def f(x):
    for t in g(x):
        x = x + t
    return x
### generator yield from
def h(x):
    yield x
def g(x):
    yield from h(x)
    yield x + 1
def f(x):
    return sum(g(x))
### generator partly consumed
def g(x):
    yield x
    yield x + 1
def f(x):
    it = g(x)
    return next(it)
### generator send
def g(x):
    y = yield x
    yield y * 2
def f(x):
    it = g(x)
    t = next(it)
    return it.send(t)
### generator passed as argument
def f(x, it):
    for t in it:
        x = x + t
    return x
@ (torch.ones(4), (i for i in range(3)))
@ (torch.ones(4), (i for i in range(4)))
### generator expression passed to callee
def g(it):
    return sum(it)
def f(x):
    return g(x * i for i in range(3))
### generator object created outside
GEN = (i for i in range(100))
def f(x):
    return x + next(GEN)
### list iterator created outside
IT = iter(range(100))
def f(x):
    return x + next(IT)
### generator function is the root
def g(x):
    yield x + 1
def f(x):
    return next(g(x))
### print inside generator
def g(x):
    yield x
    print("a")
    yield x + 1
def f(x):
    return sum(g(x))
### try in generator
def g(x):
    try:
        yield x
    finally:
        x = x + 1
def f(x):
    return sum(g(x))
### async function awaited
async def g(x):
    return x + 1
def f(x):
    return asyncio.run(g(x))
### coroutine stepped by hand
async def g(x):
    return x + 1
def f(x):
    c = g(x)
    try:
        c.send(None)
    except StopIteration as e:
        return e.value
### with user class manager
class M:
    def __enter__(self):
        return 2
    def __exit__(self, *e):
        return False
def f(x):
    with M() as k:
        x = x * k
    return x
### with user class manager, break inside
class M:
    def __enter__(self):
        return 2
    def __exit__(self, *e):
        return False
def f(x):
    x = x + 1
    with M() as k:
        x = x * k
        print("a")
        x = x + 1
    return x * 2
### with user class manager from outside
class M:
    n = 0
    def __enter__(self):
        self.n += 1
        return self
    def __exit__(self, *e):
        return False
m = M()
def f(x):
    with m:
        return x * 2
def state():
    return m.n
### with contextmanager
@contextlib.contextmanager
def cm():
    yield 2
def f(x):
    with cm() as k:
        x = x * k
    return x
### with contextmanager, break inside
@contextlib.contextmanager
def cm():
    yield 2
def f(x):
    x = x + 1
    with cm() as k:
        x = x * k
        print("a")
        x = x + 1
    return x * 2
### with contextmanager that yields in try
@contextlib.contextmanager
def cm():
    try:
        yield 2
    finally:
        pass
def f(x):
    with cm() as k:
        return x * k
### with contextmanager that changes a global
FLAG = False
@contextlib.contextmanager
def cm():
    global FLAG
    FLAG = True
    try:
        yield
    finally:
        FLAG = False
def f(x):
    with cm():
        return x * (2 if FLAG else 3)
def state():
    return FLAG
### with no_grad
def f(x):
    with torch.no_grad():
        x = x * 2
    return x
### with no_grad, break inside
def f(x):
    with torch.no_grad():
        x = x * 2
        print("a")
        x = x + 1
    return x
### no_grad as decorator
@torch.no_grad()
def f(x):
    return x * 2
### with enable_grad
def f(x):
    with torch.enable_grad():
        return x * 2
### with set_grad_enabled
def f(x):
    with torch.set_grad_enabled(x.shape[0] > 2):
        return x * 2
### with inference_mode
def f(x):
    with torch.inference_mode():
        return x * 2
### with autocast
def f(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return x @ x
### with autocast, break inside
def f(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        x = x * 2
        print("a")
        return x @ x
### with nullcontext
def f(x):
    with contextlib.nullcontext():
        return x * 2
### with conditional context
def f(x):
    with torch.no_grad() if x.shape[0] > 2 else contextlib.nullcontext():
        return x * 2
### with ExitStack
def f(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        return x * 2
### with ExitStack callback
def f(x):
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: None)
        return x * 2
### with two items
def f(x):
    with torch.no_grad(), torch.autocast("cpu", enabled=False):
        return x * 2
### with torch.device
def f(x):
    with torch.device("cpu"):
        return x + torch.ones(1)
### with record_function
def f(x):
    with torch.profiler.record_function("a"):
        return x * 2
### with profiler
def f(x):
    with torch.profiler.profile():
        return x * 2
### with catch_warnings
def f(x):
    with warnings.catch_warnings():
        return x * 2
### with catch_warnings and simplefilter
def f(x):
    x = x + 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = x * 2
    return x
### with lock from outside
LOCK = threading.Lock()
def f(x):
    with LOCK:
        return x * 2
### with lock created inside
def f(x):
    with threading.Lock():
        return x * 2
### with suppress
def f(x):
    with contextlib.suppress(ValueError):
        x = x * 2
        raise ValueError
    return x
### with open file
def f(x):
    with open("/dev/null") as h:
        h.read()
    return x * 2
### with sdpa kernel
def f(x):
    from torch.nn.attention import sdpa_kernel, SDPBackend
    with sdpa_kernel(SDPBackend.MATH):
        return F.scaled_dot_product_attention(x[None, None, :, None], x[None, None, :, None], x[None, None, :, None])
### with torch.random.fork_rng
def f(x):
    with torch.random.fork_rng():
        return x + torch.rand(1)
### with saved_tensors_hooks
def f(x):
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        return x * 2
### with detect_anomaly
def f(x):
    with torch.autograd.detect_anomaly():
        return x * 2
### try without break
def f(x):
    try:
        return x * 2
    except ValueError:
        return x
### try with break inside
def f(x):
    x = x + 1
    try:
        x = x * 2
        print("a")
        x = x + 1
    except ValueError:
        pass
    return x * 2
### try with break before
def f(x):
    print("a")
    try:
        x = x * 2
    except ValueError:
        pass
    return x
### try finally
def f(x):
    try:
        x = x * 2
    finally:
        x = x + 1
    return x
### try finally with break in finally
def f(x):
    try:
        x = x * 2
    finally:
        print("a")
    return x + 1
### try except with break in handler
def f(x):
    try:
        raise ValueError("a")
    except ValueError:
        print("b")
        x = x * 2
    return x
### try else
def f(x):
    try:
        x = x * 2
    except ValueError:
        pass
    else:
        x = x + 1
    return x
### exception raised and caught
def f(x):
    try:
        raise ValueError("a")
    except ValueError as e:
        x = x * len(e.args)
    return x
### KeyError caught
D = {}
def f(x):
    try:
        k = D["a"]
    except KeyError:
        k = 2
    return x * k
### AttributeError caught
class O:
    pass
o = O()
def f(x):
    try:
        k = o.zz
    except AttributeError:
        k = 2
    return x * k
### custom exception
class E(Exception):
    pass
def f(x):
    try:
        raise E("a")
    except E:
        return x * 2
### exception from tensor op caught
def f(x):
    try:
        return x.view(3, 5)
    except RuntimeError:
        return x * 2
### except star
def f(x):
    try:
        raise ExceptionGroup("a", [ValueError()])
    except* ValueError:
        x = x * 2
    return x
### raise if shape wrong
def f(x):
    if x.shape[0] > 100:
        raise ValueError("a")
    return x * 2
### raise if shape wrong with f-string
def f(x):
    if x.shape[0] > 100:
        raise ValueError(f"got {x.shape}")
    return x * 2
### raise if data wrong
def f(x):
    if (x > 100).any():
        raise ValueError("a")
    return x * 2
### raise if data wrong with f-string
def f(x):
    if (x > 100).any():
        raise ValueError(f"got {x}")
    return x * 2
### raise from
def f(x):
    try:
        try:
            raise ValueError
        except ValueError as e:
            raise TypeError("a") from e
    except TypeError:
        return x * 2
### reraise
def f(x):
    try:
        try:
            raise ValueError
        except ValueError:
            raise
    except ValueError:
        return x * 2
### del local
def f(x):
    y = x * 2
    del x
    return y
### del attribute
class O:
    pass
def f(x):
    o = O()
    o.a = x
    del o.a
    return x * 2
### del item of global dict
D = {"a": 1}
def f(x):
    D["b"] = 1
    del D["b"]
    return x * 2
### star args
def g(*a):
    return a[0] + a[1]
def f(x):
    return g(*[x, x])
### root with star args
def f(*a):
    return a[0] * len(a)
### keyword args
def g(**k):
    return k["a"] * 2
def f(x):
    return g(**{"a": x})
### root with keyword dict
def f(x, **k):
    return x * k.get("s", 2)
### keyword-only argument
def g(x, *, s=2):
    return x * s
def f(x):
    return g(x, s=3)
### default mutable argument
def g(x, acc=[]):
    acc.append(1)
    return x * len(acc)
def f(x):
    return g(x)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### star unpacking
def f(x):
    a, *b = [x, x + 1, x + 2]
    return a + b[0]
### tuple unpacking of tensor
def f(x):
    a, b, c, d = x
    return a + b
@ (torch.ones(4),)
@ (-torch.ones(4),)
### starred tensor in call
def g(*a):
    return a[0] * len(a)
def f(x):
    return g(*x)
### swap
def f(x):
    a, b = x, x + 1
    a, b = b, a
    return a * b
### walrus
def f(x):
    if (n := x.shape[0]) > 2:
        return x * n
    return x
### walrus in comprehension
def f(x):
    return torch.stack([y for i in range(3) if (y := x * i) is not None])
### match on int
def f(x):
    match x.dim():
        case 1:
            return x * 2
        case _:
            return x
### match on shape sequence
def f(x):
    match x.shape:
        case (n,):
            return x * n
        case (n, m):
            return x
### match on string
def f(x, mode="a"):
    match mode:
        case "a" | "b":
            return x * 2
        case _:
            return x
### match class pattern
@dataclasses.dataclass
class D:
    k: int
def f(x):
    match D(2):
        case D(k=n):
            return x * n
### match mapping pattern
def f(x):
    match {"k": 2}:
        case {"k": n}:
            return x * n
### match isinstance tensor
def f(x):
    match x:
        case torch.Tensor():
            return x * 2
    return x
### match on data
def f(x):
    match (x.sum() > 0).item():
        case True:
            return x * 2
        case False:
            return x
### match with guard
def f(x):
    match x.shape[0]:
        case n if n > 3:
            return x * 2
        case _:
            return x
### lambda
def f(x):
    return (lambda t: t * 2)(x)
### lambda default captures loop variable
def f(x):
    fs = [lambda t, i=i: t * i for i in range(3)]
    return fs[2](x)
### list comprehension
def f(x):
    return torch.stack([x * i for i in range(3)])
### list comprehension with static if
def f(x):
    return torch.stack([x * i for i in range(4) if i % 2])
### list comprehension with tensor if
def f(x):
    return torch.stack([t for t in x if t.abs() < 100])
### list comprehension with break inside
def f(x):
    x = x + 1
    l = [print(i) for i in range(2)]
    return x * 2
### list comprehension over items
def f(x):
    l = [t.item() for t in x]
    return x * len(l)
### nested comprehension
def f(x):
    return torch.stack([x * i * j for i in range(2) for j in range(2)])
### dict comprehension
def f(x):
    d = {i: x * i for i in range(3)}
    return d[2]
### dict comprehension with string keys
def f(x):
    d = {f"k{i}": x * i for i in range(3)}
    return d["k2"]
### set comprehension
def f(x):
    s = {i % 2 for i in range(3)}
    return x * len(s)
### generator expression in sum
def f(x):
    return sum(x * i for i in range(3))
### f-string of tensor
def f(x):
    s = f"{x}"
    return x * 2
### f-string of tensor used as key
D = {}
def f(x):
    D[f"{x.sum()}"] = 1
    return x * 2
### f-string of tensor returned
def f(x):
    return x * 2, f"{x}"
### f-string of shape
def f(x):
    s = f"{x.shape}"
    return x * 2
### f-string of shape returned
def f(x):
    return x * 2, f"{x.shape[0]}"
### f-string of size with format spec
def f(x):
    s = f"{x.shape[0]:03d}"
    return x * 2
### f-string of float item
def f(x):
    s = f"{x.sum().item():.2f}"
    return x * 2
### f-string static
K = 3
def f(x):
    s = f"{K:02d}"
    return x * len(s)
### f-string as dict key of modules
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleDict({"l0": nn.Identity(), "l1": nn.ReLU()})
    def forward(self, x):
        for i in range(2):
            x = self.m[f"l{i}"](x)
        return x
f = N()
### percent format
def f(x):
    s = "%d %s" % (x.shape[0], "a")
    return x * 2
### percent format of tensor
def f(x):
    s = "%s" % x
    return x * 2
### str.format of tensor
def f(x):
    s = "{}".format(x)
    return x * 2
### string methods
def f(x, mode="a_b"):
    k = len(mode.split("_")) if mode.startswith("a") else 3
    return x * k
### string concatenation
def f(x):
    s = "a" + "b" * 2
    return x * len(s)
### global int incremented
N = 0
def f(x):
    global N
    N += 1
    return x * N
def state():
    return N
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### global int incremented, not read
N = 0
def f(x):
    global N
    N = N + 1
    return x * 2
def state():
    return N
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### global set to constant
N = 0
def f(x):
    global N
    N = 5
    return x * 2
def state():
    return N
### global tensor replaced
T = torch.zeros(1)
def f(x):
    global T
    T = T + x.sum()
    return x + T
def state():
    return T
### global tensor in-place
T = torch.zeros(1)
def f(x):
    T.add_(x.sum())
    return x + T
def state():
    return T
### global list append constant
L = []
def f(x):
    L.append(1)
    return x * 2
def state():
    return len(L)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### global list append tensor
L = []
def f(x):
    L.append(x * 2)
    return x * 2
def state():
    return list(L)
@ (torch.ones(4),)
@ (-torch.ones(4),)
@ (torch.ones(4) * 2,)
@ (torch.ones(4),)
### global list read by length
L = []
def f(x):
    L.append(1)
    return x * len(L)
def state():
    return len(L)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### global dict set constant key
D = {}
def f(x):
    D["a"] = x.shape[0]
    return x * 2
def state():
    return dict(D)
### global dict counter
D = {"n": 0}
def f(x):
    D["n"] += 1
    return x * D["n"]
def state():
    return dict(D)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### global dict cache of tensors by shape
D = {}
def f(x):
    n = x.shape[0]
    if n not in D:
        D[n] = torch.arange(n) * 1.0
    return x * D[n]
def state():
    return len(D)
### global dict cache of tensors by tensor key
D = {}
def f(x):
    if x not in D:
        D[x] = x * 2
    return D[x]
### global read and changed outside between calls
class G:
    pass
N = 2
def f(x, new=None):
    return x * N
def between(i):
    global N
    N = 2 + i
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### module int attribute incremented
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0
    def forward(self, x):
        self.n += 1
        return x * self.n
f = Net()
def state():
    return f.n
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### module int attribute incremented, not read
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0
    def forward(self, x):
        self.n += 1
        return x * 2
f = Net()
def state():
    return f.n
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### module float attribute changed
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.s = 1.0
    def forward(self, x):
        self.s *= 0.9
        return x * self.s
f = Net()
def state():
    return f.s
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### module bool attribute flipped
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.on = True
    def forward(self, x):
        y = x * (2 if self.on else 3)
        self.on = not self.on
        return y
f = Net()
def state():
    return f.on
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### module initialised flag
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.ready = False
    def forward(self, x):
        if not self.ready:
            self.k = 3
            self.ready = True
        return x * self.k
f = Net()
def state():
    return f.ready
### module tensor attribute replaced
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.t = torch.zeros(1)
    def forward(self, x):
        self.t = self.t + x.sum()
        return x + self.t
f = Net()
def state():
    return f.t
### module tensor attribute stored, not read
class Net(nn.Module):
    def forward(self, x):
        self.last = x * 2
        return x * 3
f = Net()
def state():
    return f.last
### module attribute grows a tensor
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.t = torch.zeros(0)
    def forward(self, x):
        self.t = torch.cat([self.t, x])
        return self.t.sum() + x
f = Net()
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### buffer replaced
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("t", torch.zeros(1))
    def forward(self, x):
        self.t = self.t + x.sum()
        return x + self.t
f = Net()
def state():
    return f.t
### buffer in-place
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("t", torch.zeros(1))
    def forward(self, x):
        self.t += x.sum()
        return x + self.t
f = Net()
def state():
    return f.t
### module list attribute append
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = []
    def forward(self, x):
        self.l.append(x * 2)
        return x * 2
f = Net()
def state():
    return list(f.l)
@ (torch.ones(4),)
@ (-torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### module list attribute reset then append
class Net(nn.Module):
    def forward(self, x):
        self.l = []
        for i in range(2):
            self.l.append(x * i)
        return x * 2
f = Net()
def state():
    return list(f.l)
### module dict attribute set
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.d = {}
    def forward(self, x):
        self.d["a"] = x * 2
        return x * 2
f = Net()
def state():
    return dict(f.d)
### module attribute deleted
class Net(nn.Module):
    def forward(self, x):
        self.q = 1
        del self.q
        return x * 2
f = Net()
### register_buffer in forward
class Net(nn.Module):
    def forward(self, x):
        self.register_buffer("q", torch.ones(1))
        return x * self.q
f = Net()
### class attribute changed
class C:
    n = 0
def f(x):
    C.n += 1
    return x * C.n
def state():
    return C.n
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### object attribute changed
class C:
    def __init__(self):
        self.n = 0
c = C()
def f(x):
    c.n += 1
    return x * c.n
def state():
    return c.n
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### object from outside gets a tensor
class C:
    pass
c = C()
def f(x):
    c.t = x * 2
    return x * 2
def state():
    return c.t
### function attribute changed
def g(x):
    g.n = 1
    return x * 2
def f(x):
    return g(x)
### setattr dynamic name
class Net(nn.Module):
    def forward(self, x):
        for i in range(2):
            setattr(self, f"a{i}", x * i)
        return self.a1
f = Net()
### getattr dynamic name
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l0 = nn.Identity()
        self.l1 = nn.ReLU()
    def forward(self, x):
        for i in range(2):
            x = getattr(self, f"l{i}")(x)
        return x
f = Net()
### getattr of torch function by name
def f(x, name="relu"):
    return getattr(torch, name)(x)
### getattr of tensor method by name
def f(x):
    return getattr(x, "abs")()
### hasattr on self
class Net(nn.Module):
    def forward(self, x):
        return x * 2 if hasattr(self, "zz") else x * 3
f = Net()
### property on module
class Net(nn.Module):
    @property
    def k(self):
        return 2
    def forward(self, x):
        return x * self.k
f = Net()
### property setter
class C:
    def __init__(self):
        self._a = 1
    @property
    def a(self):
        return self._a
    @a.setter
    def a(self, v):
        self._a = v
c = C()
def f(x):
    c.a = 3
    return x * c.a
### cached_property
class Net(nn.Module):
    @functools.cached_property
    def k(self):
        return 2
    def forward(self, x):
        return x * self.k
f = Net()
### staticmethod
class Net(nn.Module):
    @staticmethod
    def g(x):
        return x * 2
    def forward(self, x):
        return self.g(x)
f = Net()
### classmethod
class Net(nn.Module):
    k = 2
    @classmethod
    def g(cls, x):
        return x * cls.k
    def forward(self, x):
        return self.g(x)
f = Net()
### super call
class A(nn.Module):
    def forward(self, x):
        return x * 2
class B(A):
    def forward(self, x):
        return super().forward(x) + 1
f = B()
### super with arguments
class A(nn.Module):
    def forward(self, x):
        return x * 2
class B(A):
    def forward(self, x):
        return super(B, self).forward(x) + 1
f = B()
### metaclass
class M(type):
    def __call__(cls, *a):
        return super().__call__(*a)
class C(metaclass=M):
    def __init__(self, k):
        self.k = k
def f(x):
    return x * C(2).k
### custom getattr
class C:
    def __getattr__(self, n):
        return 2
c = C()
def f(x):
    return x * c.zz
### custom getattr on module
class Net(nn.Module):
    def __getattr__(self, n):
        if n == "zz":
            return 2
        return super().__getattr__(n)
    def forward(self, x):
        return x * self.zz
f = Net()
### custom getattribute
class C:
    k = 2
    def __getattribute__(self, n):
        return object.__getattribute__(self, n)
c = C()
def f(x):
    return x * c.k
### custom getattribute on module
class Net(nn.Module):
    k = 2
    def __getattribute__(self, n):
        return super().__getattribute__(n)
    def forward(self, x):
        return x * self.k
f = Net()
### custom setattr on module
class Net(nn.Module):
    def __setattr__(self, n, v):
        super().__setattr__(n, v)
    def forward(self, x):
        self.q = 3
        return x * self.q
f = Net()
### custom setattr on object
class C:
    def __setattr__(self, n, v):
        object.__setattr__(self, n, v)
def f(x):
    c = C()
    c.q = 3
    return x * c.q
### slots
class C:
    __slots__ = ("k",)
    def __init__(self, k):
        self.k = k
def f(x):
    return x * C(2).k
### user object created in function
class C:
    def __init__(self, k):
        self.k = k
def f(x):
    return C(x * 2).k
### user object returned
class C:
    def __init__(self, k):
        self.k = k
def f(x):
    return C(x * 2)
### user object with operators
class C:
    def __init__(self, k):
        self.k = k
    def __add__(self, o):
        return C(self.k + o.k)
def f(x):
    return (C(x) + C(x)).k
### user object with call
class C:
    def __call__(self, x):
        return x * 2
c = C()
def f(x):
    return c(x)
### user object with getitem
class C:
    def __getitem__(self, i):
        return i + 1
c = C()
def f(x):
    return x * c[1]
### user object with len and iter
class C:
    def __len__(self):
        return 2
    def __iter__(self):
        return iter([1, 2])
c = C()
def f(x):
    for i in c:
        x = x * i
    return x * len(c)
### user iterator class
class C:
    def __init__(self):
        self.i = 0
    def __iter__(self):
        return self
    def __next__(self):
        self.i += 1
        if self.i > 2:
            raise StopIteration
        return self.i
def f(x):
    for i in C():
        x = x * i
    return x
### user object with bool of data
class C:
    def __init__(self, t):
        self.t = t
    def __bool__(self):
        return bool(self.t.sum() > 0)
def f(x):
    if C(x):
        return x * 2
    return x
### user object with str in f-string
class C:
    def __str__(self):
        return "a"
c = C()
def f(x):
    s = f"{c}"
    return x * len(s)
### user dict subclass
class D(dict):
    pass
def f(x):
    d = D(a=x)
    return d["a"] * 2
### user list subclass
class L(list):
    pass
def f(x):
    l = L([x])
    l.append(x)
    return l[0] * len(l)
### user int subclass
class I(int):
    pass
i = I(3)
def f(x):
    return x * i
### dataclass construct
@dataclasses.dataclass
class D:
    a: torch.Tensor
    k: int = 2
def f(x):
    d = D(x)
    return d.a * d.k
### dataclass returned
@dataclasses.dataclass
class D:
    a: torch.Tensor
def f(x):
    return D(x * 2)
### frozen dataclass construct
@dataclasses.dataclass(frozen=True)
class D:
    a: torch.Tensor
def f(x):
    return D(x).a * 2
### dataclass with post_init
@dataclasses.dataclass
class D:
    a: torch.Tensor
    def __post_init__(self):
        self.b = self.a * 2
def f(x):
    return D(x).b
### dataclass argument
@dataclasses.dataclass
class D:
    a: torch.Tensor
    k: int
def f(d):
    return d.a * d.k
@ (D(torch.ones(4), 2),)
@ (D(torch.ones(4), 3),)
@ (D(torch.ones(4), 4),)
### namedtuple construct
P = collections.namedtuple("P", "a b")
def f(x):
    p = P(x, x + 1)
    return p.a * p.b
### namedtuple returned
P = collections.namedtuple("P", "a b")
def f(x):
    return P(x * 2, x)
### NamedTuple class construct
class P(NamedTuple):
    a: Tensor
    b: Tensor
def f(x):
    p = P(x, x + 1)
    return p.a * p.b
### enum compare
class C(enum.Enum):
    A = 1
    B = 2
mode = C.A
def f(x):
    return x * 2 if mode == C.A else x
### enum argument
class C(enum.Enum):
    A = 1
    B = 2
def f(x, mode):
    return x * 2 if mode is C.A else x
@ (torch.ones(4), C.A)
@ (torch.ones(4), C.B)
### enum value
class C(enum.IntEnum):
    A = 3
def f(x):
    return x * C.A
### enum by value
class C(enum.Enum):
    A = 1
def f(x):
    return x * C(1).value
### isinstance tensor
def f(x):
    return x * 2 if isinstance(x, torch.Tensor) else x
### isinstance of list or tuple
def f(x):
    y = [x, x]
    return y[0] * 2 if isinstance(y, (list, tuple)) else x
### type equality
def f(x):
    return x * 2 if type(x) == torch.Tensor else x
### isinstance of module
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ReLU()
    def forward(self, x):
        return x * 2 if isinstance(self.m, nn.ReLU) else x
f = Net()
### is None
def f(x, mask=None):
    if mask is None:
        return x * 2
    return x * mask
### or default
def f(x, k=None):
    k = k or 2
    return x * k
### tensor or default
def f(x, m=None):
    m = m or x
    return x * m
@ (torch.ones(4),)
### tensor == None
def f(x):
    return x * 2 if x == None else x * 3
### identity of objects
class O:
    pass
a = O()
b = a
def f(x):
    return x * 2 if a is b else x
### identity of tensors
def f(x):
    y = x
    return x * 2 if x is y else x
### identity of argument tensors
def f(x, y):
    return x * 2 if x is y else x
@ (torch.ones(4), torch.ones(4))
@ ((T := torch.ones(4)), T)
### identity sentinel
SENTINEL = object()
def f(x, m=SENTINEL):
    return x * 2 if m is SENTINEL else x
### id as key
D = {}
def f(x):
    D[id(x)] = 1
    return x * 2
### tensor in list
def f(x):
    l = [x.sum() + 1, x.sum()]
    return x * 2 if x.max() in l else x
### number in tensor
def f(x):
    return x * 2 if 1.0 in x else x
### int in list
def f(x):
    return x * 2 if x.shape[0] in [4, 5] else x
### string in dict
D = {"a": 1}
def f(x, k="a"):
    return x * 2 if k in D else x
### chained comparison of sizes
def f(x):
    return x * 2 if 1 < x.shape[0] < 5 else x
### chained comparison of tensors
def f(x):
    return x * 2 if 0 < x.sum() < 5 else x
### and on tensors
def f(x):
    return (x.sum() > 0) and (x.max() > 0)
### or on tensors
def f(x):
    return (x.sum() > 0) or (x.max() > 0)
### not on tensor
def f(x):
    return not (x.sum() > 0), x * 2
### if on tensor
def f(x):
    if x.sum() > 0:
        return x * 2
    return x
### if on tensor, both set a local
def f(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x * 3
    return y + 1
### if on tensor in loop
def f(x):
    x = x + 1
    for i in range(2):
        if x.sum() > 0:
            x = x * 2
    return x
### if on tensor in try
def f(x):
    x = x + 1
    try:
        if x.sum() > 0:
            x = x * 2
    except ValueError:
        pass
    return x
### if on tensor in callee
def g(x):
    if x.sum() > 0:
        return x * 2
    return x
def f(x):
    return g(x) + 1
### if on tensor in module callee
class A(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = A()
    def forward(self, x):
        return self.a(x) + 1
f = Net()
### ternary on tensor
def f(x):
    return x * 2 if x.sum() > 0 else x
### while on tensor
def f(x):
    while x.sum() > 1:
        x = x / 2
    return x
### while on int
def f(x):
    i = 0
    while i < 3:
        x = x + 1
        i += 1
    return x
### for else
def f(x):
    for i in range(2):
        x = x + i
    else:
        x = x * 2
    return x
### for break on data
def f(x):
    for i in range(3):
        if x.sum() > 3:
            break
        x = x + 1
    return x
### if on any
def f(x):
    if torch.any(x > 0):
        return x * 2
    return x
### if on item
def f(x):
    if x.sum().item() > 0:
        return x * 2
    return x
### if on allclose
def f(x):
    if torch.allclose(x, x):
        return x * 2
    return x
### if with shape short circuit
def f(x):
    if x.shape[0] < 0 and x.sum() > 0:
        return x * 2
    return x
### if is_compiling
def f(x):
    if not torch.compiler.is_compiling():
        print("a")
    return x * 2
### if is_scripting
def f(x):
    if torch.jit.is_scripting():
        return x * 2
    return x * 2
### if is_tracing
def f(x):
    if torch.jit.is_tracing():
        return x * 2
    return x * 2
### assert tensor
def f(x):
    assert (x < 100).all()
    return x * 2
### assert tensor with message
def f(x):
    assert (x < 100).all(), "a"
    return x * 2
### assert tensor with f-string message
def f(x):
    assert (x < 100).all(), f"got {x.shape}"
    return x * 2
### assert not tensor
def f(x):
    assert not (x > 100).any()
    return x * 2
### assert tensor and tensor
def f(x):
    assert (x < 100).all() and (x > -100).all()
    return x * 2
### assert shape
def f(x):
    assert x.shape[0] < 100, f"got {x.shape}"
    return x * 2
### assert item
def f(x):
    assert x.sum().item() < 100
    return x * 2
### assert isinstance
def f(x):
    assert isinstance(x, torch.Tensor)
    return x * 2
### torch._assert
def f(x):
    torch._assert((x < 100).all(), "a")
    return x * 2
### torch._check
def f(x):
    torch._check(x.shape[0] < 100)
    return x * 2
### int of tensor
def f(x):
    return x * int(x.sum())
### float of tensor
def f(x):
    return x * float(x.sum())
### bool of tensor
def f(x):
    return x * bool(x.sum() > 0)
### str of tensor
def f(x):
    s = str(x)
    return x * 2
### len of tensor
def f(x):
    return x * len(x)
### iter over tensor
def f(x):
    s = 0
    for t in x:
        s = s + t
    return s
### list of tensor
def f(x):
    return list(x)[0]
### tuple of tensor
def f(x):
    return tuple(x)[0]
### enumerate tensor
def f(x):
    s = 0
    for i, t in enumerate(x):
        s = s + t * i
    return s
### zip tensors
def f(x):
    s = 0
    for a, b in zip(x, x):
        s = s + a * b
    return s
### range over tensor value
def f(x):
    for i in range(int(x.abs().sum())):
        x = x + i
    return x
### range over long tensor
def f(x):
    for i in range(x.long().abs().sum()):
        x = x + i
    return x
### sum of tensor
def f(x):
    return sum(x)
### min and max of tensors
def f(x):
    return min(x.sum(), x.max())
### max of tensor and number
def f(x):
    return max(x.sum(), 0)
### max over tensor
def f(x):
    return max(x)
### sorted tensors
def f(x):
    return sorted([x.sum(), x.max()])[0]
### sorted by tensor key
def f(x):
    return sorted([x, x + 1], key=lambda t: t.sum())[0]
### abs of tensor
def f(x):
    return abs(x)
### round of tensor
def f(x):
    return torch.round(x) + x.round(decimals=1)
### pow builtin of tensor
def f(x):
    return pow(x, 2)
### divmod of size
def f(x):
    q, r = divmod(x.shape[0], 2)
    return x * q + r
### math.sqrt of tensor
def f(x):
    return x * math.sqrt(x.abs().sum())
### math.sqrt of size
def f(x):
    return x / math.sqrt(x.shape[0])
### math.floor of size
def f(x):
    return x[: math.floor(x.shape[0] / 2)]
### int of size division
def f(x):
    return x[: int(x.shape[0] / 2)]
### size floor division
def f(x):
    return x[: x.shape[0] // 2]
### slice with tensor index
def f(x):
    return x[: x.long()[0].abs()]
### index with tensor element
def f(x):
    return x[x.long()[0].abs()]
@ (torch.tensor([1., 2, 3, 0]),)
@ (torch.tensor([2., 5, 3, 0]),)
### list index with tensor
L = [1, 2, 3, 4]
def f(x):
    return x * L[x.long()[0].abs()]
@ (torch.tensor([1., 2, 3, 0]),)
@ (torch.tensor([2., 5, 3, 0]),)
### list index with argmax
def f(x):
    l = [x, x + 1, x + 2, x + 3, x, x]
    return l[x.argmax()]
### list index with int argument
L = [1, 2, 3, 4, 5]
def f(x, i):
    return x * L[i]
@ (torch.ones(4), 0)
@ (torch.ones(4), 1)
@ (torch.ones(4), 2)
@ (torch.ones(4), 3)
### negative step slice of list
L = [1, 2, 3]
def f(x):
    return x * L[::-1][0]
### integer tensor index
def f(x):
    return x[torch.tensor([0, 1])]
### None and Ellipsis index
def f(x):
    return x[..., None]
### mask load
def f(x):
    return x[x > 0]
### mask store constant
def f(x):
    y = x.clone()
    y[y > 0] = 0
    return y
### mask store tensor
def f(x):
    y = x.clone()
    y[y > 0] = y[y > 0] * 2
    return y
### mask augmented
def f(x):
    y = x.clone()
    y[y > 0] += 1
    return y
### mask del
def f(x):
    y = torch.where(x > 0, x, 0)
    return y
### slice store
def f(x):
    y = x.clone()
    y[:2] = 0
    return y
### index store with python loop
def f(x):
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        y[i] = x[i] * i
    return y
### in-place on input
def f(x):
    x.add_(1)
    return x * 2
### in-place augmented on input
def f(x):
    x += 1
    return x * 2
### out argument
def f(x):
    y = torch.empty_like(x)
    torch.add(x, 1, out=y)
    return y
### data read
def f(x):
    return x.data * 2
### data store
def f(x):
    y = x.clone()
    y.data = x * 2
    return y
### data in-place on parameter
p = nn.Parameter(torch.ones(1))
def f(x):
    p.data.mul_(2)
    return x * p
def state():
    return p.detach().clone()
### requires_grad_ on intermediate
def f(x):
    y = x * 2
    y.requires_grad_(True)
    return y * 3
### requires_grad_ on leaf input
def f(x):
    x = x.detach().requires_grad_(True)
    return x * 3
### requires_grad attribute store
def f(x):
    y = x.clone()
    y.requires_grad = True
    return y.detach() * 2
### grad attribute read
p = nn.Parameter(torch.ones(1))
def f(x):
    return x * 2 if p.grad is None else x
### grad set to None
p = nn.Parameter(torch.ones(1))
def f(x):
    p.grad = None
    return x * 2
### backward inside
p = nn.Parameter(torch.ones(1))
def f(x):
    (x * p).sum().backward()
    return x * 2
def state():
    return p.grad
### autograd.grad inside
p = nn.Parameter(torch.ones(1))
def f(x):
    y = (x * p).sum()
    return torch.autograd.grad(y, p)[0] + x
### optimizer step
p = nn.Parameter(torch.ones(1))
opt = torch.optim.SGD([p], lr=0.1)
def f(x):
    p.grad = x.sum().detach().reshape(1)
    opt.step()
    opt.zero_grad()
    return x * 2
def state():
    return p.detach().clone()
### whole training step
p = nn.Parameter(torch.ones(1))
opt = torch.optim.SGD([p], lr=0.1)
def f(x):
    opt.zero_grad()
    loss = ((x * p) ** 2).sum()
    loss.backward()
    opt.step()
    return loss.detach()
def state():
    return p.detach().clone()
### tensor register_hook
def f(x):
    y = x * 2
    if y.requires_grad:
        y.register_hook(lambda g: g * 2)
    return y
@ (torch.ones(4, requires_grad=True),)
### module forward hook registered outside
net = nn.Linear(4, 4)
net.register_forward_hook(lambda m, i, o: o * 2)
f = net
@ (torch.ones(2, 4),)
@ (torch.ones(2, 4) * 2,)
### module forward hook with print
net = nn.Linear(4, 4)
net.register_forward_hook(lambda m, i, o: print("a"))
f = net
@ (torch.ones(2, 4),)
### module forward hook registered inside
net = nn.Linear(4, 4)
def f(x):
    h = net.register_forward_hook(lambda m, i, o: o * 2)
    y = net(x)
    h.remove()
    return y
@ (torch.ones(2, 4),)
### module forward hook that stores
net = nn.Linear(4, 4)
SEEN = []
net.register_forward_hook(lambda m, i, o: SEEN.append(o))
f = net
def state():
    return len(SEEN)
@ (torch.ones(2, 4),)
@ (torch.ones(2, 4) * 2,)
### full backward hook
net = nn.Linear(4, 4)
net.register_full_backward_hook(lambda m, i, o: None)
f = net
@ (torch.ones(2, 4),)
### autograd.Function
class A(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * 2
def f(x):
    return A.apply(x)
@ (torch.ones(4, requires_grad=True),)
@ (-torch.ones(4, requires_grad=True),)
### autograd.Function with item in forward
class A(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x.sum().item()
    @staticmethod
    def backward(ctx, g):
        return g * 2
def f(x):
    return A.apply(x)
@ (torch.ones(4, requires_grad=True),)
@ (-torch.ones(4, requires_grad=True),)
### autograd.Function with print in forward
class A(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print("a")
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return g * 2
def f(x):
    return A.apply(x)
@ (torch.ones(4, requires_grad=True),)
### autograd.Function with print in backward
class A(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        print("a")
        return g * 2
def f(x):
    return A.apply(x)
@ (torch.ones(4, requires_grad=True),)
### autograd.Function with branch in backward
class A(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        if g.sum() > 0:
            return g * 2
        return g
def f(x):
    return A.apply(x)
@ (torch.ones(4, requires_grad=True),)
### autograd.Function with attribute on ctx
class A(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.k = k
        return x * k
    @staticmethod
    def backward(ctx, g):
        return g * ctx.k, None
def f(x):
    return A.apply(x, 3)
@ (torch.ones(4, requires_grad=True),)
### autograd.Function with mark_dirty
class A(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x
    @staticmethod
    def backward(ctx, g):
        return g * 2
def f(x):
    return A.apply(x.clone())
@ (torch.ones(4, requires_grad=True),)
### autograd.Function with setup_context
class A(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * 2
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])
    @staticmethod
    def backward(ctx, g):
        return g * 2
def f(x):
    return A.apply(x)
@ (torch.ones(4, requires_grad=True),)
### checkpoint
def g(x):
    return x.sin() * 2
def f(x):
    return checkpoint(g, x, use_reentrant=False)
@ (torch.ones(4, requires_grad=True),)
@ (-torch.ones(4, requires_grad=True),)
### checkpoint reentrant
def g(x):
    return x.sin() * 2
def f(x):
    return checkpoint(g, x, use_reentrant=True)
@ (torch.ones(4, requires_grad=True),)
### checkpoint with print
def g(x):
    print("a")
    return x.sin() * 2
def f(x):
    return checkpoint(g, x, use_reentrant=False)
@ (torch.ones(4, requires_grad=True),)
### checkpoint with global mutation
N = 0
def g(x):
    global N
    N += 1
    return x.sin() * 2
def f(x):
    return checkpoint(g, x, use_reentrant=False)
def state():
    return N
@ (torch.ones(4, requires_grad=True),)
### checkpoint with module attribute mutation
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0
        self.l = nn.Linear(4, 4)
    def g(self, x):
        self.n = 3
        return self.l(x)
    def forward(self, x):
        return checkpoint(self.g, x, use_reentrant=False)
f = Net()
@ (torch.ones(4, requires_grad=True),)
### checkpoint with tensor branch
def g(x):
    if x.sum() > 0:
        return x.sin() * 2
    return x
def f(x):
    return checkpoint(g, x, use_reentrant=False)
@ (torch.ones(4, requires_grad=True),)
### checkpoint_sequential
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
def f(x):
    return torch.utils.checkpoint.checkpoint_sequential(net, 2, x, use_reentrant=False)
@ (torch.ones(4, requires_grad=True),)
### cond
def f(x):
    return torch.cond(x.sum() > 0, lambda t: t * 2, lambda t: t * 3, (x,))
### cond with side effect
L = []
def t(x):
    L.append(1)
    return x * 2
def e(x):
    return x * 3
def f(x):
    return torch.cond(x.sum() > 0, t, e, (x,))
### cond with print
def t(x):
    print("a")
    return x * 2
def e(x):
    return x * 3
def f(x):
    return torch.cond(x.sum() > 0, t, e, (x,))
### cond with item
def t(x):
    return x * x.sum().item()
def e(x):
    return x * 3
def f(x):
    return torch.cond(x.sum() > 0, t, e, (x,))
### cond with in-place on input
def t(x):
    x.add_(1)
    return x * 2
def e(x):
    return x * 3
def f(x):
    return torch.cond(x.sum() > 0, t, e, (x,))
### cond returning input
def f(x):
    return torch.cond(x.sum() > 0, lambda t: t, lambda t: t * 3, (x,))
### cond with closure tensor
def f(x):
    w = x + 1
    return torch.cond(x.sum() > 0, lambda t: t * w, lambda t: t - w, (x,))
### cond with static predicate
def f(x):
    return torch.cond(x.shape[0] > 4, lambda t: t * 2, lambda t: t * 3, (x,))
### while_loop
from torch._higher_order_ops import while_loop
def f(x):
    return while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t + 1), (torch.tensor(0), x))[1]
### while_loop with side effect
from torch._higher_order_ops import while_loop
L = []
def b(i, t):
    L.append(1)
    return i + 1, t + 1
def f(x):
    return while_loop(lambda i, t: i < 3, b, (torch.tensor(0), x))[1]
### scan
from torch._higher_order_ops.scan import scan
def f(x):
    return scan(lambda c, t: (c + t, c + t), torch.zeros(()), x)[1]
### scan with side effect
from torch._higher_order_ops.scan import scan
L = []
def b(c, t):
    L.append(1)
    return c + t, c + t
def f(x):
    return scan(b, torch.zeros(()), x)[1]
### map
from torch._higher_order_ops.map import map as hop_map
def f(x):
    return hop_map(lambda t: t * 2, x)
### map with side effect
from torch._higher_order_ops.map import map as hop_map
L = []
def b(t):
    L.append(1)
    return t * 2
def f(x):
    return hop_map(b, x)
### associative_scan
from torch._higher_order_ops.associative_scan import associative_scan
def f(x):
    return associative_scan(lambda a, b: a + b, x, 0, combine_mode="generic")
### vmap
def f(x):
    return torch.vmap(lambda t: t * 2)(x)
### vmap with branch
def g(t):
    if t > 0:
        return t * 2
    return t
def f(x):
    return torch.vmap(g)(x)
### vmap with print
def g(t):
    print("a")
    return t * 2
def f(x):
    return torch.vmap(g)(x)
### vmap with item
def g(t):
    return t * t.item()
def f(x):
    return torch.vmap(g)(x)
### func.grad
def f(x):
    return torch.func.grad(lambda t: (t * t).sum())(x)
### func.grad with print
def g(t):
    print("a")
    return (t * t).sum()
def f(x):
    return torch.func.grad(g)(x)
### func.grad with global mutation
L = []
def g(t):
    L.append(1)
    return (t * t).sum()
def f(x):
    return torch.func.grad(g)(x)
def state():
    return len(L)
### func.jacrev
def f(x):
    return torch.func.jacrev(lambda t: t * t)(x)
### func.functional_call
net = nn.Linear(4, 4)
def f(x):
    return torch.func.functional_call(net, dict(net.named_parameters()), (x,))
@ (torch.ones(2, 4),)
### deepcopy of tensor
def f(x):
    return copy.deepcopy(x) * 2
### deepcopy of module
net = nn.Linear(4, 4)
def f(x):
    return copy.deepcopy(net)(x)
@ (torch.ones(2, 4),)
### Parameter in forward
def f(x):
    return x * nn.Parameter(torch.ones(1))
### Parameter from tensor stored on self
class Net(nn.Module):
    def forward(self, x):
        self.w = nn.Parameter(x.sum().detach())
        return x * self.w
f = Net()
### nn.Module constructed in forward
def f(x):
    torch.manual_seed(0)
    return nn.Linear(4, 2)(x)
@ (torch.ones(2, 4),)
### parameterless nn.Module constructed in forward
def f(x):
    return nn.ReLU()(x)
### nn.Sequential constructed in forward
def f(x):
    return nn.Sequential(nn.ReLU(), nn.Tanh())(x)
### nn.LSTM
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 4)
    def forward(self, x):
        return self.rnn(x)[0]
f = Net()
@ (torch.ones(3, 2, 4),)
@ (torch.ones(3, 2, 4) * 2,)
### nn.GRUCell
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRUCell(4, 4)
    def forward(self, x):
        return self.rnn(x)
f = Net()
@ (torch.ones(2, 4),)
### functional dropout default training
class Net(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5)
f = Net().eval()
### functional dropout self.training
class Net(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, self.training)
f = Net()
def between(i):
    f.train(i % 2 == 0)
@ (torch.ones(100),)
@ (torch.ones(100),)
@ (torch.ones(100),)
### module dropout, mode flips
f = nn.Dropout(0.5)
def between(i):
    f.train(i % 2 == 0)
@ (torch.ones(100),)
@ (torch.ones(100),)
### batchnorm, mode flips
f = nn.BatchNorm1d(4)
def between(i):
    f.train(i % 2 == 0)
@ (torch.randn(8, 4),)
@ (torch.randn(8, 4),)
### functional batch_norm with training=True
def f(x):
    return F.batch_norm(x, torch.zeros(4), torch.ones(4), training=True)
@ (torch.randn(8, 4),)
@ (torch.randn(8, 4),)
### random.random
def f(x):
    return x * random.random()
### random.randint
def f(x):
    return x * random.randint(1, 1000)
### random.uniform branch
def f(x):
    return x * 2 if random.uniform(0, 1) < 0.5 else x
### np.random.rand
def f(x):
    return x * float(np.random.rand())
### np.random.randint branch
def f(x):
    return x * 2 if np.random.randint(10) < 5 else x
### torch.rand
def f(x):
    return x * torch.rand(4)
@ (torch.ones(4),)
@ (torch.ones(4),)
### torch.rand_like
def f(x):
    return x * torch.rand_like(x)
### torch.rand of size
def f(x):
    return x * torch.rand(x.shape[0])
### torch.randint item
def f(x):
    return x * torch.randint(0, 1000, (1,)).item()
### layerdrop with torch.rand
def f(x):
    if torch.rand(()) < 0.5:
        return x * 2
    return x
### manual_seed inside
def f(x):
    torch.manual_seed(0)
    return x * torch.rand(1)
### time.time inside
def f(x):
    t = time.time()
    y = x * 2
    d = time.time() - t
    return y
### dtype branch
def f(x):
    return x * 2 if x.dtype == torch.float32 else x
@ (torch.ones(4),)
@ (torch.ones(4, dtype=torch.float64),)
### device branch
def f(x):
    return x * 2 if x.device.type == "cpu" else x
### is_cuda branch
def f(x):
    return x if x.is_cuda else x * 2
### training branch
class Net(nn.Module):
    def forward(self, x):
        return x * 2 if self.training else x
f = Net()
def between(i):
    f.train(i % 2 == 0)
@ (torch.ones(4),)
@ (torch.ones(4),)
### is_grad_enabled branch
def f(x):
    return x * 2 if torch.is_grad_enabled() else x
def between(i):
    torch.set_grad_enabled(i % 2 == 0)
@ (torch.ones(4),)
@ (torch.ones(4),)
### requires_grad branch
def f(x):
    return x * 2 if x.requires_grad else x
@ (torch.ones(4),)
@ (torch.ones(4, requires_grad=True),)
### is_contiguous branch
def f(x):
    return x * 2 if x.is_contiguous() else x
@ (torch.ones(4, 2),)
@ (torch.ones(2, 4).t(),)
### stride branch
def f(x):
    return x * 2 if x.stride(0) == 2 else x
@ (torch.ones(4, 2),)
@ (torch.ones(2, 4).t(),)
### shape branch
def f(x):
    return x * 2 if x.shape[0] > 4 else x
### shape branch on equality
def f(x):
    return x * 2 if x.shape[0] == 4 else x
### shape modulo branch
def f(x):
    if x.shape[0] % 4 != 0:
        x = F.pad(x, (0, 4 - x.shape[0] % 4))
    return x * 2
### numel branch
def f(x):
    return x * 2 if x.numel() > 4 else x
### dim branch
def f(x):
    return x * 2 if x.dim() == 1 else x.sum()
@ (torch.ones(4),)
@ (torch.ones(4, 2),)
### loop over shape
def f(x):
    for i in range(x.shape[0]):
        x = x + i
    return x
### loop over first dimension
def f(x):
    out = []
    for i in range(x.size(0)):
        out.append(x[i] * i)
    return torch.stack(out)
### size as constant multiplier
def f(x):
    return x * x.shape[0]
### reshape with sizes
def f(x):
    n = x.shape[0]
    return x.view(n // 2, 2)
### arange of size
def f(x):
    return x + torch.arange(x.shape[0])
### zeros of size
def f(x):
    return x + torch.zeros(x.shape)
### torch.tensor of sizes
def f(x):
    return x.sum() + torch.tensor([x.shape[0]])
### torch.tensor of item
def f(x):
    return x + torch.tensor(x.sum().item())
### torch.tensor of tensors
def f(x):
    return x + torch.tensor([x.sum(), 1.0])[0]
### torch.tensor literal
def f(x):
    return x + torch.tensor([1.0])
### torch.arange of item
def f(x):
    return torch.arange(int(x.abs().sum())) + x.sum()
### ModuleList by constant index
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleList([nn.ReLU(), nn.Tanh()])
    def forward(self, x):
        return self.m[1](self.m[0](x))
f = Net()
### ModuleList by loop
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleList([nn.ReLU(), nn.Tanh()])
    def forward(self, x):
        for m in self.m:
            x = m(x)
        return x
f = Net()
### ModuleList by range index
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleList([nn.ReLU(), nn.Tanh()])
    def forward(self, x):
        for i in range(len(self.m)):
            x = self.m[i](x)
        return x
f = Net()
### ModuleList enumerate
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleList([nn.ReLU(), nn.Tanh()])
    def forward(self, x):
        for i, m in enumerate(self.m):
            x = m(x) * (i + 1)
        return x
f = Net()
### ModuleList slice
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleList([nn.ReLU(), nn.Tanh()])
    def forward(self, x):
        for m in self.m[:1]:
            x = m(x)
        return x
f = Net()
### ModuleList reversed and zip
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleList([nn.ReLU(), nn.Tanh()])
    def forward(self, x):
        for m, k in zip(reversed(self.m), (1, 2)):
            x = m(x) * k
        return x
f = Net()
### ModuleList by int argument
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleList([nn.ReLU(), nn.Tanh(), nn.Sigmoid(), nn.Identity()])
    def forward(self, x, i: int):
        return self.m[i](x)
f = Net()
@ (torch.ones(4), 0)
@ (torch.ones(4), 1)
@ (torch.ones(4), 2)
@ (torch.ones(4), 3)
### ModuleList by tensor index
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleList([nn.ReLU(), nn.Tanh(), nn.Sigmoid(), nn.Identity(), nn.ReLU(), nn.Tanh()])
    def forward(self, x):
        return self.m[x.argmax()](x)
f = Net()
### ModuleDict by constant key
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Tanh()})
    def forward(self, x):
        return self.m["a"](x)
f = Net()
### ModuleDict by string argument
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Tanh()})
    def forward(self, x, k: str):
        return self.m[k](x)
f = Net()
@ (torch.ones(4), "a")
@ (torch.ones(4), "b")
### ModuleDict items
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Tanh()})
    def forward(self, x):
        for k, m in self.m.items():
            x = m(x)
        return x
f = Net()
### ParameterList loop
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.p = nn.ParameterList([nn.Parameter(torch.ones(1)) for _ in range(2)])
    def forward(self, x):
        for p in self.p:
            x = x * p
        return x
f = Net()
### named_parameters in forward
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)
    def forward(self, x):
        return x + sum(p.sum() for _, p in self.named_parameters())
f = Net()
### named_modules in forward
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.ReLU()
    def forward(self, x):
        for n, m in self.named_modules():
            if isinstance(m, nn.ReLU):
                x = m(x)
        return x
f = Net()
### next of parameters for dtype
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(4, 4)
    def forward(self, x):
        return x.to(next(self.parameters()).dtype)
f = Net()
### module called through __call__
net = nn.ReLU()
def f(x):
    return net.__call__(x)
### module.forward called
net = nn.ReLU()
def f(x):
    return net.forward(x)
### module.to in forward
net = nn.Linear(4, 4)
def f(x):
    return net.to("cpu")(x)
@ (torch.ones(2, 4),)
### module.eval in forward
net = nn.Dropout()
def f(x):
    net.eval()
    return net(x)
### state_dict in forward
net = nn.Linear(4, 4)
def f(x):
    return x * len(net.state_dict())
### dict argument
def f(d):
    return d["a"] * 2
@ ({"a": torch.ones(4)},)
@ ({"a": -torch.ones(4)},)
### dict iteration order
def f(d):
    y = 0
    for k, v in d.items():
        y = y * 2 + v
    return y
@ ({"a": torch.ones(4), "b": torch.zeros(4)},)
@ ({"b": torch.zeros(4), "a": torch.ones(4)},)
### dict of modules plain
D = {"a": nn.ReLU()}
def f(x):
    return D["a"](x)
### list argument grows
def f(l):
    return sum(l)
@ ([torch.ones(4)],)
@ ([torch.ones(4)] * 2,)
@ ([torch.ones(4)] * 3,)
@ ([torch.ones(4)] * 4,)
### list argument appended to
def f(l, x):
    l.append(x)
    return x * len(l)
@ ([1], torch.ones(4))
@ ([1], torch.ones(4))
### tuple argument
def f(t):
    return t[0] * t[1]
@ ((torch.ones(4), torch.ones(4)),)
@ ((torch.ones(4), -torch.ones(4)),)
### int argument changes
def f(x, n: int):
    return x * n
@ (torch.ones(4), 1)
@ (torch.ones(4), 2)
@ (torch.ones(4), 3)
@ (torch.ones(4), 4)
### int argument as loop bound
def f(x, n: int):
    for i in range(n):
        x = x + 1
    return x
@ (torch.ones(4), 1)
@ (torch.ones(4), 2)
@ (torch.ones(4), 3)
@ (torch.ones(4), 4)
### float argument changes
def f(x, s: float):
    return x * s
@ (torch.ones(4), 1.5)
@ (torch.ones(4), 2.5)
@ (torch.ones(4), 3.5)
@ (torch.ones(4), 4.5)
### string argument changes
def f(x, m: str):
    return x * len(m)
@ (torch.ones(4), "a")
@ (torch.ones(4), "bb")
@ (torch.ones(4), "ccc")
@ (torch.ones(4), "dddd")
### string argument in branch
def f(x, m: str):
    return x * 2 if m == "a" else x
@ (torch.ones(4), "a")
@ (torch.ones(4), "b")
@ (torch.ones(4), "c")
### bool argument
def f(x, b: bool):
    return x * 2 if b else x
@ (torch.ones(4), True)
@ (torch.ones(4), False)
@ (torch.ones(4), True)
### lambda argument, fresh each call
def f(x, g):
    return g(x)
@ (torch.ones(4), lambda t: t * 2)
@ (torch.ones(4), lambda t: t * 3)
@ (torch.ones(4), lambda t: t * 4)
@ (torch.ones(4), lambda t: t * 5)
### partial argument
def f(x, g):
    return g(x)
@ (torch.ones(4), functools.partial(torch.add, other=1))
@ (torch.ones(4), functools.partial(torch.add, other=2))
### dtype argument
def f(x, d):
    return x.to(d)
@ (torch.ones(4), torch.float32)
@ (torch.ones(4), torch.float64)
### optional flips None and tensor
def f(x, m: Optional[Tensor] = None):
    return x if m is None else x * m
@ (torch.ones(4), None)
@ (torch.ones(4), torch.ones(4) * 2)
@ (torch.ones(4), None)
### union int and tensor
def f(x, m):
    return x * m
@ (torch.ones(4), 2)
@ (torch.ones(4), torch.ones(4))
### numpy round trip
def f(x):
    return torch.from_numpy(x.numpy() * 2)
### numpy function on tensor
def f(x):
    return x + torch.as_tensor(np.sin(x.numpy()))
### numpy item
def f(x):
    return x * float(x.numpy().sum())
### numpy global array
A = np.ones(1) * 2
def f(x):
    return x * torch.from_numpy(A)
### numpy scalar constant
K = np.float32(2)
def f(x):
    return x * K
### numpy int constant
K = np.int64(2)
def f(x):
    return x * K
### tolist
def f(x):
    return x * len(x.tolist())
### item multiplied
def f(x):
    return x * x.sum().item()
### cpu
def f(x):
    return x.cpu() * 2
### nonzero
def f(x):
    return x.nonzero()
### unique
def f(x):
    return torch.unique(x)
### where one argument
def f(x):
    return torch.where(x > 0)[0]
### print
def f(x):
    x = x + 1
    print("a")
    return x * 2
### print of tensor
def f(x):
    x = x + 1
    print(x)
    return x * 2
### print in loop
def f(x):
    x = x + 1
    for i in range(2):
        print(i)
        x = x * 2
    return x
### print in while
def f(x):
    x = x + 1
    i = 0
    while i < 2:
        print(i)
        i += 1
    return x * 2
### print in callee
def g(x):
    print("a")
    return x * 2
def f(x):
    return g(x) + 1
### print in callee in loop
def g(x):
    print("a")
    return x * 2
def f(x):
    x = x + 1
    for i in range(2):
        x = g(x)
    return x
### print in nested module
class A(nn.Module):
    def forward(self, x):
        print("a")
        return x * 2
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = A()
    def forward(self, x):
        return self.a(x) + 1
f = Net()
### print in lambda
def f(x):
    return (lambda t: (print("a"), t * 2)[1])(x)
### print in dead branch
def f(x, debug=False):
    if debug:
        print(x)
    return x * 2
### print in comprehension
def f(x):
    l = [print(i) for i in range(2)]
    return x * 2
### logger info
LOG = logging.getLogger("q")
def f(x):
    x = x + 1
    LOG.info("a")
    return x * 2
### logger in disabled branch
LOG = logging.getLogger("q")
def f(x):
    if LOG.isEnabledFor(10):
        LOG.debug("a")
    return x * 2
### logging module function
def f(x):
    x = x + 1
    logging.info("a")
    return x * 2
### warnings.warn
def f(x):
    x = x + 1
    warnings.warn("a")
    return x * 2
### graph_break call
def f(x):
    x = x + 1
    torch._dynamo.graph_break()
    return x * 2
### compiler.disable callee
@torch.compiler.disable
def g(x):
    return x * 2
def f(x):
    return g(x) + 1
### compiler.disable callee in loop
@torch.compiler.disable
def g(x):
    return x * 2
def f(x):
    x = x + 1
    for i in range(2):
        x = g(x)
    return x
### nested compile
@torch.compile(backend="eager")
def g(x):
    return x * 2
def f(x):
    return g(x) + 1
### jit.script callee
@torch.jit.script
def g(x):
    return x * 2
def f(x):
    return g(x) + 1
### jit.ignore callee
@torch.jit.ignore
def g(x):
    return x * 2
def f(x):
    return g(x) + 1
### import in function
def f(x):
    import math as m
    return x * m.pi
### from import in function
def f(x):
    from torch.nn.functional import relu
    return relu(x)
### import of uncached module in function
def f(x):
    import wave
    return x * 2
### import of fresh module in function
def f(x):
    import colorsys
    return x * 2
### import with failure caught
def f(x):
    try:
        import this_is_missing_zz
    except ImportError:
        x = x * 2
    return x
### exec in function
def f(x):
    exec("q = 1")
    return x * 2
### eval in function
def f(x):
    return x * eval("2")
### globals call
def f(x):
    g = globals()
    return x * 2
### locals call
def f(x):
    d = locals()
    return d["x"] * 2
### lru_cache callee
@functools.lru_cache
def g(n):
    return n * 2
def f(x):
    return x * g(x.shape[0])
### decorated callee with wraps
def deco(fn):
    @functools.wraps(fn)
    def inner(*a, **k):
        return fn(*a, **k)
    return inner
@deco
def g(x):
    return x * 2
def f(x):
    return g(x)
### decorator that times
def deco(fn):
    @functools.wraps(fn)
    def inner(*a):
        t = time.perf_counter()
        r = fn(*a)
        time.perf_counter() - t
        return r
    return inner
@deco
def f(x):
    return x * 2
### singledispatch
@functools.singledispatch
def g(x):
    return x
@g.register
def _(x: torch.Tensor):
    return x * 2
def f(x):
    return g(x)
### functools.partial
def f(x):
    return functools.partial(torch.add, x)(1)
### operator functions
def f(x):
    return operator.mul(x, 2)
### itertools product
def f(x):
    for i, j in itertools.product(range(2), range(2)):
        x = x + i * j
    return x
### einsum
def f(x):
    return torch.einsum("i,i->", x, x)
### type annotations on locals
def f(x):
    y: torch.Tensor = x * 2
    return y
### multiple returns of different structure
def f(x):
    if x.shape[0] > 100:
        return x, x
    return x * 2
### return None
def f(x):
    y = x * 2
### return int
def f(x):
    return x * 2, x.shape[0]
### return dict
def f(x):
    return {"a": x * 2}
### return list with None
def f(x):
    return [x * 2, None]
### return string
def f(x):
    return x * 2, "a"
### return range
def f(x):
    return x * 2, range(3)
### return generator
def f(x):
    return (x * i for i in range(2))
### return zip
def f(x):
    return zip([x], [x])
### return dict items
def f(x):
    return {"a": x * 2}.items()
### return bound method
class C:
    def g(self):
        return 1
c = C()
def f(x):
    return x * 2, c.g
### return dtype and device
def f(x):
    return x * 2, x.dtype, x.device
### return torch.Size
def f(x):
    return x * 2, x.shape
### tensor subclass
class S(torch.Tensor):
    pass
def f(x):
    return x.as_subclass(S) * 2
### complex tensor
def f(x):
    return torch.view_as_real(torch.complex(x, x)) * 2
### sparse tensor
def f(x):
    return x.to_sparse().to_dense() * 2
### set of ints
def f(x):
    s = {1, 2} | {3}
    return x * len(s)
### set of tensors
def f(x):
    s = {x, x + 1}
    return x * len(s)
### tensor as dict key
def f(x):
    d = {x: 1}
    return x * d[x]
### deque append
def f(x):
    d = collections.deque(maxlen=2)
    d.append(x)
    return d[0] * 2
### deque from outside appended
D = collections.deque(maxlen=2)
def f(x):
    D.append(1)
    return x * len(D)
def state():
    return len(D)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### defaultdict
def f(x):
    d = collections.defaultdict(list)
    d["a"].append(x)
    return d["a"][0] * 2
### weakref
class O:
    k = 2
o = O()
import weakref
W = weakref.ref(o)
def f(x):
    return x * W().k
### threading local
L = threading.local()
L.k = 2
def f(x):
    return x * L.k
### context variable
import contextvars
CV = contextvars.ContextVar("c", default=2)
def f(x):
    return x * CV.get()
### context variable set
import contextvars
CV = contextvars.ContextVar("c", default=2)
def f(x):
    t = CV.set(3)
    return x * CV.get()
### environment read
def f(x):
    return x * (2 if os.environ.get("ZZ") == "1" else 3)
def between(i):
    os.environ["ZZ"] = str(i)
@ (torch.ones(4),)
@ (torch.ones(4),)
### environment read by getenv
def f(x):
    return x * (2 if os.getenv("ZZ") == "1" else 3)
def between(i):
    os.environ["ZZ"] = str(i)
@ (torch.ones(4),)
@ (torch.ones(4),)
### global of another module changed
import sys
helper = types.ModuleType("helper_module")
helper.k = 2
sys.modules["helper_module"] = helper
def f(x):
    return x * helper.k
def between(i):
    helper.k = 2 + i
@ (torch.ones(4),)
@ (torch.ones(4),)
### global list changed outside
L = [2]
def f(x):
    return x * L[0]
def between(i):
    L[0] = 2 + i
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### global float changed outside
K = 2.0
def f(x):
    return x * K
def between(i):
    global K
    K = 2.0 + i
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### global tensor replaced outside
K = torch.ones(1)
def f(x):
    return x * K
def between(i):
    global K
    K = torch.ones(1) * i
@ (torch.ones(4),)
@ (torch.ones(4),)
### module attribute changed outside
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 2
    def forward(self, x):
        return x * self.k
f = Net()
def between(i):
    f.k = 2 + i
@ (torch.ones(4),)
@ (torch.ones(4),)
@ (torch.ones(4),)
### module string attribute changed outside
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = "a"
    def forward(self, x):
        return x * 2 if self.m == "a" else x
f = Net()
def between(i):
    f.m = "a" if i % 2 == 0 else "b"
@ (torch.ones(4),)
@ (torch.ones(4),)
### submodule replaced outside
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ReLU()
    def forward(self, x):
        return self.m(x)
f = Net()
def between(i):
    f.m = nn.ReLU() if i % 2 == 0 else nn.Tanh()
@ (torch.ones(4),)
@ (torch.ones(4),)
### config object attribute changed outside
class C:
    k = 2
c = C()
def f(x):
    return x * c.k
def between(i):
    c.k = 2 + i
@ (torch.ones(4),)
@ (torch.ones(4),)
### function replaced outside
def g(x):
    return x * 2
def g2(x):
    return x * 3
def f(x):
    return g(x)
def between(i):
    global g
    if i:
        g = g2
@ (torch.ones(4),)
@ (torch.ones(4),)
### datetime now
import datetime
def f(x):
    d = datetime.datetime.now()
    return x * 2
### data_ptr compare
def f(x):
    return x * 2 if x.data_ptr() == x.data_ptr() else x
### tensor version read
def f(x):
    return x * (x._version + 1)
### complex control: early return in loop
def f(x):
    for i in range(3):
        if i == x.shape[0] - 3:
            return x * i
        x = x + 1
    return x
### continue in loop
def f(x):
    for i in range(3):
        if i == 1:
            continue
        x = x + i
    return x
### nested loops with sizes
def f(x):
    for i in range(x.shape[0]):
        for j in range(i):
            x = x + 1
    return x
### long loop unrolled
def f(x):
    for i in range(60):
        x = x + 1
    return x
### string key build from size
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = nn.ModuleDict({"4": nn.ReLU(), "6": nn.Tanh()})
    def forward(self, x):
        return self.m[str(x.shape[0])](x)
f = Net()
### custom op
@torch.library.custom_op("mylib_zz::twice", mutates_args=())
def twice(x: Tensor) -> Tensor:
    return x * 2
@twice.register_fake
def _(x):
    return torch.empty_like(x)
def f(x):
    return twice(x) + 1
### custom op without fake
@torch.library.custom_op("mylib_zz::thrice", mutates_args=())
def thrice(x: Tensor) -> Tensor:
    return x * 3
def f(x):
    return thrice(x) + 1
### allow_in_graph function
@torch.compiler.allow_in_graph
def g(x):
    return x * 2
def f(x):
    return g(x) + 1
"""
