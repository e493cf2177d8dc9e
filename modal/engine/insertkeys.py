"""The keys of the Insert modes (`:help ins-special-keys`): one function each, in the table `KEYS`."""

from __future__ import annotations

from collections.abc import Callable

from tpy.modal.engine import abbreviations, typed
from tpy.modal.engine.backspacing import CHAR, LINE, WORD, can
from tpy.modal.engine.columns import at_column, cursor_column
from tpy.modal.engine.context import Context
from tpy.modal.engine.execute import target_of
from tpy.modal.engine.insert import Bell, InsertHandler
from tpy.modal.engine.literal import collector
from tpy.modal.engine.put import put_register
from tpy.modal.engine.virtualinsert import stepped
from tpy.modal.keymap import from_text
from tpy.modal.registry import CommandFailed, motions
from tpy.modal.text.position import LINE as LINEWISE
from tpy.modal.text.position import MAXCOL, Pos
from tpy.modal.text.registers import READ_ONLY, WRITABLE, Register
from tpy.modal.text.width import col_at, column_of, next_col, prev_col

Key = Callable[[InsertHandler, str], None]
KEYS: dict[str, Key] = {}


def _bind(*keys: str) -> Callable[[Key], Key]:
    def _add(function: Key) -> Key:
        for key in keys:
            KEYS[key] = function
        return function

    return _add


# Leaving


@_bind("<Esc>")
def _escape(insert: InsertHandler, key: str) -> None:
    """Leave Insert mode."""
    if not abbreviations.expand(insert, key):
        insert.leave()


@_bind("<C-c>")
def _interrupt(insert: InsertHandler, key: str) -> None:
    """Leave Insert mode at once: no abbreviation, no repetition."""
    insert.leave(interrupted=True)


@_bind("<C-o>")
def _once(insert: InsertHandler, key: str) -> None:
    """Do one command of Normal mode."""
    if not abbreviations.expand(insert, key):
        insert.once()


@_bind("<C-\\>")
def _backslash(insert: InsertHandler, key: str) -> None:
    """`<C-\\><C-o>`: as `<C-o>` with the cursor where it is; `<C-\\><C-n>`: leave."""

    def _then(second: str) -> None:
        if second == "<C-o>":
            insert.once(stays=True)
        elif second in ("<C-n>", "<C-g>"):
            insert.leave()
        else:
            insert.type("\x1c")
            insert.take(second)

    insert.asking = _then


@_bind("<Insert>")
def _toggle(insert: InsertHandler, key: str) -> None:
    """Change between Insert and Replace mode."""
    insert.toggle_replace()


# Deleting


@_bind("<BS>", "<C-h>")
def _backspace(insert: InsertHandler, key: str) -> None:
    """Delete the character before the cursor."""
    insert.backspace(CHAR, key)


@_bind("<C-w>")
def _delete_word(insert: InsertHandler, key: str) -> None:
    """Delete the word before the cursor."""
    insert.backspace(WORD, key)


@_bind("<C-u>")
def _delete_line(insert: InsertHandler, key: str) -> None:
    """Delete all that was typed before the cursor in the line."""
    insert.backspace(LINE, key)


@_bind("<Del>")
def _delete(insert: InsertHandler, key: str) -> None:
    """Delete the character under the cursor, or the line break."""
    insert.stop_moving()
    pen = insert.pen
    if pen.char:
        pen.delete()
    elif can(pen, "eol") and pen.line + 1 < len(pen.lines):
        pen.join(pen.line, pen.text + pen.lines[pen.line + 1])
    else:
        insert.engine.editor.bells += 1
    pen.reset_flags()
    insert.keys.append(key)


# Line breaks, tabs, indents


@_bind("<CR>", "<C-j>")
def _line_break(insert: InsertHandler, key: str) -> None:
    """Break the line."""
    if not abbreviations.expand(insert, "\r"):
        insert.break_line()
        insert.keys.append("<C-j>")
    insert.spaced = False


@_bind("<Tab>", "<S-Tab>")
def _tab(insert: InsertHandler, key: str) -> None:
    """Type a tab, or blanks where 'expandtab' or 'softtabstop' ask for them."""
    insert.note_blank()
    if abbreviations.expand(insert, "\t"):
        return
    insert.stop_moving()
    if typed.type_tab(insert.pen):
        insert.keys.append("<Tab>")
    else:
        insert.type("\t")
    insert.spaced = False


@_bind("<C-t>", "<C-d>")
def _shift(insert: InsertHandler, key: str) -> None:
    """Shift the line by 'shiftwidth'; `0<C-d>` and `^<C-d>` take the whole indent."""
    insert.stop_moving()
    pen = insert.pen
    if key == "<C-d>" and insert.last_key in ("0", "^") and pen.col > 0:
        pen.back()
        pen.delete()
        if pen.replaces and pen.stack:
            pen.set_text(pen.text[: pen.col] + pen.stack.pop() + pen.text[pen.col :])
        if insert.last_key == "^":
            pen.old_indent = pen.indent()
        typed.change_indent(pen, 0, 0)
    else:
        typed.change_indent(pen, None, -1 if key == "<C-d>" else 1)
    if pen.did_ai and pen.text.strip(" \t"):
        pen.did_ai = False
    pen.did_si = pen.can_si = pen.can_si_back = False
    insert.keys.append(key)


# Text from elsewhere


@_bind("<C-e>", "<C-y>")
def _copy_char(insert: InsertHandler, key: str) -> None:
    """Type the character that stands below or above the cursor."""
    pen = insert.pen
    line = pen.line + (1 if key == "<C-e>" else -1)
    if not 0 <= line < len(pen.lines):
        raise Bell
    text = pen.lines[line]
    tabstop = Context(insert.engine).tabstop
    col = col_at(text, column_of(pen.text, pen.col, tabstop), tabstop)
    if col >= len(text):
        raise Bell
    char = text[col]
    if pen.style.smartindent:
        typed.smart_indent(pen, char)
    insert.stop_moving()
    typed.type_char(pen, char, 0)
    if not char.isalnum() and ord(char) < 256:
        insert.keys.append("<C-v>")
    insert.keys.extend(from_text(char))


@_bind("<C-a>", "<C-@>")
def _last_inserted(insert: InsertHandler, key: str) -> None:
    """Type what was typed in the insert before; `<C-@>` leaves Insert mode then."""
    if insert.last_inserted is None:
        insert.engine.editor.fail(CommandFailed("E29: No inserted text yet"))
        if key == "<C-@>":
            insert.leave()
        return
    insert.take_all(list(insert.last_inserted))
    if key == "<C-@>" and insert.active:
        insert.leave()


@_bind("<C-r>")
def _register(insert: InsertHandler, key: str) -> None:
    """Type the contents of a register; `<C-r>`, `<C-o>` or `<C-p>` before its name take it literally."""

    def _then(name: str) -> None:
        if name in ("<C-r>", "<C-o>", "<C-p>"):
            insert.asking = lambda register: _type_register(insert, register, name)
        else:
            _type_register(insert, name, "")

    insert.asking = _then


@_bind("<S-Insert>")
def _unnamed(insert: InsertHandler, key: str) -> None:
    """Type the contents of the unnamed register as they are."""
    _type_register(insert, '"', "<C-r>")


def _type_register(insert: InsertHandler, name: str, how: str) -> None:
    if name == "=":
        _ask_expression(insert, how)
        return
    if len(name) != 1 or name not in READ_ONLY + WRITABLE:
        raise Bell
    register = insert.engine.editor.registers.get(name)
    if name == "-" and how in ("", "<C-r>") and register is not None:
        # A small delete is put back as it is; what else the register may hold, Vim puts once for each of its lines, and
        # types the line breaks behind that.
        insert.stop_moving()
        for _ in register.lines:
            insert.keys.extend(["<C-r>", name])
            _type_contents(insert, register, name, "<C-o>")
        insert.take_all(["<C-j>"] * (len(register.lines) - (register.kind != LINEWISE)))
        return
    if how in ("<C-o>", "<C-p>"):
        if not insert.moved:
            insert.stop_moving()
            insert.keys.extend(["<C-r>", how, name])
        if register is None:
            raise CommandFailed(f"E353: Nothing in register {name}")
    if register is None:
        raise Bell
    _type_contents(insert, register, name, how)


def _type_contents(insert: InsertHandler, register: Register, name: str, how: str) -> None:
    if how in ("<C-o>", "<C-p>"):
        pen = insert.pen
        pen.sync()
        put_register(insert.engine, register, before=True, after_text=True, fix_indent=how == "<C-p>")
        pen.follow()
        return
    text = register.text()
    keys: list[str] = []
    for key in from_text(text):
        if how and key not in ("<Tab>", "<C-j>", "<CR>") and len(key) > 1:
            keys.append("<C-v>")
        keys.append(key)
    insert.take_all(keys)


def _ask_expression(insert: InsertHandler, how: str) -> None:
    """Ask for an expression and type its value."""
    engine = insert.engine
    insert.pen.sync()

    def _accept(line: str) -> None:
        editor = engine.editor
        if line:
            editor.extra["expression"] = line
        value = engine.evaluate(str(editor.extra.get("expression", "")))
        insert.pen.follow()
        register = Register(tuple(value.removesuffix("\n").split("\n")), LINEWISE if value.endswith("\n") else "char")
        _type_contents(insert, register, "=", how)
        insert.pen.sync()

    engine.open_prompt("=", _accept)


@_bind("<C-k>", "<C-v>", "<C-q>")
def _literal(insert: InsertHandler, key: str) -> None:
    """Type a digraph, the next key as it is, or a character by its code."""
    collected = collector(key, insert.engine.editor.extra.get("digraphs"))
    assert collected is not None

    def _then(typed_key: str) -> None:
        result = collected.feed(typed_key)
        if result is None:
            insert.asking = _then
        elif result.text:
            if key == "<C-k>" and len(result.text) == 1:
                insert.type_text(result.text)
            else:
                _write_literal(insert, result.text)
            if result.rest is not None:
                insert.take(result.rest)

    insert.asking = _then


def _write_literal(insert: InsertHandler, text: str) -> None:
    """Write one character or the name of a key, so that a repetition writes the same."""
    pen = insert.pen
    insert.stop_moving()
    insert.keys.append("<C-v>")
    if len(text) > 1:
        insert.keys.append(text)
    elif text.isalnum() and text.isascii():
        # A letter or digit after `<C-v>` would begin a code.
        insert.keys[-1] = text
    else:
        insert.keys.extend(from_text(text))
    for char in text:
        typed.type_char(pen, char, insert.width)


@_bind("<C-]>")
def _abbreviate(insert: InsertHandler, key: str) -> None:
    """Expand an abbreviation and type nothing."""
    abbreviations.expand(insert, key)


# Moving


def _motion(insert: InsertHandler, name: str, last: Pos) -> Pos:
    """Return where a motion goes from the pen's place, `last` where it finds nothing; it is no motion for `go`."""
    insert.pen.sync()
    kind = insert.engine.last_kind
    try:
        return target_of(Context(insert.engine), motions[name]).pos
    except CommandFailed:
        return last
    finally:
        insert.engine.last_kind = kind


@_bind("<Left>")
def _left(insert: InsertHandler, key: str) -> None:
    """Go left."""
    pen = insert.pen
    virtual = stepped(insert, forward=False)
    if virtual is not None:
        insert.step_to(virtual, key)
    elif pen.col > 0:
        insert.step_to(Pos(pen.line, prev_col(pen.text, pen.col)), key)
    elif "[" in str(insert.engine.editor.option("whichwrap")) and pen.line > 0:
        insert.move_to(Pos(pen.line - 1, len(pen.lines[pen.line - 1])))
    else:
        raise Bell


@_bind("<Right>")
def _right(insert: InsertHandler, key: str) -> None:
    """Go right."""
    pen = insert.pen
    virtual = stepped(insert, forward=True)
    if virtual is not None:
        insert.step_to(virtual, key)
    elif pen.char:
        insert.step_to(Pos(pen.line, min(next_col(pen.text, pen.col), len(pen.text))), key)
    elif "]" in str(insert.engine.editor.option("whichwrap")) and pen.line + 1 < len(pen.lines):
        insert.move_to(Pos(pen.line + 1, 0))
    else:
        raise Bell


@_bind("<Up>", "<Down>")
def _vertical(insert: InsertHandler, key: str) -> None:
    """Go a line up or down."""
    pen = insert.pen
    line = pen.line + (1 if key == "<Down>" else -1)
    if not 0 <= line < len(pen.lines):
        raise Bell
    pen.sync()
    ctx = Context(insert.engine)
    want = cursor_column(ctx) if pen.window.want is None else pen.window.want
    insert.move_to(at_column(ctx, line, want), want=want, drop_indent=True)


@_bind("<Home>")
def _home(insert: InsertHandler, key: str) -> None:
    """Go to the start of the line."""
    insert.move_to(Pos(insert.pen.line, 0))


@_bind("<End>")
def _end(insert: InsertHandler, key: str) -> None:
    """Go to the end of the line."""
    insert.move_to(Pos(insert.pen.line, len(insert.pen.text)), want=MAXCOL)


@_bind("<C-Home>")
def _top(insert: InsertHandler, key: str) -> None:
    """Go to the start of the text."""
    insert.move_to(Pos(0, 0), drop_indent=True)


@_bind("<C-End>")
def _bottom(insert: InsertHandler, key: str) -> None:
    """Go to the end of the text."""
    lines = insert.pen.lines
    insert.move_to(Pos(len(lines) - 1, len(lines[-1])), want=MAXCOL, drop_indent=True)


@_bind("<S-Left>", "<C-Left>")
def _word_left(insert: InsertHandler, key: str) -> None:
    """Go to the start of the word before."""
    if insert.pen.place == Pos(0, 0):
        raise Bell
    insert.move_to(_motion(insert, "word-back", Pos(0, 0)))


@_bind("<S-Right>", "<C-Right>")
def _word_right(insert: InsertHandler, key: str) -> None:
    """Go to the next word."""
    pen = insert.pen
    if pen.line == len(pen.lines) - 1 and not pen.char:
        raise Bell
    end = Pos(len(pen.lines) - 1, len(pen.lines[-1]))
    insert.move_to(_motion(insert, "word-forward", end))


@_bind("<PageUp>", "<S-Up>", "<PageDown>", "<S-Down>")
def _page(insert: InsertHandler, key: str) -> None:
    """Scroll by a page."""
    from tpy.modal.engine.scrolling import scroller
    from tpy.modal.registry import actions

    pen = insert.pen
    pen.sync()
    down = key.endswith("Down>")
    action = actions.get("page-down" if down else "page-up")
    ctx = Context(insert.engine)
    if action is None or not scroller(ctx).can_page(down=down):
        raise Bell
    insert.start_moving(leaves_line=True)
    action.function(ctx)
    pen.follow()


@_bind("<C-g>")
def _go(insert: InsertHandler, key: str) -> None:
    """`<C-g>u` begins a new undo step; `<C-g>j` and `<C-g>k` go to another line in the column where typing began."""

    def _then(second: str) -> None:
        pen = insert.pen
        if second == "u":
            insert.engine.seal()
            insert.unsaved = insert.keeps_origin = True
            pen.start = pen.place
        elif second in ("j", "<C-j>", "<Down>", "k", "<C-k>", "<Up>"):
            line = pen.line + (-1 if second in ("k", "<C-k>", "<Up>") else 1)
            if not 0 <= line < len(pen.lines):
                raise Bell
            begun = pen.lines[pen.start.line] if pen.start.line < len(pen.lines) else ""
            want = column_of(begun, pen.start.col, pen.tabstop)
            insert.move_to(at_column(Context(insert.engine), line, want), drop_indent=True)
        elif second == "U":
            insert.unsplit = True
        elif second != "<Esc>":
            raise Bell

    insert.asking = _then


# Completion


@_bind("<C-n>", "<C-p>")
def _complete(insert: InsertHandler, key: str) -> None:
    """Complete the keyword before the cursor."""
    from tpy.modal.engine import completion

    completion.start(insert, "keyword", forward=key == "<C-n>")


@_bind("<C-x>")
def _completion_mode(insert: InsertHandler, key: str) -> None:
    """Begin the sub-mode of completions."""
    from tpy.modal.engine import completion

    completion.sub_mode(insert)
