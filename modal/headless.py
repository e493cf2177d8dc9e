"""`python -m tpy.modal.headless`: the editor without a screen, one JSON case a line in, one JSON result out.

It is what the comparison with Vim drives; a case is a text, a cursor, options and keys.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from tpy.modal.assembly import make_engine
from tpy.modal.engine.dispatch import Engine
from tpy.modal.keymap import parse_keys
from tpy.modal.text.chars import is_combining
from tpy.modal.text.position import BLOCK, LINE, Pos, first_nonblank
from tpy.modal.text.registers import Register

COMPARED = '"0123456789-abcdefghijklmnopqrstuvwxyz/'


def run_case(case: dict[str, Any]) -> dict[str, Any]:
    """Run one case in a fresh editor and return the result to compare."""
    engine = make_engine(vim=True)
    editor = engine.editor
    buffer = editor.buffer
    buffer.name = "case.txt"
    buffer.lines[:] = case["text"]
    # As Vim on a terminal without colours, the only one that both can be compared on.
    engine.insert.menu_wanted = False
    buffer.no_lines = False
    editor.window.jumps.push(buffer.number, Pos(0, first_nonblank(buffer.lines[0])))
    buffer.marks.set_changed(Pos(0, 0), Pos(len(buffer.lines) - 1, 0))
    buffer.marks.set("'", Pos(0, first_nonblank(buffer.lines[0])))
    editor.layout.arrange(23, 80)
    line, column = case["cursor"]
    editor.window.cursor = Pos(line - 1, index_of(buffer.lines[line - 1], column))
    for name, value in case.get("options", {}).items():
        old = editor.options.values[name]
        editor.set_option(name, bool(value) if isinstance(old, bool) else value)
    engine.keep_in_view()
    for key in parse_keys(case["keys"]):
        engine.feed(key)
    engine.expire()
    return result_of(engine, case["id"])


def result_of(engine: Engine, identity: str) -> dict[str, Any]:
    """Return what the editor shows of itself now."""
    editor = engine.editor
    lines = editor.buffer.lines
    result: dict[str, Any] = {
        "id": identity,
        "text": [line.replace("\0", "\n") for line in lines],  # Vim shows a NUL of the file as a line feed
        "cursor": place(lines, editor.window.cursor),
        "mode": engine.mode,
        "registers": {},
        "regtype": {},
    }
    for name in COMPARED:
        register = editor.registers.get(name)
        if register is not None:
            result["registers"][name] = register.text().replace("\0", "\n")
            if name != "/":
                result["regtype"][name] = register_type(register)
    if editor.visual is not None:
        result["visual"] = [place(lines, editor.visual.start), place(lines, editor.window.cursor)]
    if engine.prompt is not None:
        result["cmdline"] = engine.prompt.kind + engine.prompt.text
    return result


def register_type(register: Register) -> str:
    """Return the type of a register as `getregtype()` gives it."""
    if register.kind == BLOCK:
        return f"<C-v>{register.width}"
    return "V" if register.kind == LINE else "v"


def place(lines: list[str], pos: Pos) -> list[int]:
    """Return a place as [line from 1, column from 0 in characters, combining ones not counted]."""
    head = lines[pos.line][: pos.col] if pos.line < len(lines) else ""
    return [pos.line + 1, sum(not is_combining(char) for char in head)]


def index_of(text: str, column: int) -> int:
    """Return the index of the character number `column`, combining ones not counted."""
    if text.isascii():
        return column
    seen = -1
    for index, char in enumerate(text):
        if not is_combining(char):
            seen += 1
        if seen == column:
            return index
    return len(text)


def main() -> None:
    """Answer cases from standard input until it ends."""
    for line in sys.stdin:
        case = json.loads(line)
        try:
            result = run_case(case)
        except Exception as error:  # the next case must still be answered
            result = {"id": case["id"], "fail": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
