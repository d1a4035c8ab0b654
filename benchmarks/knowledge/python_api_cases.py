# ruff: noqa: E501 - the cases are data, one a line
"""What `python_api.py` measures: Python builtins, the standard library and other callables, with the arguments that matter.

`name | returns | effect`, then one indented line a variant: `when: code` (`when -> returns: code` if the result differs).
`base` is the ordinary call with constants. ` ; ` separates statements and ` ⏎ ` stands for a line break.
"""

from __future__ import annotations

PRELUDE = """
import abc, argparse, array, ast, asyncio, atexit, base64, binascii, bisect, calendar, cmath, collections, collections.abc
import concurrent.futures, configparser, contextlib, contextvars, copy, csv, ctypes, dataclasses, datetime, decimal, difflib, dis
import enum, errno, faulthandler, fnmatch, fractions, functools, gc, getpass, glob, gzip, hashlib, heapq, hmac, html
import importlib, importlib.metadata, importlib.util, inspect, io, ipaddress, itertools, json, keyword, linecache, locale, logging, marshal, math, mimetypes
import multiprocessing, numbers, operator, os, pathlib, pickle, pickletools, pkgutil, platform, pprint, queue, random, re
import reprlib, resource, secrets, select, shelve, shlex, shutil, signal, socket, sqlite3, statistics, string, struct, subprocess
import sys, sysconfig, tempfile, textwrap, threading, time, timeit, token, tokenize, traceback, tracemalloc, types, typing
import unicodedata, unittest, unittest.mock, urllib.parse, urllib.request, uuid, warnings, weakref, zipfile, zlib
import lzma, bz2, tarfile, sched, string, colorsys, graphlib, zoneinfo, email.utils, cProfile, codecs, stat, builtins
import torch, torch.nn as nn, torch.nn.functional as F
import numpy as np


class Obj:
    ca = 5

    def __init__(self):
        self.a = 1
        self.b = [1, 2]

    def __len__(self):
        return 3

    def __bool__(self):
        return True

    def __contains__(self, item):
        return item == 1

    def __iter__(self):
        return iter([1, 2])

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return 7

    def __call__(self, t):
        return t + 1

    def __getitem__(self, index):
        return self.b[index]

    @property
    def p(self):
        return self.a

    @classmethod
    def cm(cls):
        return cls.ca

    @staticmethod
    def sm(value):
        return value

    def method(self, value):
        return value


class Plain:
    def __init__(self):
        self.a = 1


class Child(Obj):
    def __init__(self):
        super().__init__()


@dataclasses.dataclass
class Data:
    a: int = 1
    b: float = 2.0


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: int = 1


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Flag(enum.IntFlag):
    A = 1
    B = 2


Point = collections.namedtuple("Point", "u v")


class TypedPoint(typing.NamedTuple):
    u: int
    v: int = 2


obj = Obj()
plain = Plain()
data = Data()
LST = [3, 1, 2]
STRS = ["b", "a"]
DCT = {"a": 1, "c": 3}
SET = {1, 2, 3}
TUP = (1, 2, 3)
OD = collections.OrderedDict(a=1, b=2)
DQ = collections.deque([1, 2, 3])
DD = collections.defaultdict(list)
CNT = collections.Counter([1, 1, 2])
NUM = 2.5
INT = 7
TXT = "abc"
BYT = b"abc"
LOGGER = logging.getLogger("measured")
LOGGER.addHandler(logging.NullHandler())
LOGGER.propagate = False
ROOTLESS = logging.LoggerAdapter(LOGGER, {})
LOCK = threading.Lock()
RLOCK = threading.RLock()
EVENT = threading.Event()
LOCAL = threading.local()
QUEUE = queue.Queue()
RNG = random.Random(3)
NPRNG = np.random.default_rng(0)
GEN = (i for i in range(100))
ITER = iter(range(100))
CV = contextvars.ContextVar("cv", default=1)
PATTERN = re.compile("a(.)")
BUF = io.StringIO()
BBUF = io.BytesIO(b"abcdef")
NOW = datetime.datetime(2020, 1, 2)
DAY = datetime.date(2020, 1, 2)
DELTA = datetime.timedelta(days=1)
PATH = pathlib.Path("/tmp")
DEC = decimal.Decimal("1.5")
FRAC = fractions.Fraction(1, 2)
NS = types.SimpleNamespace(a=1)
WEAK = weakref.ref(obj)
WKD = weakref.WeakKeyDictionary()
EXC = ValueError("e")
TENSORS = [torch.ones(2), torch.zeros(2)]
LINEAR = nn.Linear(4, 4).requires_grad_(False)
STRUCT = struct.Struct("i")
UID = uuid.UUID(int=5)


def helper(value=1):
    return value


def kwargs_helper(*args, **kwargs):
    return len(args) + len(kwargs)


@functools.lru_cache(maxsize=None)
def cached(value):
    return value + 1


@functools.cache
def cached2(value):
    return value + 1


@functools.singledispatch
def dispatched(value):
    return 1


@contextlib.contextmanager
def manager():
    yield 1


def generator():
    yield 1
    yield 2


async def coroutine():
    return 1


PARTIAL = functools.partial(helper, 1)
ARGPARSER = argparse.ArgumentParser()
"""

CASES = r"""
builtins.print | none | print
  base: print('a')
  tensor: print(x)
  size: print(x.shape)
  sep: print('a', 'b', sep='')
  file: print('a', file=sys.stderr)
  flush: print('a', flush=True)
builtins.len | static:int | pure
  base: len([1, 2])
  base: len(LST)
  object: len(obj)
  size: len(x.shape)
  tensor: len(x)
builtins.bool | static:bool | pure
  base: bool(1)
  base: bool(INT)
  object: bool(obj)
  size: bool(x.shape[0])
  tensor -> data:bool: bool(x.sum())
builtins.int | static:int | pure
  base: int(2.5)
  string: int('3')
  size: int(x.shape[0])
  size: int(x.shape[0] / 2)
  size: int(x.shape[0] * 0.5)
  tensor -> data:int: int(x.sum())
builtins.float | static:float | pure
  base: float(2)
  string: float('2.5')
  inf: float('inf')
  size: float(x.shape[0])
  tensor -> data:float: float(x.sum())
builtins.complex | static:any | pure
  base: complex(1, 2)
  tensor -> data:any: complex(x.sum())
builtins.str | static:str | pure
  base: str(2.5)
  size: str(x.shape)
  size: str(x.shape[0])
  object: str(plain)
  tensor -> data:str: str(x)
  list: str(LST)
  dict: str(DCT)
  exception: str(EXC)
builtins.repr | static:str | pure
  base: repr(2)
  base: repr(obj.a)
  list: repr(LST)
  dict: repr(DCT)
  size: repr(x.shape)
  object: repr(plain)
  tensor -> data:str: repr(x)
  tensor-list -> data:str: repr([x])
builtins.ascii | static:str | pure
  base: ascii('a')
builtins.format | static:str | pure
  base: format(2.5, '.1f')
  base: format(2.5, '.1f')
  size: format(x.shape[0], '03d')
  tensor -> data:str: format(x.sum(), '.1f')
builtins.chr | static:str | pure
  base: chr(65)
  size: chr(x.shape[0] + 65)
builtins.ord | static:int | pure
  base: ord('A')
builtins.hex | static:str | pure
  base: hex(10)
  size: hex(x.shape[0])
builtins.oct | static:str | pure
  base: oct(10)
builtins.bin | static:str | pure
  base: bin(10)
  size: bin(x.shape[0])
builtins.abs | same | pure
  base: abs(-2)
  size: abs(x.shape[0] - 9)
  tensor: abs(x)
builtins.round | same | pure
  base: round(2.5)
  digits: round(2.567, 1)
  size: round(x.shape[0] / 3)
builtins.pow | same | pure
  base: pow(2, 3)
  size: pow(x.shape[0], 2)
  tensor: pow(x, 2)
  mod: pow(2, 3, 5)
builtins.divmod | list(static:any) | pure
  base: divmod(7, 2)
  size: divmod(x.shape[0], 2)
builtins.min | same | pure
  base: min([1, 2])
  base: min(1, 2)
  list: min(LST)
  size: min(x.shape)
  size: min(x.shape[0], 3)
  tensor: min(x.sum(), x.max())
  tensor-list: min([x.sum(), x.max()])
  over-tensor: min(x)
  key: min(LST, key=lambda v: -v)
  default: min([], default=0)
builtins.max | same | pure
  base: max([1, 2])
  base: max(1, 2)
  list: max(LST)
  size: max(x.shape)
  size: max(x.shape[0], 3)
  tensor: max(x.sum(), x.max())
  tensor-list: max([x.sum(), x.max()])
  over-tensor: max(x)
  tensor-number: max(x.sum(), 0)
  key: max(LST, key=lambda v: -v)
  default: max([], default=0)
builtins.sum | same | pure
  base: sum([1, 2])
  base: sum(LST)
  size: sum(x.shape)
  generator: sum(i for i in range(3))
  tensor-list: sum([x, x])
  tensor-generator: sum(t for t in (x, x))
  tensor: sum(x)
  start: sum([[1], [2]], [])
builtins.any | static:bool | pure
  base: any([True, False])
  generator: any(v > 1 for v in LST)
  size: any(s > 3 for s in x.shape)
  tensor -> data:bool: any(x > 5)
  tensor-list -> data:bool: any([(x > 5).any(), (x > 6).any()])
  tensor-generator -> data:bool: any(t > 5 for t in x)
builtins.all | static:bool | pure
  base: all([True, False])
  base: all([True, False])
  generator: all(v > 0 for v in LST)
  size: all(s > 0 for s in x.shape)
  tensor -> data:bool: all(x > 0)
  tensor-list -> data:bool: all([(x > 0).all()])
builtins.sorted | list(element) | pure
  base: sorted([3, 1, 2])
  base: sorted(LST)
  strings: sorted(STRS)
  key: sorted(LST, key=lambda v: -v)
  reverse: sorted(LST, reverse=True)
  dict: sorted(DCT)
  dict: sorted(DCT.items())
  size: sorted([x.shape[0], 2])
  tensor-list -> list(data:any): sorted([x.sum(), x.max()])
  tensor-key: sorted(TENSORS, key=lambda t: t.sum())
  tensor-key: sorted([x, x], key=lambda t: t.sum())
  static-key: sorted([x, x[1:]], key=lambda t: t.shape[0])
  tensor: sorted(x)
  objects: sorted([Data(), Data()], key=lambda d: d.a)
builtins.reversed | iterator | pure
  base: list(reversed([1, 2]))
  base: reversed(LST)
  base: list(reversed(LST))
  range: list(reversed(range(3)))
  size: list(reversed(x.shape))
  tensor: list(reversed(x))
  dict: list(reversed(DCT))
builtins.zip | iterator | pure
  base: list(zip([1], [2]))
  base: zip(LST, LST)
  base: list(zip(LST, STRS))
  tensor: list(zip(x, x))
  strict: list(zip(LST, LST, strict=True))
builtins.enumerate | iterator | pure
  base: list(enumerate([1]))
  base: enumerate(LST)
  base: list(enumerate(LST, 1))
  tensor: list(enumerate(x))
builtins.map | iterator | pure
  base: map(str, LST)
  base: list(map(helper, LST))
  lambda: list(map(lambda v: v + 1, LST))
  int: list(map(int, ['1', '2']))
  size: list(map(int, x.shape))
  tensor: list(map(lambda t: t + 1, x))
  tensor-int: list(map(int, x))
  unpack: p, q, s = map(helper, LST)
builtins.filter | iterator | pure
  base: list(filter(None, LST))
  lambda: list(filter(lambda v: v > 1, LST))
  tensor: list(filter(lambda t: t > 1, x))
builtins.range | iterator | pure
  base: list(range(3))
  base: range(0, 10, 2)
  size: list(range(x.shape[0]))
  tensor: list(range(x.sum().long()))
  index: range(10)[2]
  contains: 3 in range(10)
builtins.iter | iterator | pure
  base: iter([1])
  base: iter(LST)
  object: iter(obj)
  tensor: iter(x)
  sentinel: list(iter(lambda: 1, 1))
  dict: iter(DCT)
  string: list(iter(TXT))
builtins.next | unknown | mutate
  base: next(iter([1]))
  base: next(iter(LST))
  default: next(iter([]), 0)
  generator-outside: next(GEN)
  outside-iterator: next(ITER)
  generator: next(i for i in LST if i > 1)
  generator-function: next(generator())
  tensor: next(iter(x))
  parameters: next(LINEAR.parameters())
  parameters: next(LINEAR.parameters()).device
  parameters: next(iter(LINEAR.parameters())).dtype
builtins.list | list(element) | pure
  base: list([1, 2])
  base: list(TUP)
  object: list(obj)
  dict: list(DCT)
  range: list(range(3))
  set: list(SET)
  string: list(TXT)
  size: list(x.shape)
  tensor: list(x)
  outside-iterator: list(ITER)
  generator-outside: list(GEN)
  generator-function: list(generator())
builtins.tuple | list(element) | pure
  base: tuple([1, 2])
  base: tuple(LST)
  size: tuple(x.shape)
  tensor: tuple(x)
  generator: tuple(i for i in LST)
  generator-outside: tuple(GEN)
builtins.dict | object | pure
  base: dict(a=1)
  tensor: dict(a=x)
  pairs: dict([('a', 1)])
  zip: dict(zip(STRS, LST))
  copy: dict(DCT)
  merge: dict(DCT, b=2)
  tensor-key: {x: 1}
builtins.set | object | pure
  base: set([1])
  base: set(LST)
  base: set()
  size: set(x.shape)
  tensor: set([x])
  over-tensor: set(x)
  objects: set([obj])
  string: set(TXT)
builtins.frozenset | object | pure
  base: frozenset(LST)
builtins.bytes | static:bytes | pure
  base: bytes(3)
  list: bytes([1, 2])
  string: bytes('a', 'utf8')
builtins.bytearray | object | pure
  base: bytearray(2)
  bytes: bytearray(b'a')
builtins.memoryview | object | pure
  base: memoryview(b'a')
builtins.slice | object | pure
  base: slice(0, 1)
  size: slice(0, x.shape[0])
  tensor: slice(0, x.long()[0])
builtins.object | object | pure
  base: object()
  compare: object() is obj
builtins.type | static:any | pure
  base: type(1)
  base: type(INT)
  base: type(INT) is int
  object: type(obj)
  object: type(obj).__name__
  tensor: type(x)
  tensor: type(x) is torch.Tensor
  tensor: type(x).__name__
  create: type('Q', (), {})
  create: type('Q', (Plain,), {'z': 1})().z
builtins.isinstance | static:bool | pure
  base: isinstance(3, int)
  base: isinstance(INT, int)
  tuple: isinstance(INT, (int, float))
  union: isinstance(INT, int | float)
  object: isinstance(obj, Obj)
  tensor: isinstance(x, torch.Tensor)
  abc: isinstance(LST, collections.abc.Sequence)
  abc: isinstance(DCT, collections.abc.Mapping)
  size: isinstance(x.shape[0], int)
  size: isinstance(x.shape, tuple)
  number: isinstance(INT, numbers.Number)
  parameter: isinstance(x, nn.Parameter)
  legacy: isinstance(x, torch.FloatTensor)
builtins.issubclass | static:bool | pure
  base: issubclass(Obj, object)
  tuple: issubclass(Obj, (int, Obj))
  abc: issubclass(list, collections.abc.Sequence)
builtins.callable | static:bool | pure
  base: callable(helper)
  object: callable(obj)
  tensor: callable(x)
builtins.hasattr | static:bool | introspect
  base: hasattr(x, 'shape')
  base: hasattr(obj, 'a')
  base: hasattr(obj, 'zzz')
  tensor: hasattr(x, 'foo')
  module: hasattr(LINEAR, 'weight')
  class: hasattr(Obj, 'ca')
  size: hasattr(x.shape, 'foo')
  number: hasattr(INT, 'real')
  list: hasattr(LST, 'append')
  function: hasattr(helper, 'zz')
  torch: hasattr(torch, 'compile')
builtins.getattr | unknown | introspect
  base: getattr(obj, 'a')
  default: getattr(obj, 'zzz', 3)
  method: getattr(obj, 'method')(1)
  tensor: getattr(x, 'shape')
  tensor: getattr(x, 'sum')()
  module: getattr(LINEAR, 'weight')
  formatted: getattr(LINEAR, f'{"wei"}ght')
  torch: getattr(torch, 'relu')(x)
  torch: getattr(F, 'relu')(x)
  number: getattr(INT, 'real')
builtins.setattr | none | mutate
  base: setattr(obj, 'a', 2)
  tensor-value: setattr(obj, 'a', x)
  tensor: setattr(x, 'foo', 1)
  module: setattr(LINEAR, 'foo', 1)
  module-tensor: setattr(LINEAR, 'foo', x)
  class: setattr(Obj, 'ca', 6)
  function: setattr(helper, 'zz', 1)
  torch: setattr(math, 'zz', 1)
builtins.delattr | none | mutate
  base: delattr(Obj(), 'a')
builtins.vars | object | introspect
  base: vars(obj)
  base: vars()
  module: vars(LINEAR)
builtins.dir | list(static:str) | introspect
  base: dir(obj)
  base: dir()
  tensor: dir(x)
builtins.id | static:int | introspect
  base: id(obj)
  compare: id(obj) == id(plain)
  tensor: id(x)
  tensor-compare: id(x) == id(a)
  key: DCT.get(id(x))
  key: {id(x): 1}[id(x)]
builtins.hash | static:int | pure
  base: hash('a')
  object: hash(obj)
  object: hash(plain)
  tensor: hash(x)
  tuple: hash((1, 2))
  size: hash(x.shape)
builtins.globals | object | introspect
  base: globals()
  base: globals()['INT']
builtins.locals | object | introspect
  base: locals()
  base: locals()['a']
builtins.eval | unknown | other
  base: eval('1 + 1')
  tensor: eval('x + 1')
  locals: eval('v + 1', {}, {'v': 1})
builtins.exec | none | other
  base: exec('q = 1')
builtins.compile | object | other
  base: compile('1', 's', 'eval')
builtins.__import__ | object | other
  base: __import__('math')
builtins.open | object | io
  base: open(os.devnull)
  with: with open(FLAG + 'x', 'w') as r: r.write('a')
  with: with open(os.devnull) as handle: r = handle.read()
builtins.input | static:str | io
  base: input()
builtins.breakpoint | none | io
  base: breakpoint()
builtins.super | object | pure
  base: Child().a
builtins.property | object | pure
  base: obj.p
  create: property(helper)
builtins.staticmethod | object | pure
  base: obj.sm(1)
  create: staticmethod(helper)
builtins.classmethod | object | pure
  base: obj.cm()
  create: classmethod(helper)
builtins.NotImplemented | static:any | pure
  base: NotImplemented
builtins.Ellipsis | static:any | pure
  base: x[..., 0]
builtins.BaseException | object | pure
  base: ValueError('a')
  raise: try: raise ValueError('a') ⏎ except ValueError: pass
  message: str(ValueError('a'))
  args: ValueError('a').args
  tensor: ValueError(x)
  format: ValueError(f'{x.shape}')
time.time | data:float | time
  base: time.time()
time.perf_counter | data:float | time
  base: time.perf_counter()
  difference: t0 = time.perf_counter(); r = time.perf_counter() - t0
time.perf_counter_ns | data:int | time
  base: time.perf_counter_ns()
time.monotonic | data:float | time
  base: time.monotonic()
time.monotonic_ns | data:int | time
  base: time.monotonic_ns()
time.time_ns | data:int | time
  base: time.time_ns()
time.process_time | data:float | time
  base: time.process_time()
time.process_time_ns | data:int | time
  base: time.process_time_ns()
time.thread_time | data:float | time
  base: time.thread_time()
time.sleep | none | time
  base: time.sleep(0)
time.strftime | data:str | time
  base: time.strftime('%Y-%m-%d %H:%M:%S')
time.localtime | data:any | time
  base: time.localtime()
time.gmtime | data:any | time
  base: time.gmtime()
  const: time.gmtime(0)
time.ctime | data:str | time
  base: time.ctime()
time.asctime | data:str | time
  base: time.asctime()
time.mktime | data:float | time
  base: time.mktime(time.gmtime(0))
time.strptime | static:any | time
  base: time.strptime('2020', '%Y')
time.clock_gettime | data:float | time
  base: time.clock_gettime(time.CLOCK_MONOTONIC)
time.get_clock_info | static:any | introspect
  base: time.get_clock_info('time')
time.timezone | static:int | env
  base: time.timezone
time.* | unknown | time
  base: time.tzset()
timeit.default_timer | data:float | time
  base: timeit.default_timer()
timeit.timeit | data:float | time
  base: timeit.timeit('1', number=1)
datetime.datetime.now | data:any | time
  base: datetime.datetime.now()
  string: str(datetime.datetime.now())
datetime.datetime.utcnow | data:any | time
  base: datetime.datetime.utcnow()
datetime.datetime.today | data:any | time
  base: datetime.datetime.today()
datetime.date.today | data:any | time
  base: datetime.date.today()
datetime.datetime | static:any | pure
  base: datetime.datetime(2020, 1, 1)
datetime.date | static:any | pure
  base: datetime.date(2020, 1, 1)
datetime.timedelta | static:any | pure
  base: datetime.timedelta(seconds=1)
datetime.datetime.strftime | static:str | pure
  base: NOW.strftime('%Y')
datetime.datetime.isoformat | static:str | pure
  base: NOW.isoformat()
datetime.datetime.timestamp | static:float | pure
  base: NOW.timestamp()
datetime.datetime.strptime | static:any | pure
  base: datetime.datetime.strptime('2020', '%Y')
datetime.datetime.fromtimestamp | static:any | pure
  base: datetime.datetime.fromtimestamp(0)
datetime.timedelta.total_seconds | static:float | pure
  base: DELTA.total_seconds()
datetime.datetime.year | static:int | pure
  base: NOW.year
datetime.* | unknown | time
  base: datetime.timezone(DELTA / 2)
  subtract: NOW - NOW
random.random | data:float | random
  base: random.random()
  branch: if random.random() < 0.5: a = a + 1
random.randint | data:int | random
  base: random.randint(1, 200)
random.uniform | data:float | random
  base: random.uniform(0, 1)
random.choice | same | random
  base: random.choice([1, 2, 3, 4, 5, 6, 7])
random.choices | list(element) | random
  base: random.choices([1, 2, 3, 4, 5, 6, 7], k=3)
random.sample | list(element) | random
  base: random.sample(range(100), 2)
random.shuffle | none | random
  base: random.shuffle([1, 2])
random.gauss | data:float | random
  base: random.gauss(0, 1)
random.normalvariate | data:float | random
  base: random.normalvariate(0, 1)
random.betavariate | data:float | random
  base: random.betavariate(1, 1)
random.expovariate | data:float | random
  base: random.expovariate(1.0)
random.triangular | data:float | random
  base: random.triangular(0, 1)
random.randrange | data:int | random
  base: random.randrange(300)
random.getrandbits | data:int | random
  base: random.getrandbits(30)
random.randbytes | data:bytes | random
  base: random.randbytes(3)
random.seed | none | random
  base: random.seed(0)
random.getstate | data:any | random
  base: random.getstate()
random.setstate | none | random
  base: random.setstate(RNG.getstate())
random.Random | object | random
  base: random.Random(0)
random.Random.random | data:float | random
  base: random.Random(0).random()
  outside: RNG.random()
random.Random.randint | data:int | random
  base: random.Random(0).randint(1, 3)
  outside: RNG.randint(1, 300)
random.Random.uniform | data:float | random
  base: random.Random(0).uniform(0, 1)
  outside: RNG.uniform(0, 1)
random.Random.choice | same | random
  base: random.Random(0).choice([1, 2])
  outside: RNG.choice([1, 2, 3, 4, 5, 6, 7, 8, 9])
random.Random.shuffle | none | random
  base: random.Random(0).shuffle([1, 2])
  outside: RNG.shuffle([1, 2])
random.Random.sample | list(element) | random
  base: random.Random(0).sample([1, 2], 1)
random.Random.seed | none | random
  base: random.Random(0).seed(1)
random.SystemRandom | object | random
  base: random.SystemRandom()
random.* | data:any | random
  base: random.vonmisesvariate(0, 1)
secrets.token_hex | data:str | random
  base: secrets.token_hex(4)
secrets.* | data:any | random
  base: secrets.randbelow(300)
os.environ | object | env
  base: os.environ['CAPTURE_A']
  store: os.environ['CAPTURE_B'] = '1'
  contains: 'CAPTURE_A' in os.environ
  number: int(os.environ['CAPTURE_A'])
  branch: if os.environ.get('CAPTURE_A') == '0': a = a + 1
os.environ.get | static:str | env
  base: os.environ.get('CAPTURE_A')
  default: os.environ.get('ZZZ', '0')
os.environ.setdefault | static:str | env
  base: os.environ.setdefault('ZZZ', '0')
os.environ.pop | static:str | env
  base: os.environ.pop('CAPTURE_A', None)
os.environ.copy | object | env
  base: os.environ.copy()
os.environ.items | iterator | env
  base: list(os.environ.items())
os.getenv | static:str | env
  base: os.getenv('CAPTURE_A')
  default: os.getenv('ZZZ', '0')
os.putenv | none | env
  base: os.putenv('ZZZ', '1')
os.getcwd | static:str | env
  base: os.getcwd()
os.chdir | none | env
  base: os.chdir('/tmp')
os.getpid | static:int | env
  base: os.getpid()
os.getppid | static:int | env
  base: os.getppid()
os.uname | static:any | env
  base: os.uname()
os.cpu_count | static:int | env
  base: os.cpu_count()
os.urandom | data:bytes | random
  base: os.urandom(3)
os.listdir | list(static:str) | io
  base: os.listdir('.')
os.scandir | iterator | io
  base: os.scandir('.')
os.walk | iterator | io
  base: list(os.walk('.'))
os.makedirs | none | io
  base: os.makedirs('work', exist_ok=True)
os.mkdir | none | io
  base: os.mkdir(str(torch.seed()))
os.rename | none | io
  base: os.rename('/tmp', '/tmp')
os.stat | data:any | io
  base: os.stat('/tmp')
os.access | static:bool | io
  base: os.access('/tmp', os.R_OK)
os.system | static:int | process
  base: os.system('true')
os.popen | object | process
  base: os.popen('true').read()
os.kill | none | process
  base: os.kill(os.getpid(), 0)
os.write | static:int | io
  base: os.write(1, b'')
os.sep | static:str | pure
  base: os.sep
os.name | static:str | env
  base: os.name
os.devnull | static:str | pure
  base: os.devnull
os.fspath | static:str | pure
  base: os.fspath('a')
os.* | unknown | io
  base: os.getuid()
os.path.join | static:str | pure
  base: os.path.join('a', 'b')
  size: os.path.join('a', str(x.shape[0]))
os.path.exists | static:bool | io
  base: os.path.exists(FLAG)
os.path.isfile | static:bool | io
  base: os.path.isfile(FLAG)
os.path.isdir | static:bool | io
  base: os.path.isdir(FLAG)
os.path.islink | static:bool | io
  base: os.path.islink(FLAG)
os.path.getsize | static:int | io
  base: os.path.getsize('/tmp')
os.path.getmtime | data:float | io
  base: os.path.getmtime('/tmp')
os.path.abspath | static:str | env
  base: os.path.abspath('a')
os.path.realpath | static:str | io
  base: os.path.realpath('a')
os.path.relpath | static:str | env
  base: os.path.relpath('a')
os.path.basename | static:str | pure
  base: os.path.basename('a/b')
os.path.dirname | static:str | pure
  base: os.path.dirname('a/b')
  file: os.path.dirname(__file__)
os.path.split | list(static:str) | pure
  base: os.path.split('a/b')
os.path.splitext | list(static:str) | pure
  base: os.path.splitext('a.b')
os.path.expanduser | static:str | env
  base: os.path.expanduser('~')
os.path.expandvars | static:str | env
  base: os.path.expandvars('$CAPTURE_A')
os.path.normpath | static:str | pure
  base: os.path.normpath('a/../b')
os.path.isabs | static:bool | pure
  base: os.path.isabs('a')
os.path.commonpath | static:str | pure
  base: os.path.commonpath(['a/b', 'a/c'])
os.path.commonprefix | static:str | pure
  base: os.path.commonprefix(['ab', 'ac'])
os.path.* | static:any | io
  base: os.path.ismount('/')
copy.copy | same | copy
  base: copy.copy(LST)
  fresh: copy.copy([1])
  dict: copy.copy(DCT)
  object: copy.copy(obj)
  plain: copy.copy(plain)
  tensor: copy.copy(x)
  constant: copy.copy(INT)
  module: copy.copy(LINEAR)
  dataclass: copy.copy(data)
copy.deepcopy | same | copy
  base: copy.deepcopy(LST)
  fresh: copy.deepcopy([1])
  dict: copy.deepcopy(DCT)
  object: copy.deepcopy(obj)
  plain: copy.deepcopy(plain)
  tensor: copy.deepcopy(x)
  tensor-list: copy.deepcopy([x])
  tensor-dict: copy.deepcopy({'a': x})
  constant: copy.deepcopy(INT)
  module: copy.deepcopy(LINEAR)
  dataclass: copy.deepcopy(data)
json.dumps | static:str | pure
  base: json.dumps({'a': 1})
  size: json.dumps(x.shape[0])
  indent: json.dumps({'a': 1}, indent=2)
json.loads | static:any | pure
  base: json.loads('1')
json.dump | none | io
  base: json.dump({'a': 1}, io.StringIO())
json.load | static:any | io
  base: json.load(io.StringIO('1'))
json.JSONEncoder | object | pure
  base: json.JSONEncoder()
json.* | unknown | pure
  base: json.JSONDecoder().decode('1')
logging.getLogger | object | log
  base: logging.getLogger('q')
  root: logging.getLogger()
  name: logging.getLogger(__name__)
logging.info | none | log
  base: logging.info('a')
logging.debug | none | log
  base: logging.debug('a')
logging.warning | none | log
  base: logging.warning('a')
logging.error | none | log
  base: logging.error('a')
logging.critical | none | log
  base: logging.critical('a')
logging.exception | none | log
  base: logging.exception('a')
logging.log | none | log
  base: logging.log(10, 'a')
logging.warn | none | log
  base: logging.warn('a')
logging.basicConfig | none | log
  base: logging.basicConfig()
logging.disable | none | log
  base: logging.disable(0)
logging.getLevelName | static:str | log
  base: logging.getLevelName(10)
logging.Logger.debug | none | log
  base: LOGGER.debug('a')
  size: LOGGER.debug('%s', x.shape)
  tensor: LOGGER.debug('%s', x)
  format: LOGGER.debug(f'{x.shape}')
logging.Logger.info | none | log
  base: LOGGER.info('a')
  size: LOGGER.info('%s', x.shape)
  tensor: LOGGER.info('%s', x)
  format: LOGGER.info(f'{x.shape}')
logging.Logger.warning | none | log
  base: LOGGER.warning('a')
  tensor: LOGGER.warning('%s', x)
  size: LOGGER.warning('%s', x.shape)
logging.Logger.warn | none | log
  base: LOGGER.warn('a')
logging.Logger.error | none | log
  base: LOGGER.error('a')
logging.Logger.critical | none | log
  base: LOGGER.critical('a')
logging.Logger.exception | none | log
  base: LOGGER.exception('a')
logging.Logger.log | none | log
  base: LOGGER.log(10, 'a')
logging.Logger.isEnabledFor | static:bool | log
  base: LOGGER.isEnabledFor(10)
logging.Logger.getEffectiveLevel | static:int | log
  base: LOGGER.getEffectiveLevel()
logging.Logger.setLevel | none | log
  base: LOGGER.setLevel(10)
logging.Logger.addHandler | none | log
  base: LOGGER.addHandler(logging.NullHandler())
logging.Logger.hasHandlers | static:bool | log
  base: LOGGER.hasHandlers()
logging.Logger.level | static:int | log
  base: LOGGER.level
logging.Logger.name | static:str | log
  base: LOGGER.name
logging.Logger.getChild | object | log
  base: LOGGER.getChild('z')
logging.LoggerAdapter.info | none | log
  base: ROOTLESS.info('a')
logging.LoggerAdapter.warning | none | log
  base: ROOTLESS.warning('a')
logging.StreamHandler | object | log
  base: logging.StreamHandler()
logging.Formatter | object | log
  base: logging.Formatter('%(message)s')
logging.INFO | static:int | pure
  base: logging.INFO
logging.* | unknown | log
  base: logging.getLevelNamesMapping()
warnings.warn | none | warn
  base: warnings.warn('a')
  category: warnings.warn('a', DeprecationWarning, stacklevel=2)
  size: warnings.warn(f'{x.shape}')
  tensor: warnings.warn(f'{x}')
warnings.warn_explicit | none | warn
  base: warnings.warn_explicit('a', UserWarning, 'f', 1)
warnings.filterwarnings | none | warn
  base: warnings.filterwarnings('ignore')
warnings.simplefilter | none | warn
  base: warnings.simplefilter('ignore')
warnings.resetwarnings | none | warn
  base: warnings.resetwarnings()
warnings.catch_warnings | context | warn
  base: warnings.catch_warnings()
  with: with warnings.catch_warnings(): a = a + 1
  filter: with warnings.catch_warnings(): ⏎  warnings.simplefilter('ignore') ⏎  a = a + 1
  record: with warnings.catch_warnings(record=True): a = a + 1
warnings.formatwarning | static:str | warn
  base: warnings.formatwarning('a', UserWarning, 'f', 1, 'l')
warnings.* | none | warn
  base: warnings.showwarning('a', UserWarning, 'f', 1)
"""
