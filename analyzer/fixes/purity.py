"""Which expressions do nothing but compute a value, judged by their text."""

from __future__ import annotations

import ast

from analyzer.fixes.code import Parents
from analyzer.project import dotted

#: Tensor methods (and torch functions) that work element by element and keep shape and, for floats, dtype.
ELEMENTWISE = frozenset(
    "sin cos tan tanh sigmoid relu exp exp2 expm1 log log1p log2 sqrt rsqrt abs neg square reciprocal clamp clamp_min "
    "clamp_max floor ceil round trunc sign pow erf sinh cosh asin acos atan clone contiguous softmax log_softmax gelu "
    "silu elu leaky_relu hardtanh softplus logit nan_to_num add sub mul div cumsum flip".split()
)
#: Those that, given no arguments, leave one element.
REDUCTIONS = frozenset("sum mean prod max min amax amin norm std var any all median logsumexp".split())
_OTHER = frozenset(
    "item tolist numel dim size argmax argmin view reshape permute transpose t flatten squeeze unsqueeze expand repeat "
    "matmul mm bmm gather index_select topk sort narrow chunk split unbind diagonal tril triu float half double "
    "bfloat16 long int bool to type cpu cuda numpy detach isnan isinf isfinite logical_not logical_and logical_or eq "
    "ne lt le gt ge masked_fill where lerp count_nonzero nonzero unique element_size nelement is_floating_point "
    "zeros ones zeros_like ones_like full full_like arange tensor as_tensor empty_like cat stack linear "
    "normalize".split()
)
METHODS = ELEMENTWISE | REDUCTIONS | _OTHER
_BUILTINS = frozenset(
    "len str repr float int bool abs min max sum round tuple list format type range zip enumerate sorted".split()
)
_TEXT = frozenset("join format upper lower strip replace title".split())
_LOADS = (
    ast.Name,
    ast.Constant,
    ast.Attribute,
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.BoolOp,
    ast.Subscript,
    ast.Slice,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.IfExp,
    ast.Starred,
    ast.keyword,
    ast.GeneratorExp,
    ast.ListComp,
    ast.comprehension,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
    ast.cmpop,
    ast.boolop,
)


def torch_function(call: ast.Call) -> str:
    """The name of the function of torch or torch.nn.functional that is called, or ""."""
    name = dotted(call.func) or ""
    head, _, tail = name.rpartition(".")
    return tail if head in ("torch", "F", "nn.functional", "torch.nn.functional", "torch.linalg") else ""


def pure_call(call: ast.Call) -> bool:
    """Whether the callee is known to compute only, its arguments aside."""
    if any(k.arg in ("inplace", "out") for k in call.keywords):
        return False
    if isinstance(call.func, ast.Name):
        return call.func.id in _BUILTINS
    return isinstance(call.func, ast.Attribute) and (
        torch_function(call) in METHODS if torch_function(call) else call.func.attr in METHODS | _TEXT
    )


def pure(node: ast.AST) -> bool:
    """Whether evaluating an expression has no effect that the program could tell; reading attributes counts as none."""
    if isinstance(node, ast.Call):
        if not pure_call(node):
            return False
    elif not isinstance(node, _LOADS):
        return False
    return all(pure(child) for child in ast.iter_child_nodes(node))


def movable(node: ast.AST) -> bool:
    """Whether a statement can stand behind a condition without changing what names mean after it."""
    fixed = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda)
    return not any(isinstance(n, fixed) for n in ast.walk(node))


def only_in_arithmetic(code_parents: Parents, function: ast.AST, name: str) -> list[ast.Name] | None:
    """The reads of a local name, if it is bound once and each read is an operand of arithmetic; else None."""
    stores = 0
    reads: list[ast.Name] = []
    for node in ast.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return None
        if isinstance(node, ast.arg) and node.arg == name:
            return None
        if not isinstance(node, ast.Name) or node.id != name:
            continue
        if not isinstance(node.ctx, ast.Load):
            stores += 1
            continue
        parent = code_parents.get(node)
        while isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub):
            parent = code_parents.get(parent)
        if not isinstance(parent, ast.BinOp) or not isinstance(
            parent.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
        ):
            return None
        reads.append(node)
    return reads if stores == 1 and reads else None
