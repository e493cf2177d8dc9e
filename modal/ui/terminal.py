"""The terminal as the editor uses it: events come in, frames go out, and it can be left and come back.

Reading and writing use a descriptor of our own that never blocks. One frame is in flight at most: while the
terminal hasn't taken it, `busy` is true and nothing else is drawn, so a slow line gets the newest state and no
queue of old ones. Modes are `ttymode.py`'s, bytes to keys `keydecode.py`'s, rows to bytes `screen.py`'s.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Sequence
from typing import Protocol

from tpy.modal.ui import ttymode
from tpy.modal.ui.keydecode import Event, KeyDecoder
from tpy.modal.ui.rows import cut, safe
from tpy.modal.ui.screen import Row, Screen

READ, WRITE = 1, 2
READ_SIZE = 65536
# What OSC 52 carries at most, in bytes of text: terminals drop what is longer.
COPY_MAX = 750_000
# DECSCUSR numbers.
BLOCK, UNDERLINE, BAR = 2, 4, 6
_INTERRUPTS = (b"\x03", b"\x1b[99;5u", b"\x1b[27;5;99~")


class TerminalGone(Exception):
    """The terminal was closed: nothing more can be read or drawn."""


class Cancellable(Protocol):
    """A timer that can be taken back."""

    def cancel(self) -> None:
        """Take it back."""


class Loop(Protocol):
    """What is needed of an event loop; `modal/loop.py` is one."""

    def watch(self, fd: int, event: int, callback: Callable[[], None], *, urgent: bool = False) -> None:
        """Call back when `fd` is ready for reading (1) or writing (2)."""

    def unwatch(self, fd: int, event: int = READ | WRITE) -> None:
        """Stop that."""

    def call_at(self, when: float, callback: Callable[[], None]) -> Cancellable:
        """Call back once at a time of the clock."""

    def on_signal(self, signum: int, callback: Callable[[], None]) -> None:
        """Call back after a signal."""


class Terminal:
    """The terminal. NoTerminal (from `ttymode`) when the process has none."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._mode = ttymode.tty
        self.fd = self._mode.open()
        self.decoder = KeyDecoder(clock)
        self.screen = Screen()
        self._out = b""  # what the terminal has not taken yet
        self._waiting = False  # the loop tells when the terminal takes more
        self._in = b""  # what was read while looking for an interrupt
        self._shape = 0
        self._loop: Loop | None = None
        self._timer: Cancellable | None = None
        self._on_events: Callable[[list[Event]], None] = lambda events: None
        self._on_redraw: Callable[[], None] = lambda: None

    # -- modes

    def enter(self, *, mouse: bool = False) -> None:
        """Take the terminal; what stage 0 has drawn already is known to be there."""
        painted = self._mode.painted
        if not self._mode.entered:
            self._mode.mouse = mouse
            self._mode.enter(b"\x1b[2J")
        self.set_mouse(mouse)
        self.screen.resize(*self._mode.size())
        if painted is not None and self._mode.painted_size == self.size:
            self.screen.assume([Row.plain(text, len(text)) for text in painted])
        self._mode.painted = None

    def set_mouse(self, wanted: bool) -> None:
        """Have mouse events reported or not (`'mouse'`)."""
        if wanted != self._mode.mouse:
            self._mode.mouse = wanted
            self._send(ttymode.MOUSE if wanted else ttymode.NO_MOUSE)

    def restore(self) -> None:
        """Give the terminal back; never raises."""
        self._out = b""
        self._shape = 0
        self._mode.restore()

    def suspend(self) -> None:
        """Stop the whole job as `<C-z>` does; when it is continued, take the terminal again and draw everything."""
        self.restore()
        os.kill(0, signal.SIGTSTP)
        self.resume()

    def resume(self) -> None:
        """Set the modes again, whatever happened to them, and have everything drawn anew."""
        self._out = b""
        self._shape = 0
        self._mode.enter(b"\x1b[2J")
        self.redraw()

    def redraw(self) -> None:
        """Have the next frame draw everything (`<C-l>`), in the size the terminal has now."""
        self.screen.resize(*self._mode.size())
        self.screen.forget()
        self._on_redraw()

    @property
    def size(self) -> tuple[int, int]:
        """(columns, rows) as of the last look; see `redraw`."""
        return self.screen.width, self.screen.height

    # -- events

    def attach(self, loop: Loop, on_events: Callable[[list[Event]], None], on_redraw: Callable[[], None]) -> None:
        """Have a loop deliver events, and say when the next frame must be drawn (resize, continued after a stop).

        TerminalGone is raised into the loop when the terminal was closed.
        """
        self._loop, self._on_events, self._on_redraw = loop, on_events, on_redraw
        loop.watch(self.fd, READ, self._readable, urgent=True)
        loop.on_signal(signal.SIGWINCH, self.redraw)
        loop.on_signal(signal.SIGCONT, self._continued)

    def _continued(self) -> None:
        if self._mode.entered:
            self.resume()

    def _readable(self) -> None:
        events = self.read()
        self._arm()
        if events:
            self._on_events(events)

    def _arm(self) -> None:
        """Have the loop come back when a lone Escape is to be decided."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self.decoder.deadline()
        if due is not None and self._loop is not None:
            self._timer = self._loop.call_at(due, self._expired)

    def _expired(self) -> None:
        self._timer = None
        due = self.decoder.deadline()
        if due is None:
            return
        events = self.decoder.expire(due)
        self._arm()
        if events:
            self._on_events(events)

    def read(self) -> list[Event]:
        """The events of what has been typed; empty when nothing has. TerminalGone when the terminal was closed."""
        data, self._in = self._in, b""
        if not data or self._ready():
            data += self._take(READ_SIZE)
        return self.decoder.feed(data)

    def _ready(self) -> bool:
        return bool(select.select([self.fd], [], [], 0)[0])

    def _take(self, size: int) -> bytes:
        try:
            data = os.read(self.fd, size)
        except (BlockingIOError, InterruptedError):
            return b""
        except OSError as error:
            raise TerminalGone(str(error)) from error
        if not data:
            raise TerminalGone("end of input")
        return data

    def interrupted(self) -> bool:
        """Whether `<C-c>` was typed while a long command runs; what was typed before it is then dropped.

        Anything else is kept and comes as events afterwards.
        """
        while self._ready() and (data := self._take(READ_SIZE)):
            self._in += data
        interrupt = False
        for code in _INTERRUPTS:
            _, found, after = self._in.rpartition(code)
            if found:
                self._in, interrupt = after, True
        if self._in and self._loop is not None and self._timer is None:
            self._timer = self._loop.call_at(0.0, self._readable)
        return interrupt

    # -- drawing

    @property
    def busy(self) -> bool:
        """Whether the last frame is still on its way: the next one has to wait."""
        return bool(self._out)

    def paint(self, rows: Sequence[Row], cursor: tuple[int, int] | None, shape: int = BLOCK) -> bool:
        """Show rows, with the cursor at (row, column) from 0 or hidden; False when the terminal is busy.

        Nothing is written when nothing has changed.
        """
        if self._out:
            return False
        frame = self.screen.frame(rows, cursor)
        if shape != self._shape:
            frame += f"\x1b[{shape} q"
            self._shape = shape
        if not frame:
            return True
        data = frame.encode("utf-8", "replace")
        self._send(ttymode.BEGIN_FRAME + data + ttymode.END_FRAME)
        return True

    def paint_message(self, text: str) -> None:
        """Show a line of text in the last row, over what was drawn last, while nothing else is drawn."""
        if self._out:
            self._push()
        shown = self.screen.shown
        if len(shown) != self.size[1]:
            return
        line, cells = cut(safe(text)[0], self.size[0] - 1)
        rows = (*shown[:-1], Row.plain(line, cells))
        self.paint(rows, (len(rows) - 1, cells), self._shape)

    def bell(self) -> None:
        """Ring."""
        self._send(b"\x07")

    def notify(self, how: str, text: str) -> None:
        """Have the terminal show a notification, by "osc9" or "osc777"."""
        clean = "".join(char if char.isprintable() else "?" for char in text)
        start = b"\x1b]9;" if how == "osc9" else b"\x1b]777;notify;tpy;"
        self._send(start + clean.encode("utf-8", "replace") + b"\x07")

    def set_title(self, title: str) -> None:
        """Show a title in the terminal's window; the former one comes back in the end."""
        clean = "".join(char if char.isprintable() else "?" for char in title)
        keep = b"" if self._mode.titled else ttymode.KEEP_TITLE
        self._mode.titled = True
        self._send(keep + b"\x1b]2;" + clean.encode("utf-8", "replace") + b"\x07")

    @property
    def titled(self) -> bool:
        """Whether the terminal's window shows a title of ours."""
        return self._mode.titled

    def give_title(self) -> None:
        """Have the terminal's window show the title it had at first."""
        self._send(ttymode.GIVE_TITLE)
        self._mode.titled = False

    def copy(self, text: str) -> bool:
        """Put text in the system's clipboard by OSC 52; False when it is too long for that."""
        from binascii import b2a_base64

        data = text.encode("utf-8", "surrogateescape")
        if len(data) > COPY_MAX:
            return False
        self._send(b"\x1b]52;c;" + b2a_base64(data, newline=False) + b"\x07")
        return True

    def _send(self, data: bytes) -> None:
        if not self._mode.entered:
            return
        if self._out:
            self._out += data
        else:
            self._out = data
            self._push()

    def _push(self) -> None:
        """Write what the terminal takes now; the rest when it is ready again."""
        while self._out:
            try:
                self._out = self._out[os.write(self.fd, self._out) :]
            except (BlockingIOError, InterruptedError):
                if self._loop is None:
                    self._mode.write(self._out)
                    self._out = b""
                else:
                    self._loop.watch(self.fd, WRITE, self._push)
                    self._waiting = True
                return
            except OSError as error:
                self._out = b""
                raise TerminalGone(str(error)) from error
        if self._waiting and self._loop is not None:
            self._loop.unwatch(self.fd, WRITE)
            self._waiting = False
