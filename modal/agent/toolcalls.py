"""A tool call, a plan and a notice as lines.

What is shown is given as plain values (`ToolView`); the bridge takes them from a session's entries.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from tpy.modal.agent import markdown
from tpy.modal.agent.diffs import diff_lines
from tpy.modal.agent.lines import (
    CODE,
    DETAIL,
    DIM,
    FAILED,
    FENCE,
    HEADER,
    NOTICE,
    OUTPUT,
    PLAN,
    Line,
    coded,
    one_line,
    split,
    terminal_lines,
)

# How much of a terminal's output one call shows; the rest is in the terminal's own text.
MOST_TERMINAL = 500
_STATES = {"in_progress": "in progress"}
_STEPS = {"completed": "[x]", "in_progress": "[>]"}


class Piece(NamedTuple):
    """One piece of a call's content: `kind` is text, diff, terminal or dim; `old` is a diff's old text.

    `first` is the number of a diff's first line in its file.
    """

    kind: str
    text: str
    path: str = ""
    old: str | None = None
    first: int = 1


class ToolView(NamedTuple):
    """A tool call as it is shown. `places` are paths with an optional `:line`."""

    title: str
    kind: str
    status: str
    places: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    raw_input: Any = None
    raw_output: Any = None
    dropped: int = 0


def tool_lines(view: ToolView) -> list[Line]:
    """Return the lines of a tool call: one with kind, title and status, the places, the output."""
    status = _STATES.get(view.status, view.status)
    title = one_line(view.title)
    head = f"{view.kind}: {title} ({status})" if view.kind != "other" else f"{title} ({status})"
    lines = [Line(head, FAILED if view.status == "failed" else HEADER)]
    if view.places and not (len(view.places) == 1 and view.places[0] in title):
        lines.append(Line(one_line(", ".join(view.places)), DETAIL))
    for piece in view.pieces:
        lines.extend(piece_lines(piece))
    if not view.pieces and view.raw_output is not None:
        lines.extend(output_lines(raw_text(view.raw_output)))
    if view.dropped:
        lines.append(Line(dropped_text(view.dropped), DIM))
    return lines


def piece_lines(piece: Piece) -> list[Line]:
    """Return the lines of one piece of content."""
    if piece.kind == "diff":
        return diff_lines(piece.path, piece.old, piece.text, piece.first)
    if piece.kind == "terminal":
        rows = terminal_lines(piece.text) if piece.text else []
        shown = coded(rows[-MOST_TERMINAL:], OUTPUT)
        if len(rows) > MOST_TERMINAL:
            shown.insert(0, Line(f"[{len(rows) - MOST_TERMINAL} lines above]", DIM))
        return [Line(one_line(piece.path), DETAIL), *shown] if piece.path else shown
    if piece.kind == "dim":
        return [Line(one_line(piece.text), DIM)]
    return output_lines(piece.text)


def output_lines(text: str) -> list[Line]:
    """Return a text as output; fences in it are code."""
    lines, state = [], markdown.START
    for row in split(text):
        code, state = markdown.classify(row, state)
        lines.append(Line(row, code if code.startswith((FENCE, CODE)) else OUTPUT))
    return lines


def raw_text(value: Any) -> str:
    """Return raw input or output as text: a string as it is, all else as JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=repr)


def purpose(raw_input: Any, places: Iterable[str] = ()) -> str:
    """Return one line on what a call would do: its command, else its path or places, else its input."""
    if isinstance(raw_input, dict):
        command = raw_input.get("command", raw_input.get("cmd"))
        if isinstance(command, list) and all(isinstance(word, str) for word in command):
            return one_line(" ".join(command))
        for key in ("command", "cmd", "file_path", "filePath", "path", "abs_path", "url", "query", "pattern"):
            value = raw_input.get(key)
            if isinstance(value, str) and value:
                return one_line(value)
    if raw_input in (None, {}, [], "") or (places := tuple(places)):
        return one_line(", ".join(places))
    return one_line(raw_text(raw_input))


def dropped_text(count: int) -> str:
    """Return what an entry says that could not keep all of its text."""
    return f"[{count} bytes more were not kept: one entry holds at most 1 MiB]"


def plan_lines(steps: Iterable[tuple[str, str]], *, title: str = "plan") -> list[Line]:
    """Return a plan: its steps as (content, status)."""
    return [
        Line(title, HEADER),
        *(Line(f"{_STEPS.get(status, '[ ]')} {one_line(content, 500)}", PLAN) for content, status in steps),
    ]


def notice_lines(text: str, *, error: bool = True) -> list[Line]:
    """Return a notice of the editor or the agent, one line a line of its text."""
    return coded(split(text), NOTICE if error else DIM)
