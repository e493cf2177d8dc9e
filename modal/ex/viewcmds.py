"""Commands for windows and tab pages (`:help windows.txt`, `:help tabpage.txt`)."""

from __future__ import annotations

from tpy.modal.editor import Editor
from tpy.modal.engine.windows import require_leavable
from tpy.modal.ex.context import ExContext, Work
from tpy.modal.ex.filecmds import FileArgument, find_in_path
from tpy.modal.ex.filestate import open_buffer
from tpy.modal.ex.leavecmds import close_window, keeps_text
from tpy.modal.ex.names import file_name
from tpy.modal.ex.run import run_ex, run_line
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import Buffer
from tpy.modal.view.layout import COLUMN, ROW, Layout
from tpy.modal.view.window import Window


def copy_window(window: Window, buffer: Buffer) -> Window:
    """Return a window on a buffer that begins as another one is: its options, and its place in the same buffer."""
    new = Window(buffer, height=window.height, width=window.width)
    new.options = dict(window.options)
    if "directory" in window.extra:
        new.extra["directory"] = window.extra["directory"]
    new.alternate = window.alternate
    new.jumps.places, new.jumps.index = list(window.jumps.places), window.jumps.index
    if buffer is window.buffer:
        new.cursor, new.top, new.want = window.cursor, window.top, window.want
        new.fraction, new.fraction_row = window.fraction, window.fraction_row
    else:
        new.alternate = window.buffer.number
        place = buffer.marks.get('"')
        if place is not None and place.line < len(buffer.lines):
            new.cursor = place
    return new


def split(ctx: ExContext, buffer: Buffer, *, vertical: bool, size: int | None = None) -> Window:
    """Open a window on a buffer beside the current one, under the modifiers of the command, and go there."""
    editor = ctx.editor
    require_leavable(editor)
    if ctx.modifier("tab"):
        return open_tab(editor, buffer, ctx.modifier("tab"))
    vertical = vertical or bool(ctx.modifier("vertical"))
    old = ctx.window
    new = copy_window(old, buffer)
    new.options["winfixheight"] = False  # it is the old window's own
    after = bool(ctx.option("splitright" if vertical else "splitbelow"))
    if ctx.modifier("aboveleft") or ctx.modifier("leftabove"):
        after = False
    elif ctx.modifier("belowright") or ctx.modifier("rightbelow"):
        after = True
    kind = ROW if vertical else COLUMN
    whole = ctx.modifier("topleft") or ctx.modifier("botright")
    layout = editor.layout
    if not (vertical or layout.has_room(old)):
        raise CommandFailed("E36: Not enough room")
    if whole:
        layout.split_whole(new, kind, after=bool(ctx.modifier("botright")), size=size)
    else:
        layout.split(old, new, kind, after=after, size=size)
    editor.focus(new)
    if ctx.option("equalalways") and size is None:
        layout.equalize(kind, whole=False)
    return new


def open_tab(editor: Editor, buffer: Buffer, number: int = -1) -> Window:
    """Open a tab page with a window on a buffer, behind the current one or behind page `number`."""
    require_leavable(editor)
    window = copy_window(editor.window, buffer)
    layout = Layout(window)
    layout.arrange(editor.layout.height, editor.layout.width)
    at = editor.tab + 1 if number < 0 else min(number, len(editor.tabs))
    editor.tabs.insert(at, layout)
    editor.previous_tab = editor.tab + (1 if at <= editor.tab else 0)
    editor.tab = at
    editor.run_hooks("window-entered", window)
    return window


def _split_file(ctx: ExContext, *, vertical: bool) -> None:
    """Split the window, and edit a file in the new one if one is named."""
    argument = FileArgument(ctx)
    buffer = ctx.buffer
    if argument.name:
        buffer = open_buffer(ctx.editor, argument.name, encoding=argument.encoding, fileformat=argument.fileformat)
    split(ctx, buffer, vertical=vertical, size=ctx.count)
    if argument.command:
        run_ex(ctx.engine, argument.command)


@command("sp[lit]", range="count", bang=True, args="file")
def split_(ctx: ExContext) -> None:
    """Split the window in two, one above the other."""
    _split_file(ctx, vertical=False)


@command("vs[plit]", range="count", bang=True, args="file")
def vsplit(ctx: ExContext) -> None:
    """Split the window in two, side by side."""
    _split_file(ctx, vertical=True)


def _new(ctx: ExContext, *, vertical: bool) -> None:
    argument = FileArgument(ctx)
    buffer = open_buffer(ctx.editor, argument.name) if argument.name else ctx.editor.add_buffer()
    split(ctx, buffer, vertical=vertical, size=ctx.count)


@command("new", range="count", bang=True, args="file")
def new(ctx: ExContext) -> None:
    """Open a window above with an empty buffer, or a file."""
    _new(ctx, vertical=False)


@command("vne[w]", range="count", bang=True, args="file")
def vnew(ctx: ExContext) -> None:
    """Open a window beside this one with an empty buffer, or a file."""
    _new(ctx, vertical=True)


@command("sv[iew]", range="count", bang=True, args="file")
def sview(ctx: ExContext) -> None:
    """Split the window and edit a file that is not to be written."""
    _split_file(ctx, vertical=False)
    ctx.buffer.options["readonly"] = True


@command("sf[ind]", range="count", bang=True, args="file", need=True)
def sfind(ctx: ExContext) -> None:
    """Split the window and edit a file that is looked for in `'path'`."""
    name = file_name(ctx.engine, ctx.args)
    found = find_in_path(ctx, name)
    if found is None:
        raise CommandFailed(f'E345: Can\'t find file "{name}" in path')
    split(ctx, open_buffer(ctx.editor, found), vertical=False, size=ctx.count)


@command("on[ly]", range="windows", bang=True)
def only(ctx: ExContext) -> None:
    """Close all other windows of the tab page."""
    editor, current = ctx.editor, ctx.window
    for window in editor.layout.windows():
        if window is current:
            continue
        shown = sum(other.buffer is window.buffer for other in editor.windows())
        if keeps_text(editor, window.buffer) and shown == 1 and not ctx.bang and not ctx.option("hidden"):
            raise CommandFailed("E445: Other window contains changes")
        close_window(editor, window)


@command("res[ize]", range="count", args="rest", count=True)
def resize(ctx: ExContext) -> None:
    """Set the window's height (with `:vertical` its width), or change it by `+N` or `-N`."""
    vertical = bool(ctx.modifier("vertical"))
    window = ctx.window
    now = window.width if vertical else window.height
    text = ctx.args.strip()
    if text[:1] in ("+", "-") and text:
        try:
            size = now + int(text if len(text) > 1 else text + "1")
        except ValueError:
            raise CommandFailed(f"E488: Trailing characters: {text}") from None
    else:
        size = ctx.count if ctx.count is not None else 10_000
    ctx.editor.layout.resize(window, ROW if vertical else COLUMN, max(size, 1))


@command("winc[md]", range="count", args="rest", need=True)
def wincmd(ctx: ExContext) -> None:
    """Do what `<C-w>` and a key does."""
    keys = ([*str(ctx.count)] if ctx.count is not None else []) + ["<C-w>", *ctx.args[:2]]
    ctx.engine.run_nested(keys, remap=False)


def each_window(ctx: ExContext, windows: list[Window]) -> Work:
    """Run the argument in each window that is still there."""
    for window in windows:
        if window in ctx.editor.windows():
            ctx.editor.focus(window)
            yield from run_line(ctx.engine, ctx.args)


@command("wind[o]", range="windows", args="command", bar=False, need=True)
def windo(ctx: ExContext) -> Work:
    """Run a command in each window of the tab page."""
    yield from each_window(ctx, ctx.editor.layout.windows())


# Tab pages


@command("tabe[dit]", range="tabs", bang=True, args="file")
def tabedit(ctx: ExContext) -> None:
    """Open a tab page with an empty buffer, or a file."""
    argument = FileArgument(ctx)
    buffer = open_buffer(ctx.editor, argument.name) if argument.name else ctx.editor.add_buffer()
    open_tab(ctx.editor, buffer, ctx.count if ctx.count is not None else -1)
    if argument.command:
        run_ex(ctx.engine, argument.command)


@command("tabnew", range="tabs", bang=True, args="file")
def tabnew(ctx: ExContext) -> None:
    """Open a tab page with an empty buffer, or a file."""
    tabedit(ctx)


@command("tabf[ind]", range="tabs", bang=True, args="file", need=True)
def tabfind(ctx: ExContext) -> None:
    """Open a tab page with a file that is looked for in `'path'`."""
    found = find_in_path(ctx, file_name(ctx.engine, ctx.args))
    if found is None:
        raise CommandFailed(f'E345: Can\'t find file "{ctx.args}" in path')
    open_tab(ctx.editor, open_buffer(ctx.editor, found))


def go_to_tab(editor: Editor, index: int) -> None:
    """Go to a tab page. Raises `CommandFailed` (E475) where there is none of that number."""
    if not 0 <= index < len(editor.tabs):
        raise CommandFailed(f"E475: Invalid argument: {index + 1}")
    if index != editor.tab:
        editor.previous_tab, editor.tab = editor.tab, index
        editor.run_hooks("window-entered", editor.window)


def _tab_number(ctx: ExContext) -> int | None:
    """Return the number that the command got, `None` for none; `$` is the last, `#` the one before, `+N` relative."""
    editor, text = ctx.editor, ctx.args.strip()
    if not text:
        return ctx.count
    if text == "$":
        return len(editor.tabs)
    if text == "#":
        return editor.previous_tab + 1
    sign, digits = (text[0], text[1:]) if text[0] in "+-" else ("", text)
    if digits and not digits.isdigit():
        raise CommandFailed(f"E475: Invalid argument: {text}")
    number = int(digits or 1)
    return number if not sign else editor.tab + 1 + (number if sign == "+" else -number)


@command("tabn[ext]", range="tabs", args="rest")
def tabnext(ctx: ExContext) -> None:
    """Go to the next tab page, or to one by its number."""
    number = _tab_number(ctx)
    editor = ctx.editor
    go_to_tab(editor, (editor.tab + 1) % len(editor.tabs) if number is None else number - 1)


@command("tabp[revious]", range="count", args="rest")
def tabprevious(ctx: ExContext) -> None:
    """Go to the tab page before, or so many pages back."""
    editor = ctx.editor
    number = _tab_number(ctx)
    go_to_tab(editor, (editor.tab - (1 if number is None else number)) % len(editor.tabs))


@command("tabN[ext]", range="count", args="rest")
def tab_back(ctx: ExContext) -> None:
    """Go to the tab page before, or so many pages back."""
    tabprevious(ctx)


@command("tabfir[st]")
def tabfirst(ctx: ExContext) -> None:
    """Go to the first tab page."""
    go_to_tab(ctx.editor, 0)


@command("tabr[ewind]")
def tabrewind(ctx: ExContext) -> None:
    """Go to the first tab page."""
    go_to_tab(ctx.editor, 0)


@command("tabl[ast]")
def tablast(ctx: ExContext) -> None:
    """Go to the last tab page."""
    go_to_tab(ctx.editor, len(ctx.editor.tabs) - 1)


@command("tabc[lose]", range="tabs", bang=True, args="rest")
def tabclose(ctx: ExContext) -> None:
    """Close a tab page with its windows."""
    editor = ctx.editor
    number = _tab_number(ctx)
    index = editor.tab if number is None else number - 1
    if len(editor.tabs) == 1:
        raise CommandFailed("E784: Cannot close last tab page")
    if not 0 <= index < len(editor.tabs):
        raise CommandFailed(f"E475: Invalid argument: {ctx.args}")
    for window in editor.tabs[index].windows():
        close_window(editor, window)


@command("tabo[nly]", range="tabs", bang=True, args="rest")
def tabonly(ctx: ExContext) -> None:
    """Close all other tab pages."""
    editor = ctx.editor
    own = editor.layout
    for layout in list(editor.tabs):
        if layout is not own:
            for window in layout.windows():
                close_window(editor, window)


@command("tabm[ove]", range="tabs", args="rest")
def tabmove(ctx: ExContext) -> None:
    """Move the tab page behind another one, to the end, or by `+N` and `-N`."""
    editor = ctx.editor
    text = ctx.args.strip()
    if text[:1] in ("+", "-") and text:
        target = editor.tab + int(text if len(text) > 1 else text + "1")
    else:
        number = _tab_number(ctx)
        target = len(editor.tabs) - 1 if number is None else number - (1 if number > editor.tab else 0)
    if not 0 <= target < len(editor.tabs):
        raise CommandFailed(f"E475: Invalid argument: {text}")
    layout = editor.tabs.pop(editor.tab)
    editor.tabs.insert(target, layout)
    editor.tab = target


@command("tabs")
def tabs(ctx: ExContext) -> None:
    """Show the tab pages with their windows."""
    lines = []
    for number, layout in enumerate(ctx.editor.tabs, 1):
        lines.append(f"Tab page {number}")
        for window in layout.windows():
            mark = ">" if window is ctx.window else " "
            changed = "+" if window.buffer.modified else " "
            lines.append(f"{mark} {changed} {window.buffer.name or '[No Name]'}")
    ctx.show("\n".join(lines))


@command("tabd[o]", range="tabs", args="command", bar=False, need=True)
def tabdo(ctx: ExContext) -> Work:
    """Run a command in each tab page."""
    for layout in list(ctx.editor.tabs):
        if layout in ctx.editor.tabs:
            go_to_tab(ctx.editor, ctx.editor.tabs.index(layout))
            yield from run_line(ctx.engine, ctx.args)
