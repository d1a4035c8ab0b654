# ruff: noqa: E501 - the cases are data, one a line
"""Cases of `python_api.py` for third-party packages that models call; those that are not installed are left out.

    pip install --no-deps tqdm einops pillow loguru absl-py rich markdown-it-py mdurl pygments requests urllib3 certifi idna \
        charset-normalizer pandas python-dateutil six scipy opencv-python-headless jaxtyping \
        wadler-lindig beartype safetensors torchmetrics lightning-utilities termcolor
"""

from __future__ import annotations

PRELUDE = """
def _import(name):
    try:
        return __import__("importlib").import_module(name)
    except ImportError:
        return None


tqdm, einops, PIL, loguru, rich, requests = map(_import, ("tqdm", "einops", "PIL", "loguru", "rich", "requests"))
absl, pandas, scipy, cv2 = map(_import, ("absl", "pandas", "scipy", "cv2"))
jaxtyping, beartype, safetensors, torchmetrics, termcolor = map(
    _import, ("jaxtyping", "beartype", "safetensors", "torchmetrics", "termcolor")
)
networkx, sympy, yaml, packaging, filelock = map(_import, ("networkx", "sympy", "yaml", "packaging", "filelock"))
for _name in (
    "PIL.Image", "einops.layers.torch", "absl.logging", "scipy.special",
    "scipy.optimize", "scipy.signal", "scipy.spatial", "safetensors.torch", "torchmetrics.functional", "packaging.version",
    "tqdm.auto", "scipy.ndimage", "scipy.sparse", "scipy.linalg", "scipy.stats", "torchmetrics.classification",
):
    _import(_name)
ARR = np.ones((4, 4))
if PIL:
    IMG = PIL.Image.new("RGB", (4, 4))
    _picture = io.BytesIO()
    IMG.save(_picture, "bmp")
    PICTURE = _picture.getvalue()
if pandas:
    FRAME = pandas.DataFrame({"a": [1, 2]})
if tqdm:
    BAR = tqdm.tqdm(total=3, disable=True)
if einops:
    REARRANGE = einops.layers.torch.Rearrange("(p q) -> p q", q=1)
if torchmetrics:
    ACC = torchmetrics.classification.BinaryAccuracy()
if loguru:
    loguru.logger.remove()
if beartype:
    @beartype.beartype
    def checked(t: torch.Tensor, n: int = 1) -> torch.Tensor:
        return t * n
if jaxtyping and beartype:
    @jaxtyping.jaxtyped(typechecker=beartype.beartype)
    def shaped(t: jaxtyping.Float[torch.Tensor, "n"]) -> jaxtyping.Float[torch.Tensor, "n"]:
        return t * 2
"""

CASES = r"""
tqdm.tqdm | iterator | print
  base: for v in tqdm.tqdm([1, 2]): a = a + v
  disabled: for v in tqdm.tqdm([1, 2], disable=True): a = a + v
  bare: tqdm.tqdm([1, 2])
tqdm.trange | iterator | print
  base: for v in tqdm.trange(2): a = a + v
tqdm.tqdm.update | none | print
  base: BAR.update(1)
tqdm.tqdm.set_postfix | none | print
  base: BAR.set_postfix(a=1)
tqdm.tqdm.set_description | none | print
  base: BAR.set_description('a')
tqdm.tqdm.write | none | print
  base: tqdm.tqdm.write('a')
tqdm.* | iterator | print
  base: tqdm.auto.tqdm([1])
einops.rearrange | same | pure
  base: einops.rearrange(x, '(p q) -> p q', q=1)
  size: einops.rearrange(x, '(p q) -> p q', p=x.shape[0])
einops.reduce | same | pure
  base: einops.reduce(x, 'p -> ', 'sum')
einops.repeat | same | pure
  base: einops.repeat(x, 'p -> p q', q=2)
einops.einsum | same | pure
  base: einops.einsum(x, x, 'p, p ->')
einops.pack | same | pure
  base: einops.pack([x, x], '*')
einops.unpack | list(same) | pure
  base: einops.unpack(x, [[1], [x.shape[0] - 1]], '*')
einops.parse_shape | object | pure
  base: einops.parse_shape(x, 'p')
einops.layers.torch.Rearrange.__call__ | same | pure
  base: REARRANGE(x)
einops.asnumpy | data:any | pure
  base: einops.asnumpy(x)
einops.* | same | pure
  base: einops.rearrange(x, 'p -> 1 p')
PIL.Image.open | object | io
  base: PIL.Image.open(io.BytesIO(PICTURE))
PIL.Image.new | object | pure
  base: PIL.Image.new('RGB', (1, 1))
PIL.Image.fromarray | object | pure
  base: PIL.Image.fromarray(np.zeros((2, 2), dtype=np.uint8))
  tensor: PIL.Image.fromarray(x.numpy())
PIL.Image.Image.resize | object | pure
  base: IMG.resize((2, 2))
PIL.Image.Image.convert | object | pure
  base: IMG.convert('L')
PIL.Image.Image.size | static:any | pure
  base: IMG.size
PIL.Image.* | object | pure
  base: PIL.Image.getmodebase('RGB')
PIL.* | object | pure
  base: np.asarray(IMG)
scipy.special.* | data:any | pure
  base: scipy.special.erf(0.5)
  tensor: scipy.special.erf(x)
  tensor: scipy.special.softmax(x.numpy())
scipy.optimize.* | data:any | pure
  base: scipy.optimize.linear_sum_assignment(ARR)
  tensor: scipy.optimize.linear_sum_assignment(x[:, None].numpy())
scipy.signal.* | data:any | pure
  base: scipy.signal.windows.hann(4)
scipy.ndimage.* | data:any | pure
  base: scipy.ndimage.gaussian_filter(ARR, 1)
scipy.linalg.* | data:any | pure
  base: scipy.linalg.inv(np.eye(2))
scipy.stats.* | data:any | pure
  base: scipy.stats.norm.cdf(0.5)
scipy.sparse.* | object | pure
  base: scipy.sparse.csr_matrix(ARR)
scipy.spatial.* | data:any | pure
  base: scipy.spatial.cKDTree(ARR)
scipy.* | data:any | pure
  base: scipy.spatial.distance.cdist(ARR, ARR)
cv2.resize | data:any | pure
  base: cv2.resize(ARR, (2, 2))
  tensor: cv2.resize(x[:, None].numpy(), (2, 2))
cv2.* | data:any | pure
  base: cv2.GaussianBlur(ARR, (3, 3), 0)
pandas.DataFrame | object | pure
  base: pandas.DataFrame({'a': [1]})
  tensor: pandas.DataFrame({'a': x.tolist()})
pandas.DataFrame.* | object | pure
  base: FRAME.mean()
  item: FRAME['a']
pandas.* | object | pure
  base: pandas.Timestamp(0)
requests.* | object | network
  base: requests.Session()
rich.print | none | print
  base: rich.print('a')
rich.* | object | print
  base: rich.get_console()
loguru.logger.info | none | log
  base: loguru.logger.info('a')
  tensor: loguru.logger.info('{}', x)
loguru.logger.* | none | log
  base: loguru.logger.debug('a')
absl.logging.info | none | log
  base: absl.logging.info('a')
absl.logging.* | none | log
  base: absl.logging.warning('a')
  first: absl.logging.log_first_n(20, 'a', 1)
jaxtyping.jaxtyped | object | pure
  base: jaxtyping.Float[torch.Tensor, 'n']
  isinstance: isinstance(x, jaxtyping.Float[torch.Tensor, 'n'])
jaxtyping.jaxtyped.__call__ | same | pure
  base: shaped(x)
beartype.beartype.__call__ | same | pure
  base: checked(x)
safetensors.torch.* | unknown | io
  base: safetensors.torch.save({'a': torch.ones(2)})
  tensor: safetensors.torch.save({'a': x})
torchmetrics.functional.* | same | pure
  base: torchmetrics.functional.accuracy(x, (x > 1).long(), task='binary')
  error: torchmetrics.functional.mean_squared_error(x, x)
  similarity: torchmetrics.functional.cosine_similarity(x[None], x[None])
torchmetrics.* | same | mutate
  base: ACC(x / 10, (x > 1).long())
  update: ACC.update(x / 10, (x > 1).long())
termcolor.* | static:str | pure
  base: termcolor.colored('a', 'red')
networkx.* | object | pure
  base: networkx.Graph()
  use: networkx.path_graph(3).number_of_nodes()
sympy.* | object | pure
  base: sympy.Symbol('a')
  expand: sympy.expand('a+a')
yaml.* | unknown | pure
  base: yaml.safe_load('a: 1')
packaging.version.parse | object | pure
  base: packaging.version.parse('1.0')
  compare: packaging.version.parse('1.0') >= packaging.version.parse('0.9')
  torch: packaging.version.parse(torch.__version__) >= packaging.version.parse('2.0')
packaging.* | object | pure
  base: packaging.version.Version('1.0').major
filelock.* | object | io
  base: filelock.FileLock('/tmp/zz.lock')
"""
