"""Completion in Insert mode (`:help ins-completion`): where matches come from, and choosing among them.

The menu is read by the renderer from `InsertHandler.completion`. Completion of ex commands is in `ex/complete.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tpy.modal.registry import CommandFailed
from tpy.modal.text import chars
from tpy.modal.text.width import prev_col

if TYPE_CHECKING:
    from tpy.modal.engine.insert import InsertHandler

# More matches than this are not collected: nobody looks through them.
MOST_MATCHES = 10_000


class Completion:
    """A completion going on: `words` in the order of `<C-n>`, the last of them what was typed itself.

    `chosen` is the index of the word that stands in the text, `start` the column where it begins, `selected` whether
    the menu shows one as chosen (`<Up>` and `<Down>` choose without putting it in).
    """

    def __init__(self, insert: InsertHandler, kind: str, start: int, typed: str, words: list[str], forward: bool) -> None:
        self.insert = insert
        self.kind = kind
        self.start = start
        self.typed = typed
        self.words = [*words, typed]
        self.forward = forward
        self.original = len(words)
        self.chosen = self.original
        self.inserted = typed
        # Keys of the record that make what was typed before the completion began.
        self.record = len(insert.keys)

    @property
    def menu(self) -> list[str]:
        """The words to show; none where there is nothing to choose."""
        return self.words[:-1] if len(self.words) > 2 else []

    @property
    def selected(self) -> int | None:
        """The index in `menu` of the word chosen, `None` for what was typed."""
        return self.chosen if self.chosen != self.original else None

    def move(self, step: int, *, put: bool = True) -> None:
        """Choose the word `step` places on, round the end; `put` it in the text."""
        self.chosen = (self.chosen + step) % len(self.words)
        if put:
            self.put(self.words[self.chosen])

    def put(self, word: str) -> None:
        """Put a word in the place of the one that stands in the text."""
        pen = self.insert.pen
        end = self.start + len(self.inserted)
        if pen.replaces:
            pen.back_to(self.start)
            pen.put(word)
        else:
            text = pen.text
            pen.col = end
            pen.set_text(text[: self.start] + word + text[end:])
            pen.col = self.start + len(word)
        self.inserted = word

    # Keys

    def take(self, key: str) -> bool:
        """Take a key while the menu is shown; `False` when it ends the completion and means what it always does."""
        step = _STEPS.get(key)
        if step is not None:
            self.move(step)
            return True
        if key in ("<Up>", "<Down>", "<PageUp>", "<PageDown>"):
            self.move({"<Up>": -1, "<Down>": 1, "<PageUp>": -10, "<PageDown>": 10}[key], put=False)
            return True
        if key == "<C-x>":
            self.end()
            sub_mode(self.insert, self.kind)
            return True
        if key == "<C-e>":
            self.put(self.typed)
            self.end()
            return True
        if key == "<C-y>":
            self.put(self.words[self.chosen])
            self.end()
            return True
        if key in ("<CR>", "<C-j>"):
            shown = self.inserted != self.words[self.chosen]
            self.put(self.words[self.chosen])
            self.end()
            # `<CR>` takes the word chosen by a cursor key; after `<C-n>` it breaks the line too.
            return shown
        if key in ("<BS>", "<C-h>"):
            self._shorten()
            return True
        self.put(self.words[self.chosen])
        self.end()
        return False

    def _shorten(self) -> None:
        """Delete a character and complete what is left anew."""
        insert = self.insert
        self.end()
        insert.backspace("char", "<BS>")

    def end(self) -> None:
        """End the completion; the record of typed keys gets the word that stands there."""
        insert = self.insert
        insert.completion = None
        extra = self.inserted
        common = 0
        while common < min(len(extra), len(self.typed)) and extra[common] == self.typed[common]:
            common += 1
        keys = insert.keys
        keys.extend(["<BS>"] * (len(self.typed) - common))
        keys.extend(extra[common:])
        insert.pen.did_ai = False


_STEPS = {"<C-n>": 1, "<C-p>": -1}


def start(insert: InsertHandler, kind: str, *, forward: bool) -> None:
    """Begin to complete what stands before the cursor, and put the first match in. Raises `CommandFailed`."""
    insert.stop_moving()
    begin = _begin(insert, kind)
    pen = insert.pen
    typed = pen.text[begin : pen.col]
    words = _unique(_SOURCES[kind](insert, typed, begin), typed)
    if not words:
        raise CommandFailed("E486: Pattern not found")
    completion = Completion(insert, kind, begin, typed, words, forward)
    insert.completion = completion
    completion.move(1 if forward else -1)


def _unique(words: Iterable[str], typed: str) -> list[str]:
    found: dict[str, None] = {}
    for word in words:
        if word != typed:
            found.setdefault(word)
        if len(found) >= MOST_MATCHES:
            break
    return list(found)


def _begin(insert: InsertHandler, kind: str) -> int:
    """Return the column where what is to be completed begins."""
    pen = insert.pen
    text, col = pen.text, pen.col
    if kind == "line":
        return len(text) - len(text.lstrip(" \t")) if text[:col].strip(" \t") else col
    if kind == "file":
        allowed = chars.parse_option(str(insert.engine.editor.option("isfname")))
        while col > 0 and (ord(text[col - 1]) in allowed or ord(text[col - 1]) > 255):
            col -= 1
        return col
    keyword = chars.parse_option(pen.style.iskeyword)
    while col > 0 and chars.is_word(text[prev_col(text, col)], keyword):
        col = prev_col(text, col)
    return col


def _matcher(insert: InsertHandler, typed: str) -> Callable[[str], bool]:
    if insert.engine.editor.option("ignorecase"):
        low = typed.lower()
        return lambda word: word.lower().startswith(low)
    return lambda word: word.startswith(typed)


def _word_pattern(insert: InsertHandler) -> re.Pattern[str]:
    keyword = chars.parse_option(insert.pen.style.iskeyword)
    letters = "".join(f"\\x{code:02x}" for code in sorted(keyword) if code < 256)
    return re.compile(f"[{letters}\u0100-\U0010ffff]+")


def _around(lines: list[str], line: int, col: int) -> Iterable[tuple[int, str, int]]:
    """Yield the lines from the cursor on and round the end: number, text, and the column to begin at."""
    yield line, lines[line], col
    for number in range(line + 1, len(lines)):
        yield number, lines[number], 0
    for number in range(line):
        yield number, lines[number], 0
    yield line, lines[line][:col], 0


def _keywords(insert: InsertHandler, typed: str, begin: int) -> Iterable[str]:
    """Yield the keywords of this and the other buffers that begin with what was typed."""
    pen = insert.pen
    fits = _matcher(insert, typed)
    pattern = _word_pattern(insert)
    fold = re.I if insert.engine.editor.option("ignorecase") else re.NOFLAG
    quick = re.compile(re.escape(typed), fold) if typed else None
    for number, text, col in _around(pen.lines, pen.line, pen.col):
        if quick is not None and quick.search(text) is None:
            continue
        for found in pattern.finditer(text, col):
            if number == pen.line and found.start() == begin:
                continue
            if fits(found[0]):
                yield found[0]
    sources = str(insert.engine.editor.option("complete")).split(",")
    if not {"b", "w", "u"} & set(sources):
        return
    for buffer in list(insert.engine.editor.buffers.values()):
        if buffer is pen.window.buffer:
            continue
        for text in buffer.lines:
            if quick is not None and quick.search(text) is None:
                continue
            for found in pattern.finditer(text):
                if fits(found[0]):
                    yield found[0]


def _lines(insert: InsertHandler, typed: str, begin: int) -> Iterable[str]:
    """Yield the lines that begin with what was typed, without their indent."""
    pen = insert.pen
    fits = _matcher(insert, typed)
    for number, text, _ in _around(pen.lines, pen.line, 0):
        whole = text.lstrip(" \t")
        if number != pen.line and whole and fits(whole):
            yield whole


def _files(insert: InsertHandler, typed: str, begin: int) -> Iterable[str]:
    """Yield the names of files that begin with what was typed."""
    import glob
    import os

    home = os.path.expanduser(typed)
    for name in sorted(glob.glob(glob.escape(home) + "*")):
        shown = typed + name[len(home) :]
        yield shown + "/" if os.path.isdir(name) else shown


def _defined(insert: InsertHandler, typed: str, begin: int) -> Iterable[str]:
    """Yield the words that are defined in this buffer: `#define` in C, `def` and `class` in Python."""
    fits = _matcher(insert, typed)
    pattern = re.compile(r"^\s*(?:#\s*define|def|class)\s+(\w+)")
    for text in insert.pen.lines:
        found = pattern.match(text)
        if found is not None and fits(found[1]):
            yield found[1]


_SOURCES: dict[str, Callable[[InsertHandler, str, int], Iterable[str]]] = {
    "keyword": _keywords,
    "local": _keywords,
    "line": _lines,
    "file": _files,
    "defined": _defined,
}
# What the key after `<C-x>` completes.
_MODES = {"<C-n>": "local", "<C-p>": "local", "<C-l>": "line", "<C-f>": "file", "<C-d>": "defined"}


def sub_mode(insert: InsertHandler, going_on: str | None = None) -> None:
    """Take the key that says what to complete (`:help i_CTRL-X`); any other key means what it always does."""

    def then(key: str) -> None:
        kind = _MODES.get(key)
        if kind is None:
            if key in ("<C-e>", "<C-y>"):
                insert.engine.run_scroll(key) if hasattr(insert.engine, "run_scroll") else None
            else:
                insert.take(key)
            return
        start(insert, kind, forward=key != "<C-p>")

    insert.asking = then
