"""Insert, Replace and Virtual Replace mode: beginning, taking keys, ending, repeating (`:help Insert-mode`).

What each key does is in `insertkeys.py`, what typing does to the text in `typed.py` and its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tpy.modal.engine import abbreviations, backspacing, typed, virtualinsert
from tpy.modal.engine.folding import show_line
from tpy.modal.engine.indentation import style_of
from tpy.modal.engine.insertcount import plain_run, put_runs, repeat
from tpy.modal.engine.literal import Overtyped
from tpy.modal.engine.openline import open_line
from tpy.modal.engine.pen import BufferPen
from tpy.modal.engine.selectmode import SHIFTED
from tpy.modal.engine.wrapping import text_width
from tpy.modal.keymap import char_of, from_text, to_text
from tpy.modal.text.position import MAXCOL, Pos, clamp
from tpy.modal.text.width import column_of, prev_col

if TYPE_CHECKING:
    from tpy.modal.engine.completion import Completion
    from tpy.modal.engine.dispatch import Engine

# The mode that a command of `<C-o>` is in.
_ONCE = {"i": "niI", "R": "niR", "Rv": "niV"}


class Bell(Exception):
    """A key cannot do anything here: a bell, which ends no mapping and no repetition, unlike `CommandFailed`."""


class InsertHandler:
    """Takes the keys while text is typed. `resume` is the mode to come back to after a command of `<C-o>`."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.active = False
        self.mode = "i"
        # The mode that `<Insert>` goes to from Insert mode.
        self.replacing = "R"
        self.resume: str | None = None
        self.count = 1
        self.pen = BufferPen(engine.editor.window, style_of(engine.editor, engine.editor.window))
        # The keys since the insert began or the cursor was moved, for `.`, a count and `<C-a>`.
        self.keys: list[str] = []
        # What the count repeats, while it does; what is typed after a repetition failed is not part of it.
        self.held: list[str] | None = None
        self.last_inserted: list[str] | None = None
        # Whether the cursor was moved since the last typing, and the insert therefore ended.
        self.moved = False
        self.split = False
        # A blank was typed as such, so that `softtabstop` does not take it for part of a tab.
        self.spaced = False
        self.last_key = ""
        # What takes the next key, where a key of Insert mode asks for more; `None` for none.
        self.asking: Callable[[str], None] | None = None
        self.completion: Completion | None = None
        # Whether there is a screen to show a menu on, where cursor keys choose.
        self.menu_wanted = True
        # Whether the line is to be saved for undo before the next change, and whether `<BS>` may be stopped where it
        # was at first, though the insert began anew elsewhere.
        self.unsaved = self.keeps_origin = False
        self.overtyped = Overtyped(engine.editor)
        # How many of the keys that come are the long form of an abbreviation.
        self.unabbreviated = 0
        # After `<C-g>U` the next `<Left>` or `<Right>` belongs to the insert.
        self.unsplit = False
        # Whether each repetition goes on a line of its own.
        self.opens = False
        self._at_end: int | None = None
        self._on_end: Callable[[], None] | None = None
        engine.editor.read_only["."] = self._inserted_text

    def _inserted_text(self) -> str | None:
        return None if self.last_inserted is None else to_text(self.last_inserted)

    # What the engine asks

    @property
    def busy(self) -> bool:
        """Whether text is being typed."""
        return self.active

    def map_mode(self) -> str:
        """Return the letter of the mappings of Insert mode; none apply to the argument of a key."""
        return "" if self.asking is not None else "i"

    def start(
        self,
        mode: str = "i",
        count: int = 1,
        *,
        opens: bool = False,
        indented: bool = False,
        on_end: Callable[[], None] | None = None,
    ) -> None:
        """Begin to insert at the cursor; what is typed is put `count` times in all when it ends.

        `opens`: each repetition goes on a line of its own, as for `o`. `indented`: the pen was used to open the
        line and knows of its indent. `on_end` is called when the insert is over, unless it was interrupted.
        """
        self.engine.require_modifiable()
        if not indented:
            self._new_pen(mode)
        self.active, self.mode, self.count = True, mode, count
        self.resume, self.moved, self.split = None, False, False
        self.opens, self._on_end = opens, on_end
        virtualinsert.settle(self)
        self.pen.window.want = None
        show_line(self.engine.editor)
        self._begin()

    def _new_pen(self, mode: str) -> None:
        editor = self.engine.editor
        style = style_of(editor, editor.window)
        self.pen = BufferPen(editor.window, style)
        if editor.option("cindent"):
            from tpy.modal.engine.cindenting import indenting_of

            self.pen.indenting = indenting_of(editor, editor.window, style)
        if "a" in style.formatoptions:
            from tpy.modal.engine.autoformat import AutoFormat

            self.pen.formatting = AutoFormat(self.engine)
        self.pen.mode = mode
        self.pen.follow()

    def prepare(self) -> BufferPen:
        """Return a fresh pen at the cursor, for a command that opens a line before it starts to insert."""
        self._new_pen("i")
        return self.pen

    def _begin(self) -> None:
        pen = self.pen
        pen.mode = self.mode
        self.replacing = "R" if self.mode == "i" else self.mode
        pen.follow()
        pen.start = pen.origin = Pos(pen.line, 0) if self.opens else pen.place
        pen.start_width = column_of(pen.text, len(pen.text), pen.tabstop) if self.width else 0
        pen.blank_column = None
        pen.line_count = len(pen.lines)
        if not pen.did_ai:
            pen.ai_col = 0
        self.keys, self.held = [], None
        self.unsaved = True
        self.keeps_origin = False
        self.spaced = False
        self.last_key = ""
        self.overtyped = Overtyped(self.engine.editor)
        self.asking = self.completion = None

    def resume_after_command(self) -> None:
        """Go back to Insert mode after the command of `<C-o>` is done."""
        editor = self.engine.editor
        if self.resume is None or editor.visual is not None or self.engine.normal.busy:
            return
        window = editor.window
        line, col = window.cursor
        text = window.buffer.lines[line]
        want = window.want
        beyond = want is not None and (want >= MAXCOL or want > column_of(text, col, 8))
        if (self._at_end == line or beyond) and col < len(text) and col == prev_col(text, len(text)):
            window.cursor = Pos(line, len(text))
        mode, self.resume = self.resume, None
        self._new_pen(mode)
        self.active, self.mode, self.count = True, mode, 1
        self.opens, self._on_end = False, None
        self._begin()
        self.moved = True
        self.split = True

    def abort(self) -> None:
        """Leave Insert mode."""
        self.asking = self.completion = None
        self.pen.follow()
        self.leave()

    def replay(self, keys: list[str]) -> None:
        """Type what an earlier insert typed and leave, for `.`."""
        try:
            self.take_all(keys)
        finally:
            self.pen.sync()
        if self.active:
            self.leave()

    # Keys

    def feed(self, key: str) -> None:
        """Act on one key. Raises `CommandFailed`."""
        pen = self.pen
        if pen.window is not self.engine.editor.window or pen.lines is not pen.window.buffer.lines:
            self._new_pen(self.mode)
            self._begin()
        pen = self.pen
        pen.follow()
        try:
            self.take(key)
        finally:
            if self.active:
                self.pen.sync()
                self.pen.window.want = None if self.last_key not in _KEEPING else self.pen.window.want
        if self.unabbreviated:
            self.unabbreviated -= 1

    def take(self, key: str) -> None:
        """Act on one key at the pen's place. Raises `CommandFailed`."""
        try:
            self._take(key)
        except Bell:
            self.engine.editor.bells += 1

    def _take(self, key: str) -> None:
        if not self.keeps_origin:
            self.pen.origin = self.pen.start
        if self.asking is not None:
            ask, self.asking = self.asking, None
            ask(key)
            return
        if self.completion is not None and self.completion.take(key):
            return
        key = self.overtyped.take(key, self.last_key)
        if key in SHIFTED and "startsel" in str(self.engine.editor.option("keymodel")):
            self.engine.push([key], remap=False)
            self.once(selects=True)
            return
        formatting, tick = self.pen.formatting, self.pen.window.buffer.tick
        if self.pen.indenting is None:
            self.act(key)
        else:
            self.pen.indenting.act(self, key)
        if formatting is not None and self.active and self.pen.window.buffer.tick != tick:
            formatting.typed(self.pen, back=key not in ("<CR>", "<C-j>"))
        self.last_key = key

    def act(self, key: str) -> None:
        """Do what a key is for, or type it."""
        from tpy.modal.engine.insertkeys import KEYS

        action = KEYS.get(key)
        if action is not None:
            action(self, key)
        elif (char := char_of(key)) is None:
            self.type_text(key)
        else:
            self.type(char)

    def take_all(self, keys: Iterable[str]) -> None:
        """Act on keys as if they were typed; those left when Insert mode ends go to the next mode."""
        rest = list(keys)
        while rest and self.active:
            run = plain_run(self, rest)
            if run > 1:
                put_runs(self, "".join(rest[:run]))
                del rest[:run]
            else:
                self.take(rest.pop(0))
        if rest:
            self.engine.push(rest, remap=False)

    @property
    def width(self) -> int:
        """The width that lines are broken at, 0 for none."""
        return text_width(self.pen.style, self.pen.window.width)

    def put(self, text: str) -> None:
        """Put in characters that need no thought, all at once."""
        self.stop_moving()
        self.pen.end_comment = ""
        self.pen.reset_flags()
        self.pen.raw(text)
        self.keys.extend(text)
        self.last_key = text[-1]

    def type_run(self, text: str) -> bool:
        """Type several characters at once; `False` where options or what came before give one a meaning of its own."""
        pen = self.pen
        if pen.window is not self.engine.editor.window or pen.style.smartindent or pen.indenting or self.unabbreviated:
            return False
        pen.follow()
        if plain_run(self, list(text)) != len(text) or (
            " " in text and pen.blank_column is None and pen.line == pen.start.line
        ):
            return False
        self.spaced = self.spaced or " " in text
        if not self.keeps_origin:
            pen.origin = pen.start
        self.put(text)
        pen.sync()
        pen.window.want = None
        return True

    def type(self, char: str) -> None:
        """Type one character: abbreviations, smart indent, wrapping and all."""
        if abbreviations.expand(self, char):
            return
        pen = self.pen
        if pen.style.smartindent:
            typed.smart_indent(pen, char)
        if char == " ":
            self.spaced = True
            self.note_blank()
        self.stop_moving()
        typed.type_char(pen, char, self.width)
        self.keys.append(char if char >= " " and char != "\x7f" else from_text(char)[0])

    def type_text(self, text: str) -> None:
        """Write text as it is, without abbreviations, so that a repetition does the same."""
        self.stop_moving()
        for char in text:
            typed.type_char(self.pen, char, self.width)
            if char < " " or char == "\x7f":
                self.keys.append("<C-v>")
            self.keys.extend(from_text(char))

    def note_blank(self) -> None:
        """Remember where the first blank was typed (`:help fo-b`)."""
        pen = self.pen
        if pen.blank_column is None and pen.line == pen.start.line:
            pen.blank_column = pen.column()

    def paste(self, text: str) -> None:
        """Put in text that was pasted: exactly, without indents, as one change."""
        pen = self.pen
        pen.follow()
        self.stop_moving()
        pen.end_comment = ""
        pen.reset_flags()
        parts = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        line, col = pen.place
        before, after = pen.text[:col], pen.text[col:]
        new = [before + parts[0], *parts[1:]]
        end = len(new[-1])
        new[-1] += after
        pen.replace(line, line + 1, new)
        pen.line, pen.col = line + len(new) - 1, end
        pen.sync()
        for char in text:
            if char < " " and char not in "\r\n\t":
                self.keys.append("<C-v>")
            self.keys.extend(["<C-j>"] if char in "\r\n" else from_text(char))

    # Moving

    def stop_moving(self, *, fills: bool = True) -> None:
        """Make ready for a change: save the line for undo, begin a new insert where the cursor was moved to, put in
        blanks up to there where that is no place of the text, if the change `fills` them."""
        self._stop_moving()
        if self.pen.add and fills:
            virtualinsert.fill_up(self)

    def _stop_moving(self) -> None:
        pen = self.pen
        if not self.moved:
            if self.unsaved:
                self._save()
            return
        self.moved = False
        if self.engine.depth == 0 and self.split:
            self.engine.seal()
        pen.start = pen.place
        if pen.start.col > pen.origin.col and not self.unsaved:
            self.keeps_origin = True
        pen.start_width = column_of(pen.text, len(pen.text), pen.tabstop) if self.width else 0
        pen.ai_col = 0
        pen.line_count = len(pen.lines)
        self.keys = []
        self.opens = False
        self.count = 1
        self._save()
        self.engine.repeat.inserted(self.keys, moved=True)

    def _save(self) -> None:
        """Open an undo step with the cursor as it is now, whether anything changes then or not."""
        self.unsaved = False
        self.pen.sync()
        self.pen.window.buffer.save_line(self.pen.line)

    def start_moving(self, *, leaves_line: bool = False) -> None:
        """End the insert because a cursor key was used (`:help ins-special-special`)."""
        if self.moved:
            return
        self._finish(drop_indent=leaves_line)
        self.moved = self.split = True
        self.count = 0

    def move_to(self, pos: Pos, *, want: int | None = None, drop_indent: bool = False) -> None:
        """Go somewhere by a cursor key; with `drop_indent` blanks that were put in as indent go with the line."""
        pen = self.pen
        self.start_moving(leaves_line=drop_indent and pos.line != pen.line)
        pen.line, pen.col = clamp(pos, pen.lines, past_end=True)
        pen.add = pos.add
        pen.window.want = want

    def step_to(self, pos: Pos, key: str) -> None:
        """Go along the line, which after `<C-g>U` does not end the insert."""
        if self.unsplit:
            self.unsplit = False
            self.pen.col, self.pen.add = pos.col, pos.add
            self.keys.append(key)
        else:
            self.move_to(pos)

    # The end

    def _finish(self, *, drop_indent: bool) -> None:
        """End what was typed: what `.` repeats, an indent nothing was typed after, the marks `'[` and `']`."""
        pen = self.pen
        if pen.formatting is not None and (pen.formatting.due or not self.unsaved):
            pen.formatting.left(pen)
        pen.stack.clear()
        if self.held is not None:
            self.keys, self.held = self.held, None
        if self.keys or not self.split:
            self.last_inserted = list(self.keys)
        self.engine.repeat.inserted(list(self.keys), moved=False)
        if pen.did_ai and drop_indent:
            pen.drop_indent()
        pen.reset_flags()
        pen.window.buffer.marks.set_changed(pen.start, pen.place)

    def leave(self, *, interrupted: bool = False, stays: bool = False) -> None:
        """Leave Insert mode. `stays`: the cursor keeps its place, for `<C-\\><C-o>`."""
        pen = self.pen
        if not self.moved:
            if not interrupted:
                repeat(self)
            self._finish(drop_indent=not stays)
        window = pen.window
        window.buffer.marks.set("^", pen.place)
        at_end = pen.col >= len(pen.text)
        if at_end and self._at_end is not None:
            # A repetition after `<C-o>` may have opened a line.
            self._at_end = pen.line
        # A vertical motion after `<C-o>` aims at the end of the line, though the cursor goes before it.
        shown = column_of(pen.text, pen.col, pen.tabstop) if at_end and self.resume is not None else None
        if (pen.col > 0 or pen.add) and not stays and (self.resume is None or at_end):
            back = virtualinsert.go_back(self)
            shown = shown if back is None else back
        pen.sync()
        window.want = None
        if shown is not None:
            window.noted = (window.cursor, shown)
        self.active = False
        on_end, self._on_end = self._on_end, None
        if on_end is not None and not interrupted:
            on_end()
        self.engine.virtual_operator = None

    def once(self, *, stays: bool = False, selects: bool = False) -> None:
        """Leave for one command (`:help i_CTRL-O`); one that `selects` begins at the cursor, also behind the line."""
        pen = self.pen
        self._at_end = pen.line if pen.col >= len(pen.text) and not stays else None
        stays = stays or selects
        self.count = 0
        self.resume = self.mode
        on_end, self._on_end = self._on_end, None
        self.leave(stays=stays)
        if on_end is not None:
            on_end()
        self.engine.seal()

    def forget_end(self) -> None:
        """Let a command of `<C-o>` that went to the start of the line stay there, in a line of one character too."""
        self._at_end = None

    def break_line(self) -> None:
        """Break the line at the cursor, as `<CR>` does."""
        pen = self.pen
        # The line is broken where the text ends, without blanks up to the cursor.
        self.stop_moving(fills=False)
        pen.add = 0
        if pen.mode == "R":
            pen.stack.append("")
        open_line(pen, with_comments="r" in pen.style.formatoptions)

    def backspace(self, unit: str, key: str) -> None:
        """Delete before the cursor. Raises `Bell` where 'backspace' forbids it."""
        pen = self.pen
        if backspacing.forbidden(pen, moved=self.moved):
            raise Bell
        self.stop_moving(fills=False)
        if not virtualinsert.eat(self, unit):
            backspacing.backspace(pen, unit, spaced=self.spaced and not self.moved)
        self.keys.append(key)

    def toggle_replace(self) -> None:
        """Change between Insert and Replace mode."""
        self.mode = self.replacing if self.mode == "i" else "i"
        self.pen.mode = self.mode
        self.keys.append("<Insert>")


_KEEPING = ("<Up>", "<Down>", "<End>", "<C-End>", "<PageUp>", "<PageDown>", "<S-Up>", "<S-Down>")
