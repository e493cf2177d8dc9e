"""Bytes of a terminal become keys, without any I/O.

`KeyDecoder.feed` takes what one read gave and answers events: keys in the spelling of `keymap.canonical`
(`"a"`, `"<"`, `"<Esc>"`, `"<C-w>"`, `"<S-Up>"`, `"é"`), `Paste`, `Mouse`, `Focus` and `Reply`. What is cut
off in the middle of a sequence or of a character waits for the next read until `deadline()`; `expire()` then
decides. Who reads, and what keys mean, is elsewhere: `terminal.py`, `engine/dispatch.py`.

A byte of escape can be the key or the beginning of a sequence. Rules, in order:

- A complete sequence is one key, or one answer of the terminal, which never becomes text.
- `<Esc>` and one more key that came together, and nothing else, are the Meta key if `has_meta` knows a
  mapping of it.
- Otherwise `<Esc>` is a key and what follows are keys (typed ahead: `ESC :wq CR`).

Bytes that aren't UTF-8 become surrogate characters (`errors="surrogateescape"`), so that nothing is guessed.
"""

from __future__ import annotations

import re
import time
from codecs import utf_8_decode
from collections.abc import Callable
from typing import NamedTuple

from tpy.modal.ui import keynames


class Paste(NamedTuple):
    """Text of a bracketed paste, line ends as `\\n`; `goes_on` where it is more of the paste before, after a pause."""

    text: str
    goes_on: bool = False


class Mouse(NamedTuple):
    """A mouse event: key in Vim's names (`<LeftMouse>`, `<S-ScrollWheelUp>`, `<LeftDrag>`), cell from 0."""

    key: str
    row: int
    column: int


class Focus(NamedTuple):
    """The terminal's window got or lost the keyboard."""

    gained: bool


class Reply(NamedTuple):
    """An answer or report of the terminal, or a sequence that means no key: the bytes as they came."""

    data: bytes


Event = str | Paste | Mouse | Focus | Reply

# How long a sequence that no finger can have begun may take to arrive, in seconds; also how long a paste may
# pause before what came so far is handed over.
PATIENCE = 1.0
PASTE_END = b"\x1b[201~"
REPLY_MAX = 4096

_TEXT = re.compile(rb"[^\x00-\x1f\x7f]+")
_CSI = re.compile(rb"\x1b\[(\[[A-E]|([<=>?]?)([0-9;:]*)([ -/]*)([@-Z\\-~]))", re.S)
_SS3 = re.compile(rb"\x1bO([0-9;]*)([A-FHP-S])")
_STRING = re.compile(rb"\x1b(?:\][0-9]|P[0-9;]*[!$+>|]|_G)")
_STRING_END = re.compile(rb"\x07|\x1b\\?")
_PARTIAL = re.compile(rb"\x1b(?:\[(?:[<=>?]?[0-9;:]*[ -/]*|\[|M.{0,2})|O[0-9;]*|\]|P[0-9;]*|_)?\Z", re.S)
# A beginning that fingers type too: Escape alone, or with the next key.
_TYPED = re.compile(rb"\x1b(?:[\[O\]P_][0-9]*)?\Z")


class KeyDecoder:
    """The state between two reads. `clock` gives seconds; `ttimeout` is `'ttimeoutlen'` in seconds."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        has_meta: Callable[[str], bool] = lambda key: False,
        ttimeout: float = 0.05,
    ) -> None:
        self.has_meta = has_meta
        self.ttimeout = ttimeout
        self._clock = clock
        self._pending = b""
        self._alone = False  # what is pending was all that its reads held
        self._due: float | None = None
        self._paste: bytearray | None = None
        self._stalled = False  # the paste has paused so long that its end may never come
        self._begun = False  # a part of the paste was handed over
        self._string: bytearray | None = None
        self._string_due = 0.0

    def feed(self, data: bytes) -> list[Event]:
        """Take the bytes of one read; the events that are complete now, in order."""
        events: list[Event] = []
        fresh = not self._pending
        data = self._pending + data
        self._pending, self._due = b"", None
        if self._paste is not None and self._stalled:
            self._resume_paste(data, events)
        at = 0
        whole = fresh or self._alone
        self._alone = False
        while at < len(data):
            if self._paste is not None:
                at = self._in_paste(data, at, events)
            elif self._string is not None:
                at = self._in_string(data, at, events)
            else:
                following = self._one(data, at, events, whole and at == 0)
                if following == at:
                    self._keep(data[at:], whole and at == 0)
                    break
                at = following
        if self._paste is not None:
            self._due = self._clock() + PATIENCE
        elif self._string is not None:
            self._due = self._string_due
        return events

    def deadline(self) -> float | None:
        """When `expire` has to be called if nothing arrives before, on the clock; None when nothing waits."""
        return self._due

    def expire(self, now: float) -> list[Event]:
        """Decide what was waiting, if its time has come by `now`."""
        if self._due is None or now < self._due:
            return []
        self._due = None
        pending, self._pending = self._pending, b""
        events: list[Event] = []
        if self._paste is not None:
            self._paste += pending
            self._stalled = True
            if self._paste:
                self._deliver(events)
            self._paste = bytearray()
        elif self._string is not None:
            events.append(Reply(bytes(self._string)))
            self._string = None
        elif _TYPED.match(pending):
            self._escape_then(pending[1:], self._alone, events)
        elif pending.startswith(b"\x1b") and pending.isascii():
            events.append(Reply(pending))
        else:
            text = pending.decode("utf-8", "surrogateescape")
            events.extend("<Esc>" if char == "\x1b" else char for char in text)
        self._alone = False
        return events

    # -- keys and sequences

    def _one(self, data: bytes, at: int, events: list[Event], whole: bool) -> int:
        """Decode what stands at `at`; where the next thing begins, or `at` when more bytes are needed."""
        if match := _TEXT.match(data, at):
            final = match.end() < len(data)
            text, used = utf_8_decode(match[0], "surrogateescape", final)
            events.extend(text)
            return at + used
        if data[at] != 0x1B:
            events.append(keynames.control(data[at]))
            return at + 1
        if match := _CSI.match(data, at):
            if match[5] == b"M" and not match[2] and not match[3]:  # the old mouse report: three more bytes
                if len(data) < match.end() + 3:
                    return at
                events.append(_old_mouse(data[match.end() : match.end() + 3]))
                return match.end() + 3
            self._csi(match, events)
            return match.end()
        if match := _SS3.match(data, at):
            events.append(keynames.ss3(match[0], match[1], match[2]) or Reply(match[0]))
            return match.end()
        if match := _STRING.match(data, at):
            self._string = bytearray(match[0])
            self._string_due = self._clock() + PATIENCE  # from its beginning: typing must not prolong it
            return match.end()
        if _PARTIAL.match(data, at):
            return at
        return self._after_escape(data, at, events, whole)

    def _after_escape(self, data: bytes, at: int, events: list[Event], whole: bool) -> int:
        """Escape and no sequence after it: the Meta key when that is the whole read, or just `<Esc>`."""
        if whole and data[at + 1] != 0x1B:
            following: list[Event] = []
            end = self._one(data, at + 1, following, False)
            if end == at + 1:
                return at  # the character is cut
            if end == len(data) and len(following) == 1 and isinstance(following[0], str):
                meta = keynames.meta(following[0])
                if self.has_meta(meta):
                    events.append(meta)
                    return end
        events.append("<Esc>")
        return at + 1

    def _escape_then(self, rest: bytes, whole: bool, events: list[Event]) -> None:
        """Escape, and nothing more came: keys, as they were typed."""
        keys = rest.decode("ascii")
        if whole and len(keys) == 1 and self.has_meta(keynames.meta(keys)):
            events.append(keynames.meta(keys))
        else:
            events.append("<Esc>")
            events.extend(keys)

    def _csi(self, match: re.Match[bytes], events: list[Event]) -> None:
        sequence, private, final = match[0], match[2], match[5]
        if sequence == b"\x1b[200~":
            self._paste, self._stalled, self._begun = bytearray(), False, False
        elif sequence in (b"\x1b[I", b"\x1b[O"):
            events.append(Focus(final == b"I"))
        elif private == b"<" and final in (b"M", b"m"):
            events.append(_sgr_mouse(match[3], final == b"m") or Reply(sequence))
        elif private or match[4]:
            events.append(Reply(sequence))
        else:
            events.append(keynames.csi(sequence, match[3] or b"", final or b"") or Reply(sequence))

    def _keep(self, rest: bytes, whole: bool) -> None:
        """Wait for the rest: as long as a key may take, or as long as a slow line may."""
        self._pending = rest
        self._alone = whole
        self._due = self._clock() + (self.ttimeout if _TYPED.match(rest) else max(PATIENCE, self.ttimeout))

    # -- pastes and strings

    def _in_paste(self, data: bytes, at: int, events: list[Event]) -> int:
        assert self._paste is not None
        end = data.find(PASTE_END, at)
        if end >= 0:
            self._paste += data[at:end]
            self._deliver(events)
            self._paste = None
            return end + len(PASTE_END)
        keep = next((n for n in range(len(PASTE_END) - 1, 0, -1) if data.endswith(PASTE_END[:n], at)), 0)
        self._paste += data[at : len(data) - keep]
        self._pending = data[len(data) - keep :]
        return len(data)

    def _resume_paste(self, data: bytes, events: list[Event]) -> None:
        """After a long pause a read that is plainly no paste (`<C-c>`, Escape, a function key) ends it."""
        self._stalled = False
        cut_marker = len(data) > 1 and PASTE_END.startswith(data)
        if data == b"\x03" or (data[:1] == b"\x1b" and not data.startswith(PASTE_END) and not cut_marker):
            self._paste = None

    def _deliver(self, events: list[Event]) -> None:
        assert self._paste is not None
        text = self._paste.decode("utf-8", "surrogateescape")
        events.append(Paste(text.replace("\r\n", "\n").replace("\r", "\n"), self._begun))
        self._begun = True

    def _in_string(self, data: bytes, at: int, events: list[Event]) -> int:
        """Inside an answer that ends with ST or BEL: its bytes are kept up to a bound, and are no keys."""
        assert self._string is not None
        match = _STRING_END.search(data, at)
        end = match.start() if match else len(data)
        self._string += data[at : min(end, at + REPLY_MAX - len(self._string))]
        if match is None:
            return end
        if match[0] == b"\x1b":
            if match.end() == len(data):  # the terminator may be cut
                self._pending = b"\x1b"
                return len(data)
            match_end = match.start()  # a new sequence aborts this one
        else:
            match_end = match.end()
        events.append(Reply(bytes(self._string)))
        self._string = None
        return match_end


_BUTTONS = ("Left", "Middle", "Right", "")
_WHEEL = ("ScrollWheelUp", "ScrollWheelDown", "ScrollWheelLeft", "ScrollWheelRight")
_EXTRA = ("X1", "X2", "", "")


def _sgr_mouse(parameters: bytes, released: bool) -> Mouse | None:
    """The event of `CSI < code ; column ; row M` (`m` when released)."""
    parts = parameters.split(b";")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return None
    code, column, row = (int(part) for part in parts)
    return Mouse(_mouse_key(code, released), max(row - 1, 0), max(column - 1, 0))


def _old_mouse(three: bytes) -> Mouse:
    """The event of `CSI M` and three bytes, each 32 too large."""
    code, column, row = (max(byte - 32, 0) for byte in three)
    return Mouse(_mouse_key(code & ~3 if code & 3 == 3 else code, code & 3 == 3), max(row - 1, 0), max(column - 1, 0))


def _mouse_key(code: int, released: bool) -> str:
    modifiers = ("C-" if code & 16 else "") + ("S-" if code & 4 else "") + ("M-" if code & 8 else "")
    number = code & 3
    if code & 64:
        return f"<{modifiers}{_WHEEL[number]}>"
    button = _EXTRA[number] if code & 128 else _BUTTONS[number]
    if not button:
        return "<MouseMove>"
    return f"<{modifiers}{button}{'Drag' if code & 32 else 'Release' if released else 'Mouse'}>"
