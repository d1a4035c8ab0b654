"""`capture-lsp simulate`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import webbrowser
from types import FrameType

from capture_lsp.cli import CLEAN
from capture_lsp.cli.probe_command import GIB, client_for, python_setting
from capture_lsp.cli.progress import ProgressBar, progress_bar
from capture_lsp.config.settings import Resolver
from capture_lsp.errors import UserError
from capture_lsp.formats.style import printable
from capture_lsp.options import search_paths
from capture_lsp.pages import asset
from capture_lsp.paths import absolute, display
from capture_lsp.probe.client import Cancelled, Client
from capture_lsp.probe.targets import Work, parse
from capture_lsp.simulator.asking import Asker
from capture_lsp.simulator.combinations import LIMIT
from capture_lsp.simulator.gallery import Exhibit, exhibit, exhibits
from capture_lsp.simulator.program import Program, of_exhibit, of_target

#: What may be running when the server ends has so long to be gone.
_SECONDS_TO_END = 10.0


def run(options: argparse.Namespace) -> int:
    """List the gallery, write a page, or serve one until Ctrl-C."""
    if options.list:
        return _list()
    _verify(options)
    asset("simulator.js")  # said before anything is run
    cwd = os.getcwd()
    shown: tuple[Exhibit, ...] = ()
    if options.gallery is None:
        programs = [of_target(parse(options.target, cwd, options.inputs or (), options.init), cwd)]
    else:
        shown = exhibits()
        programs = [of_exhibit(one) for one in shown]
    first = next((one for one in programs if one.name == (options.gallery or "")), None)
    overrides = {} if options.python is None else {"python": python_setting(options.python, cwd)}
    resolver = Resolver(cwd, overrides, options.config)
    settings = resolver.for_folder(cwd if options.gallery is not None else os.path.dirname(programs[0].target.path))
    work = Work(
        parts=(),
        seconds=options.timeout or Work.seconds,
        memory=int(options.memory * GIB) if options.memory else Work.memory,
    )
    with client_for(settings, cwd) as client:
        asker = Asker(client, work, lambda path: search_paths(resolver.for_folder(os.path.dirname(path))))
        if options.export is not None:
            assert first is not None
            return _export(options, asker, client, first, absolute(options.export, cwd))
        return _serve(options, asker, client, programs, first, shown)


def _verify(options: argparse.Namespace) -> None:
    if (options.target is None) == (options.gallery is None):
        raise UserError("name FILE or FILE::ENTRY, or give --gallery")
    if options.gallery is not None and (options.inputs or options.init):
        raise UserError("the programs of the gallery have their own inputs")
    if options.gallery:
        exhibit(options.gallery)
    if options.export is None and (options.limit or options.all_combinations):
        raise UserError("--limit and --all-combinations are for --export: the served page runs what you choose")
    if options.export is not None:
        if options.gallery == "":
            raise UserError("--export writes one program: --gallery NAME")
        folder = os.path.dirname(absolute(options.export, os.getcwd()))
        if not os.path.isdir(folder):
            raise UserError(f"{options.export}: no such folder")


def _list() -> int:
    width = max(len(one.name) for one in exhibits())
    for one in exhibits():
        print(f"{one.name:{width}}  {one.title}")
    return CLEAN


def _export(options: argparse.Namespace, asker: Asker, client: Client, program: Program, path: str) -> int:
    from capture_lsp.simulator.export import export

    bar = progress_bar(sys.stderr, quiet=options.quiet)
    try:
        bar.tell(f"starting {client.python}")
        surveyed = asker.survey(program)
        limit = None if options.all_combinations else options.limit or LIMIT
        planned = export(asker, surveyed, path, limit, _Counting(bar))
    finally:
        bar.finish()
    if not options.quiet:
        size = os.stat(path).st_size / 1e6
        print(f"{display(path, os.getcwd())}: {size:.1f} MB. {planned.told}")
    return CLEAN


class _Counting:
    """Steps a progress bar up to what is done."""

    def __init__(self, bar: ProgressBar) -> None:
        self._bar = bar
        self._done = 0
        self._started = False

    def __call__(self, done: int, of: int) -> None:
        if not self._started:
            self._started = True
            self._step = self._bar.start(of, "runs")
        for _ in range(done - self._done if self._step is not None else 0):
            assert self._step is not None
            self._step("")
        self._done = done


def _serve(
    options: argparse.Namespace,
    asker: Asker,
    client: Client,
    programs: list[Program],
    first: Program | None,
    shown: tuple[Exhibit, ...],
) -> int:
    from capture_lsp.simulator.server import Server
    from capture_lsp.simulator.site import Site

    site = Site(asker, programs, shown)
    server = Server(site, options.port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True)
    try:
        if not options.quiet:
            print(f"starting {printable(client.python)}", file=sys.stderr, flush=True)
        client.start()
        if first is not None:  # what is wrong with it is said here, not in the browser
            site.know(asker.survey(first))
        thread.start()
        url = server.url(first.name if first is not None else "")
        print(url, flush=True)
        if not options.quiet:
            print("Your code runs when you choose something in the page. Ctrl-C ends it.", file=sys.stderr, flush=True)
        if not options.no_browser:
            webbrowser.open(url)
        _wait()
    except Cancelled:
        pass
    finally:
        client.cancelled.set()  # whatever is being run now ends, with all that it started
        if thread.is_alive():
            server.shutdown()
        server.server_close()
        site.settle(_SECONDS_TO_END)
    return CLEAN


def _wait() -> None:
    """Until Ctrl-C, or until the process is asked to end."""
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()

    signal.signal(signal.SIGTERM, end)
    try:
        while not ended.wait(0.5):  # short: a wait without end cannot be interrupted on Windows
            pass
    except KeyboardInterrupt:
        print(file=sys.stderr)
