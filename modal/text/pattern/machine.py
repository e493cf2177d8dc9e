"""Our own matcher: backtracking over a program, with a memory of what failed and a stop signal.

Lives here: running a program at one place of a window. Not here: compiling (`program.py`), searching.
The memory makes every pattern without back references take time proportional to text times pattern
(the idea of the bit-state matcher); with back references only the stop signal bounds it.
"""

from __future__ import annotations

from tpy.modal.text import chars
from tpy.modal.text.pattern import program as op
from tpy.modal.text.pattern.context import PatternContext
from tpy.modal.text.pattern.places import holds
from tpy.modal.text.pattern.program import Program, Step
from tpy.modal.text.pattern.window import Window

_POLL = 4096
_FAIL, _GO, _UNDO_SLOT, _UNDO_REGISTER, _BACK_DOWN, _STEP_UP = range(6)

Slots = list[int]
"""Offsets: 0 and 1 are `\\zs` and `\\ze`, then start and end of every group; -1 is unset."""


class Machine:
    """One search in one window; failures are remembered between starting places."""

    def __init__(self, program: Program, window: Window, context: PatternContext) -> None:
        self.program = program
        self.window = window
        self.context = context
        self.slots: Slots = [-1] * 20
        self.registers = [-1] * program.registers
        self.memory: set[tuple[int, int]] = set()
        self.runs: dict[tuple[int, int], int] = {}
        self.apart: dict[int, tuple[set[tuple[int, int]], dict[tuple[int, int], int]]] = {}
        self.extents: dict[int, tuple[int, int]] = {}
        self.fuel = _POLL

    def match(self, start: int) -> int:
        """Match at an offset; return the end or -1. The groups are in `slots`."""
        self.slots = [-1] * 20
        return self.run(0, start)

    def run(self, pc: int, pos: int, target: int = -1) -> int:
        """Run from an instruction to its MATCH; return the end or -1. `target`: where it must end."""
        stack: list[tuple[int, int, int, int]] = []
        while True:
            pos = self.advance(pc, pos, stack, target)
            if pos >= 0:
                return pos
            found = self.backtrack(stack)
            if found is None:
                return -1
            pc, pos = found

    def backtrack(self, stack: list[tuple[int, int, int, int]]) -> tuple[int, int] | None:
        """Take back until a choice is left; return where to go on."""
        while stack:
            kind, pc, pos, more = stack.pop()
            if kind == _GO:
                return pc, pos
            if kind == _UNDO_SLOT:
                self.slots[pc] = pos
            elif kind == _UNDO_REGISTER:
                self.registers[pc] = pos
            elif kind == _BACK_DOWN:  # a greedy run gives back one character; more is its least end
                literal = self.program.steps[pc].literal
                if literal:
                    pos = self.window.text.rfind(literal, more, pos - 1 + len(literal))
                else:
                    pos = self.cluster_back(pos)
                if pos >= more:
                    stack.append((_BACK_DOWN, pc, pos, more))
                    return pc, pos
            elif (up := self.lazy_step(pc, pos, more)) is not None:
                stack.append((_STEP_UP, pc, up, more - 1))
                if self.fresh(pc, up):
                    return pc + 1, up
        return None

    def cluster_back(self, pos: int) -> int:
        """Return the offset before `pos`, skipping combining characters where the text has some."""
        pos -= 1
        if self.program.marks:
            text = self.window.text
            while pos > 0 and chars.is_combining(text[pos : pos + 1] or " "):
                pos -= 1
        return pos

    def fresh(self, pc: int, pos: int) -> bool:
        """Say whether this state was not tried before, and remember it."""
        if self.program.has_backref:
            return True
        if (pc, pos) in self.memory:
            return False
        self.memory.add((pc, pos))
        return True

    def lazy_step(self, pc: int, pos: int, left: int) -> int | None:
        """Let a lazy run at `pc` take one more of `left` repetitions; return its new end."""
        if left == 0:
            return None
        self.need(pos)
        step = self.program.steps[pc]
        assert step.one is not None
        found = step.one(self.window.text, pos)
        return found.end() if found is not None else None

    def need(self, pos: int) -> None:
        """Make sure the character at `pos` is in the window if the buffer has it."""
        window = self.window
        while pos >= len(window.text) and not window.complete:
            window.extend()

    def advance(self, pc: int, pos: int, stack: list[tuple[int, int, int, int]], target: int) -> int:
        """Run forward until MATCH (return its end) or a failure (-1)."""
        steps = self.program.steps
        window = self.window
        while True:
            self.fuel -= 1
            if self.fuel <= 0:
                self.fuel = _POLL
                self.context.check()
            step = steps[pc]
            code = step.op
            if code == op.TEXT:
                if pos >= len(window.text):
                    self.need(pos)
                assert step.match is not None
                found = step.match(window.text, pos)
                if found is None:
                    return -1
                pos = found.end()
                pc += 1
            elif code == op.RUN:
                pos = self.take_run(step, pc, pos, stack)
                if pos < 0:
                    return -1
                pc += 1
            elif code == op.SPLIT:
                if not self.fresh(pc, pos):
                    return -1
                stack.append((_GO, step.second, pos, 0))
                pc = step.first
            elif code == op.JUMP:
                pc = step.first
            elif code == op.SAVE:
                stack.append((_UNDO_SLOT, step.first, self.slots[step.first], 0))
                self.slots[step.first] = pos
                pc += 1
            elif code == op.MATCH:
                return pos if target < 0 or pos == target else -1
            else:
                pc, pos = self.rare(step, pc, pos, stack)
                if pc < 0:
                    return -1

    def rare(self, step: Step, pc: int, pos: int, stack: list[tuple[int, int, int, int]]) -> tuple[int, int]:
        """Run one of the less common instructions; return the next place, (-1, 0) for a failure."""
        code = step.op
        if code == op.ENTER:
            stack.append((_UNDO_REGISTER, step.register, self.registers[step.register], 0))
            self.registers[step.register] = pos
            return pc + 1, pos
        if code == op.AGAIN:
            return (pc + 1 if pos == self.registers[step.register] else step.first), pos
        if code == op.PLACE:
            assert step.place is not None
            self.need(pos)
            return (pc + 1, pos) if holds(step.place, self.window, pos, self.context, self.program.keyword) else (-1, 0)
        if code == op.BACKREF:
            return self.backref(step, pc, pos)
        kept = self.slots[:]
        if code == op.ATOMIC:
            end = self.alone(step, pos)
        elif code == op.LOOK:
            end = pos if (self.alone(step, pos) < 0) == step.negated else -1
        else:
            end = pos if self.behind(step, pos) != step.negated else -1
        if end < 0 or step.negated:
            self.slots = kept
        if end < 0:
            return -1, 0
        self.slots[0] = kept[0]  # a \\zs in a part that is matched on its own does not count
        for slot, old in enumerate(kept):
            if self.slots[slot] != old:
                stack.append((_UNDO_SLOT, slot, old, 0))
        return step.second, end

    def backref(self, step: Step, pc: int, pos: int) -> tuple[int, int]:
        """Match the text of a group again; an unset group is empty."""
        start, end = self.slots[2 * step.first], self.slots[2 * step.first + 1]
        if start < 0 or end < start:
            return pc + 1, pos
        wanted = self.window.text[start:end]
        self.need(pos + len(wanted) - 1)
        there = self.window.text[pos : pos + len(wanted)]
        if there == wanted or (self.program.fold and there.casefold() == wanted.casefold()):
            return pc + 1, pos + len(there)
        return -1, 0

    def alone(self, step: Step, pos: int) -> int:
        """Match a part on its own with a memory of its own, kept only while it fails."""
        memory, runs = self.memory, self.runs
        self.memory, self.runs = self.apart.setdefault(step.first, (set(), {}))
        end = self.run(step.first, pos)
        if end >= 0:
            self.apart.pop(step.first, None)
        self.memory, self.runs = memory, runs
        return end

    def behind(self, step: Step, pos: int) -> bool:
        """Say whether the part matches from somewhere before `pos` to there.

        It may begin one line up at most; the farthest beginning wins, as in Vim. The limit of bytes counts
        from `pos`, in the line above from its end, and a character it falls into is included.
        """
        text = self.window.text
        begin = text.rfind("\n", 0, pos) + 1
        memory, runs = self.memory, self.runs
        self.memory, self.runs = set(), {}
        found = False
        if begin:
            above = text.rfind("\n", 0, begin - 1) + 1
            found = self.behind_from(step, self.least(text, above, begin - 1, step.low), begin - 1, pos)
        found = found or self.behind_from(step, self.least(text, begin, pos, step.low), pos, pos)
        self.memory, self.runs = memory, runs
        return found

    @staticmethod
    def least(text: str, begin: int, edge: int, limit: int) -> int:
        """Return how far back a look-behind goes: `limit` bytes before `edge`, not before `begin`."""
        if not limit:
            return begin
        left, at = limit, edge
        while at > begin and left > 0:
            at -= 1
            left -= len(text[at].encode("utf-8", "surrogateescape"))
        return at

    def behind_from(self, step: Step, least: int, edge: int, pos: int) -> bool:
        """Try the part from `least` up to `edge`, to end at `pos`."""
        text = self.window.text
        for start in range(least, edge + 1):
            if self.program.marks and start < len(text) and chars.is_combining(text[start]):
                continue
            self.fuel -= 1
            if self.run(step.first, start, pos) >= 0:
                return True
        return False

    def take_run(self, step: Step, pc: int, pos: int, stack: list[tuple[int, int, int, int]]) -> int:
        """Take a run of single characters; return where to go on, -1 for a failure."""
        if not step.greedy:
            return self.take_lazy(step, pc, pos, stack)
        end = self.run_end(step, pc, pos)
        least = self.least_end(step, pos, end)
        if least < 0:
            return -1
        if step.high is None and not self.program.has_backref:
            # Every place of this run that an earlier, longer attempt tried is known to fail.
            known = self.runs.get((pc, end))
            if known is not None and least >= known:
                return -1
            self.runs[(pc, end)] = least
            if known is not None:
                end = self.cluster_back(known)
        if end > least:
            stack.append((_BACK_DOWN, pc + 1, end, least))
        return end

    def take_lazy(self, step: Step, pc: int, pos: int, stack: list[tuple[int, int, int, int]]) -> int:
        """Start a lazy run with its least number of characters."""
        left = -1 if step.high is None else step.high
        for _ in range(step.low):
            taken = self.lazy_step(pc, pos, left)
            if taken is None:
                return -1
            pos, left = taken, left - 1
        stack.append((_STEP_UP, pc, pos, left))
        return pos if step.high is not None or self.fresh(pc, pos) else -1

    def run_end(self, step: Step, pc: int, pos: int) -> int:
        """Return how far the run can reach, reading more lines where it may cross them.

        The last unlimited run of each instruction is remembered, so that a run is measured only once.
        """
        assert step.match is not None
        window = self.window
        if step.high is None:
            start, end = self.extents.get(pc, (-1, -1))
            if start <= pos <= end:
                return end
            if pos < start:
                found = step.match(window.text, pos, start)
                if found is not None and found.end() == start:
                    self.extents[pc] = (pos, end)
                    return end
        end = self.measure(step, pos)
        self.extents[pc] = (pos, end)
        return end

    def measure(self, step: Step, pos: int) -> int:
        """Return the end of the run at `pos`, found by matching it."""
        assert step.match is not None
        window = self.window
        if pos >= len(window.text):
            self.need(pos)
        while True:
            found = step.match(window.text, pos)
            end = pos if found is None else found.end()
            if not (step.newline and end >= len(window.text) and not window.complete):
                return end
            self.context.check()
            window.extend()

    def least_end(self, step: Step, pos: int, end: int) -> int:
        """Return the end of the least number of repetitions, -1 when the run is shorter."""
        if not self.program.marks:
            return pos + step.low if pos + step.low <= end else -1
        text = self.window.text
        for _ in range(step.low):
            if pos >= end:
                return -1
            pos += 1
            while pos < end and chars.is_combining(text[pos]):
                pos += 1
        return pos
