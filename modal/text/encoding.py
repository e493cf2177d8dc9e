"""Bytes and lines: encodings, byte order marks, line ends, the final newline.

Lives here: `decode` and `encode`, exact for every file: what is read and not changed is written back byte for
byte. Also what an agent's text becomes in an existing file. Not here: touching files (`files.py`, `saving.py`).

In a line a NUL is `"\\0"`; a byte that is no UTF-8 is a lone surrogate `"\\udc80"`…`"\\udcff"` where UTF-8 was
asked for; a line never holds `"\\n"`. In `mac` files line feeds are kept as `"\\r"`, as Vim does.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from typing import NamedTuple

UNIX, DOS, MAC = "unix", "dos", "mac"
UTF8, LATIN1, UTF16LE, UTF16BE = "utf-8", "latin1", "utf-16le", "utf-16"
"""Encodings by their names in the option `fileencoding`."""

_CODECS = {UTF8: "utf-8", LATIN1: "latin-1", UTF16LE: "utf-16-le", UTF16BE: "utf-16-be"}
_MARKS = {UTF8: codecs.BOM_UTF8, UTF16LE: codecs.BOM_UTF16_LE, UTF16BE: codecs.BOM_UTF16_BE}
_SWAP = {10: "\r", 13: "\n"}


Tick = Callable[[int, int], None]
"""Told how much is done, of how much, by what may last."""
# A large text is split in pieces of so many characters.
_PIECE = 1 << 24


def no_tick(done: int, total: int) -> None:
    """Let something last without being told."""


class EncodeError(Exception):
    """A character cannot be written in the file's encoding. The text is Vim's E513 and names it."""


class Format(NamedTuple):
    """How lines are stored: `fileencoding`, `bomb`, `fileformat` and `endofline`."""

    encoding: str = UTF8
    bom: bool = False
    fileformat: str = UNIX
    eol: bool = True

    @property
    def separator(self) -> str:
        """Return what ends a line in the file."""
        return "\r\n" if self.fileformat == DOS else "\n"


class FileText(NamedTuple):
    """The lines of a file and how they were stored. A file of no bytes is `[""]` with `eol` False."""

    lines: list[str]
    format: Format


def _decode_text(data: bytes, encoding: str | None) -> tuple[str, str, bool]:
    """Return (text, encoding, byte order mark). Without a wish: marks, strict UTF-8, else Latin-1."""
    for name in (UTF8, UTF16LE, UTF16BE):
        mark = _MARKS[name]
        if encoding in (None, name) and data.startswith(mark):
            try:
                return data[len(mark) :].decode(_CODECS[name]), name, True
            except UnicodeDecodeError:
                break
    if encoding is None:
        try:
            return data.decode("utf-8"), UTF8, False
        except UnicodeDecodeError:
            return data.decode("latin-1"), LATIN1, False
    if encoding in (UTF16LE, UTF16BE):
        try:
            return data.decode(_CODECS[encoding]), encoding, False
        except UnicodeDecodeError:
            return data.decode("latin-1"), LATIN1, False
    return data.decode(_CODECS[encoding], "surrogateescape"), encoding, False


def _detect_format(text: str) -> str:
    """Return `dos` when every line break has a carriage return before it, else `unix` (`:help fileformats`)."""
    return DOS if "\r\n" in text and text.count("\r\n") == text.count("\n") else UNIX


def decode(data: bytes, encoding: str | None = None, fileformat: str | None = None, tick: Tick = no_tick) -> FileText:
    """Return the lines of a file. `encoding` and `fileformat` overrule what would be found (`++enc`, `++ff`)."""
    text, encoding, bom = _decode_text(data, encoding)
    wanted, fileformat = fileformat, fileformat or _detect_format(text)
    if wanted == DOS and text.count("\r\n") != text.count("\n"):
        fileformat = UNIX  # a line feed alone would come back as two bytes
    if fileformat == MAC:
        text = text.translate(_SWAP)
    found = Format(encoding, bom, fileformat, True)
    lines = _split(text, found.separator, tick)
    if lines[-1] == "" and len(lines) > 1:
        lines.pop()
        return FileText(lines, found)
    return FileText(lines, found._replace(eol=False))


def _split(text: str, separator: str, tick: Tick) -> list[str]:
    """Return the lines of a text, which is split in pieces so that `tick` can tell of it."""
    lines: list[str] = []
    at, size = 0, len(text)
    while size - at > _PIECE and (end := text.find(separator, at + _PIECE)) >= 0:
        lines += text[at:end].split(separator)
        at = end + len(separator)
        tick(size + at, 2 * size)
    lines += text[at:].split(separator)
    return lines


def encode(lines: Sequence[str], format: Format) -> bytes:
    """Return the bytes of a file. Raises EncodeError, before anything is written."""
    separator = format.separator
    text = separator.join(lines) + (separator if format.eol else "")
    if format.fileformat == MAC:
        text = text.translate(_SWAP)
    try:
        data = text.encode(_CODECS[format.encoding], "surrogateescape" if format.encoding == UTF8 else "strict")
    except UnicodeEncodeError as error:
        raise EncodeError(_unencodable(lines, format, error)) from None
    return _MARKS[format.encoding] + data if format.bom and format.encoding in _MARKS else data


def _unencodable(lines: Sequence[str], format: Format, error: UnicodeEncodeError) -> str:
    text = error.object
    char = text[error.start]
    line = text.count(format.separator, 0, error.start) + 1
    shown = f"{char!r} " if char.isprintable() else ""
    return (
        f"E513: Write error, conversion failed: {shown}(U+{ord(char):04X}) in line {line} "
        f"has no place in {format.encoding}; try :set fileencoding=utf-8"
    )


def is_mixed(text: FileText) -> bool:
    """Say whether a file has line ends of both kinds, which show as `^M` in `unix` format."""
    return text.format.fileformat == UNIX and any(line.endswith("\r") for line in text.lines)


def merge_format(existing: FileText | None, content: str) -> FileText:
    """Return what an agent's text becomes in a file, None for a new one (spec AGENTS §7).

    An existing file keeps line ends, encoding and mark: `\\r\\n` is one line end, but a mixed file is stored as
    sent, and so is a new one. It ends in a newline exactly if the content does.
    """
    if existing is None:
        fileformat = _detect_format(content)
        format = Format(fileformat=fileformat)
    else:
        format = existing.format
        if not is_mixed(existing):
            content = content.replace("\r\n", "\n")
    plain = "\r\n" if existing is None and format.fileformat == DOS else "\n"
    lines = content.split(plain)
    eol = lines[-1] == "" and len(lines) > 1
    return FileText(lines[:-1] if eol else lines, format._replace(eol=eol))


def served_text(text: FileText) -> str:
    """Return a file as an agent is given it: lines joined by `\\n`, a last one exactly if the file has one.

    Raises ValueError for a binary file (a NUL in it) and for bytes that are no text.
    """
    body = "\n".join(text.lines) + ("\n" if text.format.eol else "")
    if "\0" in body:
        raise ValueError("the file is binary: it holds a NUL byte")
    try:
        body.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("the file holds bytes that are no text in its encoding") from None
    return body
