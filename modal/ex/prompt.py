"""The command line being typed: `:`, `/`, `?`, `=`, and lines that commands ask for (`:help cmdline-editing`).

Keys are rows of a table. Completion is in `complete.py`, the search preview in `incsearch.py`, history in
`history.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tpy.modal.engine.literal import Overtyped
from tpy.modal.ex import history
from tpy.modal.ex.abbreviations import expand_before
from tpy.modal.ex.complete import Completion, begin
from tpy.modal.ex.incsearch import Preview
from tpy.modal.ex.inserted import register_text
from tpy.modal.keymap import WINDOW_KEY, char_of
from tpy.modal.registry import CommandFailed
from tpy.modal.text import chars
from tpy.modal.text.digraphs import digraph

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

_BASES = {"x": (16, 2), "X": (16, 2), "o": (8, 3), "O": (8, 3), "u": (16, 4), "U": (16, 8)}


class CommandLine:
    """A `Prompt` of the engine: `kind` is the first character, `text` what was typed, `cursor` the place in it.

    `completion` is the menu while matches are gone through, `preview` the match of a search being typed,
    `wants` what the next key is for ("register", "literal", "digraph"…), for the renderer to show.
    """

    mode = "c"

    def __init__(
        self, engine: Engine, kind: str, text: str, accept: Callable[[str], None], cancel: Callable[[], None]
    ) -> None:
        self.engine = engine
        self.kind = kind
        self.text = text
        self.cursor = len(text)
        self.overstrike = False
        self.completion: Completion | None = None
        self.preview = Preview(engine, kind)
        self.wants = ""
        self._accept = accept
        self._cancel = cancel
        self._collected = ""
        self._literally = False
        self._typed = False
        self._overtyped, self._last = Overtyped(engine.editor), ""
        self._recall = history.Recall(engine.editor, kind)

    # What the engine asks

    @property
    def busy(self) -> bool:
        """Whether something is half typed: always."""
        return True

    def map_mode(self) -> str:
        """Return the letter of the mappings of the command line, none to the argument of a key."""
        return "" if self.wants else "c"

    def abort(self) -> None:
        """Give up, as `<Esc>` does."""
        self._leave(keep=True)
        self.cancel()

    def cancel(self) -> None:
        """Tell whoever asked for the line that there will be none."""
        self.preview.abandon()
        self._cancel()

    def feed(self, key: str) -> None:
        """Act on one key. Raises `CommandFailed` where what is typed then fails."""
        self._typed = self._typed or self.engine.key_typed
        if self.wants:
            self._argument(key)
            return
        if self.completion is not None and self._in_completion(key):
            return
        self.completion = None
        self._last, key = key, self._overtyped.take(key, self._last)
        action = KEYS.get(WINDOW_KEY if char_of(key) == self.engine.editor.options.values["cedit"] else key)
        if action is not None:
            action(self)
            if key not in _RECALLING:
                self._recall.reset()
            return
        char = char_of(key)
        if char is None:
            return
        self._recall.reset()
        self._type(char)

    # Text

    def _type(self, char: str) -> None:
        """Put a typed character, after the abbreviation that it may complete."""
        if self.kind in ":/?=" and not chars.is_word(char, self._keyword()):
            expanded = expand_before(self.engine, self.text[: self.cursor], char)
            if expanded is not None:
                self.text = expanded + self.text[self.cursor :]
                self.cursor = len(expanded)
        self.insert(char)

    def insert(self, text: str) -> None:
        """Put text at the cursor; it replaces as much in overstrike mode."""
        skip = len(text) if self.overstrike else 0
        self.text = self.text[: self.cursor] + text + self.text[self.cursor + skip :]
        self.cursor += len(text)
        self.preview.changed()

    def _keyword(self) -> frozenset[int]:
        return chars.parse_option(self.engine.editor.option("iskeyword"))

    def _cut(self, start: int, end: int) -> None:
        self.text = self.text[:start] + self.text[end:]
        self.cursor = start
        self.preview.changed()

    def replace(self, text: str) -> None:
        """Put another line in place of this one, the cursor at its end."""
        self.text, self.cursor = text, len(text)
        self.preview.changed()

    # Deleting

    def backspace(self) -> None:
        """Delete the character before the cursor; give up on an empty line."""
        if not self.text:
            self.abort()
        elif self.cursor:
            start = self.cursor - 1
            while start and chars.is_combining(self.text[start]):
                start -= 1
            self._cut(start, self.cursor)

    def delete(self) -> None:
        """Delete the character under the cursor, at the end the one before."""
        if self.cursor < len(self.text):
            self.cursor += 1
            while self.cursor < len(self.text) and chars.is_combining(self.text[self.cursor]):
                self.cursor += 1
        self.backspace()

    def delete_word(self) -> None:
        """Delete the word before the cursor."""
        keyword = self._keyword()
        at = self.cursor
        while at and self.text[at - 1].isspace():
            at -= 1
        if at:
            kind = chars.char_class(self.text[at - 1], keyword)
            while at and chars.char_class(self.text[at - 1], keyword) == kind:
                at -= 1
        self._cut(at, self.cursor)

    def delete_to_start(self) -> None:
        """Delete all before the cursor."""
        self._cut(0, self.cursor)

    # Moving

    def left(self) -> None:
        """Go one character to the left."""
        self.cursor = max(self.cursor - 1, 0)

    def right(self) -> None:
        """Go one character to the right."""
        self.cursor = min(self.cursor + 1, len(self.text))

    def word_left(self) -> None:
        """Go one WORD to the left."""
        if self.cursor:
            self.cursor -= 1
        while self.cursor and self.text[self.cursor - 1] != " ":
            self.cursor -= 1

    def word_right(self) -> None:
        """Go one WORD to the right."""
        if self.cursor < len(self.text):
            self.cursor += 1
        while self.cursor < len(self.text) and self.text[self.cursor] != " ":
            self.cursor += 1

    def start(self) -> None:
        """Go to the start."""
        self.cursor = 0

    def end(self) -> None:
        """Go to the end."""
        self.cursor = len(self.text)

    def toggle_overstrike(self) -> None:
        """Change between inserting and replacing."""
        self.overstrike = not self.overstrike

    # Leaving

    def accept(self) -> None:
        """Do what was typed."""
        self._type_abbreviation()
        text = self.text
        self._leave(keep=True)
        self.preview.finish(text)
        self._accept(text)

    def _type_abbreviation(self) -> None:
        if self.cursor == len(self.text):
            expanded = expand_before(self.engine, self.text, "\r")
            if expanded is not None:
                self.text = expanded

    def _leave(self, *, keep: bool) -> None:
        if keep and self.text and (self._typed or self.kind in "/?"):
            history.add(self.engine.editor, self.kind, self.text)
            if self.kind == ":":
                self.engine.editor.extra["command-line"] = self.text
        if self.kind in ":/?":
            self.engine.editor.message = None  # the line was typed in its place
        self.engine.close_prompt()

    # History

    def older(self) -> None:
        """Recall the line before."""
        self._recalled(self._recall.older(self.text[: self.cursor], alike=False))

    def newer(self) -> None:
        """Recall the line after."""
        self._recalled(self._recall.newer(self.text[: self.cursor], alike=False))

    def older_alike(self) -> None:
        """Recall the line before that begins as what was typed."""
        self._recalled(self._recall.older(self.text[: self.cursor], alike=True))

    def newer_alike(self) -> None:
        """Recall the line after that begins as what was typed."""
        self._recalled(self._recall.newer(self.text[: self.cursor], alike=True))

    def _recalled(self, text: str | None) -> None:
        if text is not None:
            self.replace(text)

    # Completion

    def _in_completion(self, key: str) -> bool:
        """Take a key that goes through the matches; `False` for one that ends it."""
        menu = self.completion
        assert menu is not None
        if key in ("<Tab>", "<C-n>"):
            self.replace_match(menu.step(1))
        elif key in ("<S-Tab>", "<C-p>"):
            self.replace_match(menu.step(-1))
        elif key == "<C-e>":
            self.replace_match(menu.original())
            self.completion = None
        elif key == "<C-y>":
            self.completion = None
        else:
            return False
        return True

    def replace_match(self, whole: tuple[str, int]) -> None:
        """Put the line that a completion made."""
        self.text, self.cursor = whole
        self.preview.changed()

    def complete(self) -> None:
        """Complete the word before the cursor with the first match; the next keys go through the others."""
        self._begin_completion(1)

    def complete_back(self) -> None:
        """Complete with the last match."""
        self._begin_completion(-1)

    def _begin_completion(self, step: int) -> None:
        menu = self._matches("\t")
        if menu is None:
            return
        self.replace_match(menu.step(step))
        self.completion = menu if len(menu.matches) > 1 else None

    def _matches(self, char: str) -> Completion | None:
        """Return the completion of the word before the cursor; where nothing can be completed the key is text."""
        menu = begin(self.engine, self.text, self.cursor) if self.kind in (":", "@") and self.kind else None
        if menu is None:
            self._type(char)
            return None
        return menu if menu.matches else None

    def list_matches(self) -> None:
        """Show all matches of the word before the cursor."""
        menu = self._matches("\x04")
        if menu is not None:
            self.engine.editor.extra["wildlist"] = menu.matches

    def insert_all(self) -> None:
        """Put all matches in place of the word before the cursor."""
        menu = self._matches("\x01")
        if menu is not None:
            self.replace_match(menu.whole(" ".join(menu.matches)))

    def complete_common(self) -> None:
        """Complete as far as all matches agree; in a search, take the next character of the match."""
        if self.kind in "/?":
            char = self.preview.next_char(self.text)
            if char:
                self.insert(char)
            return
        menu = self._matches("\x0c")
        if menu is not None:
            self.replace_match(menu.common())

    def end_abbreviation(self) -> None:
        """Replace the abbreviation before the cursor without typing anything."""
        expanded = expand_before(self.engine, self.text[: self.cursor], "\x1d")
        if expanded is not None:
            self.text, self.cursor = expanded + self.text[self.cursor :], len(expanded)

    # Searching

    def next_match(self) -> None:
        """Go to the next match while the pattern is typed."""
        if not self.preview.move(self.text, 1):
            self._type("\x07")

    def previous_match(self) -> None:
        """Go to the match before while the pattern is typed."""
        if not self.preview.move(self.text, -1):
            self._type("\x14")

    # Keys that ask for another

    def want_register(self) -> None:
        """Insert what a register holds."""
        self.wants, self._literally = "register", False

    def insert_unnamed(self) -> None:
        """Insert what the unnamed register holds."""
        self._literally = False
        self._register('"')

    def want_literal(self) -> None:
        """Insert the next key as it is, or a character by its number."""
        self.wants, self._collected = "literal", ""

    def want_digraph(self) -> None:
        """Insert a digraph."""
        self.wants, self._collected = "digraph", ""

    def want_mode(self) -> None:
        """`<C-\\><C-n>` and `<C-\\><C-g>` go to Normal mode."""
        self.wants = "mode"

    def window(self) -> None:
        """Open the command-line window (`:help c_CTRL-F`); this line waits until that is left."""
        from tpy.modal.ex.cmdwindow import CommandWindow

        self.preview.abandon()
        CommandWindow(self)
        self._typed = True

    def _argument(self, key: str) -> None:
        want, self.wants = self.wants, ""
        if want == "register":
            self._register(key)
        elif want == "literal":
            self._literal(key)
        elif want == "digraph":
            self._digraph(key)
        elif want == "mode" and key in ("<C-n>", "<C-g>"):
            self.abort()

    def _register(self, key: str) -> None:
        if key in ("<C-r>", "<C-o>") and not self._literally:
            self.wants, self._literally = "register", True
            return
        if key == "=":
            if self.kind == "=":
                raise CommandFailed
            self._expression()
            return
        if key != "<Esc>":
            self.insert(register_text(self.engine, key, self))

    def _expression(self) -> None:
        """Ask for an expression and insert its value."""
        engine = self.engine

        def _insert(line: str) -> None:
            engine.prompt = self
            self.insert(register_text(engine, "=" + line, self))

        def _back() -> None:
            engine.prompt = self

        engine.open_prompt("=", _insert, _back)

    def _literal(self, key: str) -> None:
        collected = self._collected
        if not collected:
            if key in _BASES or (key.isascii() and key.isdigit()):
                self._collected, self.wants = key, "literal"
                return
            self.insert(_char_or_code(key))
            return
        base, most = _BASES.get(collected[0], (10, 3))
        digits = collected[1:] if collected[0] in _BASES else collected
        if len(key) == 1 and key in "0123456789abcdefABCDEF"[: base if base <= 10 else None]:
            digits += key
            self._collected += key
            if len(digits) < most and not (base == 10 and int(digits) > 25 and len(digits) >= 3):
                self.wants = "literal"
                return
            self.insert(_by_number(digits, base))
            return
        if digits:
            self.insert(_by_number(digits, base))
            self.feed(key)
        else:
            self.insert(_char_or_code(key))

    def _digraph(self, key: str) -> None:
        if key == "<Esc>":
            return
        char = char_of(key)
        if char is None:
            self.insert(key)
        elif not self._collected:
            self._collected, self.wants = char, "digraph"
        else:
            self.insert(digraph(self._collected, char, self.engine.editor.extra.get("digraphs")))


def _by_number(digits: str, base: int) -> str:
    number = int(digits, base)
    return chr(number if base != 10 else min(number, 255)) if 0 < number < 0x110000 else "\n"


def _char_or_code(key: str) -> str:
    """Return what `<C-v>` makes of a key: its character, or its name."""
    char = "\x08" if key == "<BS>" else char_of(key)
    return key if char is None else char


_RECALLING = frozenset(
    {"<Left>", "<Right>", "<Up>", "<Down>", "<C-p>", "<C-n>", "<S-Up>", "<S-Down>", "<PageUp>", "<PageDown>"}
)
KEYS: dict[str, Callable[[CommandLine], None]] = {
    "<CR>": CommandLine.accept,
    "<C-j>": CommandLine.accept,
    # From a mapping or macro it ends the line as <CR> does (`:help c_<Esc>`).
    "<Esc>": lambda line: line.abort() if line.engine.key_typed else line.accept(),
    "<C-c>": CommandLine.abort,
    "<BS>": CommandLine.backspace,
    "<C-h>": CommandLine.backspace,
    "<Del>": CommandLine.delete,
    "<C-w>": CommandLine.delete_word,
    "<C-u>": CommandLine.delete_to_start,
    "<Left>": CommandLine.left,
    "<Right>": CommandLine.right,
    "<S-Left>": CommandLine.word_left,
    "<C-Left>": CommandLine.word_left,
    "<S-Right>": CommandLine.word_right,
    "<C-Right>": CommandLine.word_right,
    "<Home>": CommandLine.start,
    "<C-b>": CommandLine.start,
    "<End>": CommandLine.end,
    "<C-e>": CommandLine.end,
    "<Insert>": CommandLine.toggle_overstrike,
    "<Up>": CommandLine.older_alike,
    "<Down>": CommandLine.newer_alike,
    "<S-Up>": CommandLine.older,
    "<S-Down>": CommandLine.newer,
    "<PageUp>": CommandLine.older,
    "<PageDown>": CommandLine.newer,
    "<C-p>": CommandLine.older,
    "<C-n>": CommandLine.newer,
    "<Tab>": CommandLine.complete,
    "<S-Tab>": CommandLine.complete_back,
    "<C-d>": CommandLine.list_matches,
    "<C-a>": CommandLine.insert_all,
    "<C-l>": CommandLine.complete_common,
    "<C-g>": CommandLine.next_match,
    "<C-t>": CommandLine.previous_match,
    "<C-r>": CommandLine.want_register,
    "<S-Insert>": CommandLine.insert_unnamed,
    "<C-v>": CommandLine.want_literal,
    "<C-q>": CommandLine.want_literal,
    "<C-k>": CommandLine.want_digraph,
    "<C-\\>": CommandLine.want_mode,
    WINDOW_KEY: CommandLine.window,
    "<C-]>": CommandLine.end_abbreviation,
}
