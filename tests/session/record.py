"""Writes `session.jsonl`: what a person does to five files of torch, 40 edits each.

    python -m tests.session.record

Only places are taken from torch's text; all that is typed or pasted is of our own.
"""

from __future__ import annotations

from tests.session.recording import UNDO, Edit, applied, digest, inverse, place, save, torch_text

EDITS = 40

SURE = """\
    def sure(self, input: Tensor) -> bool:
        return bool(self.head(input).any())

"""
LARGE = """\
def _large(x: Tensor, limit: float = 1.0):
    if x.abs().max() > limit:
        return x.item()
    return limit


"""
CLIP = """\
    def _clip(self, x: Tensor) -> Tensor:
        return x.clamp(max=x.max().item())

"""
STEPS = """\
    def steps(self, x: Tensor) -> int:
        n = x.norm().item()
        for i in range(int(n)):
            x = x + i
        return int(x.sum())

"""
FACTOR = """\
@torch.compile
def factor(step: Tensor, gamma: float):
    if step > 10:
        return gamma ** step.item()
    return gamma


"""


class Person:
    """Edits one file. Places are named by a text that stands there once, or by the first of several."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.text = torch_text(file)[1]
        self.digest = digest(self.text)
        self.edits: list[Edit] = []
        self._taken: list[Edit] = []

    def replace(self, start: int, end: int, new: str, kind: str) -> None:
        edit = Edit(self.file, kind, place(self.text, start), place(self.text, end), new)
        self._taken.append(inverse(self.text, edit))
        self.text = applied(self.text, edit)
        self.edits.append(edit)

    def undo(self, count: int = 1) -> None:
        for _ in range(count):
            edit = self._taken.pop()
            assert edit.kind == UNDO
            self.text = applied(self.text, edit)
            self.edits.append(edit)

    def at(self, anchor: str, behind: str = "") -> int:
        return self.text.index(anchor, self.text.index(behind))

    def type(self, anchor: str, statement: str, behind: str = "", keys: int = 0) -> None:
        """A statement under the line of an anchor: a new line, then its characters; `keys`: the last ones at once."""
        at = self.text.index("\n", self.at(anchor, behind))
        line = self.text[self.text.rindex("\n", 0, at) + 1 : at]
        indent = line[: len(line) - len(line.lstrip())] + ("    " if line.endswith(":") else "")
        self.replace(at, at, "\n" + indent, "newline")
        at += 1 + len(indent)
        single = keys or len(statement)
        for part in (*statement[:single], statement[single:]):
            if part:
                self.replace(at, at, part, "type")
                at += len(part)

    def change(self, anchor: str, old: str, new: str, kind: str, behind: str = "") -> None:
        """`old`, the first at or after an anchor, becomes `new`."""
        start = self.text.index(old, self.at(anchor, behind))
        self.replace(start, start + len(old), new, kind)

    def paste(self, anchor: str, block: str, behind: str = "") -> None:
        """Lines above the line of an anchor."""
        start = self.text.rindex("\n", 0, self.at(anchor, behind)) + 1
        self.replace(start, start, block, "paste")

    def comment(self, anchor: str, behind: str = "") -> None:
        """The line of an anchor becomes a comment."""
        start = self.text.rindex("\n", 0, self.at(anchor, behind)) + 1
        indent = len(self.text[start:]) - len(self.text[start:].lstrip(" "))
        self.replace(start + indent, start + indent, "# ", "comment")

    def line(self, anchor: str, behind: str = "") -> None:
        """The line of an anchor is deleted."""
        start = self.text.rindex("\n", 0, self.at(anchor, behind)) + 1
        self.replace(start, self.text.index("\n", start) + 1, "", "delete")


def adaptive() -> Person:
    """Typing into a forward, a method of one's own, a bracket broken, the class compiled."""
    p = Person("nn/modules/adaptive.py")
    p.type("targ_dim = target_.dim()", "n = target_.max().item()")
    p.undo(2)
    p.type("n = target_.max().item", "", keys=1)
    p.change("n = target_.max().item", "item", "item()", "type")
    p.paste("    def log_prob(", SURE)
    p.change("return torch.argmax(log_prob", "torch.argmax(", "self.sure(", "type")
    p.undo()
    p.change("head_output = self.head(input)", "(input)", "(input", "break", behind="def predict")
    p.change("head_output = self.head(input", "(input", "(input)", "mend", behind="def predict")
    p.comment("row_indices = target_mask")
    p.undo()
    p.change("class AdaptiveLogSoftmaxWithLoss(Module)", "(Module)", "(torch.nn.Module)", "header")
    p.paste("class AdaptiveLog", "@torch.compile\n")
    p.undo()
    p.paste("class AdaptiveLog", "\n")
    return p


def lbfgs() -> Person:
    """Functions of a module: a helper renamed with its calls, a new one typed, a decorator, another import."""
    p = Person("optim/lbfgs.py")
    p.change("def _cubic_interpolate", "_cubic_interpolate", "_cubic", "rename")
    p.change("_cubic_interpolate(", "_cubic_interpolate", "_cubic", "rename")
    p.change("_cubic_interpolate(", "_cubic_interpolate", "_cubic", "rename")
    p.undo(3)
    p.type("d_norm = d.abs().max()", "print(d_norm)")
    p.paste("def _strong_wolfe", LARGE)
    p.change("print(d_norm)", "print(d_norm)", "t = _large(d_norm)", "type")
    p.change("def _large(x: Tensor", "Tensor", "float", "annotation")
    p.undo()
    p.change("limit: float = 1.0", "1.0", "2.0", "number")
    p.paste("def _large", "@torch.compile(fullgraph=True)\n")
    p.change("(fullgraph=True)", "(fullgraph=True)", "", "decorator")
    p.change("from torch import Tensor", "Tensor", "inf, Tensor", "import")
    p.change("from .optimizer import _to_scalar, ", "_to_scalar, ", "", "import")
    p.undo()
    p.line("if d2_square >= 0:")
    p.undo()
    p.change("class LBFGS(Optimizer)", "Optimizer", "object", "header")
    p.undo()
    p.comment("@torch.no_grad()")
    p.undo()
    p.change("t = _large(d_norm)", ")", "", "break")
    p.undo()
    p.change("current_evals = 1", "1", "2", "number")
    p.change("# optimal condition", "# optimal", "if loss > 0:", "break")
    return p


def transformer() -> Person:
    """A file whose forward calls other layers: statements above and below, a call to a new method, a long string."""
    p = Person("nn/modules/transformer.py")
    p.type("output = src\n", "if src.sum() > 0:", keys=6)
    p.type("if src.sum() > 0:", "output = output * 2", keys=8)
    p.change("if src.sum() > 0", "src.sum()", "src.shape[0]", "type")
    p.undo()
    p.paste("    def _ff_block", CLIP, behind="class TransformerEncoderLayer")
    p.change("x = self.linear2", "self.linear2(", "self.linear2(self._clip(x) + ", "type")
    p.undo()
    p.type('why_not_sparsity_fast_path = ""', "note = 'größe 😀'; total = src.sum().item()", keys=8)
    p.change("note = 'größe 😀'", "'größe 😀'", '"""größe 😀', "break")
    p.undo()
    p.change("seq_len = _get_seq_len(src", "_get_seq_len(src", "_get_seq_len(output", "type")
    p.comment("src_key_padding_mask_for_layers = None")
    p.undo()
    p.line("output = self.norm(output)")
    p.undo()
    return p


def rnn() -> Person:
    """Classes that share a base: its method changed, a header, a guard, code at the very end and the very start."""
    p = Person("nn/modules/rnn.py")
    p.change("mini_batch = int(batch_sizes[0])", "int(batch_sizes[0])", "batch_sizes[0]", "type")
    p.undo()
    p.change("class LSTM(RNNBase)", "RNNBase", "RNN", "header")
    p.undo()
    p.change("class RNNBase(Module)", "(Module)", "(Module", "break")
    p.undo()
    p.type("expected_input_dim = 2", "if input.any():", keys=10)
    p.type("if input.any():", "input = input[0]", keys=5)
    p.paste("    def extra_repr", STEPS, behind="class RNNBase")
    p.change("for i in range(int(n))", "int(n)", "self.num_layers", "type")
    p.undo()
    p.change("if input.any()", "input.any()", "input.any() and self.steps(input)", "type")
    p.comment("return _apply_permutation(hx, permutation)")
    p.change("# return _apply_permutation", "# ", "", "comment")
    p.replace(0, 0, '"""Recurrent layers."""\n\n', "paste")
    p.replace(len(p.text), len(p.text), "\n\ncell = torch.compile(GRUCell(4, 4))\n", "paste")
    p.change("GRUCell(4, 4)", "GRUCell(4, 4)", "RNNBase.steps", "type")
    p.undo(2)
    p.change("proj_size: int = 0", "0", "1", "number")
    p.undo()
    p.paste("    def check_hidden_size", "    @torch.no_grad()\n")
    p.line("num_directions = 2 if")
    return p


def scheduler() -> Person:
    """2,600 lines: a counter typed into a step, closures, a class moved, a block taken out and brought back."""
    p = Person("optim/lr_scheduler.py")
    p.type("self._step_count += 1", "self.seen = self._step_count + 1", keys=10)
    p.change("self.seen = self", "self.seen", "self.last", "rename")
    p.undo()
    p.change("EPOCH_DEPRECATION_WARNING = (", "(", "[", "break")
    p.undo()
    p.type("opt = opt_ref()", "print(opt)", keys=6)
    p.change("def wrapper(*args, **kwargs)", "**kwargs", "", "type")
    p.undo()
    p.paste("class _LRScheduler(", FACTOR)
    p.change("from torch import inf, Tensor", "from torch", "import torch\nfrom torch", "import")
    p.change("if step > 10", "step > 10", "not step > 10", "type")
    p.undo()
    p.line("@torch.compile")
    p.undo()
    p.change("class _enable_get_lr_call:", "_enable_get_lr_call", "_lr_call", "rename")
    p.undo()
    p.comment("warnings.warn(", behind="def _warn_get_lr_called")
    p.undo()
    p.type("def _update_lr", "count = int(torch.ones(3).sum())", keys=1)
    p.change("count = int(", "int(", "float(", "type")
    return p


def main() -> None:
    people = [adaptive(), lbfgs(), transformer(), rnn(), scheduler()]
    for person in people:
        print(person.file, len(person.edits))
    assert all(len(person.edits) == EDITS for person in people)
    edits = [edit for row in zip(*(person.edits for person in people)) for edit in row]
    save({person.file: person.digest for person in people}, edits)


if __name__ == "__main__":
    main()
