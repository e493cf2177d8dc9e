"""Other programs beside the screen: what `:!` runs with its output captured, and those that get the terminal.

`ex/shell.py` says what is run and what becomes of the output. Agents are no matter of this module.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from tpy.modal.ex.shell import Output
from tpy.modal.progress import Interrupted
from tpy.modal.registry import CommandFailed

# How often a program that runs is looked at, in seconds.
_PAUSE = 0.05
_CHUNK = 1 << 16


def run_captured(argv: Sequence[str], text: str | None, interrupted: Callable[[], bool]) -> Output:
    """Run a program with `text` as its input (`None`: none) and return what it prints.

    It gets no terminal: it could only take keys away. Its output counts until it ends, even if a child of its
    own goes on holding the pipe. Raises `Interrupted`, with the program and its children ended, when the user
    wants to stop, `CommandFailed` (E484) when it can't be started.
    """
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL if text is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise CommandFailed(f"E484: Can't run {argv[0]}: {getattr(error, 'strerror', None) or error}") from None
    try:
        output = _talk(process, (text or "").encode("utf-8", "surrogateescape"), interrupted)
        return Output(output.decode("utf-8", "surrogateescape"), process.wait())
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    finally:
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _talk(process: subprocess.Popen[bytes], data: bytes, interrupted: Callable[[], bool]) -> bytes:
    """Give a program its input and collect its output until it has ended."""
    assert process.stdout is not None
    out: list[bytes] = []
    rest = memoryview(data)
    with selectors.DefaultSelector() as selector:
        os.set_blocking(process.stdout.fileno(), False)
        selector.register(process.stdout, selectors.EVENT_READ)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE)
        while True:
            ended = process.poll() is not None
            ready = selector.select(0 if ended or not selector.get_map() else _PAUSE)
            if interrupted():
                raise Interrupted
            for key, _ in ready:
                if key.fileobj is process.stdout:
                    part = _read(key.fd)
                    out.append(part)
                    more = bool(part)
                else:
                    rest = rest[_write(key.fd, rest) :]
                    more = bool(rest)
                if not more:
                    selector.unregister(key.fileobj)
                    key.fileobj.close()  # type: ignore[union-attr]
            if ended and not ready:
                break
            if not selector.get_map():
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_PAUSE)
    return b"".join(out)


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, _CHUNK)
    except OSError:
        return b""


def _write(fd: int, data: memoryview) -> int:
    """Write what the program takes now; one that has stopped reading has taken everything."""
    try:
        return os.write(fd, data[:_CHUNK])
    except BlockingIOError:
        return 0
    except OSError:
        return len(data)


def run_in_terminal(argv: Sequence[str], env: Mapping[str, str], directory: str) -> str:
    """Run a program that has the terminal to itself, and wait for `<CR>` after it; return what went wrong or "".

    The caller has given the terminal back and takes it again afterwards.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # <C-c> is for the program
    try:
        done = subprocess.run(argv, env=dict(env), cwd=directory, check=False, preexec_fn=_default_interrupt)
        problem = f"{argv[0]} returned {done.returncode}" if done.returncode else ""
    except (OSError, ValueError) as error:
        problem = f"{argv[0]} could not be started: {getattr(error, 'strerror', None) or error}"
    finally:
        signal.signal(signal.SIGINT, before)
    with suppress(OSError):
        os.write(1, f"\n{problem or 'done'}; press ENTER to go back to tpy ".encode())
        while (key := os.read(0, 1)) and key not in b"\r\n":
            pass
    return problem


def _default_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def open_url(url: str, environ: Mapping[str, str]) -> str:
    """Have the user's browser show an address, beside the editor; return what is wrong, "" where nothing is.

    Only addresses of the web: others could make a program of the user's do something.
    """
    from shutil import which

    if not url.lower().startswith(("https://", "http://")):
        return "it is no address of the web"
    wanted = [*filter(None, environ.get("BROWSER", "").split(os.pathsep)), "xdg-open", "open"]
    opener = next((path for name in wanted if (path := which(name, path=environ.get("PATH")))), None)
    if opener is None:
        return "no browser was found ($BROWSER, xdg-open)"
    # By way of a shell, which ends at once: what shows the address is nobody's child and has no terminal.
    command = ["sh", "-c", '"$@" >/dev/null 2>&1 </dev/null &', "sh", opener, url]
    try:
        subprocess.run(command, env=dict(environ), start_new_session=True, check=True, timeout=5)
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    return ""
