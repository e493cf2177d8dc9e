"""Forms that an agent asks the user to fill in: an editable buffer with one field a line, checked before it is sent.

The form comes as plain values; where it came from is the bridge's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from tpy.modal.agent.lines import one_line
from tpy.modal.agent.panes import windows_of
from tpy.modal.agent.permission import Option, Request
from tpy.modal.editor import Editor
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import EX, Buffer
from tpy.modal.text.position import Pos
from tpy.modal.view.layout import COLUMN
from tpy.modal.view.window import Window

ACCEPT, DECLINE, CANCEL = "accept", "decline", "cancel"
TEXT, NUMBER, INTEGER, YES_NO, CHOICE, CHOICES, UNKNOWN = (
    "text", "number", "whole number", "yes or no", "one of", "any of", "unknown",
)  # fmt: skip
_SECRET = re.compile(r"passw|secret|token|api.?key|credential", re.I)
_YES, _NO = ("yes", "y", "true", "1", "on"), ("no", "n", "false", "0", "off")
_FORMATS = {
    "email": (r"[^@\s]+@[^@\s]+", "an e-mail address"),
    "uri": (r"[a-zA-Z][a-zA-Z0-9+.-]*:\S+", "an address such as https://…"),
    "date": (r"\d{4}-\d\d-\d\d", "a date such as 2026-11-30"),
    "date-time": (r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d.*", "a date and time such as 2026-11-30T12:00:00Z"),
}


class Field(NamedTuple):
    """One field. `least` and `most` limit the length of a text, the value of a number, the count of choices."""

    name: str
    title: str
    kind: str
    required: bool = False
    default: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: float | None = None
    most: float | None = None
    pattern: str = ""
    format: str = ""
    description: str = ""

    @property
    def label(self) -> str:
        """What stands before the value: title, type and limits."""
        about = [f"{self.kind}: {_titles(self)}" if self.kind in (CHOICE, CHOICES) else self.kind]
        if self.least is not None or self.most is not None:
            low = f"{self.least:g}" if self.least is not None else ""
            high = f"{self.most:g}" if self.most is not None else ""
            unit = " characters" if self.kind == TEXT else ""
            about.append(f"{low}–{high}{unit}")
        if self.format in _FORMATS:
            about.append(_FORMATS[self.format][1])
        if self.required:
            about.append("required")
        return f"{one_line(self.title, 80)} ({', '.join(about)}):"

    def read(self, text: str) -> Any:
        """Return the value of a text, `None` for an empty one. Raises `ValueError` saying what is wrong."""
        text = text.strip()
        if not text:
            if self.required and self.kind == UNKNOWN:
                _unknown(self, text)
            if self.required:
                raise ValueError("a value is required")
            return None
        value = _READERS[self.kind](self, text)
        self._check(value)
        return value

    def _check(self, value: Any) -> None:
        amount = len(value) if isinstance(value, str | list) else value
        if self.kind in (TEXT, NUMBER, INTEGER, CHOICES):
            if self.least is not None and amount < self.least:
                raise ValueError(f"at least {self.least:g}")
            if self.most is not None and amount > self.most:
                raise ValueError(f"at most {self.most:g}")
        if self.kind == TEXT and self.format in _FORMATS and not re.fullmatch(_FORMATS[self.format][0], value):
            raise ValueError(f"it must be {_FORMATS[self.format][1]}")
        if self.kind == TEXT and self.pattern and not _search(self.pattern, value):
            raise ValueError(f"it must match {self.pattern}")


def _search(pattern: str, value: str) -> bool:
    try:
        return re.search(pattern, value) is not None
    except re.error:
        return True


def _titles(field: Field) -> str:
    return " | ".join(one_line(title, 60) for _, title in field.choices)


def _number(field: Field, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError("it must be a number") from None


def _integer(field: Field, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError("it must be a whole number") from None


def _yes_no(field: Field, text: str) -> bool:
    if text.lower() in _YES:
        return True
    if text.lower() in _NO:
        return False
    raise ValueError("it must be yes or no")


def _choice(field: Field, text: str) -> str:
    for value, title in field.choices:
        if text.lower() in (value.lower(), title.lower()):
            return value
    raise ValueError(f"it must be one of: {_titles(field)}")


def _choices(field: Field, text: str) -> list[str]:
    return [_choice(field, part.strip()) for part in text.split(",") if part.strip()]


def _unknown(field: Field, text: str) -> str:
    raise ValueError("it is of a type this editor does not know; only :agentdecline is possible")


_READERS: dict[str, Callable[[Field, str], Any]] = {
    TEXT: lambda field, text: text,
    NUMBER: _number,
    INTEGER: _integer,
    YES_NO: _yes_no,
    CHOICE: _choice,
    CHOICES: _choices,
    UNKNOWN: _unknown,
}


# So many rows of the conversation stay beside a form that wants more, where they can.
LEFT = 4


class Form(NamedTuple):
    """What is asked: a message with fields, or with a `url` and its `host` that the user may open."""

    message: str
    fields: tuple[Field, ...] = ()
    url: str = ""
    host: str = ""

    def lines(self, agent: str) -> list[str]:
        """Return the form as the lines of its buffer."""
        head = [f"# {agent} asks: {one_line(self.message, 500)}"]
        if self.url:
            odd = " (CAUTION: letters of another alphabet in the host's name)" if _odd_host(self.host) else ""
            return [
                *head,
                f"# host: {self.host}{odd}",
                f"# {self.url}",
                "# :agentanswer opens it, :agentdecline does not.",
            ]
        head.append("# Fill in behind the colons; :agentanswer sends it, :agentdecline declines.")
        if any(_SECRET.search(f"{field.name} {field.title}") for field in self.fields):
            head.append("# CAUTION: this looks like a secret. Agents must not ask for one in a form.")
        for field in self.fields:
            if field.description:
                head.append(f"# {one_line(field.description, 300)}")
            head.append(f"{field.label} {field.default}".rstrip())
        return head

    def read(self, lines: list[str]) -> dict[str, Any]:
        """Return the values of a filled form. Raises `CommandFailed` naming the field that is wrong."""
        values: dict[str, Any] = {}
        for field in self.fields:
            row = next((line for line in lines if line.startswith(field.label)), None)
            try:
                value = field.read(row[len(field.label) :] if row is not None else "")
            except ValueError as error:
                raise CommandFailed(f"{one_line(field.title, 80)}: {error}") from None
            if value is not None:
                values[field.name] = value
        return values


def _odd_host(host: str) -> bool:
    return not host.isascii() or any(part.startswith("xn--") for part in host.lower().split("."))


class Owner(Protocol):
    """What a form needs of the session that asks."""

    name: str
    buffer: Buffer
    editor: Editor

    def add_request(self, request: Request) -> None:
        """Show the request."""

    def remove_buffer(self, name: str) -> None:
        """Close the windows of a buffer of the session, and forget it."""

    def send_form(self) -> str:
        """Check the form that waits and send it; return what is told of it. Raises `CommandFailed`."""


def open_form(owner: Owner, form: Form, answer: Callable[[str, dict[str, Any] | None], None]) -> Request:
    """Open a form's buffer and show its request; `answer` gets the action and, for a form, the values."""
    name = owner.buffer.name + "/form"
    request: Request

    def chosen(choice: str | None) -> None:
        answer(choice or CANCEL, request.content if choice == ACCEPT else None)

    options = [
        Option(ACCEPT, "Open the address" if form.url else "Send the form", ACCEPT),
        Option(DECLINE, "Decline", DECLINE),
    ]
    request = Request(
        form.message, options, chosen, purpose=form.url or f"{name}: fill in, then :agentanswer or :agentdecline"
    )
    request.form = form
    request.closed = lambda: owner.remove_buffer(name)
    _show(owner, name, form)
    owner.add_request(request)
    return request


def _show(owner: Owner, name: str, form: Form) -> None:
    """Show the form above the conversation, without taking the cursor."""
    editor = owner.editor
    buffer = editor.buffer_named(name) or editor.add_buffer(name=name)
    buffer.options.update(buftype="nofile", undofile=False)
    buffer.extra["talk"] = owner
    buffer.extra["write"] = owner.send_form
    with buffer.step("form", EX):
        buffer.replace(0, len(buffer.lines), form.lines(owner.name))
    shown = windows_of(editor, owner.buffer)
    if shown and shown[0] in editor.layout.windows() and not windows_of(editor, buffer):
        window = Window(buffer)
        current = editor.window
        editor.layout.split(
            shown[0],
            window,
            COLUMN,
            after=False,
            size=min(len(buffer.lines) + 1, max(shown[0].height - LEFT, shown[0].height // 2, 2)),
        )
        editor.layout.focus(current)
        line = next((at for at, text in enumerate(buffer.lines) if not text.startswith("#")), 0)
        window.cursor = Pos(line, max(len(buffer.lines[line]) - 1, 0))
