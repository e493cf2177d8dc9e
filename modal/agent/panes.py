"""The windows of a session: conversation above, prompt below, that open and close together.

What ends a session is the bridge's; which keys act in a pane is in `keys.py`.
"""

from __future__ import annotations

from tpy.modal.agent.lines import visible
from tpy.modal.editor import Editor
from tpy.modal.text.buffer import Buffer
from tpy.modal.view.display import Geometry
from tpy.modal.view.layout import COLUMN, ROW
from tpy.modal.view.window import Window

# From this many columns on a pane opens to the right.
WIDE = 120
PROMPT_LEAST, PROMPT_MOST = 3, 8
# In fewer lines than this only one half is shown at a time.
SMALL = 7
# A pane that gets fewer lines or columns has the others give some.
ENOUGH, NARROW = 12, 50
CONVERSATION, PROMPT = "conversation", "prompt"


def buffer_name(name: str, number: int) -> str:
    """Return the name of a session's conversation buffer: `agent://Bob`, `agent://Bob/2`."""
    encoded = "".join(f"%{ord(char):02X}" if char in "/#%|" or char.isspace() else char for char in visible(name))
    return f"agent://{encoded}" if number == 1 else f"agent://{encoded}/{number}"


def is_agent_buffer(buffer: Buffer) -> bool:
    """Whether a buffer belongs to agents, so that files do not open in its window."""
    return buffer.name.startswith("agent://")


def windows_of(editor: Editor, buffer: Buffer) -> list[Window]:
    """Return the windows of all tab pages that show a buffer, those of the current one first."""
    here = editor.layout.windows()
    return sorted((w for w in editor.windows() if w.buffer is buffer), key=lambda window: window not in here)


def open_pane(editor: Editor, conversation: Buffer, prompt: Buffer) -> None:
    """Show both halves beside or below the current window; the prompt gets the cursor."""
    here = editor.window
    if is_agent_buffer(here.buffer):
        here = last_file_window(editor) or here
    wide = editor.layout.width >= WIDE
    upper = Window(conversation)
    as_conversation(upper)
    editor.layout.split(here, upper, ROW if wide else COLUMN, after=True)
    panes = 1 + sum(window.extra.get("agent") == CONVERSATION for window in editor.layout.windows())
    if upper.height < min(ENOUGH, editor.layout.height // panes) or upper.width < NARROW:
        editor.layout.equalize()  # panes that are open already have more than their share
        if not wide:
            editor.layout.resize(upper, COLUMN, editor.layout.height // panes)
    add_prompt(editor, upper, prompt)


def as_conversation(window: Window) -> None:
    """Set a window up for the conversation that it shows, with the cursor at the end."""
    window.extra["agent"] = CONVERSATION
    window.options["wrap"] = window.options["linebreak"] = True
    window.options["scrolloff"] = 0  # a question that is gone to stays in sight whole
    window.options["number"] = window.options["relativenumber"] = window.options["winfixheight"] = False
    window.cursor = window.cursor._replace(line=len(window.buffer.lines) - 1)


def add_conversation(editor: Editor, lower: Window, conversation: Buffer) -> None:
    """Show the conversation again above a prompt's window that was left alone."""
    prompt = lower.buffer
    lower.show(conversation)
    as_conversation(lower)
    if lower.height < editor.layout.height // 2:
        editor.layout.resize(lower, COLUMN, editor.layout.height // 2)
    add_prompt(editor, lower, prompt)


def add_prompt(editor: Editor, upper: Window, prompt: Buffer) -> Window:
    """Put the prompt's window below the conversation's and give it the cursor.

    Where there is no room for both halves, the one window shows the prompt instead.
    """
    if upper.height < SMALL:
        upper.extra["at-end"] = upper.cursor.line == len(upper.buffer.lines) - 1
        upper.show(prompt)
        upper.extra["agent"] = PROMPT
        editor.focus(upper)
        return upper
    lower = Window(prompt)
    lower.extra["agent"] = PROMPT
    lower.options["winfixheight"] = True
    lower.options["number"] = lower.options["relativenumber"] = False
    layout = editor.layout
    layout.split(upper, lower, COLUMN, after=True, size=min(PROMPT_LEAST + 1, max(upper.height // 2, 1)))
    editor.focus(lower)
    return lower


def other_half(editor: Editor, window: Window, conversation: Buffer, prompt: Buffer) -> None:
    """Go from one half of a pane to the other, showing it where it is in no window here."""
    wanted = prompt if window.buffer is conversation else conversation
    shown = [other for other in editor.layout.windows() if other.buffer is wanted]
    if shown:
        editor.focus(shown[0])
    elif wanted is prompt:
        add_prompt(editor, window, prompt)
    else:
        window.show(conversation)
        window.extra["agent"] = CONVERSATION
        if window.extra.pop("at-end", False):
            window.cursor = window.cursor._replace(line=len(conversation.lines) - 1)


def fit_prompt(editor: Editor, prompt: Buffer) -> None:
    """Give the prompt's windows as many lines as the draft has, within bounds."""
    wanted = min(max(len(prompt.lines), PROMPT_LEAST), PROMPT_MOST)
    for layout in editor.tabs:
        for window in layout.windows():
            room = layout.height
            if window.buffer is prompt and window.height != wanted and room >= 3 * wanted:
                layout.resize(window, COLUMN, wanted)


def show_block(editor: Editor, window: Window, first: int, end: int) -> None:
    """Have a window show the lines from `first` to before `end`: it gets up to half of the screen where other windows
    left it fewer rows, and begins with them where they were not all in sight."""
    wanted = min(end - first, editor.layout.height // 2)
    if window.height < wanted:
        editor.layout.resize(window, COLUMN, wanted)
    if first < window.top or end > window.top + window.height:
        window.top = first
        window.resized_from, window.extra["free"] = None, window.cursor.line


def reveal_end(editor: Editor, window: Window) -> None:
    """Scroll a window so that the end of its text is at its bottom until the cursor, which may be hidden, goes to
    another line."""
    rows = Geometry(window, lambda name: editor.option(name, window))
    line = rows.first(len(rows.lines) - 1)
    left = rows.height - rows.row_count(line)
    while (above := rows.before(line)) >= 0 and (left := left - rows.row_count(above)) >= 0:
        line = above
    window.top, window.skip, window.resized_from = line, 0, None
    window.extra["free"] = window.cursor.line


def last_file_window(editor: Editor) -> Window | None:
    """Return the file window of this tab page that was used last, `None` where there is none."""
    files = [w for w in editor.layout.windows() if not is_agent_buffer(w.buffer)]
    previous = editor.layout.previous
    if previous in files:
        return previous
    return files[-1] if files else None


def close_windows(editor: Editor, *buffers: Buffer) -> None:
    """Close all windows on these buffers; the last window of the last tab page shows another buffer instead."""
    for window in [w for w in editor.windows() if w.buffer in buffers]:
        close_window(editor, window, buffers)


def close_window(editor: Editor, window: Window, buffers: tuple[Buffer, ...]) -> None:
    """Close one window, with its tab page when it was alone there."""
    for index, layout in enumerate(editor.tabs):
        if window not in layout.windows():
            continue
        if layout.close(window):
            return
        if len(editor.tabs) > 1:
            del editor.tabs[index]
            if editor.tab >= index:
                editor.tab = max(editor.tab - 1, 0)
            return
        others = [b for b in editor.buffers.values() if b not in buffers and not is_agent_buffer(b)]
        window.show(others[0] if others else editor.add_buffer())
        window.extra.pop("agent", None)
        return
