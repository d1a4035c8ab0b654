# ruff: noqa: E501 - the cases are data, one a line
"""More cases of `python_api.py`: methods of builtin types, math, operator, collections and the rest of the standard library."""

from __future__ import annotations


def _methods(owner: str, receiver: str, returns: str, effect: str, calls: str) -> str:
    """Cases `owner.method` for a list of calls such as `upper()`."""
    lines: list[str] = []
    for call in calls.split(" ;; "):
        name = call.split("(", 1)[0].strip()
        lines += [f"{owner}.{name} | {returns} | {effect}", f"  base: {receiver}.{call.strip()}"]
    return "\n".join(lines) + "\n"


def _math(names: str, returns: str, argument: str = "2.5") -> str:
    lines: list[str] = []
    for name in names.split():
        lines += [
            f"math.{name} | {returns} | pure",
            f"  base: math.{name}({argument})",
            f"  size: math.{name}(x.shape[0])",
            f"  tensor -> {returns.replace('static', 'data')}: math.{name}(x.sum())",
        ]
    return "\n".join(lines) + "\n"


def _operator(names: str) -> str:
    lines: list[str] = []
    for name in names.split():
        lines += [
            f"operator.{name} | same | pure",
            f"  base: operator.{name}(7, 2)",
            f"  size: operator.{name}(x.shape[0], 2)",
            f"  tensor: operator.{name}(x.long(), 2)",
        ]
    return "\n".join(lines) + "\n"


CASES = (
    _math(
        "sqrt exp expm1 exp2 log log2 log10 log1p sin cos tan atan sinh cosh tanh asinh erf erfc gamma lgamma fabs cbrt degrees radians",
        "static:float",
    )
    + _math("floor ceil trunc", "static:int")
    + _math("acos asin atanh", "static:float", "0.5")
    .replace("size: math.acos(x.shape[0])", "size: math.acos(x.shape[0] / 10)")
    .replace("size: math.asin(x.shape[0])", "size: math.asin(x.shape[0] / 10)")
    .replace("size: math.atanh(x.shape[0])", "size: math.atanh(x.shape[0] / 10)")
    .replace("math.acos(x.sum())", "math.acos(x.sum() * 0.01)")
    .replace("math.asin(x.sum())", "math.asin(x.sum() * 0.01)")
    .replace("math.atanh(x.sum())", "math.atanh(x.sum() * 0.01)")
    + _math("isnan isinf isfinite", "static:bool")
    + _math("acosh", "static:float")
    + _operator("add sub mul truediv floordiv mod pow eq ne lt le gt ge and_ or_ xor lshift rshift")
    + _methods(
        "str",
        "'abc'",
        "static:str",
        "pure",
        "upper() ;; lower() ;; title() ;; capitalize() ;; casefold() ;; swapcase() ;; strip() ;; lstrip() ;; rstrip() ;; replace('a', 'b') ;; removeprefix('a') ;; removesuffix('c') ;; zfill(5) ;; center(5) ;; ljust(5) ;; rjust(5) ;; expandtabs() ;; translate({97: 'b'}) ;; format_map({'a': 1})",
    )
    + _methods(
        "str",
        "'abc'",
        "static:bool",
        "pure",
        "startswith('a') ;; endswith('c') ;; isdigit() ;; isalpha() ;; isalnum() ;; isidentifier() ;; isspace() ;; isupper() ;; islower() ;; isnumeric() ;; isdecimal()",
    )
    + _methods(
        "str", "'abc'", "static:int", "pure", "find('b') ;; rfind('b') ;; index('b') ;; rindex('b') ;; count('b')"
    )
    + _methods(
        "str",
        "'a,b'",
        "list(static:str)",
        "pure",
        "split(',') ;; rsplit(',') ;; splitlines() ;; partition(',') ;; rpartition(',')",
    )
    + _methods("str", "'abc'", "static:bytes", "pure", "encode()")
    + _methods(
        "bytes", "b'abc'", "static:any", "pure", "decode() ;; hex() ;; startswith(b'a') ;; split(b'b') ;; find(b'a')"
    )
    + _methods(
        "list",
        "[3, 1, 2]",
        "none",
        "mutate",
        "sort() ;; reverse() ;; insert(0, 1) ;; extend([1]) ;; remove(3) ;; clear()",
    )
    + _methods("int", "INT", "static:any", "pure", "bit_length() ;; bit_count() ;; to_bytes(2, 'big') ;; conjugate()")
    + _methods("float", "NUM", "static:any", "pure", "is_integer() ;; hex() ;; as_integer_ratio()")
    + _methods(
        "set",
        "{1, 2}",
        "none",
        "mutate",
        "add(3) ;; discard(1) ;; remove(1) ;; update({5}) ;; clear() ;; intersection_update({1}) ;; difference_update({1}) ;; symmetric_difference_update({1})",
    )
    + _methods(
        "set",
        "{1, 2}",
        "same",
        "pure",
        "union({3}) ;; intersection({1}) ;; difference({1}) ;; symmetric_difference({1}) ;; copy()",
    )
    + _methods("set", "{1, 2}", "static:bool", "pure", "issubset({1}) ;; issuperset({1}) ;; isdisjoint({1})")
    + _methods("tuple", "(1, 2)", "static:int", "pure", "index(1) ;; count(1)")
    + r"""
str.format | static:str | pure
  base: '{}'.format(2)
  base: '{a:.2f}'.format(a=2.5)
  size: '{}'.format(x.shape[0])
  size: '{}'.format(x.shape)
  spec-size: '{:03d}'.format(x.shape[0])
  tensor -> data:str: '{}'.format(x)
  object: '{}'.format(plain)
  conversion: '{!r}'.format(2)
str.join | static:str | pure
  base: ','.join(['a', 'b'])
  generator: ','.join(str(i) for i in range(3))
  map: ','.join(map(str, [1, 2]))
  size: ','.join(str(s) for s in x.shape)
  tensor -> data:str: ','.join(str(t) for t in x)
  tensor -> data:str: ','.join([str(x)])
str.__mod__ | static:str | pure
  base: '%d' % 2
  base: '%s %.2f' % ('a', 2.5)
  size: '%d' % x.shape[0]
  size: '%s' % (x.shape,)
  tensor -> data:str: '%s' % x
  tensor -> data:str: '%f' % x.sum()
  object: '%s' % plain
str.f-string | static:str | pure
  base: f'{2}'
  base: f'{2.5:.2f}'
  base: f'{"a"!r:>10}'
  size: f'{x.shape[0]}'
  size: f'{x.shape}'
  size: f'{x.shape[0] + 1}'
  spec-size: f'{x.shape[0]:03d}'
  spec-size: f'{x.shape[0]:>5}'
  metadata: f'{x.dtype} {x.device}'
  tensor -> data:str: f'{x}'
  tensor-spec -> data:str: f'{x.sum():.2f}'
  tensor-conversion -> data:str: f'{x!r}'
  object: f'{plain}'
  conversion: f'{LST!r}'
  exception: f'{EXC}'
  self-documenting: f'{INT=}'
str.__getitem__ | static:str | pure
  base: 'abc'[0]
  base: 'abc'[::-1]
str.maketrans | static:any | pure
  base: str.maketrans('a', 'b')
str.__contains__ | static:bool | pure
  base: 'a' in 'abc'
list.append | none | mutate
  base: v = [1]; v.append(2); r = v
  outside: LST.append(1)
  tensor: v = []; v.append(x); r = torch.stack(v).sum()
  outside-tensor: TENSORS.append(x)
list.pop | same | mutate
  base: v = [1]; r = v.pop()
  outside: LST.pop()
  index: v = [1, 2]; r = v.pop(0)
list.index | static:int | pure
  base: [3, 1].index(1)
  tensor: [x, a].index(a)
  tensor: TENSORS.index(TENSORS[1])
list.count | static:int | pure
  base: [3, 1].count(1)
list.copy | same | copy
  base: [1, 2].copy()
  outside: LST.copy()
list.__contains__ | static:bool | pure
  base: 1 in [1, 2]
  tensor -> data:bool: x.sum() in [1, 2]
  tensor-list -> data:bool: 1 in [x, a]
  tensor-list -> data:bool: x in [x, a]
  tensor-list -> data:bool: a in [x, x + 2]
  size: x.shape[0] in [1, 4]
  object: obj in [obj]
  object: plain in [obj, plain]
list.__setitem__ | none | mutate
  base: v = [1]; v[0] = 2; r = v
  outside: LST[0] = 5
  slice: v = [1, 2]; v[:1] = [5]; r = v
  tensor: v = [1]; v[0] = x; r = v[0].sum()
list.__delitem__ | none | mutate
  base: v = [1, 2]; del v[0]; r = v
  slice: v = [1, 2]; del v[:1]; r = v
list.__getitem__ | same | pure
  base: [1, 2][0]
  base: [1, 2, 3][::-1]
  tensor: [1, 2, 3, 4, 5, 6, 7, 8, 9][x.long()[0]]
  slice: LST[1:]
list.__eq__ | static:bool | pure
  base: [1, 2] == [1, 2]
  tensor-list -> data:bool: [x] == [x]
  tensor-list -> data:bool: [x] == [a]
  size: [x.shape[0]] == [4]
list.__mul__ | same | pure
  base: [1] * 3
  size: [1] * x.shape[0]
list.__add__ | same | pure
  base: [1] + [2]
  iadd: v = [1]; v += [2]; r = v
dict.get | unknown | pure
  base: {'a': 1}.get('a')
  outside: DCT.get('a')
  default: {'a': 1}.get('b', 2)
  tensor: {'a': 1}.get(x)
dict.items | iterator | pure
  base: list({'a': 1}.items())
  loop: for k, v in DCT.items(): a = a + v
  bare: DCT.items()
dict.keys | iterator | pure
  base: list({'a': 1}.keys())
  bare: DCT.keys()
  set: DCT.keys() & {'a'}
dict.values | iterator | pure
  base: list({'a': 1}.values())
  bare: DCT.values()
dict.pop | unknown | mutate
  base: v = {'a': 1}; r = v.pop('a')
  outside: DCT.pop('b', None)
dict.popitem | unknown | mutate
  base: v = {'a': 1}; r = v.popitem()
dict.setdefault | unknown | mutate
  base: v = {'a': 1}; r = v.setdefault('b', 2)
  outside: DCT.setdefault('c', 1)
dict.update | none | mutate
  base: v = {'a': 1}; v.update(b=1); r = v
  outside: DCT.update(b=1)
  tensor: v = {}; v.update(b=x)
dict.clear | none | mutate
  base: v = {'a': 1}; v.clear()
dict.copy | same | copy
  base: {'a': 1}.copy()
  outside: DCT.copy()
dict.fromkeys | object | pure
  base: dict.fromkeys(['a'], 0)
dict.__getitem__ | unknown | pure
  base: {'a': 1}['a']
  outside: DCT['a']
  tensor: {1: 2, 2: 3, 3: 4}[int(x.long()[0])]
  size: {3: 1, 4: 2, 5: 3}[x.shape[0]]
  dtype: {torch.float32: 1}[x.dtype]
  missing: try: DCT['zz'] ⏎ except KeyError: pass
dict.__setitem__ | none | mutate
  base: v = {}; v['a'] = 1
  outside: DCT['n'] = 1
  tensor: v = {}; v['a'] = x
  tensor-key: v = {}; v[x] = 1
  outside-tensor: DCT['t'] = x
  object: v = {}; v[obj] = 1
dict.__delitem__ | none | mutate
  base: v = {'a': 1}; del v['a']
dict.__contains__ | static:bool | pure
  base: 'a' in {'a': 1}
  outside: 'a' in DCT
  tensor: x in {'a': 1}
dict.__or__ | same | pure
  base: {'a': 1} | {'b': 2}
  ior: v = {'a': 1}; v |= {'b': 2}; r = v
dict.__eq__ | static:bool | pure
  base: {'a': 1} == {'a': 1}
set.pop | same | mutate
  base: {1}.pop()
set.__contains__ | static:bool | pure
  base: 1 in {1, 2}
  outside: 1 in SET
  tensor: x in {x, a}
set.__or__ | same | pure
  base: {1} | {2}
  base: {1} & {2}
  base: {1} - {2}
int.from_bytes | static:int | pure
  base: int.from_bytes(b'a', 'big')
float.fromhex | static:float | pure
  base: float.fromhex('0x1p0')
object.__new__ | object | pure
  base: object.__new__(Plain)
object.__setattr__ | none | mutate
  base: object.__setattr__(Obj(), 'a', 2)
  outside: object.__setattr__(plain, 'a', 2)
object.__getattribute__ | unknown | introspect
  base: object.__getattribute__(plain, 'a')
object.__class__ | static:any | introspect
  base: plain.__class__.__name__
object.__dict__ | object | introspect
  base: plain.__dict__
  base: plain.__dict__['a']
  update: plain.__dict__.update(a=1)
  module: LINEAR.__dict__
type.__mro__ | static:any | introspect
  base: Obj.__mro__
  call: Obj.mro()
type.__name__ | static:str | introspect
  base: Obj.__name__
  qualname: Obj.__qualname__
  module: Obj.__module__
  subclasses: Obj.__subclasses__()
function.__name__ | static:str | introspect
  base: helper.__name__
  doc: helper.__doc__
  defaults: helper.__defaults__
  code: helper.__code__.co_argcount
  annotations: helper.__annotations__
  closure: helper.__closure__
  globals: helper.__globals__
math.pi | static:float | pure
  base: math.pi
math.inf | static:float | pure
  base: math.inf
math.pow | static:float | pure
  base: math.pow(2, 3)
  size: math.pow(x.shape[0], 2)
  tensor -> data:float: math.pow(x.sum(), 2)
math.atan2 | static:float | pure
  base: math.atan2(1.0, 2.0)
  size: math.atan2(x.shape[0], 2)
math.fmod | static:float | pure
  base: math.fmod(5.0, 2.0)
  size: math.fmod(x.shape[0], 3)
math.hypot | static:float | pure
  base: math.hypot(1.0, 2.0)
  size: math.hypot(x.shape[0], 3)
math.dist | static:float | pure
  base: math.dist((1, 2), (3, 4))
math.copysign | static:float | pure
  base: math.copysign(1.0, -2.0)
math.gcd | static:int | pure
  base: math.gcd(4, 6)
  size: math.gcd(x.shape[0], 6)
math.lcm | static:int | pure
  base: math.lcm(4, 6)
  size: math.lcm(x.shape[0], 6)
math.factorial | static:int | pure
  base: math.factorial(4)
  size: math.factorial(x.shape[0])
math.comb | static:int | pure
  base: math.comb(4, 2)
  size: math.comb(x.shape[0], 2)
math.perm | static:int | pure
  base: math.perm(4, 2)
math.isqrt | static:int | pure
  base: math.isqrt(9)
  size: math.isqrt(x.shape[0])
math.prod | static:int | pure
  base: math.prod([1, 2])
  size: math.prod(x.shape)
  tensor-list: math.prod([x, x])
math.fsum | static:float | pure
  base: math.fsum([1.0, 2.0])
  size: math.fsum(x.shape)
math.isclose | static:bool | pure
  base: math.isclose(1.0, 1.0)
  size: math.isclose(x.shape[0], 4)
  tensor -> data:bool: math.isclose(x.sum(), 4)
math.modf | list(static:float) | pure
  base: math.modf(2.5)
math.frexp | list(static:any) | pure
  base: math.frexp(2.5)
math.ldexp | static:float | pure
  base: math.ldexp(2.5, 2)
math.nextafter | static:float | pure
  base: math.nextafter(1.0, 2.0)
math.ulp | static:float | pure
  base: math.ulp(1.0)
math.remainder | static:float | pure
  base: math.remainder(5.0, 3.0)
math.* | static:float | pure
  base: math.exp2(2.0)
  size: math.exp2(x.shape[0])
  tensor -> data:float: math.exp2(x.sum())
cmath.* | static:any | pure
  base: cmath.sqrt(2)
  size: cmath.sqrt(x.shape[0])
  tensor: cmath.sqrt(x.sum())
operator.neg | same | pure
  base: operator.neg(1)
  size: operator.neg(x.shape[0])
  tensor: operator.neg(x)
operator.not_ | static:bool | pure
  base: operator.not_(1)
  size: operator.not_(x.shape[0])
  tensor -> data:bool: operator.not_(x.sum())
operator.truth | static:bool | pure
  base: operator.truth(1)
  tensor -> data:bool: operator.truth(x.sum())
operator.index | static:int | pure
  base: operator.index(1)
  size: operator.index(x.shape[0])
  tensor -> data:int: operator.index(x.long().sum())
operator.is_ | static:bool | pure
  base: operator.is_(1, None)
  tensor: operator.is_(x, x)
operator.contains | static:bool | pure
  base: operator.contains([1], 1)
operator.getitem | same | pure
  base: operator.getitem([1], 0)
  tensor: operator.getitem(x, 0)
operator.setitem | none | mutate
  base: operator.setitem([1], 0, 2)
  tensor: operator.setitem(a, 0, 2)
operator.itemgetter | object | pure
  base: operator.itemgetter(0)([1])
  multiple: operator.itemgetter(0, 1)([1, 2])
  tensor: operator.itemgetter(0)(x)
operator.attrgetter | object | pure
  base: operator.attrgetter('a')(plain)
  dotted: operator.attrgetter('a.real')(plain)
  tensor: operator.attrgetter('shape')(x)
operator.methodcaller | object | pure
  base: operator.methodcaller('upper')('a')
  tensor: operator.methodcaller('sum')(x)
operator.matmul | same | pure
  base: operator.matmul(torch.eye(2), torch.eye(2))
operator.iadd | same | mutate
  base: operator.iadd(1, 2)
  tensor: operator.iadd(a, 2)
operator.concat | same | pure
  base: operator.concat([1], [2])
operator.length_hint | static:int | pure
  base: operator.length_hint([1])
operator.inv | same | pure
  base: operator.inv(1)
operator.abs | same | pure
  base: operator.abs(-1)
  tensor: operator.abs(x)
operator.countOf | static:int | pure
  base: operator.countOf([1, 1], 1)
operator.indexOf | static:int | pure
  base: operator.indexOf([1, 1], 1)
operator.* | same | pure
  base: operator.pos(1)
  tensor: operator.pos(x)
functools.partial | object | pure
  base: functools.partial(helper, 1)()
  outside: PARTIAL()
  tensor: functools.partial(torch.add, x)(1)
functools.reduce | unknown | pure
  base: functools.reduce(operator.mul, [1, 2])
  tensor-list: functools.reduce(torch.add, [x, x])
  size: functools.reduce(operator.mul, x.shape)
  lambda: functools.reduce(lambda p, q: p + q, [1, 2], 0)
functools.lru_cache | object | pure
  base: functools.lru_cache(lambda v: v)(1)
  create: functools.lru_cache(maxsize=2)(helper)(1)
functools.lru_cache.__call__ | unknown | pure
  base: cached(1)
  size: cached(x.shape[0])
  tensor: cached(x)
  clear: cached.cache_clear()
  info: cached.cache_info()
functools.cache | object | pure
  base: functools.cache(helper)(1)
  outside: cached2(1)
functools.wraps | object | pure
  base: functools.wraps(helper)(lambda: 1)()
functools.update_wrapper | object | pure
  base: functools.update_wrapper(lambda: 1, helper)
functools.singledispatch | object | pure
  base: functools.singledispatch(lambda v: v)
functools.singledispatch.__call__ | unknown | pure
  base: dispatched(1)
  tensor: dispatched(x)
functools.cmp_to_key | object | pure
  base: sorted([2, 1], key=functools.cmp_to_key(lambda p, q: p - q))
functools.cached_property | object | pure
  base: functools.cached_property(helper)
itertools.chain | iterator | pure
  base: list(itertools.chain([1], [2]))
  bare: itertools.chain(LST, LST)
  tensor: list(itertools.chain(x, x))
itertools.chain.from_iterable | iterator | pure
  base: list(itertools.chain.from_iterable([[1], [2]]))
itertools.product | iterator | pure
  base: list(itertools.product([1], [2]))
  repeat: list(itertools.product([0, 1], repeat=2))
  size: list(itertools.product(range(x.shape[0]), range(2)))
itertools.accumulate | iterator | pure
  base: list(itertools.accumulate([1, 2]))
  function: list(itertools.accumulate([1, 2], operator.mul))
  tensor-list: list(itertools.accumulate([x, x]))
  size: list(itertools.accumulate(x.shape))
itertools.combinations | iterator | pure
  base: list(itertools.combinations([1, 2], 2))
itertools.combinations_with_replacement | iterator | pure
  base: list(itertools.combinations_with_replacement([1, 2], 2))
itertools.permutations | iterator | pure
  base: list(itertools.permutations([1, 2], 2))
itertools.zip_longest | iterator | pure
  base: list(itertools.zip_longest([1, 2], [2]))
itertools.islice | iterator | pure
  base: list(itertools.islice([1, 2], 1))
  generator: list(itertools.islice(generator(), 1))
itertools.groupby | iterator | pure
  base: list(itertools.groupby([1, 1, 2]))
  key: list(itertools.groupby([1, 1, 2], key=lambda v: v > 1))
itertools.count | iterator | pure
  base: next(itertools.count())
  zip: list(zip(itertools.count(), [1, 2]))
itertools.cycle | iterator | pure
  base: next(itertools.cycle([1]))
itertools.repeat | iterator | pure
  base: list(itertools.repeat(1, 2))
itertools.starmap | iterator | pure
  base: list(itertools.starmap(operator.add, [(1, 2)]))
itertools.takewhile | iterator | pure
  base: list(itertools.takewhile(lambda v: v < 2, [1, 2]))
itertools.dropwhile | iterator | pure
  base: list(itertools.dropwhile(lambda v: v < 2, [1, 2]))
itertools.filterfalse | iterator | pure
  base: list(itertools.filterfalse(lambda v: v < 2, [1, 2]))
itertools.pairwise | iterator | pure
  base: list(itertools.pairwise([1, 2]))
itertools.compress | iterator | pure
  base: list(itertools.compress([1, 2], [True, False]))
itertools.tee | iterator | pure
  base: itertools.tee([1, 2])
itertools.* | iterator | pure
  base: list(itertools.repeat(1, 2))
collections.OrderedDict | object | pure
  base: collections.OrderedDict(a=1)
  outside: OD['a']
  items: list(OD.items())
  tensor: collections.OrderedDict(a=x)
collections.OrderedDict.move_to_end | none | mutate
  base: v = collections.OrderedDict(a=1); v.move_to_end('a')
  outside: OD.move_to_end('a')
collections.OrderedDict.popitem | unknown | mutate
  base: v = collections.OrderedDict(a=1); r = v.popitem(last=False)
collections.defaultdict | object | pure
  base: collections.defaultdict(list)
  lambda: v = collections.defaultdict(lambda: 0); v['a'] += 1; r = v['a']
  append: v = collections.defaultdict(list); v['a'].append(x)
  outside: DD['q'].append(1)
collections.Counter | object | pure
  base: collections.Counter([1, 1])
  most: collections.Counter([1, 1]).most_common(1)
  outside: CNT[1]
  update: v = collections.Counter(); v.update([1]); r = v[1]
  add: v = collections.Counter(); v['a'] += 1
collections.deque | object | pure
  base: collections.deque([1])
  append: v = collections.deque(maxlen=2); v.append(1); r = v[0]
  outside: DQ.append(1)
  popleft: v = collections.deque([1]); r = v.popleft()
  rotate: v = collections.deque([1, 2]); v.rotate(1)
  tensor: v = collections.deque(); v.append(x); r = v[0].sum()
  outside-loop: for v in DQ: a = a + v
collections.namedtuple | object | pure
  base: collections.namedtuple('A', 'a b')
  use: Point(1, 2).u
  replace: Point(1, 2)._replace(u=3).u
  asdict: Point(1, 2)._asdict()
  fields: Point(1, 2)._fields
  make: Point._make([1, 2])
  unpack: u, v = Point(1, 2)
  tensor: Point(x, 2).u
  typed: TypedPoint(1).v
collections.ChainMap | object | pure
  base: collections.ChainMap(DCT)
  get: collections.ChainMap(DCT)['a']
collections.UserDict | object | pure
  base: collections.UserDict(a=1)
collections.abc.Mapping | object | pure
  base: isinstance({}, collections.abc.Mapping)
dataclasses.replace | same | copy
  base: dataclasses.replace(data, a=2)
  fresh: dataclasses.replace(Data(), a=2)
dataclasses.asdict | object | copy
  base: dataclasses.asdict(data)
  fresh: dataclasses.asdict(Data())
dataclasses.astuple | object | copy
  base: dataclasses.astuple(data)
dataclasses.fields | list(object) | introspect
  base: dataclasses.fields(data)
  names: [v.name for v in dataclasses.fields(data)]
dataclasses.is_dataclass | static:bool | introspect
  base: dataclasses.is_dataclass(data)
dataclasses.make_dataclass | object | other
  base: dataclasses.make_dataclass('Q', ['a'])
dataclasses.dataclass | object | pure
  base: Data(2).a
  tensor: Data(x).a
  frozen: Frozen(2).a
  eq: Data(2) == Data(2)
  repr: repr(data)
  set: v = Data(); v.a = 3; r = v.a
  outside: data.a
dataclasses.field | object | pure
  base: dataclasses.field(default=1)
enum.Enum | object | pure
  base: Color.RED
  value: Color.RED.value
  name: Color.RED.name
  eq: Color.RED == Color.BLUE
  is: Color.RED is Color.BLUE
  call: Color(1)
  item: Color['RED']
  iterate: list(Color)
  members: Color.__members__
  flag: Flag.A | Flag.B
  flag-in: Flag.A in Flag(3)
  str: str(Color.RED)
  format: f'{Color.RED}'
  key: {Color.RED: 1}[Color.RED]
  create: enum.Enum('E', 'A B')
  contains: Color.RED in (Color.RED,)
types.SimpleNamespace | object | pure
  base: types.SimpleNamespace(a=1)
  outside: NS.a
  set: NS.a = 2
types.MappingProxyType | object | pure
  base: types.MappingProxyType(DCT)
types.MethodType | object | pure
  base: types.MethodType(helper, 1)()
types.FunctionType | object | pure
  base: types.FunctionType(helper.__code__, {})
types.ModuleType | object | pure
  base: types.ModuleType('a')
types.* | unknown | pure
  base: types.new_class('Q')
typing.cast | same | pure
  base: typing.cast(int, 1)
  tensor: typing.cast(torch.Tensor, x)
typing.get_type_hints | object | introspect
  base: typing.get_type_hints(helper)
typing.get_origin | static:any | introspect
  base: typing.get_origin(typing.List[int])
typing.get_args | static:any | introspect
  base: typing.get_args(typing.List[int])
typing.TYPE_CHECKING | static:bool | pure
  base: typing.TYPE_CHECKING
typing.Optional | static:any | pure
  base: typing.Optional[int]
  list: typing.List[int]
  annotation: v: typing.Optional[int] = 1
typing.NewType | object | pure
  base: typing.NewType('A', int)(1)
typing.NamedTuple | object | pure
  base: TypedPoint(1)
typing.* | static:any | pure
  base: typing.Union[int, str]
re.match | static:any | pure
  base: re.match('a', 'abc')
  test: re.match('a', 'abc') is not None
  branch: if re.match('a', 'abc'): a = a + 1
  group: re.match('a(.)', 'abc').group(1)
re.search | static:any | pure
  base: re.search('a', 'abc')
  branch: if re.search('a', 'abc'): a = a + 1
re.fullmatch | static:any | pure
  base: re.fullmatch('a', 'a')
re.sub | static:str | pure
  base: re.sub('a', 'b', 'abc')
  function: re.sub('a', lambda m: 'b', 'abc')
re.split | list(static:str) | pure
  base: re.split('a', 'bac')
re.findall | list(static:str) | pure
  base: re.findall('a', 'bac')
re.finditer | iterator | pure
  base: list(re.finditer('a', 'bac'))
re.compile | object | pure
  base: re.compile('a')
  match: re.compile('a').match('a')
re.escape | static:str | pure
  base: re.escape('a')
re.Pattern.match | static:any | pure
  base: PATTERN.match('abc')
  group: PATTERN.match('abc').group(1)
re.Pattern.search | static:any | pure
  base: PATTERN.search('abc')
re.Pattern.sub | static:str | pure
  base: PATTERN.sub('b', 'abc')
re.Pattern.findall | list(static:str) | pure
  base: PATTERN.findall('abc')
re.* | static:any | pure
  base: re.purge()
sys.version_info | static:any | pure
  base: sys.version_info >= (3, 8)
  major: sys.version_info.major
sys.platform | static:str | pure
  base: sys.platform
sys.maxsize | static:int | pure
  base: sys.maxsize
sys.float_info | static:any | pure
  base: sys.float_info.max
sys.argv | list(static:str) | env
  base: sys.argv
sys.path | list(static:str) | env
  base: sys.path
  append: sys.path.append('/zz')
sys.modules | object | introspect
  base: sys.modules['torch']
  get: sys.modules.get('torch')
  contains: 'torch' in sys.modules
sys.getsizeof | static:int | introspect
  base: sys.getsizeof(1)
sys.getrefcount | static:int | introspect
  base: sys.getrefcount(obj)
sys.exc_info | static:any | introspect
  base: sys.exc_info()
  handler: try: raise ValueError ⏎ except ValueError: r = sys.exc_info()
sys._getframe | object | introspect
  base: sys._getframe()
sys.stdout.write | none | print
  base: sys.stdout.write('')
sys.stdout.flush | none | print
  base: sys.stdout.flush()
sys.stderr.write | none | print
  base: sys.stderr.write('')
sys.stdin.readline | static:str | io
  base: sys.stdin.readline()
sys.getrecursionlimit | static:int | env
  base: sys.getrecursionlimit()
sys.setrecursionlimit | none | env
  base: sys.setrecursionlimit(3000)
sys.intern | static:str | pure
  base: sys.intern('a')
sys.gettrace | object | introspect
  base: sys.gettrace()
sys.byteorder | static:str | pure
  base: sys.byteorder
sys.is_finalizing | static:bool | introspect
  base: sys.is_finalizing()
sys.* | unknown | introspect
  base: sys.getswitchinterval()
platform.system | static:str | env
  base: platform.system()
platform.machine | static:str | env
  base: platform.machine()
platform.python_version | static:str | env
  base: platform.python_version()
platform.node | static:str | env
  base: platform.node()
platform.* | static:str | env
  base: platform.platform()
inspect.signature | object | introspect
  base: inspect.signature(helper)
  parameters: inspect.signature(helper).parameters
  contains: 'value' in inspect.signature(helper).parameters
  bind: inspect.signature(helper).bind(1)
inspect.getsource | static:str | introspect
  base: inspect.getsource(helper)
inspect.currentframe | object | introspect
  base: inspect.currentframe()
  back: inspect.currentframe().f_back
inspect.stack | list(object) | introspect
  base: inspect.stack()
inspect.isfunction | static:bool | introspect
  base: inspect.isfunction(helper)
inspect.isclass | static:bool | introspect
  base: inspect.isclass(Obj)
inspect.ismethod | static:bool | introspect
  base: inspect.ismethod(obj.method)
inspect.getmembers | list(object) | introspect
  base: inspect.getmembers(obj)
inspect.getfullargspec | object | introspect
  base: inspect.getfullargspec(helper)
  args: inspect.getfullargspec(helper).args
inspect.getfile | static:str | introspect
  base: inspect.getfile(helper)
inspect.getmodule | object | introspect
  base: inspect.getmodule(helper)
inspect.getdoc | static:str | introspect
  base: inspect.getdoc(helper)
inspect.isgeneratorfunction | static:bool | introspect
  base: inspect.isgeneratorfunction(generator)
inspect.iscoroutinefunction | static:bool | introspect
  base: inspect.iscoroutinefunction(coroutine)
inspect.unwrap | object | introspect
  base: inspect.unwrap(helper)
inspect.* | unknown | introspect
  base: inspect.getcomments(helper)
importlib.import_module | object | other
  base: importlib.import_module('math')
importlib.reload | object | other
  base: importlib.reload(colorsys)
importlib.util.find_spec | object | other
  base: importlib.util.find_spec('math')
importlib.metadata.version | static:str | other
  base: importlib.metadata.version('torch')
importlib.* | object | other
  base: importlib.invalidate_caches()
weakref.ref | object | introspect
  base: weakref.ref(obj)
  call: weakref.ref(obj)()
  outside: WEAK()
weakref.proxy | object | introspect
  base: weakref.proxy(obj)
weakref.WeakKeyDictionary | object | pure
  base: weakref.WeakKeyDictionary()
  outside: WKD.get(obj)
  set: WKD[obj] = 1
weakref.WeakValueDictionary | object | pure
  base: weakref.WeakValueDictionary()
weakref.WeakSet | object | pure
  base: weakref.WeakSet()
weakref.finalize | object | other
  base: weakref.finalize(obj, helper)
weakref.* | unknown | introspect
  base: weakref.getweakrefcount(obj)
gc.collect | static:int | process
  base: gc.collect()
gc.disable | none | process
  base: gc.disable()
gc.enable | none | process
  base: gc.enable()
gc.isenabled | static:bool | introspect
  base: gc.isenabled()
gc.* | unknown | process
  base: gc.get_count()
threading.Lock | object | thread
  base: threading.Lock()
threading.Lock.acquire | static:bool | thread
  base: LOCK.acquire(); LOCK.release()
threading.Lock.__enter__ | context | thread
  base: with LOCK: a = a + 1
  print: with LOCK: print('a')
threading.Lock.locked | static:bool | thread
  base: LOCK.locked()
threading.RLock | object | thread
  base: threading.RLock()
threading.RLock.__enter__ | context | thread
  base: with RLOCK: a = a + 1
threading.Event | object | thread
  base: threading.Event()
threading.Event.is_set | static:bool | thread
  base: EVENT.is_set()
threading.Event.set | none | thread
  base: EVENT.set()
threading.local | object | thread
  base: threading.local()
  get: getattr(LOCAL, 'a', None)
  set: LOCAL.a = 1
threading.current_thread | object | thread
  base: threading.current_thread()
  name: threading.current_thread().name
threading.main_thread | object | thread
  base: threading.main_thread()
threading.get_ident | static:int | thread
  base: threading.get_ident()
threading.Thread | object | thread
  base: threading.Thread(target=helper)
  start: threading.Thread(target=helper).start()
threading.Semaphore | object | thread
  base: threading.Semaphore()
threading.Condition | object | thread
  base: threading.Condition()
threading.Timer | object | thread
  base: threading.Timer(1, helper)
threading.active_count | static:int | thread
  base: threading.active_count()
threading.* | object | thread
  base: threading.enumerate()
contextvars.ContextVar.get | unknown | env
  base: CV.get()
contextvars.ContextVar.set | object | mutate
  base: CV.set(2)
contextvars.ContextVar | object | pure
  base: contextvars.ContextVar('q')
contextvars.copy_context | object | copy
  base: contextvars.copy_context()
contextlib.ExitStack | context | pure
  base: contextlib.ExitStack()
  with: with contextlib.ExitStack(): a = a + 1
  enter: with contextlib.ExitStack() as stack: ⏎  stack.enter_context(torch.no_grad()) ⏎  a = a + 1
  enter-user: with contextlib.ExitStack() as stack: ⏎  stack.enter_context(manager()) ⏎  a = a + 1
contextlib.nullcontext | context | pure
  base: contextlib.nullcontext()
  with: with contextlib.nullcontext(): a = a + 1
  value: with contextlib.nullcontext(3) as r: a = a + r
contextlib.suppress | context | pure
  base: contextlib.suppress(ValueError)
  with: with contextlib.suppress(ValueError): a = a + 1
  raise: with contextlib.suppress(ValueError): raise ValueError
contextlib.redirect_stdout | context | print
  base: contextlib.redirect_stdout(BUF)
  with: with contextlib.redirect_stdout(BUF): a = a + 1
contextlib.closing | context | pure
  base: contextlib.closing(BUF)
  with: with contextlib.closing(BBUF): a = a + 1
contextlib.contextmanager | context | pure
  base: manager()
  with: with manager() as r: a = a + r
  create: contextlib.contextmanager(generator)
contextlib.* | context | pure
  base: contextlib.chdir('/tmp')
pathlib.Path | object | pure
  base: pathlib.Path('a')
  join: pathlib.Path('a') / 'b'
  string: str(pathlib.Path('a'))
  format: f'{PATH}'
pathlib.Path.exists | static:bool | io
  base: PATH.exists()
pathlib.Path.is_file | static:bool | io
  base: PATH.is_file()
pathlib.Path.is_dir | static:bool | io
  base: PATH.is_dir()
pathlib.Path.joinpath | object | pure
  base: PATH.joinpath('a')
pathlib.Path.name | static:str | pure
  base: PATH.name
pathlib.Path.parent | object | pure
  base: PATH.parent
pathlib.Path.suffix | static:str | pure
  base: PATH.suffix
pathlib.Path.stem | static:str | pure
  base: PATH.stem
pathlib.Path.mkdir | none | io
  base: PATH.mkdir(exist_ok=True)
pathlib.Path.read_text | data:str | io
  base: pathlib.Path('/etc/hostname').read_text()
pathlib.Path.write_text | none | io
  base: pathlib.Path(FLAG + 'w').write_text('a')
pathlib.Path.open | object | io
  base: pathlib.Path('/dev/null').open()
pathlib.Path.glob | iterator | io
  base: list(PATH.glob('zz*'))
pathlib.Path.iterdir | iterator | io
  base: list(PATH.iterdir())
pathlib.Path.resolve | object | io
  base: PATH.resolve()
pathlib.Path.stat | data:any | io
  base: PATH.stat()
pathlib.Path.cwd | object | env
  base: pathlib.Path.cwd()
pathlib.Path.home | object | env
  base: pathlib.Path.home()
pathlib.Path.* | unknown | io
  base: PATH.owner()
pathlib.* | object | pure
  base: pathlib.PurePath('a')
string.* | static:str | pure
  base: string.ascii_letters
  template: string.Template('$a').substitute(a=1)
  capwords: string.capwords('a b')
textwrap.dedent | static:str | pure
  base: textwrap.dedent(' a')
textwrap.* | static:str | pure
  base: textwrap.indent('a', ' ')
  fill: textwrap.fill('a b')
pprint.pprint | none | print
  base: pprint.pprint([1])
pprint.pformat | static:str | pure
  base: pprint.pformat([1])
pprint.* | none | print
  base: pprint.pp([1])
struct.pack | static:bytes | pure
  base: struct.pack('i', 1)
  size: struct.pack('i', x.shape[0])
struct.unpack | static:any | pure
  base: struct.unpack('i', b'abcd')
struct.calcsize | static:int | pure
  base: struct.calcsize('i')
struct.Struct | object | pure
  base: struct.Struct('i')
  outside: STRUCT.pack(1)
struct.* | static:any | pure
  base: struct.iter_unpack('i', b'abcd')
heapq.heappush | none | mutate
  base: heapq.heappush([], 1)
heapq.heappop | same | mutate
  base: heapq.heappop([1])
heapq.heapify | none | mutate
  base: heapq.heapify([2, 1])
heapq.nlargest | list(element) | pure
  base: heapq.nlargest(1, [2, 1])
heapq.nsmallest | list(element) | pure
  base: heapq.nsmallest(1, [2, 1])
heapq.merge | iterator | pure
  base: list(heapq.merge([1], [2]))
heapq.* | unknown | mutate
  base: heapq.heappushpop([1], 2)
bisect.bisect | static:int | pure
  base: bisect.bisect([1, 2], 1)
  size: bisect.bisect([1, 2], x.shape[0])
bisect.bisect_left | static:int | pure
  base: bisect.bisect_left([1, 2], 1)
bisect.bisect_right | static:int | pure
  base: bisect.bisect_right([1, 2], 1)
bisect.insort | none | mutate
  base: bisect.insort([1, 2], 1)
bisect.* | static:int | pure
  base: bisect.insort_left([1, 2], 1)
hashlib.md5 | object | pure
  base: hashlib.md5(b'a').hexdigest()
hashlib.sha256 | object | pure
  base: hashlib.sha256(b'a').hexdigest()
hashlib.* | object | pure
  base: hashlib.new('md5')
hmac.* | object | pure
  base: hmac.new(b'a', b'b', 'md5')
uuid.uuid4 | data:any | random
  base: uuid.uuid4()
  string: str(uuid.uuid4())
uuid.uuid1 | data:any | time
  base: uuid.uuid1()
uuid.UUID.hex | static:str | pure
  base: UID.hex
uuid.* | data:any | random
  base: uuid.UUID(int=4)
io.StringIO | object | io
  base: io.StringIO()
  outside: BUF.write('a')
  getvalue: BUF.getvalue()
io.BytesIO | object | io
  base: io.BytesIO()
  outside: BBUF.read(1)
  seek: BBUF.seek(0)
io.* | object | io
  base: io.open('/dev/null')
pickle.dumps | static:bytes | pure
  base: pickle.dumps(1)
  tensor -> data:bytes: pickle.dumps(x)
  list: pickle.dumps([1])
pickle.loads | static:any | pure
  base: pickle.loads(pickle.dumps(1))
pickle.dump | none | io
  base: pickle.dump(1, io.BytesIO())
pickle.* | unknown | io
  base: pickle.Pickler(io.BytesIO())
marshal.* | unknown | pure
  base: marshal.dumps(1)
shelve.* | object | io
  base: shelve.Shelf({})
csv.* | object | io
  base: csv.reader(['a'])
  writer: csv.writer(BUF).writerow([1])
configparser.* | object | io
  base: configparser.ConfigParser()
argparse.* | object | other
  base: argparse.Namespace(a=1)
  parse: ARGPARSER.parse_args([])
binascii.* | static:any | pure
  base: binascii.hexlify(b'a')
  crc: binascii.crc32(b'a')
base64.b64encode | static:bytes | pure
  base: base64.b64encode(b'a')
base64.* | static:bytes | pure
  base: base64.b64decode(b'YQ==')
zlib.crc32 | static:int | pure
  base: zlib.crc32(b'a')
zlib.* | static:any | pure
  base: zlib.compress(b'a')
gzip.* | static:any | io
  base: gzip.compress(b'a')
bz2.* | static:any | io
  base: bz2.compress(b'a')
lzma.* | static:any | io
  base: lzma.compress(b'a')
zipfile.* | object | io
  base: zipfile.is_zipfile('/dev/null')
tarfile.* | object | io
  base: tarfile.is_tarfile('/etc/hostname')
array.array | object | pure
  base: array.array('i', [1])
array.* | object | pure
  base: array.array('d', [1.0])
decimal.Decimal | object | pure
  base: decimal.Decimal(1)
  outside: DEC + 1
  float: float(DEC)
decimal.* | object | pure
  base: decimal.getcontext()
fractions.Fraction | object | pure
  base: fractions.Fraction(1, 2)
  outside: FRAC + 1
  float: float(FRAC)
fractions.* | object | pure
  base: fractions.Fraction('0.5')
statistics.mean | static:float | pure
  base: statistics.mean([1, 2])
statistics.fmean | static:float | pure
  base: statistics.fmean([1.0, 2.0])
statistics.median | static:float | pure
  base: statistics.median([1, 2])
statistics.stdev | static:float | pure
  base: statistics.stdev([1, 2])
statistics.* | static:float | pure
  base: statistics.mode([1, 2])
numbers.* | static:any | pure
  base: numbers.Number
abc.* | static:any | pure
  base: abc.ABC
  cache: abc.get_cache_token()
asyncio.run | unknown | thread
  base: asyncio.run(coroutine())
asyncio.sleep | object | thread
  base: asyncio.sleep(0).close()
asyncio.* | unknown | thread
  base: asyncio.new_event_loop()
queue.Queue | object | thread
  base: queue.Queue()
queue.Queue.put | none | thread
  base: QUEUE.put(1)
queue.Queue.get | unknown | thread
  base: QUEUE.put(1); r = QUEUE.get()
queue.Queue.empty | static:bool | thread
  base: QUEUE.empty()
queue.* | object | thread
  base: queue.PriorityQueue()
concurrent.futures.ThreadPoolExecutor | context | thread
  base: concurrent.futures.ThreadPoolExecutor(1)
  with: with concurrent.futures.ThreadPoolExecutor(1) as pool: r = list(pool.map(helper, [1]))
concurrent.futures.ProcessPoolExecutor | context | process
  base: concurrent.futures.ProcessPoolExecutor(1)
concurrent.* | object | thread
  base: concurrent.futures.Future()
multiprocessing.* | unknown | process
  base: multiprocessing.current_process()
  count: multiprocessing.cpu_count()
subprocess.run | object | process
  base: subprocess.run(['true'])
subprocess.check_output | data:bytes | process
  base: subprocess.check_output(['true'])
subprocess.Popen | object | process
  base: subprocess.Popen(['true'])
subprocess.* | object | process
  base: subprocess.call(['true'])
socket.socket | object | network
  base: socket.socket()
socket.gethostname | static:str | network
  base: socket.gethostname()
socket.* | object | network
  base: socket.getdefaulttimeout()
urllib.parse.urlparse | object | pure
  base: urllib.parse.urlparse('http://a')
urllib.parse.quote | static:str | pure
  base: urllib.parse.quote('a')
urllib.parse.* | static:str | pure
  base: urllib.parse.urlencode({'a': 1})
urllib.request.* | object | network
  base: urllib.request.Request('http://a')
signal.* | unknown | process
  base: signal.getsignal(2)
select.* | unknown | io
  base: select.select([], [], [], 0)
shutil.copy | none | io
  base: shutil.copy('/dev/null', FLAG + 'c')
shutil.* | unknown | io
  base: shutil.disk_usage('/')
  which: shutil.which('true')
tempfile.mkdtemp | data:str | io
  base: tempfile.mkdtemp()
tempfile.NamedTemporaryFile | context | io
  base: tempfile.NamedTemporaryFile()
tempfile.TemporaryDirectory | context | io
  base: tempfile.TemporaryDirectory()
  with: with tempfile.TemporaryDirectory() as r: a = a + 1
tempfile.* | object | io
  base: tempfile.gettempdir()
glob.glob | list(static:str) | io
  base: glob.glob('*')
glob.* | list(static:str) | io
  base: glob.escape('*')
fnmatch.* | static:bool | pure
  base: fnmatch.fnmatch('a', '*')
  case: fnmatch.fnmatchcase('a', '*')
linecache.* | unknown | io
  base: linecache.getline('/etc/hostname', 1)
tokenize.* | unknown | pure
  base: tokenize.open('/etc/hostname')
ast.* | object | pure
  base: ast.parse('1')
  literal: ast.literal_eval('[1]')
dis.* | unknown | introspect
  base: dis.stack_effect(9)
keyword.* | static:bool | pure
  base: keyword.iskeyword('if')
shlex.* | list(static:str) | pure
  base: shlex.split('a b')
difflib.* | unknown | pure
  base: difflib.get_close_matches('a', ['a'])
html.* | static:str | pure
  base: html.escape('a')
unicodedata.* | static:str | pure
  base: unicodedata.normalize('NFC', 'a')
codecs.* | static:any | pure
  base: codecs.encode('a', 'rot13')
locale.* | static:any | env
  base: locale.getlocale()
getpass.* | static:str | env
  base: getpass.getuser()
calendar.* | static:any | pure
  base: calendar.isleap(2020)
zoneinfo.* | object | pure
  base: zoneinfo.ZoneInfo('UTC')
colorsys.* | static:any | pure
  base: colorsys.rgb_to_hsv(0.1, 0.2, 0.3)
ipaddress.* | object | pure
  base: ipaddress.ip_address('1.1.1.1')
ctypes.* | object | other
  base: ctypes.c_int(1)
resource.* | unknown | introspect
  base: resource.getrusage(0)
sqlite3.* | object | io
  base: sqlite3.connect(':memory:')
atexit.register | object | process
  base: atexit.register(helper)
atexit.* | object | process
  base: atexit.unregister(helper)
traceback.format_exc | static:str | introspect
  base: traceback.format_exc()
  handler: try: raise ValueError ⏎ except ValueError: r = traceback.format_exc()
traceback.print_exc | none | print
  base: traceback.print_exc()
  handler: try: raise ValueError ⏎ except ValueError: traceback.print_exc()
traceback.print_stack | none | print
  base: traceback.print_stack()
traceback.format_stack | list(static:str) | introspect
  base: traceback.format_stack()
traceback.extract_stack | list(object) | introspect
  base: traceback.extract_stack()
traceback.* | unknown | introspect
  base: traceback.format_exception(EXC)
tracemalloc.* | unknown | introspect
  base: tracemalloc.is_tracing()
faulthandler.* | none | process
  base: faulthandler.is_enabled()
cProfile.* | object | introspect
  base: cProfile.Profile()
unittest.* | object | other
  base: unittest.mock.MagicMock()
  patch: with unittest.mock.patch('math.pi', 3): a = a + 1
reprlib.* | static:str | pure
  base: reprlib.repr([1])
graphlib.* | object | pure
  base: graphlib.TopologicalSorter()
email.* | unknown | pure
  base: email.utils.parseaddr('a@b')
mimetypes.* | static:any | pure
  base: mimetypes.guess_type('a.txt')
pkgutil.* | unknown | io
  base: pkgutil.find_loader('math')
sched.* | object | time
  base: sched.scheduler()
sysconfig.* | static:any | env
  base: sysconfig.get_path('stdlib')
stat.* | static:any | pure
  base: stat.S_ISDIR(0)
errno.* | static:int | pure
  base: errno.EINVAL
"""
)
