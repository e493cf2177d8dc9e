"""Commands that change the characters under the cursor: `r gr ~`, and `& g&` (`:help simple-change`)."""

from __future__ import annotations

from tpy.modal.engine.case import toggled
from tpy.modal.engine.columns import column
from tpy.modal.engine.context import Context
from tpy.modal.engine.virtual import fill, is_virtual
from tpy.modal.keymap import char_of, from_text
from tpy.modal.registry import CommandFailed, action
from tpy.modal.text.position import Pos, beyond
from tpy.modal.text.width import char_cells, column_of, next_col, prev_col


def _cells_on(text: str, col: int, count: int) -> int | None:
    """Return the index behind `count` characters from `col`, `None` where there are fewer."""
    for _ in range(min(count, len(text) + 1)):
        if col >= len(text):
            return None
        col = min(next_col(text, col), len(text))
    return col


@action("replace-char", arg="char", dot=True, modifies=True)
def replace_char(ctx: Context) -> None:
    """Replace `count` characters by the one typed; `<CR>` replaces them by a line break."""
    char = replacement(ctx)
    if is_virtual(ctx.engine):
        _make_room(ctx)
    line, col = ctx.cursor
    text = ctx.lines[line]
    end = _cells_on(text, col, ctx.count)
    if end is None:
        ctx.engine.repeat.cancel()
        raise CommandFailed
    if ctx.arg in ("<CR>", "<C-j>"):
        _replace_by_break(ctx, end)
        return
    # To Vim the character is what was inserted last.
    ctx.engine.insert.last_inserted = ["<C-v>"] * (char < " " or char == "\x7f") + from_text(char)
    number = ctx.count
    new = _copied(ctx, line, ctx.arg) * number if ctx.arg in ("<C-e>", "<C-y>") else char * number
    ctx.buffer.replace(line, line + 1, [text[:col] + new + text[end:]])
    ctx.buffer.marks.add_change(Pos(line, prev_col(new, len(new)) + col))
    ctx.buffer.marks.set_changed(Pos(line, col), Pos(line, col + len(new) - 1))
    ctx.cursor = Pos(line, prev_col(text[:col] + new, col + len(new)))
    ctx.window.want = None


def _make_room(ctx: Context) -> None:
    """Break a tab under the cursor into blanks, or put in as many as are to be replaced behind the line."""
    line, col = ctx.cursor
    text = ctx.lines[line]
    here = column(ctx, ctx.cursor)
    if col >= len(text):
        fill(ctx, here + ctx.count)
        ctx.cursor = Pos(line, ctx.cursor.col - ctx.count)
    elif text[col] == "\t":
        fill(ctx, here)


def replacement(ctx: Context) -> str:
    """Return the character that was asked for. Raises `CommandFailed` for a key that is none."""
    char = char_of(ctx.arg or "") if ctx.arg and (len(ctx.arg) == 1 or ctx.arg.startswith("<")) else ctx.arg
    if not char:
        raise CommandFailed
    return char


def _copied(ctx: Context, line: int, key: str) -> str:
    """Return the character above or below the cursor, for `r<C-y>` and `r<C-e>`."""
    other = line + (1 if key == "<C-e>" else -1)
    if not 0 <= other < len(ctx.lines):
        raise CommandFailed
    text = ctx.lines[other]
    shown = column_of(ctx.lines[line], ctx.cursor.col, ctx.tabstop)
    at = 0
    for char in text:
        at += char_cells(char, at, ctx.tabstop)
        if at > shown:
            return char
    raise CommandFailed


def _replace_by_break(ctx: Context, end: int) -> None:
    """Replace characters by one line break, as if that was typed in Insert mode."""
    line, col = ctx.cursor
    text = ctx.lines[line]
    ctx.buffer.replace(line, line + 1, [text[:col] + text[end:]])
    insert = ctx.engine.insert
    insert.start()
    insert.replay(["<C-j>"])
    ctx.buffer.marks.add_change(Pos(line, col))


@action("virtual-replace-char", arg="char", dot=True, modifies=True)
def virtual_replace_char(ctx: Context) -> None:
    """Replace `count` screen cells by the character typed."""
    char = replacement(ctx)
    insert = ctx.engine.insert
    insert.start("Rv", ctx.count)
    insert.pen.follow()
    insert.take_all(["<C-v>", *from_text(char)] if len(char) == 1 and char < " " else [char])
    if insert.active:
        insert.leave()


@action("toggle-case-char", dot=True, modifies=True)
def toggle_case_char(ctx: Context) -> None:
    """Change the case of `count` characters and go behind them."""
    line, col = first, begun = ctx.cursor
    text = ctx.lines[line]
    if not text:
        ctx.engine.repeat.cancel()
        raise CommandFailed
    if col >= len(text) and is_virtual(ctx.engine):
        # Nothing is there: Vim goes on to the next line.
        ctx.buffer.save_line(line)
        ctx.cursor = Pos(line + 1, 0) if line + 1 < len(ctx.lines) else ctx.cursor
        return
    wraps = "~" in ctx.text("whichwrap")
    new: list[str] = []
    left = ctx.count
    while True:
        end = col
        while left and end < len(text):
            end, left = min(next_col(text, end), len(text)), left - 1
        new.append(text[:col] + toggled(text[col:end]) + text[end:])
        if not (wraps and left and line + 1 < len(ctx.lines)):
            break
        line, col = line + 1, 0
        text = ctx.lines[line]
    if new == ctx.lines[first : line + 1]:
        ctx.buffer.save_line(first)
    else:
        ctx.buffer.replace(first, line + 1, new)
        # The byte before the cursor's is what Vim marks as the last one.
        text, last = new[-1], min(end, prev_col(new[-1], len(new[-1])))
        ctx.buffer.marks.set_changed(Pos(first, begun), Pos(line, prev_col(text, last)))
    ctx.cursor = beyond(line, end, ctx.cursor.add)
    ctx.window.want = None
