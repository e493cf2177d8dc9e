"""Window and tab page commands: `<C-w>` and `gt` (`:help window-moving`, `:help tab-page-commands`).

Those that open and close windows run the ex command that does it.
"""

from __future__ import annotations

from collections.abc import Callable

from tpy.modal.editor import Editor
from tpy.modal.engine.context import Context
from tpy.modal.engine.execute import leave_visual
from tpy.modal.registry import CommandFailed, action
from tpy.modal.view.layout import COLUMN, ROW, Layout
from tpy.modal.view.window import Window

# Where `editor.extra` has the command-line window while it is open.
COMMAND_WINDOW = "command-window"


def require_leavable(editor: Editor) -> None:
    """Raise `CommandFailed` (E11) in the command-line window, which only goes with what it is for."""
    if COMMAND_WINDOW in editor.extra:
        raise CommandFailed("E11: Invalid in command-line window; <CR> executes, CTRL-C quits")


def go_to(ctx: Context, window: Window | None) -> None:
    """Make a window the current one; a selection ends where that shows another buffer."""
    if window is None or window is ctx.window:
        return
    editor = ctx.editor
    require_leavable(editor)
    if editor.visual is not None:
        if window.buffer is ctx.buffer:
            window.cursor = ctx.cursor
        else:
            leave_visual(ctx.engine)
    editor.focus(window)


def _beside(ctx: Context, direction: str) -> None:
    go_to(ctx, ctx.editor.layout.neighbour(ctx.window, direction, min(ctx.count, 1000)))


@action("window-left")
def window_left(ctx: Context) -> None:
    """Go to the `count`th window to the left."""
    _beside(ctx, "h")


@action("window-down")
def window_down(ctx: Context) -> None:
    """Go to the `count`th window below."""
    _beside(ctx, "j")


@action("window-up")
def window_up(ctx: Context) -> None:
    """Go to the `count`th window above."""
    _beside(ctx, "k")


@action("window-right")
def window_right(ctx: Context) -> None:
    """Go to the `count`th window to the right."""
    _beside(ctx, "l")


def _cycle(ctx: Context, step: int) -> None:
    windows = ctx.editor.layout.windows()
    if len(windows) == 1 and not ctx.explicit:
        raise CommandFailed
    if ctx.explicit:
        go_to(ctx, windows[min(ctx.count, len(windows)) - 1])
    else:
        go_to(ctx, windows[(windows.index(ctx.window) + step) % len(windows)])


@action("window-next")
def window_next(ctx: Context) -> None:
    """Go to the next window, or to window `count`."""
    _cycle(ctx, 1)


@action("window-previous")
def window_previous(ctx: Context) -> None:
    """Go to the window before, or to window `count`."""
    _cycle(ctx, -1)


def _numbered(number: int) -> Callable[[Context], None]:
    def _window_number(ctx: Context) -> None:
        windows = ctx.editor.layout.windows()
        if number > len(windows):
            raise CommandFailed
        go_to(ctx, windows[number - 1])

    _window_number.__doc__ = f"Go to window {number}, counted from the top left."
    return _window_number


for _number in range(1, 10):
    action(f"window-{_number}")(_numbered(_number))


@action("window-first")
def window_first(ctx: Context) -> None:
    """Go to the top left window."""
    go_to(ctx, ctx.editor.layout.windows()[0])


@action("window-last")
def window_last(ctx: Context) -> None:
    """Go to the bottom right window."""
    go_to(ctx, ctx.editor.layout.windows()[-1])


@action("window-before")
def window_before(ctx: Context) -> None:
    """Go to the window that was the current one before."""
    previous = ctx.editor.layout.previous
    if previous is None:
        raise CommandFailed
    go_to(ctx, previous)


# Opening and closing


def _run(ctx: Context, command: str) -> None:
    leave_visual(ctx.engine)
    ctx.engine.run_ex(f"{ctx.count if ctx.explicit else ''}{command}")


@action("window-split")
def window_split(ctx: Context) -> None:
    """Split the window, the new one `count` lines high."""
    _run(ctx, "split")


@action("window-split-vertical")
def window_split_vertical(ctx: Context) -> None:
    """Split the window side by side, the new one `count` columns wide."""
    _run(ctx, "vsplit")


@action("window-new")
def window_new(ctx: Context) -> None:
    """Open a window with an empty buffer."""
    _run(ctx, "new")


@action("window-alternate")
def window_alternate(ctx: Context) -> None:
    """Split the window and edit the alternate file, or buffer `count`."""
    leave_visual(ctx.engine)
    ctx.engine.run_ex(f"split #{ctx.count if ctx.explicit else ''}")


@action("window-quit")
def window_quit(ctx: Context) -> None:
    """Leave the window; the last one ends the editor."""
    _run(ctx, "quit")


@action("window-close")
def window_close(ctx: Context) -> None:
    """Close the window, unless it is the last one."""
    _run(ctx, "close")


@action("window-only")
def window_only(ctx: Context) -> None:
    """Close all other windows."""
    _run(ctx, "only")


@action("window-file")
def window_file(ctx: Context) -> None:
    """Split the window and edit the file whose name is under the cursor."""
    ctx.engine.run_ex("split")
    ctx.engine.run_nested(["g", "f"], remap=False)


@action("window-file-line")
def window_file_line(ctx: Context) -> None:
    """Split the window and edit the file under the cursor, at the line whose number is behind its name."""
    ctx.engine.run_ex("split")
    ctx.engine.run_nested(["g", "F"], remap=False)


@action("window-file-tab")
def window_file_tab(ctx: Context) -> None:
    """Edit the file whose name is under the cursor in a new tab page."""
    ctx.engine.run_ex("tab split")
    ctx.engine.run_nested(["g", "f"], remap=False)


@action("window-file-line-tab")
def window_file_line_tab(ctx: Context) -> None:
    """Edit the file under the cursor in a new tab page, at the line whose number is behind its name."""
    ctx.engine.run_ex("tab split")
    ctx.engine.run_nested(["g", "F"], remap=False)


# Sizes


@action("windows-equal")
def windows_equal(ctx: Context) -> None:
    """Make all windows as high and wide as each other."""
    ctx.editor.layout.equalize()


def _resize(ctx: Context, kind: str, size: int) -> None:
    ctx.editor.layout.resize(ctx.window, kind, max(size, 1))


@action("window-higher")
def window_higher(ctx: Context) -> None:
    """Make the window `count` lines higher."""
    _resize(ctx, COLUMN, ctx.window.height + ctx.count)


@action("window-lower")
def window_lower(ctx: Context) -> None:
    """Make the window `count` lines lower."""
    _resize(ctx, COLUMN, ctx.window.height - ctx.count)


@action("window-height")
def window_height(ctx: Context) -> None:
    """Make the window `count` lines high, else as high as possible."""
    _resize(ctx, COLUMN, ctx.count if ctx.explicit else 10_000)


@action("window-wider")
def window_wider(ctx: Context) -> None:
    """Make the window `count` columns wider."""
    _resize(ctx, ROW, ctx.window.width + ctx.count)


@action("window-narrower")
def window_narrower(ctx: Context) -> None:
    """Make the window `count` columns narrower."""
    _resize(ctx, ROW, ctx.window.width - ctx.count)


@action("window-width")
def window_width(ctx: Context) -> None:
    """Make the window `count` columns wide, else as wide as possible."""
    _resize(ctx, ROW, ctx.count if ctx.explicit else 10_000)


# Moving windows


def _rotate(ctx: Context, *, down: bool) -> None:
    if not ctx.editor.layout.rotate(ctx.window, down=down):
        raise CommandFailed("E443: Cannot rotate when another window is split")


@action("windows-rotate-down")
def windows_rotate_down(ctx: Context) -> None:
    """Let each window of the row or column take the place of the next."""
    _rotate(ctx, down=True)


@action("windows-rotate-up")
def windows_rotate_up(ctx: Context) -> None:
    """Let each window of the row or column take the place of the one before."""
    _rotate(ctx, down=False)


@action("window-exchange")
def window_exchange(ctx: Context) -> None:
    """Exchange the window with the next one of its row or column, or with number `count` of it."""
    other = ctx.editor.layout.exchange(ctx.window, ctx.count if ctx.explicit else None)
    if other is None:
        raise CommandFailed
    go_to(ctx, other)


def _edge(ctx: Context, kind: str, *, after: bool) -> None:
    layout = ctx.editor.layout
    if len(layout.windows()) == 1:
        raise CommandFailed
    layout.move_to_edge(ctx.window, kind, after=after, size=ctx.count if ctx.explicit else None)
    if ctx.flag("equalalways") and not ctx.explicit:
        layout.equalize()


@action("window-to-left")
def window_to_left(ctx: Context) -> None:
    """Move the window to the far left."""
    _edge(ctx, ROW, after=False)


@action("window-to-bottom")
def window_to_bottom(ctx: Context) -> None:
    """Move the window to the very bottom."""
    _edge(ctx, COLUMN, after=True)


@action("window-to-top")
def window_to_top(ctx: Context) -> None:
    """Move the window to the very top."""
    _edge(ctx, COLUMN, after=False)


@action("window-to-right")
def window_to_right(ctx: Context) -> None:
    """Move the window to the far right."""
    _edge(ctx, ROW, after=True)


@action("window-to-tab")
def window_to_tab(ctx: Context) -> None:
    """Move the window to a new tab page, behind the current one or behind page `count`."""
    editor, window, old = ctx.editor, ctx.window, ctx.editor.layout
    if not old.close(window):
        raise CommandFailed
    new = Layout(window)
    new.arrange(old.height, old.width)
    at = min(ctx.count, len(editor.tabs)) if ctx.explicit else editor.tab + 1
    editor.tabs.insert(at, new)
    editor.previous_tab = editor.tab + (1 if at <= editor.tab else 0)
    editor.tab = at
    editor.run_hooks("window-entered", window)


# Tab pages


def _tab(ctx: Context, index: int) -> None:
    editor = ctx.editor
    if not 0 <= index < len(editor.tabs):
        raise CommandFailed
    if index != editor.tab:
        leave_visual(ctx.engine)
        editor.previous_tab, editor.tab = editor.tab, index
        editor.run_hooks("window-entered", editor.window)


@action("tab-next")
def tab_next(ctx: Context) -> None:
    """Go to the next tab page, or to page `count`."""
    editor = ctx.editor
    _tab(ctx, ctx.count - 1 if ctx.explicit else (editor.tab + 1) % len(editor.tabs))


@action("tab-previous")
def tab_previous(ctx: Context) -> None:
    """Go `count` tab pages back."""
    editor = ctx.editor
    _tab(ctx, (editor.tab - ctx.count) % len(editor.tabs))


@action("tab-before")
def tab_before(ctx: Context) -> None:
    """Go to the tab page that was the current one before."""
    if ctx.editor.previous_tab == ctx.editor.tab:
        raise CommandFailed
    _tab(ctx, ctx.editor.previous_tab)
