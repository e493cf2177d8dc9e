"""The colours of a conversation: spans of classes for a line, and the language of a line of code.

What the classes look like is the theme's; code is coloured by the renderer, which asks `language`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tpy.modal.agent import lines as kinds
from tpy.modal.agent.conversation import Conversation
from tpy.modal.agent.markdown import inline

Span = tuple[int, int, str]
SPEAKER, COMMENT, TOOL, ERROR = "syntax.keyword", "syntax.comment", "syntax.type", "diagnostic.error"

# The class of a whole line by its code; what is not here is ordinary text.
_WHOLE = {
    kinds.LABEL: SPEAKER,
    kinds.THINKING: COMMENT,
    kinds.THOUGHT: COMMENT,
    kinds.HEADING: "markup.heading",
    kinds.RULE: COMMENT,
    kinds.FENCE: COMMENT,
    kinds.HEADER: TOOL,
    kinds.FAILED: ERROR,
    kinds.DETAIL: COMMENT,
    kinds.ADDED: "diff.added",
    kinds.REMOVED: "diff.removed",
    kinds.HUNK: COMMENT,
    kinds.PLAN: TOOL,
    kinds.NOTICE: ERROR,
    kinds.DIM: COMMENT,
    kinds.ASK: "diagnostic.warning",
    kinds.OPTION: TOOL,
}
_PROSE = (kinds.TEXT, kinds.LIST, kinds.QUOTE, kinds.TABLE)


class Code(NamedTuple):
    """Where a line of code stands: its language, and the first and last line of its fence's content."""

    language: str
    first: int
    last: int


class Styles:
    """What the renderer asks about the lines of a conversation."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        # The fence asked about last, with the revision it was found at: a frame asks for each of its lines.
        self._fence: tuple[int, Code] | None = None

    def spans(self, line: int) -> tuple[Span, ...]:
        """Return the coloured stretches of a line as (start, end, class), in order and not overlapping."""
        return _spans(self._conversation.code(line), self._conversation.buffer.lines[line])

    def code(self, line: int) -> Code | None:
        """Return which language a line is to be coloured in, `None` where it is not code or says none."""
        conversation = self._conversation
        if self._fence is not None and self._fence[0] == conversation.revision:
            known = self._fence[1]
            if known.first <= line <= known.last:
                return known
        item = conversation.item_at(line)
        if item is None or line >= conversation.end(item):
            return None
        start = conversation.start(item)
        code = item.codes[line - start]
        word, _, language = code.partition(" ")
        if word != kinds.CODE or not language:
            return None
        first = last = line - start
        while first > 0 and item.codes[first - 1] == code:
            first -= 1
        while last + 1 < len(item.codes) and item.codes[last + 1] == code:
            last += 1
        found = Code(language, start + first, start + last)
        self._fence = conversation.revision, found
        return found


@lru_cache(maxsize=512)  # each frame asks again for each line that is shown
def _spans(code: str, text: str) -> tuple[Span, ...]:
    whole = _WHOLE.get(code)
    if whole is not None:
        return ((0, len(text), whole),) if text else ()
    if code not in _PROSE:
        return ()
    spans: list[Span] = []
    for start, end, kind in inline(text):
        marks = _mark_length(text, start, kind)
        inner = (start + marks, end - marks, f"markup.{kind}")
        pieces = ((start, start + marks, COMMENT), inner, (end - marks, end, COMMENT))
        spans += [piece for piece in pieces if piece[0] < piece[1]]
    return tuple(spans)


def _mark_length(text: str, start: int, kind: str) -> int:
    """Return how many characters at each end of a stretch are its marks."""
    if kind == "link":
        return 0
    sign = text[start]
    return len(text) - start - len(text[start:].lstrip(sign)) if kind == "code" else 2 if kind == "strong" else 1
