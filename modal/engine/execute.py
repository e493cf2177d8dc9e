"""Doing a complete command: motion to target to span, registers, the operator, cursor and dot.

The one place where the kind rules of spans are applied (`spans.py` has them) and where registers are filled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.editor import Visual
from tpy.modal.engine import reporting
from tpy.modal.engine.columns import column, cursor_column, right_column, wanted_column
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.folding import open_for
from tpy.modal.engine.grammar import Command
from tpy.modal.engine.spans import (
    after,
    before,
    extract,
    forced,
    normalise,
    nothing_in,
    repeated_span,
    shape_of,
    visual_span,
    whole_lines,
)
from tpy.modal.engine.virtual import everywhere, is_virtual, repeats_block, settle
from tpy.modal.registry import CommandFailed, Motion
from tpy.modal.text.position import BLOCK, EXCLUSIVE, INCLUSIVE, LINE, MAXCOL, Pos, Span, beyond, clamp, first_nonblank
from tpy.modal.text.width import cell_width, column_of

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


# Actions that leave a cursor behind the end of its line there.
_STAYING = ("leave", "command-line", "record")


def execute(engine: Engine, command: Command) -> None:
    """Do a command. Raises `CommandFailed` where it cannot be done."""
    window = engine.editor.window
    line, col = window.cursor
    if window.want is None and (window.buffer.lines[line][col : col + 1] == "\t" or "folds" in window.extra):
        # Where the cursor is shown on a tab or in a fold depends on what the command may change.
        window.noted = (window.cursor, wanted_column(_context(engine, command)))
    if window.cursor.add and _forgets(command):
        window.cursor = Pos(line, col)
    behind_end = engine.behind_end
    if command.action is None or command.action.name not in _STAYING:
        engine.behind_end = None
    numbers, engine.repeat.numbers_next = engine.repeat.numbers_next, False
    try:
        if command.operator is not None:
            engine.virtual_operator = is_virtual(engine) or repeats_block(engine, command)
            _operate(engine, command, numbers=numbers)
            if engine.virtual_operator and not engine.insert.active and not everywhere(engine):
                # A cursor behind the line may stay there, though it could not go there now.
                engine.behind_end = window.cursor
        elif command.motion is not None:
            _move(engine, command)
        elif command.object is not None:
            _select(engine, command)
        else:
            _act(engine, command)
    except CommandFailed:
        if window.cursor == behind_end and engine.editor.visual is None:
            engine.behind_end = behind_end
        raise
    finally:
        if not engine.insert.active:
            engine.virtual_operator = None
        finish(engine)


def _forgets(command: Command) -> bool:
    """Whether a command forgets how far the cursor is beyond its character, also where it fails: in Vim most of those
    that begin with a bracket."""
    keys = command.keys[-2:]
    return command.operator is None and keys[:1] in (("[",), ("]",)) and keys[-1] not in "*/#mM(){}"


def finish(engine: Engine) -> None:
    """Put things right after a command: a cursor on a character."""
    editor = engine.editor
    window = editor.window
    if engine.insert.active or engine.prompt is not None:
        return
    allowed = editor.options.values["virtualedit"]
    virtual = bool(allowed) and is_virtual(engine)
    past_end = engine.insert.resume is not None or virtual or (bool(allowed) and "onemore" in str(allowed))
    if editor.visual is not None:
        editor.visual.dollar = window.want == MAXCOL
        past_end = past_end or editor.option("selection") != "old"
    line, col = window.cursor
    lines = window.buffer.lines
    if window.cursor == engine.behind_end and line < len(lines) and col <= len(lines[line]):
        return
    engine.behind_end = None
    cursor = clamp(window.cursor, lines, past_end=past_end)
    if window.cursor.add or (virtual and cursor.col < window.cursor.col):
        cursor = _as_far(engine, cursor)
    if cursor != window.cursor:
        window.cursor = cursor
        if editor.visual is None:
            window.want = None


def _as_far(engine: Engine, cursor: Pos) -> Pos:
    """Return the cursor in the text there is, as far beyond it as it was, within a tab that is not the last character
    of its line."""
    window = engine.editor.window
    line, col = cursor
    add = window.cursor.add
    if everywhere(engine):
        text = window.buffer.lines[line]
        add += window.cursor.col - col
        if col + 1 < len(text):
            ctx = Context(engine)
            add = min(add, cell_width(text, col, column_of(text, col, ctx.tabstop), ctx.tabstop) - 1)
    return beyond(line, col, add)


def _context(engine: Engine, command: Command) -> Context:
    return Context(
        engine,
        count=command.times,
        register=command.register,
        arg=command.arg,
        operator=command.operator.name if command.operator is not None else None,
        motion=command.motion.name if command.motion is not None else None,
    )


def target_of(ctx: Context, motion: Motion) -> Target:
    """Run a motion and return where it goes. Raises `CommandFailed` where it cannot move."""
    try:
        result = motion.function(ctx)
    except CommandFailed:
        ctx.engine.last_kind = motion.kind
        # In Vim an operator given up for want of a mark leaves behind that the next one fills a numbered register.
        ctx.engine.repeat.numbers_next = ctx.operator is not None and motion.name == "mark"
        raise
    target = result if isinstance(result, Target) else Target(result)
    ctx.engine.last_kind = target.kind or motion.kind
    return target


def _move(engine: Engine, command: Command) -> None:
    """Move the cursor."""
    motion = command.motion
    assert motion is not None
    ctx = _context(engine, command)
    window = ctx.window
    if motion.keeps_column:
        window.want = wanted_column(ctx)
    buffer = window.buffer
    target = target_of(ctx, motion)
    if motion.jump and window.buffer is buffer:
        engine.jump_from(window, window.cursor)
    window.cursor = target.pos
    visual = engine.editor.visual
    inclusive = (target.kind or motion.kind) == INCLUSIVE and not target.exact
    if visual is not None and inclusive and visual.start < target.pos and ctx.option("selection") == "exclusive":
        window.cursor = after(window.buffer.lines, target.pos)
    if target.want is not None:
        window.want = target.want
    elif not motion.keeps_column:
        window.want = None
    if motion.opens and (motion.opens != "percent" or target.pos.line != ctx.origin.line):
        open_for(ctx, motion.opens)


def _select(engine: Engine, command: Command) -> None:
    """Extend the Visual selection by a text object."""
    ctx = _context(engine, command)
    row, visual = command.object, ctx.visual
    assert row is not None
    assert visual is not None
    ctx.window.want = None
    target: Target = row.function(ctx)
    if target.kind == LINE:
        visual.kind = "V"
    elif target.kind is not None and (visual.kind == "V" or not row.block):
        visual.kind = "v"
    if target.start is not None:
        visual.start = target.start
    ctx.cursor = target.pos


def _act(engine: Engine, command: Command) -> None:
    """Run an action."""
    action = command.action
    assert action is not None
    if action.modifies:
        engine.require_modifiable()
    if action.dot:
        engine.repeat.begin(command)
    action.function(_context(engine, command))


def _operate(engine: Engine, command: Command, *, numbers: bool) -> None:
    """Find the span, fill the registers (a numbered one if `numbers`), run the operator."""
    operator = command.operator
    assert operator is not None
    ctx = _context(engine, command)
    if operator.modifies:
        engine.require_modifiable()
    window = ctx.window
    visual = engine.editor.visual
    if not ctx.flag("startofline"):
        ctx.want = wanted_column(ctx)
    ctx.selected = command.shape is not None or visual is not None
    numbered = numbers or (command.motion is not None and command.motion.numbered)
    if command.shape is not None:
        span = repeated_span(ctx, command.shape, lines=operator.line)
    elif visual is not None:
        span = visual_span(ctx, visual, lines=operator.line)
        shape = shape_of(ctx, visual)
        command = command._replace(shape=shape)
        _note_columns(ctx, visual, span)
        # What `I` and `A` worked on is selected again by `1v` as lines.
        inserts = visual.kind == "v" and operator.name in ("insert-before", "insert-after")
        engine.repeat.shape = shape._replace(kind="V") if inserts else shape
        leave_visual(engine)
    else:
        target = _target(ctx, command)
        began = engine.editor.visual
        if began is not None:
            # The ex command that was the motion left a selection (`:help omap-info`).
            span = visual_span(ctx, began, lines=operator.line)
            leave_visual(engine)
        else:
            span = normalise(ctx, target, command)
            if span.kind == BLOCK:
                _keep_block(ctx, target, span)
        ctx.shortened = max(target.pos, ctx.origin).line > span.end.line
        if target.numbered is not None:
            numbered = numbers or target.numbered
        if operator.joins_blank and command.force is None and began is None:
            span = whole_lines(span, ctx.lines)
    if operator.line and span.kind != LINE and not (operator.keeps_block and span.kind == BLOCK):
        span = Span(span.start, span.end, LINE)
    if operator.dot or (operator.name == "yank" and "y" in ctx.text("cpoptions")):
        engine.repeat.begin(command)
    if operator.register is not None:
        _fill_register(ctx, command, span, numbered=numbered)
    window.cursor = span.start
    window.want = None
    if visual is not None and visual.kind == "<C-v>":
        # On a tab the cursor is shown anew, at its end.
        window.shown = None
        if not operator.modifies:
            window.noted = (window.cursor, cursor_column(Context(engine)))
    lines = reporting.size(ctx.buffer)
    operator.function(ctx, span)
    reporting.operated(ctx, operator.name, span, lines)
    if span.start.line >= len(ctx.lines):
        _leave_fold(ctx)


def _leave_fold(ctx: Context) -> None:
    """Leave a closed fold at its first line, after the lines behind it are gone."""
    line = ctx.window.first_of_fold(ctx.cursor.line)
    if line != ctx.cursor.line:
        ctx.cursor = Pos(line, first_nonblank(ctx.lines[line]))


def _keep_block(ctx: Context, target: Target, span: Span) -> None:
    """Remember a block that `<C-v>` behind an operator made of a motion as if it had been selected."""
    start = target.start if target.start is not None else ctx.cursor
    visual = Visual("<C-v>", start, dollar=span.dollar)
    ctx.buffer.marks.visual = (visual.kind, start, target.pos, span.dollar)
    ctx.engine.repeat.shape = shape_of(ctx, visual, target.pos)
    _note_columns(ctx, visual, span)


def _note_columns(ctx: Context, visual: Visual, span: Span) -> None:
    """Note the columns of a selection, which Vim keeps until the next one."""
    repeat = ctx.engine.repeat
    if span.kind == BLOCK:
        repeat.columns = (span.left, span.right)
    elif not visual.dollar:
        # `A` and `I` work on lines, whose fixed end counts as the first column.
        whole = visual.kind == "V" or ctx.operator in ("insert-after", "insert-before")
        start, end = sorted((Pos(visual.start.line, 0) if whole else visual.start, ctx.cursor))
        if not whole and ctx.option("selection") == "exclusive" and start != end:
            end = before(ctx.lines, end)
        first = column(ctx, start) if start.line == end.line else repeat.columns[0]
        repeat.columns = (first, right_column(ctx, end))


def _target(ctx: Context, command: Command) -> Target:
    """Return where the motion or text object of an operator goes, closed folds taken whole."""
    if command.object is not None:
        try:
            found: Target = command.object.function(ctx)
        except CommandFailed:
            # The cursor comes back from behind the line, whatever 'virtualedit' says.
            if ctx.engine.insert.resume is None:
                ctx.cursor = beyond(*clamp(ctx.cursor, ctx.lines), ctx.cursor.add)
            raise
        ctx.engine.last_kind = found.kind or EXCLUSIVE
    else:
        motion = command.motion
        assert motion is not None
        if motion.keeps_column:
            ctx.window.want = wanted_column(ctx)
        found = target_of(ctx, motion)
        if motion.jump:
            ctx.engine.jump_from(ctx.window, ctx.cursor)
    return found if "folds" not in ctx.window.extra else _over_folds(ctx, command, found)


def _over_folds(ctx: Context, command: Command, target: Target) -> Target:
    """Return a target with the closed folds at both ends whole."""
    window, lines = ctx.window, ctx.lines
    start = target.start if target.start is not None else ctx.cursor
    kind = target.kind or (command.motion.kind if command.motion is not None else "")
    if command.force == "<C-v>":
        return target
    if command.force is not None:
        kind = forced(kind, command.force)
    low, high = sorted((start, target.pos))
    forward = start < target.pos
    if forward or kind == LINE:
        first = window.closed_fold(low.line)
        if first is not None:
            low = Pos(first[0], 0)
        last = window.closed_fold(high.line)
        if last is not None and (not forward or kind != EXCLUSIVE or high.col > 0):
            high = Pos(last[1], len(lines[last[1]]))
    return target._replace(start=low, pos=high)


def _fill_register(ctx: Context, command: Command, span: Span, *, numbered: bool) -> None:
    operator = command.operator
    assert operator is not None
    registers = ctx.editor.registers
    if command.register is not None and command.register in ".%:#/":
        raise CommandFailed
    if ctx.buffer.no_lines and operator.register == "delete":
        return
    if (span.virtual or span.kind == BLOCK) and operator.register == "delete":
        # Blanks can be deleted too, but not with nothing at all in the line.
        if (span.virtual and span.empty) or (
            operator.name == "delete" and span.line_count == 1 and not ctx.lines[span.start.line]
        ):
            return
    elif nothing_in(span, ctx.lines) and operator.register == "delete":
        moved = command.motion is not None or command.object is not None
        inclusive = moved and ctx.engine.last_kind == INCLUSIVE
        if not (operator.fills_empty and inclusive and not ctx.lines[span.start.line]):
            return
    cut = extract(ctx.lines, span, ctx.tabstop)
    if operator.register == "yank-trimmed" and cut.kind == BLOCK and ctx.selected:
        cut = cut._replace(lines=tuple(line.rstrip(" \t") for line in cut.lines))
    if operator.register != "delete":
        registers.yank(command.register, cut)
        return
    small = len(cut.lines) == 1 and cut.kind != LINE
    registers.delete(command.register, cut, small=small, numbered=numbered or not small)


def leave_visual(engine: Engine) -> None:
    """End Visual mode and remember the selection for `gv`, `'<` and `'>`."""
    editor = engine.editor
    visual = editor.visual
    if visual is None:
        return
    window = editor.window
    window.buffer.marks.visual = (visual.kind, visual.start, window.cursor, visual.dollar)
    editor.visual = None
    if window.cursor.add and not is_virtual(engine):
        window.cursor = Pos(*window.cursor)
    if everywhere(engine):
        settle(Context(engine))
