"""Indenting C while it is typed: which keys of Insert mode indent their line anew (`:help 'cindent'`, `'cinkeys'`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tpy.modal.editor import Editor
from tpy.modal.engine import typed
from tpy.modal.engine.cindent import indent_of, kinds
from tpy.modal.engine.cindent.rules import Rules
from tpy.modal.engine.cindent.source import Source
from tpy.modal.engine.indentation import BLANKS, Style
from tpy.modal.engine.pen import BufferPen
from tpy.modal.engine.reindent import c_rules
from tpy.modal.text import chars
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.insert import InsertHandler

# What `'cinkeys'` calls a line that was opened, by whether that is below.
OPENED = {True: "o", False: "O"}
BEFORE, INSTEAD, AFTER = "*", "!", " "


class Indenting(NamedTuple):
    """How a pen indents: the rules, and the keys that make it do so, as entries of `'cinkeys'`."""

    rules: Rules
    keys: tuple[str, ...]

    def reindent(self, pen: BufferPen) -> None:
        """Indent the pen's line anew; the cursor stays on its character."""
        columns = indent_of(Source(pen.lines, self.rules), pen.line, pen.col)
        if columns is None:
            return
        typed.change_indent(pen, columns, 0)
        if not pen.text.strip(BLANKS):
            pen.did_ai = True

    def opened(self, pen: BufferPen, *, forward: bool) -> None:
        """Indent a line that was just opened."""
        if any(entry in (OPENED[forward], "0" + OPENED[forward]) for entry in self.keys):
            self.reindent(pen)
            pen.ai_col = len(pen.text) - len(pen.text.lstrip(BLANKS))

    def act(self, insert: InsertHandler, key: str) -> None:
        """Do what a key of Insert mode is for, and indent the line where it asks for that."""
        pen = insert.pen
        first = pen.in_indent()
        if self.wants(pen, key, INSTEAD, first=first):
            insert.stop_moving()
            self.reindent(pen)
            return
        if not pen.own_indent and self.wants(pen, key, BEFORE, first=first):
            insert.stop_moving()
            self.reindent(pen)
        if key in ("<C-t>", "<C-d>") or (first and key in (" ", "<Tab>")):
            pen.own_indent = True
        elif key in ("<CR>", "<C-j>"):
            pen.own_indent = False
        insert.act(key)
        if insert.active and insert.pen is pen and not pen.own_indent and self.wants(pen, key, AFTER, first=first):
            self.reindent(pen)

    def wants(self, pen: BufferPen, key: str, when: str, *, first: bool) -> bool:
        """Whether a key asks for it: `BEFORE` it is put in, `INSTEAD` or `AFTER`. `first`: after nothing but blanks."""
        for entry in self.keys:
            if (entry[0] if entry[0] in "*!" and len(entry) > 1 else AFTER) != when:
                continue
            what = entry.lstrip("*!") if when != AFTER else entry
            if what[0] == "0" and len(what) > 1:
                if not first and what[1] != "=":
                    continue
                what = what[1:]
            if self._is(pen, key, what, alone=entry[0] == "0"):
                return True
        return False

    def _is(self, pen: BufferPen, key: str, what: str, *, alone: bool) -> bool:
        before = pen.text[: pen.col]
        if what[0] == "^" and len(what) > 1:
            return key == f"<C-{what[1].lower()}>"
        if what == "e":
            return key == "e" and before.lstrip(BLANKS) == "else"
        if what == ":":
            return key == ":" and self._is_label(pen)
        if what[0] == "<" and what[-1] == ">" and len(what) > 2:
            return key in (what, what[1:-1])
        if what[0] == "=" and len(what) > 1:
            word, text = what[1:], before
            if word[0] == "~":
                word, text = word[1:].lower(), before.lower()
            rest = text.removesuffix(word)
            inside = bool(rest) and chars.is_word(rest[-1], chars.parse_option(pen.style.iskeyword))
            return (
                bool(word) and rest != text and not inside and key == before[-1:] and not (alone and rest.strip(BLANKS))
            )
        return key == what and what not in ("o", "O")

    def _is_label(self, pen: BufferPen) -> bool:
        """Whether a colon just typed ends a label, or `::` stands behind what would be one with one colon."""
        text = pen.text
        for line in (text, text[: pen.col - 1] + " " + text[pen.col :]):
            if kinds.is_case(line) or kinds.is_scope(line, self.rules):
                return True
            lines = [*pen.lines[max(pen.line - 100, 0) : pen.line], line]
            if Source(lines, self.rules).is_label(len(lines) - 1):
                return True
            if text[max(pen.col - 2, 0) : pen.col] != "::":
                break
        return False


def indenting_of(editor: Editor, window: Window, style: Style) -> Indenting | None:
    """Return how lines are indented while they are typed in a window, `None` where they are not."""
    if not editor.option("cindent", window) or editor.option("paste"):
        return None
    keys = tuple(entry for entry in str(editor.option("cinkeys", window)).split(",") if entry)
    return Indenting(c_rules(editor, window, style), keys)
