"""A program that shows what the terminal layer gives it: the size, then each event, one a row.

Keys: `q` ends it, `<C-z>` suspends, `m` turns the mouse on, `t` sets the title, `c` copies, `b` fills the screen
with long rows, `w` works until `<C-c>`, `x` raises.
"""

import sys
import time

from tpy.modal.loop import Loop
from tpy.modal.ui.screen import Row
from tpy.modal.ui.terminal import BAR, BLOCK, Terminal

loop = Loop()
terminal = Terminal(loop.time)
terminal.decoder.has_meta = lambda key: key == "<M-a>"
log: list[str] = []
state = {"dirty": True, "fill": False}


def on_events(events: list[object]) -> None:
    """Log what the terminal gives, and act on the keys."""
    for event in events:
        log.append(event if isinstance(event, str) else repr(event))
        action = ACTIONS.get(event) if isinstance(event, str) else None
        if action is not None:
            action()
    state["dirty"] = True


def work() -> None:
    """Work until `<C-c>`."""
    log.append("working")
    state["dirty"] = True
    frame()
    end = time.monotonic() + 20
    while not terminal.interrupted():
        assert time.monotonic() < end
    log.append("interrupted")


ACTIONS = {
    "q": loop.stop,
    "<C-z>": terminal.suspend,
    "m": lambda: terminal.set_mouse(True),
    "t": lambda: terminal.set_title("a\x1btitle"),
    "c": lambda: terminal.copy("clip"),
    "b": lambda: state.update(fill=True),
    "w": work,
    "x": lambda: 1 / 0,
}


def frame() -> None:
    """Draw the log where it has changed."""
    if not state["dirty"]:
        return
    columns, rows = terminal.size
    texts = [f"{columns}x{rows}", *log][-rows:]
    if state["fill"]:
        texts = [f"{number:04}" * (columns // 4) for number in range(rows)]
    shown = [Row.plain(text[:columns], min(len(text), columns)) for text in texts]
    shown += [Row.plain("", 0)] * (rows - len(shown))
    state["dirty"] = not terminal.paint(shown, (len(texts) - 1, 0), BAR if "i" in log else BLOCK)


def main() -> None:
    """Run on the terminal until `q`."""
    terminal.enter()
    terminal.attach(loop, on_events, lambda: state.update(dirty=True))
    loop.frame = frame
    try:
        loop.run()
    finally:
        terminal.restore()


main()
sys.exit(7)
