"""The process that has torch imported and waits: a fork of it probes one target.

It runs one thread, never imports the user's code and never initialises CUDA, so that its forks can do everything that a
fresh process could. Requests arrive on standard input and replies leave on what was standard output, one JSON object a
line:

    out  {"hello": {"version", "torch", "python", "device", "support", "blind", "pid"}}
         or {"fatal": {"kind", "message"}}
    in   {"id", ...the fields of a `Job`}
    out  {"id", "progress": {"part", "entry"}} any number of times, then {"id", "entries": [...]}

The end of the input ends it, and every process below it.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_name] = "1"  # a parallel region before a fork makes the child hang

import contextlib  # noqa: E402
import gc  # noqa: E402
import platform  # noqa: E402
import select  # noqa: E402
import sys  # noqa: E402
from typing import Any, Callable, Dict, List, Set  # noqa: E402

from runtime_probe import channel, launch, report  # noqa: E402

OLDEST = (2, 6)


def main() -> None:
    """Serve until the input ends."""
    if launch.AS_WORKER in sys.argv[1:]:
        launch.work_fresh()
    replies = os.dup(1)
    os.dup2(2, 1)  # whatever torch prints while it is imported must not get between the replies
    os.set_inheritable(replies, False)
    hello = _prepare()
    channel.send(replies, hello)
    if "fatal" not in hello:
        blind = list(hello["hello"]["blind"])
        if hasattr(os, "fork"):
            _Zygote(replies, blind).serve()
        else:
            _serve_threads(replies, blind)
    os._exit(0)  # native libraries complain at a regular end


def _prepare() -> Dict[str, Any]:
    """Import torch, and find out what it lets us see."""
    try:
        import torch
    except ModuleNotFoundError as error:
        if error.name != "torch":
            return _fatal("broken-torch", f"torch cannot be imported by {sys.executable}: {error}")
        return _fatal(
            "no-torch",
            f"{sys.executable} has no torch: install it there, or choose another interpreter with --python",
        )
    except Exception as error:
        return _fatal("broken-torch", f"torch cannot be imported by {sys.executable}: {type(error).__name__}: {error}")
    torch.set_num_threads(1)
    from runtime_probe import versions

    if versions.VERSION < OLDEST:
        return _fatal("old-torch", f"torch {torch.__version__} is too old for the probe, which needs 2.6 or later")
    import logging

    logging.getLogger("torch").setLevel(logging.CRITICAL)
    from runtime_probe import selftest

    versions.skip_statistics()
    try:
        blind = selftest.run()
    except Exception as error:
        return _fatal("broken-torch", f"TorchDynamo does not run here: {type(error).__name__}: {error}")
    device = "cuda" if torch.version.cuda and os.path.exists("/dev/nvidiactl") else "cpu"
    return {
        "hello": {
            "version": report.VERSION,
            "torch": torch.__version__.split("+")[0],
            "python": platform.python_version(),
            "device": device,
            "support": selftest.support(blind),
            "blind": blind,
            "pid": os.getpid(),
        }
    }


def _fatal(kind: str, message: str) -> Dict[str, Any]:
    return {"fatal": {"kind": kind, "message": message}}


class _Zygote:
    def __init__(self, replies: int, blind: List[str]) -> None:
        self.replies = replies
        self.requests = channel.Lines()
        self.pipes: Dict[int, channel.Lines] = {}
        self.pids: Dict[int, int] = {}
        self.asked: Dict[int, Any] = {}
        self.blind = blind
        self.warmed: Set[str] = set()

    def serve(self) -> None:
        """Fork a supervisor for each request, and pass on what they say."""
        while True:
            for descriptor in select.select([0, *self.pipes], [], [])[0]:
                data = os.read(descriptor, 1 << 16)
                if descriptor != 0:
                    self._pass_on(descriptor, data)
                elif not data:
                    self._reap_done()
                    return  # the other supervisors see that their parent is gone
                else:
                    for request in self.requests.feed(data):
                        self._start(request)

    def _start(self, request: Dict[str, Any]) -> None:
        self._warm(request)
        request = knowing(request, self.blind)
        reading, writing = os.pipe()
        own = os.getpid()
        gc.freeze()  # or the collector of each child copies every page
        child = os.fork()
        if child == 0:
            os.close(reading)
            _supervise(request, writing, own)
        os.close(writing)
        self.pipes[reading] = channel.Lines()
        self.pids[reading] = child
        self.asked[reading] = request.get("id")

    def _pass_on(self, descriptor: int, data: bytes) -> None:
        for message in self.pipes[descriptor].feed(data):
            channel.send(self.replies, message)
            if "entries" in message:
                self.asked[descriptor] = None
        if not data:
            os.close(descriptor)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.pids[descriptor], 0)
            if self.asked[descriptor] is not None:
                channel.send(self.replies, {"id": self.asked[descriptor], "error": "the probe's supervisor died"})
            del self.pipes[descriptor], self.pids[descriptor], self.asked[descriptor]

    def _reap_done(self) -> None:
        """Collect the supervisors that have answered and are about to end."""
        for descriptor, asked in self.asked.items():
            if asked is None:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(self.pids[descriptor], 0)

    def _warm(self, request: Dict[str, Any]) -> None:
        """Load once what every child would load for itself."""
        from runtime_probe import warm

        for name in request.get("parts") or ():
            if name not in self.warmed:
                self.warmed.add(name)
                warm.up(name)


def _supervise(request: Dict[str, Any], writing: int, parent: int) -> None:
    """The supervisor's side of the fork. Never returns."""
    number = request.get("id")

    def progress(part: str, entry: str) -> None:
        channel.send(writing, {"id": number, "progress": {"part": part, "entry": entry}})

    channel.send(writing, {"id": number, "entries": _entries(request, progress, parent)})
    os._exit(0)


def _entries(request: Dict[str, Any], progress: Callable[[str, str], None], parent: int) -> List[Any]:
    from runtime_probe.assemble import empty
    from runtime_probe.job import Job, describe
    from runtime_probe.supervise import supervise

    try:
        return list(supervise(Job.of(request), progress, parent))
    except BaseException as error:
        entry = empty(request.get("entry"), list(request.get("inputs") or ()))
        entry["status"], entry["message"] = "failed", f"the probe failed: {describe(error)}"
        return [entry]


def knowing(request: Dict[str, Any], blind: List[str]) -> Dict[str, Any]:
    """The request with what this torch does not let the probe see."""
    return {**request, "options": {**(request.get("options") or {}), "blind": blind}}


def _serve_threads(replies: int, blind: List[str]) -> None:
    """Without fork: a thread for each request watches a fresh process. Forking was not possible before, so threads do
    no harm."""
    import threading

    lock = threading.Lock()

    def answer(request: Dict[str, Any]) -> None:
        number = request.get("id")

        def send(message: Dict[str, Any]) -> None:
            with lock:
                channel.send(replies, {"id": number, **message})

        send(
            {
                "entries": _entries(
                    knowing(request, blind), lambda part, entry: send({"progress": {"part": part, "entry": entry}}), 0
                )
            }
        )

    requests = channel.Lines()
    while True:
        data = os.read(0, 1 << 16)
        if not data:
            for worker in list(launch.RUNNING):
                launch.kill(worker)
            return
        for request in requests.feed(data):
            threading.Thread(target=answer, args=(request,), daemon=True).start()
