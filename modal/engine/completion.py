"""Completion in Insert mode (`:help ins-completion`): where matches come from, and choosing among them.

The menu is read by the renderer from `InsertHandler.completion`. Completion of ex commands is in `ex/complete.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tpy.modal.engine.context import Context
from tpy.modal.engine.insert import Bell
from tpy.modal.engine.keywords import Keywords, begun
from tpy.modal.engine.wordlists import listed_words
from tpy.modal.registry import Action, actions
from tpy.modal.text import chars

if TYPE_CHECKING:
    from tpy.modal.engine.insert import InsertHandler
    from tpy.modal.engine.pen import Pen

# More matches than this are not collected: nobody looks through them.
MOST_MATCHES = 10_000
# Matches are looked for in so many lines on either side of the cursor, to be there within a frame.
MOST_LINES = 20_000


class Completion:
    """A completion going on: `words` in the order of `<C-n>`, the last of them what was typed itself.

    `chosen` is the index of the word chosen, `start` the column where the text begins that is completed, `inserted`
    what stands there now. `used`: the chosen word is in the text; after a cursor key or `<BS>` it is not.
    """

    def __init__(self, insert: InsertHandler, kind: str, start: int, typed: str, words: list[str]) -> None:
        self.insert = insert
        self.kind = kind
        self.start = start
        self.typed = typed
        self.words = [*words, typed]
        self.chosen = len(words)
        self.inserted = typed
        self.used = True
        self.record_from = typed

    @property
    def menu(self) -> list[str]:
        """The words to show; none where there is nothing to choose."""
        return self.words[:-1] if len(self.words) > 2 else []

    @property
    def told(self) -> str:
        """What the line with the mode says: the kind of completion and which word of how many is chosen."""
        count = len(self.words) - 1
        if not count:
            which = "Pattern not found"
        elif self.selected is None:
            which = "Back at original"
        else:
            which = "The only match" if count == 1 else f"match {self.chosen + 1} of {count}"
        return f"{_TOLD[self.kind]} {which}"

    @property
    def selected(self) -> int | None:
        """The index in `menu` of the word chosen, `None` for what was typed."""
        return self.chosen if self.chosen != len(self.words) - 1 else None

    def move(self, step: int) -> None:
        """Choose the word `step` places on, round the end, and put it in the text."""
        self.chosen = (self.chosen + step) % len(self.words)
        self.put(self.words[self.chosen])
        self.used = True

    def put(self, word: str) -> None:
        """Put a word in the place of what stands in the text."""
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
        """Take a key while the completion goes on; `False` when it ends it and means what it always does."""
        menu = self.insert.menu_wanted and bool(self.menu)
        if key in _STEPS:
            self.move(_STEPS[key])
        elif _MODES.get(key) == self.kind not in ("local", "included"):
            self.move(_direction(key))
        elif menu and key in _CHOOSING:
            self.chosen = (self.chosen + _CHOOSING[key]) % len(self.words)
            self.used = False
        elif key == "<C-x>":
            self.end()
            sub_mode(self.insert, self)
        elif key == "<C-e>":
            self.put(self.typed)
            self.end()
        elif (menu and key == "<C-y>") or (key in ("<CR>", "<C-j>") and not self.used):
            self._take_chosen()
        elif menu and key in ("<BS>", "<C-h>") and len(self.inserted) > 1:
            self._lead(self.inserted[:-1])
        elif not self.used and self._continues(key):
            self._lead(self.inserted + key)
        else:
            self.end()
            return False
        return True

    def _take_chosen(self) -> None:
        if not self.used and self.selected is not None:
            self.put(self.words[self.chosen])
        self.end()

    def _continues(self, key: str) -> bool:
        return len(key) == 1 and chars.is_word(key, chars.parse_option(self.insert.pen.style.iskeyword))

    def _lead(self, text: str) -> None:
        """Go on with another beginning, the menu showing what fits it."""
        insert = self.insert
        self.put(text)
        fits = _matcher(insert, text)
        if len(text) < len(self.typed):
            words = _unique(_SOURCES[self.kind](insert, text, self.start), forward=True)
        else:
            words = [word for word in self.words[:-1] if fits(word) and word != text]
        if not words:
            self.end()
            return
        self.typed, self.words = text, [*words, text]
        self.chosen = len(words)
        self.used = False

    def end(self) -> None:
        """End the completion; the record of typed keys gets the text that stands there."""
        insert = self.insert
        insert.completion = None
        before, after = self.record_from, self.inserted
        common = 0
        while common < min(len(before), len(after)) and before[common] == after[common]:
            common += 1
        insert.keys.extend(["<BS>"] * (len(before) - common))
        insert.keys.extend(after[common:])
        insert.pen.did_ai = False


_STEPS = {"<C-n>": 1, "<C-p>": -1}
# Keys that choose a word in the menu without putting it in the text.
_CHOOSING = {"<Up>": -1, "<Down>": 1, "<PageUp>": -10, "<PageDown>": 10}


def start(insert: InsertHandler, kind: str, *, forward: bool, before: Completion | None = None) -> None:
    """Begin to complete what stands before the cursor, and put the first match in. Raises `Bell`.

    `before` is the completion that this one goes on from, with the words that follow there.
    """
    insert.stop_moving()
    pen = insert.pen
    begin = _begin(insert, kind)
    if before is not None and kind == "line":
        whole = before.inserted
        insert.take("<CR>")
        begin = pen.col
        words = _unique(_lines_after(insert, whole), forward=forward)
        typed = ""
    elif before is not None:
        begin = before.start
        typed = pen.text[begin : pen.col]
        words = _unique(_words_after(insert, typed), forward=forward)
    else:
        typed = pen.text[begin : pen.col]
        if pen.replaces:
            # What was typed is taken back while words are looked for, so that what it replaced may be one of them.
            pen.back_to(begin)
        words = _unique(_SOURCES[kind](insert, typed, begin), forward=forward)
        if pen.replaces:
            pen.put(typed)
    completion = Completion(insert, kind, begin, typed, words)
    insert.completion = completion
    if not words:
        # It is on all the same: the keys that choose and <C-e> are its own.
        insert.engine.editor.echo(f"-- {completion.told}")
        raise Bell
    step = 1 if forward else -1
    if begin > pen.col:
        # Within the indent Vim puts the line in twice, once before the place where lines are completed.
        word = completion.words[(completion.chosen + step) % len(completion.words)]
        if pen.replaces:
            pen.put(word)
        else:
            pen.raw(word)
        completion.start = min(begin, pen.col)
        completion.inserted = pen.text[completion.start : pen.col]
    completion.move(step)


def _unique(words: Iterable[str], *, forward: bool) -> list[str]:
    """Return each word once, where it is found first looking in that direction."""
    found: dict[str, None] = {}
    for word in words if forward else reversed(list(words)):
        found.setdefault(word)
        if len(found) >= MOST_MATCHES:
            break
    return list(found) if forward else list(reversed(found))


def _begin(insert: InsertHandler, kind: str) -> int:
    """Return the column where what is to be completed begins."""
    pen = insert.pen
    text, col = pen.text, pen.col
    if kind == "line":
        return len(text) - len(text.lstrip(" \t"))
    if kind == "command":
        return _command_words(insert, text[:col])[0]
    if kind == "file":
        allowed = chars.parse_option(str(insert.engine.editor.option("isfname")))
        while col > 0 and (ord(text[col - 1]) in allowed or ord(text[col - 1]) > 255):
            col -= 1
        return col
    return Keywords(pen.style.iskeyword).begin(text, col)


def _matcher(insert: InsertHandler, typed: str) -> Callable[[str], bool]:
    if insert.engine.editor.option("ignorecase"):
        low = typed.lower()
        return lambda word: word.lower().startswith(low)
    return lambda word: word.startswith(typed)


def _around(pen: Pen, begin: int | None = None) -> Iterable[tuple[int, str, int]]:
    """Yield the lines from the cursor on and round the end: number, text, and the column to begin at.

    Where what is completed begins at `begin`, it is taken out of its line, as Vim does while it looks.
    """
    lines, line, col = pen.lines, pen.line, pen.col
    own = lines[line]
    if begin is not None and begin < col:
        own, col = own[:begin] + own[col:], begin
    yield line, own, col
    for number in range(line + 1, min(len(lines), line + MOST_LINES)):
        yield number, lines[number], 0
    for number in range(max(line - MOST_LINES, 0), line):
        yield number, lines[number], 0
    yield line, own[:col], 0


def _keywords(insert: InsertHandler, typed: str, begin: int) -> Iterable[str]:
    """Yield the keywords of this and the other buffers that begin with what was typed; where that is nothing, the one
    behind the cursor first."""
    pen = insert.pen
    fits = _matcher(insert, typed)
    keywords = Keywords(pen.style.iskeyword)
    fold = re.I if insert.engine.editor.option("ignorecase") else re.NOFLAG
    quick = re.compile(re.escape(typed), fold) if typed else None
    for _, text, col in _around(pen, begin):
        if quick is not None and quick.search(text) is None:
            continue
        for word in begun(keywords.words(text), fits, typed):
            if word.start >= col:
                yield word.text
    sources = str(insert.engine.editor.option("complete")).split(",")
    if not {"b", "w", "u"} & set(sources):
        return
    for buffer in list(insert.engine.editor.buffers.values()):
        if buffer is pen.window.buffer:
            continue
        for text in buffer.lines[:MOST_LINES]:
            if quick is not None and quick.search(text) is None:
                continue
            for word in begun(keywords.words(text), fits, typed):
                yield word.text


def _words_after(insert: InsertHandler, typed: str) -> Iterable[str]:
    """Yield what was completed with the word that follows it, for each place where it stands (`:help i_CTRL-X_CTRL-N`).

    At the end of a line the first word of the next one follows, as if the lines were joined.
    """
    pen = insert.pen
    keywords = Keywords(pen.style.iskeyword)
    keyword = keywords.keyword
    begin = pen.col - len(typed)
    for number, text, col in _around(pen):
        at = text.find(typed, col)
        while at >= 0:
            end = at + len(typed)
            inside = at > 0 and chars.is_word(text[at - 1], keyword) and chars.is_word(typed[:1] or " ", keyword)
            cut = end < len(text) and chars.is_word(text[end], keyword)
            if not inside and not cut and not (number == pen.line and at == begin):
                found = next(keywords.words(text, end), None)
                if found is not None:
                    yield text[at : found.end]
                elif end < len(text):
                    yield text[at:]
                elif number + 1 < len(pen.lines):
                    below = pen.lines[number + 1].lstrip(" \t")
                    first = next(keywords.words(below), None)
                    if first is not None:
                        rest = text[at:]
                        gap = "" if below.startswith(")") or rest[-1:] in ("\t", " ") else " "
                        yield rest + gap + below[: first.end]
            at = text.find(typed, at + 1)


def _lines_after(insert: InsertHandler, whole: str) -> Iterable[str]:
    """Yield the lines that follow one equal to `whole`."""
    pen = insert.pen
    for number, text, _ in _around(pen):
        if number != pen.line and text.lstrip(" \t").startswith(whole) and number + 1 < len(pen.lines):
            below = pen.lines[number + 1].lstrip(" \t")
            if number + 1 != pen.line:
                yield below


def _lines(insert: InsertHandler, typed: str, begin: int) -> Iterable[str]:
    """Yield the lines that begin with what was typed, without their indent."""
    pen = insert.pen
    fits = _matcher(insert, typed)
    for _, text, _ in _around(pen, begin):
        whole = text.lstrip(" \t")
        if whole and fits(whole):
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


def _from_the_top(insert: InsertHandler, typed: str, begin: int) -> Iterable[str]:
    """Yield the keywords of this buffer from its first line on, as where included files are looked into too."""
    pen = insert.pen
    fits, keywords = _matcher(insert, typed), Keywords(pen.style.iskeyword)
    for number, text in enumerate(pen.lines):
        own = text[:begin] + text[pen.col :] if number == pen.line else text
        for word in begun(keywords.words(own), fits, typed):
            yield word.text


def _command_words(insert: InsertHandler, text: str) -> tuple[int, list[str]]:
    """Return where the last word of a line of ex commands begins and what it may become; the ex commands know."""
    complete = insert.engine.editor.extra.get("command-words")
    start, words = complete(text) if callable(complete) else (len(text), [])
    return int(start), list(words)


def _commands(insert: InsertHandler, typed: str, begin: int) -> Iterable[str]:
    """Yield what the last word of the line may become as one of ex commands."""
    return _command_words(insert, insert.pen.text[:begin] + typed)[1]


def _listed(insert: InsertHandler, option: str, typed: str) -> Iterable[str]:
    """Yield the words that begin with what was typed in the files that an option names."""
    names, keywords = str(insert.engine.editor.option(option)), Keywords(insert.pen.style.iskeyword)
    return listed_words(names, keywords, typed, _matcher(insert, typed), whole_lines=option == "thesaurus")


_SOURCES: dict[str, Callable[[InsertHandler, str, int], Iterable[str]]] = {
    "keyword": _keywords,
    "local": _keywords,
    "line": _lines,
    "file": _files,
    "defined": _defined,
    "included": _from_the_top,
    "command": _commands,
    "dictionary": lambda insert, typed, begin: _listed(insert, "dictionary", typed),
    "thesaurus": lambda insert, typed, begin: _listed(insert, "thesaurus", typed),
}
# How the kinds are called in the line with the mode.
_TOLD = {
    "keyword": "Keyword completion (^N^P)",
    "local": "Keyword Local completion (^N^P)",
    "line": "Whole line completion (^L^N^P)",
    "file": "File name completion (^F^N^P)",
    "defined": "Definition completion (^D^N^P)",
    "included": "Path pattern completion (^N^P)",
    "command": "Command-line completion (^V^N^P)",
    "dictionary": "Dictionary completion (^K^N^P)",
    "thesaurus": "Thesaurus completion (^T^N^P)",
}
# Keys after `<C-x>` for kinds of completion that Vim has besides: by tags, functions and spelling.
_MISSING = ("<C-]>", "<C-o>", "<C-u>", "<C-s>", "s")
# What the key after `<C-x>` completes.
_MODES = {
    "<C-n>": "local",
    "<C-p>": "local",
    "<C-l>": "line",
    "<C-f>": "file",
    "<C-d>": "defined",
    "<Tab>": "included",
    "<C-v>": "command",
    "<C-q>": "command",
    "<C-k>": "dictionary",
    "<C-t>": "thesaurus",
}


def _direction(key: str) -> int:
    """Return which way a key looks for matches: lines are looked for backwards."""
    return -1 if key in ("<C-p>", "<C-l>") else 1


def sub_mode(insert: InsertHandler, before: Completion | None = None) -> None:
    """Take the key that says what to complete (`:help i_CTRL-X`); any other key means what it always does.

    `before` is the completion that was going on: one of the same kind goes on from it.
    """

    def _then(key: str) -> None:
        kind = _MODES.get(key)
        if kind is None:
            scroll = actions.get({"<C-e>": "scroll-line-down", "<C-y>": "scroll-line-up"}.get(key, ""))
            if key in _MISSING:
                insert.engine.editor.echo("This kind of completion is not there")
                raise Bell
            if scroll is None:
                insert.take(key)
            else:
                _scroll(insert, scroll)
                sub_mode(insert, before)
            return
        # Where nothing was found there is nothing to go on from; names of files begin anew.
        found = before is not None and len(before.words) > 1 and kind in (before.kind, _ALIKE.get(before.kind))
        again = before if found and kind in _GOING_ON else None
        start(insert, kind, forward=_direction(key) > 0, before=again)

    insert.asking = _then


def _scroll(insert: InsertHandler, scroll: Action) -> None:
    """Scroll by a line, but not so far that the cursor would have to leave its line or come near the window's edge."""
    insert.pen.sync()
    window = insert.pen.window
    top, cursor = window.top, window.cursor
    ctx = Context(insert.engine)
    scroll.function(ctx)
    row = cursor.line - window.top
    if window.cursor.line != cursor.line or (window.top > top and row < ctx.number("scrolloff")):
        window.top, window.cursor = top, cursor
    insert.pen.follow()


_ALIKE = {"keyword": "local"}
# The kinds that a second `<C-x>` completes by what follows the match.
_GOING_ON = ("local", "line", "defined", "included")
