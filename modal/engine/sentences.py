"""Motions over sentences (`:help sentence`)."""

from __future__ import annotations

import re

from tpy.modal.engine.columns import last_col, past_end
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.paragraphs import boundary
from tpy.modal.engine.virtual import is_virtual
from tpy.modal.engine.walker import Walker
from tpy.modal.registry import CommandFailed, motion
from tpy.modal.text.position import EXCLUSIVE, INCLUSIVE, Pos

_ENDS = re.compile("[.!?]")
_CLOSERS = ")]\"'"


class Sentences:
    """Where sentences begin in a buffer."""

    def __init__(self, ctx: Context) -> None:
        self.lines = ctx.lines
        self.begins = boundary(ctx)
        self.poll = ctx.engine.poll

    def go(self, start: Pos, count: int, *, forward: bool) -> Pos:
        """Return the place `count` sentence starts on or back. Raises `CommandFailed` where there are too few."""
        walker = Walker(self.lines, start)
        move = walker.forward_skip if forward else walker.back_skip
        while count:
            count -= 1
            self.poll(count)
            begun, left = walker.pos, count
            found = skip = True
            if not walker.char:
                moved = move()
                while moved != -1 and not walker.char:
                    moved = move()
                if moved == -1 and left:
                    raise CommandFailed
                found = not forward
            elif forward and walker.col == 0 and self.begins(walker.text):
                if walker.line == len(self.lines) - 1:
                    raise CommandFailed
                walker.go(Pos(walker.line + 1, 0))
                found = False
            elif not forward:
                walker.back_skip()
            if found:
                self._back_over_end(walker, forward)
                skip = self._find_end(walker, left, forward)
            while skip and walker.char in (" ", "\t"):
                if walker.forward_skip() == -1:
                    break
            if walker.pos == begun and move() != -1:
                # It got nowhere: once more from the next character.
                count += 1
        return walker.pos

    def _back_over_end(self, walker: Walker, forward: bool) -> None:
        """Go back over blanks and the end of a sentence to its text."""
        dot = False
        while walker.char and walker.char in " \t.!?)]\"'":
            char = walker.char
            before = walker.copy()
            if before.back_skip() == -1 or (not before.text and forward) or dot:
                break
            dot = char in ".!?"
            if char in _CLOSERS and not (before.char and before.char in ".!?)]\"'"):
                break
            walker.back_skip()

    def _find_end(self, walker: Walker, left: int, forward: bool) -> bool:
        """Go to the end of a sentence; return whether blanks behind it are to be skipped."""
        first = walker.line
        while True:
            self.poll(walker.line)
            self._hurry(walker, forward)
            if not walker.char or (walker.col == 0 and self.begins(walker.text)):
                if not forward and walker.line != first:
                    walker.go(Pos(walker.line + 1, 0 if walker.col == 0 else walker.col))
                return True
            if walker.char in ".!?":
                ahead = walker.copy()
                while ahead.forward() != -1 and ahead.char and ahead.char in _CLOSERS:
                    pass
                if ahead.char in ("", " ", "\t"):
                    walker.go(ahead.pos)
                    if not walker.char:
                        walker.forward()
                    return True
            if (walker.forward_skip() if forward else walker.back_skip()) == -1:
                if left:
                    raise CommandFailed
                return False

    @staticmethod
    def _hurry(walker: Walker, forward: bool) -> None:
        """Skip the characters of a line that cannot end a sentence."""
        if forward:
            if 0 < walker.col < len(walker.text):
                match = _ENDS.search(walker.text, walker.col)
                walker.col = match.start() if match else last_col(walker.text)
        elif walker.col > 0:
            walker.col = max(*(walker.text.rfind(mark, 0, walker.col + 1) for mark in ".!?"), 0)


def _move(ctx: Context, *, forward: bool) -> Target:
    pos = Sentences(ctx).go(ctx.cursor, ctx.count, forward=forward)
    text = ctx.lines[pos.line]
    behind = is_virtual(ctx.engine) or (ctx.visual is not None and past_end(ctx))
    if 0 < pos.col >= len(text) and not behind:
        return Target(Pos(pos.line, last_col(text)), kind=INCLUSIVE)
    return Target(pos, kind=EXCLUSIVE)


@motion("sentence-forward", jump=True, numbered=True, opens="block")
def sentence_forward(ctx: Context) -> Target:
    """Go `count` sentences on."""
    return _move(ctx, forward=True)


@motion("sentence-back", jump=True, numbered=True, opens="block")
def sentence_back(ctx: Context) -> Target:
    """Go `count` sentences back."""
    return _move(ctx, forward=False)
