"""How the terminal is set: raw while the editor has it, as it was found otherwise.

There is one terminal for a process, so its state is here, once: `enter` and `restore` are the only code that
changes modes, called at the start, on suspend and resume, at the end, and after an error. Only `os` and
`termios` are needed, because stage 0 uses it before anything else is imported. What is drawn is no matter of
this module.
"""

import os
import termios

# The alternate screen, bracketed paste, focus events; kitty's keyboard protocol with "disambiguate" and
# "alternate keys" (ignored where unknown). The kitty flags belong to the screen: set after entering it, taken
# back before leaving.
ENTER = b"\x1b[?1049h\x1b[?2004h\x1b[?1004h\x1b[>5u"
AGAIN = b"\x1b[?1049h\x1b[?2004h\x1b[?1004h\x1b[=5u"
MOUSE = b"\x1b[?1002h\x1b[?1006h"
NO_MOUSE = b"\x1b[?1006l\x1b[?1002l"
# Ends a frame or a string that was cut, too.
LEAVE = b"\x1b\\\x1b[?2026l\x1b[m\x1b[r" + NO_MOUSE + b"\x1b[<u\x1b[?1004l\x1b[?2004l\x1b[0 q\x1b[?25h\x1b[?1049l"
BEGIN_FRAME = b"\x1b[?2026h"
END_FRAME = b"\x1b[?2026l"
KEEP_TITLE = b"\x1b[22;2t"
GIVE_TITLE = b"\x1b[23;2t"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Attributes = list[Any]


class NoTerminal(Exception):
    """There is no terminal to draw on; the text tells the user."""


class TtyMode:
    """The one terminal: its descriptor, what it was set to, what it is set to now."""

    def __init__(self) -> None:
        self.fd = -1
        self.own = False  # the descriptor is ours alone and doesn't block
        self.entered = False
        self.mouse = False
        self.titled = False
        self.painted: list[str] | None = None  # rows that stage 0 has drawn, for the first frame to compare with
        self.painted_size = (0, 0)
        self._found: Attributes | None = None
        self._raw = False

    def open(self) -> int:
        """Find the terminal and open a descriptor of our own: others share theirs with us, so we must not set
        theirs to non-blocking. NoTerminal when there is none."""
        if self.fd >= 0:
            return self.fd
        if not os.isatty(1) and (os.isatty(0) or os.isatty(2)):
            raise NoTerminal("tpy needs a terminal: its output is not one")
        shared = next((fd for fd in (0, 1, 2) if os.isatty(fd)), -1)
        try:
            name = os.ttyname(shared) if shared >= 0 else "/dev/tty"
            self.fd = os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
            self.own = True
        except OSError:
            if shared < 0:
                raise NoTerminal("tpy needs a terminal: neither its input nor its output is one") from None
            self.fd = shared
        return self.fd

    def make_raw(self) -> None:
        """Set the terminal to raw, as early as may be: keys typed before are edited by the terminal, as for a shell.

        In a background job this stops the process until it is brought to the foreground.
        """
        attributes = termios.tcgetattr(self.fd)
        if self._found is None:
            self._found = attributes
        self._raw = True
        _set(self.fd, raw(attributes))

    def enter(self, extra: bytes = b"") -> None:
        """Set the terminal to raw and switch to the alternate screen; `extra` goes out in the same write."""
        self.make_raw()
        again, self.entered = self.entered, True
        self.write((AGAIN if again else ENTER) + (MOUSE if self.mouse else b"") + extra)

    def restore(self) -> None:
        """Give the terminal back as it was found. Never raises; harmless when it was not taken."""
        if self.entered:
            self.entered = False
            try:  # noqa: SIM105 contextlib is not imported at this stage
                self.write(LEAVE + (GIVE_TITLE if self.titled else b""))
            except OSError:
                pass  # the terminal is gone
            self.titled = False
        if self._found is not None and self._raw:
            self._raw = False
            try:  # noqa: SIM105
                _set(self.fd, self._found)
            except (OSError, termios.error):
                pass

    def write(self, data: bytes) -> None:
        """Write all of `data`, waiting for a slow terminal at most two seconds at a time."""
        while data:
            try:
                data = data[os.write(self.fd, data) :]
            except BlockingIOError:
                import select

                if not select.select([], [self.fd], [], 2.0)[1]:
                    return

    def size(self) -> tuple[int, int]:
        """(columns, rows) of the terminal, 80 by 24 when it doesn't know."""
        try:
            columns, rows = os.get_terminal_size(self.fd)
        except OSError:
            columns = rows = 0
        return columns or 80, rows or 24


def raw(attributes: "Attributes") -> "Attributes":
    """Attributes for reading single bytes: no echo, no signals, no flow control, CR stays CR."""
    iflag, oflag, cflag, lflag, ispeed, ospeed, cc = attributes
    iflag &= ~(
        termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON | termios.ISTRIP | termios.BRKINT | termios.PARMRK
    )
    oflag &= ~termios.OPOST
    cflag |= termios.CS8
    lflag &= ~(termios.ICANON | termios.ECHO | termios.ECHONL | termios.ISIG | termios.IEXTEN)
    cc = [*cc]
    cc[termios.VMIN], cc[termios.VTIME] = 1, 0
    return [iflag, oflag, cflag, lflag, ispeed, ospeed, cc]


def _set(fd: int, attributes: "Attributes") -> None:
    while True:
        try:
            termios.tcsetattr(fd, termios.TCSANOW, attributes)
        except termios.error as error:
            if error.args[0] != 4:  # EINTR: stopped and continued meanwhile
                raise
        else:
            return


tty = TtyMode()
