"""The entry of `tpy`: the first frame before anything else is imported.

    tpy notes.txt        # the text is on the screen, then the editor is loaded behind it

For plain calls that only name files, the beginning of the first file is drawn with nothing but `os` and `termios`, just
as the first real frame will show it. What can't be drawn so (other scripts, control characters, options in the user's
`tpyrc` that change the picture) is left blank and comes with that frame. Reading a file here decides nothing: errors,
directories, recovery and all the rest are the editor's. Calls with options or subcommands go to `cli.py`.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# So much of the file is looked at, in bytes.
MOST = 65536
TABSTOP = 8


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run `tpy`; the exit status. As the program itself (without `argv`) it doesn't come back."""
    status = _run(list(sys.argv[1:] if argv is None else argv))
    if argv is None:
        for stream in (sys.stdout, sys.stderr):
            try:
                if stream is not None:
                    stream.flush()
            except OSError:
                status = status or 1  # nobody reads it any more
        os._exit(status)  # all is closed; to take the objects of the process apart one by one would only take time
    return status


def _run(arguments: "list[str]") -> int:
    """The first frame and the editor, or what else the arguments ask for."""
    if not _only_files(arguments):
        from tpy.modal import cli

        return cli.main(arguments)

    def _edit(tty: "TtyMode") -> int:
        first_frame(tty, arguments[0] if arguments else "")
        from tpy.modal import app
        from tpy.modal.startup import Startup

        return app.run(Startup(files=tuple(arguments)))

    return with_terminal(_edit)


def with_terminal(edit: "Callable[[TtyMode], int]") -> int:
    """Load and run the editor; the exit status. Whatever comes meanwhile, the terminal is given back."""
    import _signal  # type: ignore[import-not-found]  # `signal` would cost more than all else before the first frame
    import gc

    from tpy.modal.ui import ttymode

    for number in (_signal.SIGTERM, _signal.SIGHUP):
        _signal.signal(number, _ended)  # until the editor is there

    gc.disable()  # nothing of what is imported goes away again
    try:
        return edit(ttymode.tty)
    except ttymode.NoTerminal as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        ttymode.tty.restore()


def _ended(number: int, frame: object) -> None:
    """A signal before the editor is loaded: leave, with the terminal given back on the way out."""
    raise SystemExit(1)


def _only_files(arguments: "Sequence[str]") -> bool:
    """Whether the call names files and nothing else."""
    if not arguments:
        return True
    if arguments[0] in ("agents", "completion"):
        return False
    return not any(argument[:1] in ("-", "+") or not argument for argument in arguments)


def first_frame(tty: "TtyMode", name: str) -> None:
    """Take the terminal and draw the beginning of a file. NoTerminal when there is none."""
    tty.open()
    tty.make_raw()
    columns, rows = tty.size()
    lines = beginning(name)
    painted = screen_rows(lines, columns, rows - 2 if rows > 2 else 1, rows)
    shown = "".join(f"\x1b[{number + 1}H{row}" for number, row in enumerate(painted) if row)
    frame = f"\x1b[?2026h\x1b[H\x1b[2J{shown}\x1b[H\x1b[?2026l"
    tty.enter(frame.encode())
    tty.painted, tty.painted_size = painted, (columns, rows)


def beginning(name: str) -> "list[str] | None":
    """The first lines of a file, an empty one where there is no file, None where the editor has to say something."""
    if not name:
        return [""]
    try:
        fd = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return [""]
    except (OSError, ValueError):
        return None
    try:
        if os.fstat(fd).st_mode & 0o170000 != 0o100000:  # no plain file
            return None
        data = os.read(fd, MOST)
    except OSError:
        return None
    finally:
        os.close(fd)
    if b"\0" in data or data[:3] == b"\xef\xbb\xbf" or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return None
    whole = len(data) < MOST
    if not whole:
        data = data[: data.rfind(b"\n") + 1]
        if not data:
            return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    dos = "\r\n" in text and text.count("\r\n") == text.count("\n")
    lines = (text.replace("\r\n", "\n") if dos else text).split("\n")
    if lines[-1] == "" and len(lines) > 1:
        lines.pop()
    return lines if whole else [*lines, "\0"]


def screen_rows(lines: "list[str] | None", columns: int, height: int, rows: int) -> "list[str]":
    """The rows of the screen for the text: wrapped, tabs as blanks, `~` below; blank from where it isn't plain."""
    shown: list[str] = []
    for line in lines or ():
        if len(shown) >= height:
            break
        text = line.expandtabs(TABSTOP) if "\t" in line else line
        if not text.isprintable() or not (text.isascii() or max(text) < "\u0300"):
            break
        parts = [text[at : at + columns] for at in range(0, len(text), columns)] or [""]
        if len(shown) + len(parts) > height:
            break  # a last line that doesn't fit is the renderer's to show
        shown += parts
    else:
        if lines is not None:
            shown += ["~"] * (height - len(shown))
    return (shown + [""] * rows)[:rows]


if TYPE_CHECKING:
    from tpy.modal.ui.ttymode import TtyMode

if __name__ == "__main__":
    sys.exit(main())
