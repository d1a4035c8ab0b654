"""JUnit XML: a suite for each file, a failed test for each finding, one that passed for a file without any."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from analyzer.finding import FileError, Finding
from capture_lsp.formats.concise import position
from capture_lsp.formats.details import details
from capture_lsp.paths import display
from capture_lsp.results import FileResult, RunResult

#: What XML 1.0 cannot hold.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def render(result: RunResult, cwd: str) -> str:
    """The document."""
    top = Element("testsuites", name="capture-lsp")
    errors: dict[str, list[FileError]] = {}
    for error in result.all_errors():
        errors.setdefault(error.path, []).append(error)
    for file in result.files:
        _suite(top, file, errors.pop(file.path, []), cwd)
    for path, found in errors.items():
        _suite(top, FileResult(path), found, cwd)
    for name in ("tests", "failures", "errors"):
        top.set(name, str(sum(int(suite.get(name, "0")) for suite in top)))
    indent(top, " ")
    text: str = tostring(top, encoding="unicode").encode("ascii", "xmlcharrefreplace").decode("ascii")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _suite(top: Element, file: FileResult, errors: list[FileError], cwd: str) -> None:
    path = _text(display(file.path, cwd))
    count = len(file.findings) + len(errors)
    suite = SubElement(top, "testsuite", name=path, tests=str(max(1, count)), failures=str(len(file.findings)))
    suite.set("errors", str(len(errors)))
    suite.set("skipped", "0")
    for finding in file.findings:
        _failure(suite, file, finding, path, cwd)
    for error in errors:
        case = SubElement(suite, "testcase", classname=path, name=f"{path}:{error.line} checked", file=path)
        SubElement(case, "error", type=error.kind, message=_text(error.message))
    if not count:
        SubElement(suite, "testcase", classname=path, name=f"{path} captured", file=path)


def _failure(suite: Element, file: FileResult, f: Finding, path: str, cwd: str) -> None:
    where = _text(position(file, f.line, f.column, cwd))
    case = SubElement(suite, "testcase", classname=path, name=f"{f.code} {f.name} {where}", file=path)
    if not file.cells:
        case.set("line", str(f.line))
    failure = SubElement(case, "failure", type=f.code, message=_text(f.message))
    failure.text = _text("\n".join([f"{where}: {f.severity}: {f.message}", *details(file, f, cwd)]))


def _text(text: str) -> str:
    return _FORBIDDEN.sub("?", text)
