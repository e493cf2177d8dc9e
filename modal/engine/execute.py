"""Doing a complete command: motion to target to span, registers, the operator, cursor and dot.

The one place where the kind rules of spans are applied (`spans.py` has them) and where registers are filled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.engine.columns import wanted_column
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.grammar import Command
from tpy.modal.engine.spans import (
    extract,
    normalise,
    repeated_span,
    shape_of,
    visual_span,
)
from tpy.modal.registry import CommandFailed, Motion
from tpy.modal.text.position import LINE, MAXCOL, Pos, Span, clamp

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


def execute(engine: Engine, command: Command) -> None:
    """Do a command. Raises `CommandFailed` where it cannot be done."""
    if command.operator is not None:
        _operate(engine, command)
    elif command.motion is not None:
        _move(engine, command)
    elif command.object is not None:
        _select(engine, command)
    else:
        _act(engine, command)
    engine.check_jump()
    finish(engine)


def finish(engine: Engine) -> None:
    """Put things right after a command: a cursor on a character, and Insert mode again after `i_CTRL-O`."""
    editor = engine.editor
    window = editor.window
    if not engine.insert.active and engine.prompt is None:
        past_end = engine.insert.resume is not None or (
            editor.visual is not None and editor.option("selection") != "old"
        )
        window.cursor = clamp(window.cursor, window.buffer.lines, past_end=past_end)
        engine.insert.resume_after_command()


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
    result = motion.function(ctx)
    return result if isinstance(result, Target) else Target(result)


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
    if target.want is not None:
        window.want = target.want
    elif not motion.keeps_column:
        window.want = None
    if engine.editor.visual is not None:
        engine.editor.visual.dollar = window.want == MAXCOL


def _select(engine: Engine, command: Command) -> None:
    """Extend the Visual selection by a text object."""
    ctx = _context(engine, command)
    row, visual = command.object, ctx.visual
    assert row is not None and visual is not None
    target: Target = row.function(ctx)
    if target.kind == LINE:
        visual.kind = "V"
    elif target.kind is not None and (visual.kind == "V" or not row.block):
        visual.kind = "v"
    if target.start is not None:
        visual.start = target.start
    ctx.cursor = target.pos
    ctx.window.want = None


def _act(engine: Engine, command: Command) -> None:
    """Run an action."""
    action = command.action
    assert action is not None
    if action.modifies:
        engine.require_modifiable()
    if action.dot:
        engine.repeat.begin(command)
    action.function(_context(engine, command))


def _operate(engine: Engine, command: Command) -> None:
    """Find the span, fill the registers, run the operator."""
    operator = command.operator
    assert operator is not None
    ctx = _context(engine, command)
    if operator.modifies:
        engine.require_modifiable()
    editor, window = engine.editor, ctx.window
    visual = editor.visual
    if command.shape is not None:
        span = repeated_span(ctx, command.shape)
    elif visual is not None:
        span = visual_span(ctx, visual)
        command = command._replace(shape=shape_of(ctx, visual))
        engine.repeat.shape = command.shape
        leave_visual(engine)
    elif command.object is not None:
        span = normalise(ctx, command.object.function(ctx), command)
    else:
        assert command.motion is not None
        if command.motion.keeps_column:
            window.want = wanted_column(ctx)
        target = target_of(ctx, command.motion)
        if command.motion.jump:
            engine.jump_from(window, window.cursor)
        span = normalise(ctx, target, command)
    if operator.line and span.kind != LINE:
        span = Span(span.start, span.end, LINE)
    if operator.dot:
        engine.repeat.begin(command)
    if operator.register is not None:
        _fill_register(ctx, command, span)
    window.cursor = Pos(span.start.line, span.start.col)
    window.want = None
    operator.function(ctx, span)


def _fill_register(ctx: Context, command: Command, span: Span) -> None:
    operator = command.operator
    assert operator is not None
    registers = ctx.editor.registers
    if command.register is not None and command.register in ".%:#/":
        raise CommandFailed
    if span.empty:
        return
    cut = extract(ctx.lines, span, ctx.tabstop)
    if operator.register == "yank":
        registers.yank(command.register, cut)
        return
    small = len(cut.lines) == 1 and cut.kind != LINE
    numbered = not small or (command.motion is not None and command.motion.numbered)
    registers.delete(command.register, cut, small=small, numbered=numbered)


def leave_visual(engine: Engine) -> None:
    """End Visual mode and remember the selection for `gv`, `'<` and `'>`."""
    editor = engine.editor
    visual = editor.visual
    if visual is None:
        return
    window = editor.window
    window.buffer.marks.visual = (visual.kind, visual.start, window.cursor, visual.dollar)
    editor.visual = None
