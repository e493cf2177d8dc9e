"""The replacement of `:s` and expressions, against Vim's recorded answers."""

from __future__ import annotations

from contextlib import suppress

import pytest
from records import recorded

from tpy.modal.text.expression import ExpressionError, Scope, evaluate, evaluate_text
from tpy.modal.text.pattern import compile_pattern, matches_to_replace, parse_replacement


def test_replacements_expand_like_vims() -> None:
    pattern = compile_pattern(r"\v(\a)(\k*)")
    wrong = []
    for sources, magic, flags, previous, expected in recorded("replacement"):
        lines = ["foo Bar éx", "BAZ qux"]
        for source, wanted in zip(sources, expected, strict=True):
            replacement = parse_replacement(source, magic, previous)
            previous = replacement.source
            new = list(lines)
            for match in reversed(list(matches_to_replace(lines, pattern, 0, len(lines) - 1, every="g" in flags))):
                (line, start), (_, end) = match.start, match.end
                new[line] = new[line][:start] + replacement.expand(match) + new[line][end:]
            lines = "\n".join(new).split("\n")
            if lines != wanted:
                wrong.append((source, magic, lines, wanted))
                break
    assert not wrong


def test_expressions_compute_like_vims() -> None:
    wrong = []
    for source, expected in recorded("expressions"):
        try:
            got: object = evaluate_text(source)
        except ExpressionError as error:
            got = {"error": str(error)}
        if got != expected:
            wrong.append((source, got, expected))
    assert not wrong


def test_an_expression_replaces_with_submatches() -> None:
    match = compile_pattern(r"\(\d\+\)").search_line(["n 41"], 0)
    assert match is not None
    assert parse_replacement(r"\=submatch(1) + 1").expand(match) == "42"
    assert parse_replacement(r'\=submatch(0)."\n".line(".")').expand(
        match, Scope(functions={"line": lambda where: 7 if where == "." else 0})
    ) == ("41\n7")


def test_registers_and_options_are_asked_for() -> None:
    scope = Scope(register={"a": "text"}.__getitem__, option={"sw": 4}.get)
    assert evaluate("@a . &sw * 2", scope) == "text8" or evaluate("(@a) . (&sw * 2)", scope) == "text8"
    with pytest.raises(ExpressionError, match="E113: Unknown option: nope"):
        evaluate("&nope", scope)


@pytest.mark.parametrize("source", ["1" + "+1" * 5000, "(" * 3000, "-" * 3000 + "1", "", "   ", "$HOME", "[1]", "x()"])
def test_odd_expressions_are_errors_or_values(source: str) -> None:
    value = ""
    with suppress(ExpressionError):
        value = evaluate_text(source)
    assert isinstance(value, str)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1 2", "E488: Trailing characters: 2"),
        ('"abc"[1', "E111: Missing ']'"),
        ('"abc"->3', "E15"),
        ("abs(1 2)", "E116: Invalid arguments for function abs"),
        ('"a" =~ "\\\\("', r"E54: Unmatched \\\("),
        ('printf("%d")', "E766"),
        ('printf("%d", 1, 2)', "E767"),
        ('tr("a", "ab", "c")', "E475"),
        ("(" * 3000, "E1169"),
    ],
)
def test_mistakes_are_named(source: str, message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        evaluate(source)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ('"\\<Char-0x20ac>\\<C-a>\\<x>"', "€\x01<x>"),
        ("1 || foo()", "1"),
        ("0 ? foo : 2 * 3", "6"),
        ('"a" isnot 1', "1"),
        ("submatch(0)", ""),
        ('"017" + 0', "15"),
        ("sqrt(-1)", "nan"),
        ('strpart("äbc", 1, 1, 1)', "b"),
        ('printf("%q", 1)', "%q"),
        ("1.0 / 0", "inf"),
        ("pow(0.0, -1)", "inf"),
        ("pow(-8, 0.5)", "nan"),
        ("pow(10, 400)", "inf"),
    ],
)
def test_corners_of_expressions(source: str, value: str) -> None:
    assert evaluate_text(source) == value


@pytest.mark.parametrize("source", ['repeat("x", 999999999999)', 'printf("%999999999999d", 1)'])
def test_no_expression_eats_the_memory(source: str) -> None:
    with pytest.raises(ExpressionError, match="E342"):
        evaluate(source)
