"""Patterns against Vim's recorded answers, by `re` and by our own matcher, and what no pattern may do.

The records come from random patterns; the few on which Vim's two engines disagree with the documented order
of alternatives (a zero-width item before an optional one) were left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records import recorded

from tpy.modal.text.pattern import (
    CharOptions,
    Match,
    PatternContext,
    PatternError,
    SearchStopped,
    VisualArea,
    compile_pattern,
    compiled,
    find_all,
    matches_to_replace,
    parse_replacement,
    search,
    split_pattern,
)
from tpy.modal.text.pattern.cost import Cost


@pytest.fixture(params=["re", "runs", "own"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run a test with `re` where it is trusted, as in very long lines, and with our own matcher for everything."""
    if request.param == "runs":
        monkeypatch.setattr(Cost, "steps", lambda *args: float("inf"))
    if request.param == "own":
        monkeypatch.setattr(compiled, "_STEPS", -1)
        monkeypatch.setattr(compiled, "_CHUNK_STEPS", -1)
    compile_pattern.cache_clear()
    yield request.param
    compile_pattern.cache_clear()


def substitute(pattern: str, lines: list[str], replacement: str, flags: str, magic: bool = True) -> list[str]:
    """Do what `:%s` does; the lines unchanged when nothing matches."""
    found = compile_pattern(pattern, ignorecase="i" in flags)
    new = parse_replacement(replacement, magic, "b")
    context = PatternContext(cursor=(0, 0))
    out, at = "", (0, 0)
    put = [""]
    for match in matches_to_replace(
        lines, found, 0, len(lines) - 1, every="g" in flags, replaced=lambda: put[0], ctx=context
    ):
        put[0] = new.expand(match)
        out += between(lines, at, match.start) + put[0]
        at = match.end
    if at[0] < len(lines):
        out += between(lines, at, (len(lines) - 1, len(lines[-1])))
    return out.split("\n")


def between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return the text between two places, line breaks as `\\n`."""
    text = "\n".join(lines) + "\n"
    offsets = [sum(len(line) + 1 for line in lines[:n]) for n in range(len(lines) + 1)]
    return text[offsets[start[0]] + start[1] : offsets[end[0]] + end[1]]


def test_single_patterns_match_like_vim(engine: str) -> None:
    wrong = []
    for row in recorded("patterns"):
        pattern, text, expected = row[:3]
        try:
            match = compile_pattern(pattern).search_line([text], 0)
        except PatternError as error:
            got: object = str(error)
        else:
            got = None if match is None else [match.start[1], match.end[1]]
            if match is not None and [group or "" for group in match.groups[:3]] != row[3]:
                got = match.groups
        if got != expected:
            wrong.append((pattern, got, expected))
    assert not wrong


def test_substitute_random_patterns_like_vim(engine: str) -> None:
    wrong = []
    for pattern, lines, replacement, flags, expected in recorded("substitute"):
        try:
            got: object = substitute(pattern, lines, replacement, flags)
        except PatternError as error:
            got = str(error)
        if got != (lines if expected is None else expected):
            wrong.append((pattern, lines, replacement, flags, got, expected))
    assert not wrong


def test_search_from_every_place_like_vim(engine: str) -> None:
    wrong = []
    for pattern, lines, at, forward, wrap, accept, expected in recorded("search"):
        found = search(lines, compile_pattern(pattern), tuple(at), forward=forward, wrap=wrap, accept_at_cursor=accept)
        got = None if found is None else list(found[0].start)
        if got is not None and got[0] == len(lines):  # behind the last line: the cursor goes to its end
            got = [len(lines) - 1, max(len(lines[-1]) - 1, 0)]
        if got != expected:
            wrong.append((pattern, lines, at, forward, wrap, accept, got, expected))
    assert not wrong


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("(bar)", "foo(bar)", (3, 8)),
        (r"\v\(bar\)", "foo(bar)", (3, 8)),
        ("a+b", "a+b aab", (0, 3)),
        (r"a\{2}", "aaa", (0, 2)),
        (r"\<foo\>", "foobar foo", (7, 10)),
        (r"(\(.*\))", "f(x)", (1, 4)),
        ("[", "a[b", (1, 2)),
    ],
)
def test_cases_b14_vim_patterns_are_not_python_patterns(
    engine: str, pattern: str, text: str, expected: tuple[int, int]
) -> None:
    match = compile_pattern(pattern).search_line([text], 0)
    assert match is not None
    assert (match.start[1], match.end[1]) == expected


@pytest.mark.parametrize("pattern", [r"\(", "a**", r"\z"])
def test_cases_b14_broken_patterns_give_a_message(pattern: str) -> None:
    with pytest.raises(PatternError, match=r"^E\d+: "):
        compile_pattern(pattern)


def test_cases_b12_line_breaks_in_substitute() -> None:
    assert substitute(r"\n", ["r", "s", "t"], "+", "") == ["r+s+t+"]
    assert substitute(";", ["one;two;six"], r"\r", "g") == ["one", "two", "six"]


@pytest.mark.parametrize(
    ("pattern", "lines", "replacement", "after"),  # as Vim 9.0 does
    [
        (r"a\n\|^x", ["a", "xb x", "b b"], "<&>", ["<a", ">xb x", "b b"]),
        (r"a\n\|\%(\_^\)\|b", ["a", "xb", "b b"], "<&>", ["<a", ">x<b>", "<>b b"]),
        (r"^foo\n", ["foo", "foo", "bar"], "", ["bar"]),
        (r"^foo\n", ["foo", "foo", "bar"], "X", ["Xfoo", "bar"]),
        (r"^\(.*\)\n\1$", ["a", "a", "a", "b", "b"], r"\1", ["a", "a", "b"]),
    ],
)
def test_a_joined_line_is_searched_as_it_is_then(
    pattern: str, lines: list[str], replacement: str, after: list[str]
) -> None:
    assert substitute(pattern, lines, replacement, "") == after


def test_cases_b13_empty_matches() -> None:
    assert substitute("b*", ["abc"], "X", "g") == ["XaXc"]
    assert substitute("x", ["aXbX"], "-", "gi") == ["a-b-"]


@pytest.mark.parametrize("pattern", [r"\(a*\)*c", r"\v(a+)+c", r"\v(a|a)*c", r"\v(a|aa)+c", r"\v(a*){8}c"])
def test_cases_b15_nested_repeats_need_few_steps(stop_after: Callable[[int], Callable[[], bool]], pattern: str) -> None:
    context = PatternContext(stop=stop_after(20))
    assert compile_pattern(pattern).search_line(["a" * 400 + "b"], 0, 0, context) is None


def test_cases_b15_alternatives_to_the_end_of_a_line(stop_after: Callable[[int], Callable[[], bool]]) -> None:
    match = compile_pattern(r"\(a\|aa\)*$").search_line(["a" * 40 + "b"], 0, 0, PatternContext(stop=stop_after(9)))
    assert match is not None
    assert match.start == (0, 41)


@pytest.mark.parametrize("pattern", [r"\(a*\)*\1c", r"\v(a+)+\1b\1c"])
def test_what_cannot_be_bounded_can_be_stopped(stop_after: Callable[[int], Callable[[], bool]], pattern: str) -> None:
    with pytest.raises(SearchStopped):
        compile_pattern(pattern).search_line(["a" * 60 + "bc"], 0, 0, PatternContext(stop=stop_after(3)))


def test_a_search_through_many_lines_can_be_stopped(stop_after: Callable[[int], Callable[[], bool]]) -> None:
    with pytest.raises(SearchStopped):
        search(["b a"] * 50 + ["c"], compile_pattern(r"\_s\+c"), (0, 0), ctx=PatternContext(stop=stop_after(5)))


@pytest.mark.parametrize("pattern", [r"\(a\|ab\)\{60000}", r"\v((ab{1,99}){1,99}c){1,99}", r"\v(ab?){5000000000}"])
def test_a_pattern_that_would_need_too_much_memory_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError, match="E363"):
        compile_pattern(pattern)


@pytest.mark.parametrize("pattern", [r"a\{5000000000}", r"a\{5000000000,6000000000}", r"\%d2147483647"])
def test_huge_numbers_match_nothing(engine: str, pattern: str) -> None:
    assert compile_pattern(pattern).search_line(["aaa"], 0) is None


@pytest.mark.parametrize("pattern", [r"\%.3l", r"\%l", r"\%<c", r"\%o", r"\%U8fffffff", r"[z-a]"])
def test_bad_numbers_are_told(pattern: str) -> None:
    with pytest.raises(PatternError, match=r"E1204|E1273|E678|E944"):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"\f\+", "see /tmp/x.txt!", (0, 3)),
        (r"[[:ident:][:keyword:]]\+", "-ab1_é-", (1, 6)),
        (r"[[:fname:]]\+\%$", "a b/c", (2, 5)),
        (r"[\d]\+", "d\\d", (0, 3)),
        (r"\%o1012", "A2", (0, 2)),
        (r"a$\v", "xa", (1, 2)),
        (r"a$\v\M", "xa", (1, 2)),
        (r"\(x\@2<=\zsb\)\@>", "xb", (1, 2)),
        (r"\(\(a\)\|b\)\2c", "bc", (0, 2)),
        (r"\%>1c\%<3c.", "abc", (1, 2)),
        (r"\%>40v.", "\t\t\t\t\t\t\tx", (5, 6)),
        (r"\%2v", "abc", (1, 1)),
    ],
)
def test_corners(engine: str, pattern: str, text: str, expected: tuple[int, int] | None) -> None:
    match = compile_pattern(pattern).search_line([text], 0)
    assert (match and (match.start[1], match.end[1])) == expected


def test_searches_that_need_the_cursor_find_nothing_without_one() -> None:
    for pattern in (r"\%#", r"\%.l", r"\%.c", r"\%V", r"\%'a"):
        assert compile_pattern(pattern).search_line(["abc"], 0) is None
    assert compile_pattern(r"\na").multiline
    assert not compile_pattern("a").multiline
    assert compile_pattern("^a").search_line(["aa"], 0, 1) is None
    assert compile_pattern("a").search_line(["aa"], 0, 9) is None


def test_the_cursor_the_visual_area_and_marks_are_asked_for() -> None:
    lines = ["one two", "three", "four"]
    context = PatternContext(
        cursor=(1, 2),
        visual=VisualArea((0, 4), (1, 1)),
        mark={"a": (2, 1)}.get,
    )

    def first(pattern: str) -> tuple[int, int] | None:
        for line in range(3):
            match = compile_pattern(pattern).search_line(lines, line, 0, context)
            if match is not None:
                return match.start
        return None

    assert first(r"\%#r") == (1, 2)
    assert first(r"\%Vt") == (0, 4)
    assert first(r"\%V[hr]") == (1, 1)
    assert first(r"\%'a.") == (2, 1)
    assert first(r"\%>'a.") == (2, 2)
    assert first(r"\%.l.") == (1, 0)
    assert first(r"\%>.l.") == (2, 0)
    assert first(r"\%.c.") == (0, 2)
    assert first(r"\%'b.") is None


def test_a_block_is_matched_by_screen_column() -> None:
    context = PatternContext(visual=VisualArea((0, 2), (1, 2), "<C-v>", (8, 8)))
    assert find_places(["\tab", "12345678x"], r"\%V.", context) == [(0, 1), (1, 8)]


def find_places(lines: list[str], pattern: str, context: PatternContext) -> list[tuple[int, int]]:
    """Return where every match of all lines begins."""
    found = compile_pattern(pattern)
    return [match.start for line in range(len(lines)) for match in find_all(lines, found, line, context)]


def test_ignorecase_smartcase_and_their_overrides() -> None:
    def matches(pattern: str, **options: bool) -> bool:
        return compile_pattern(pattern, **options).search_line(["FOO"], 0) is not None

    assert matches("foo", ignorecase=True)
    assert not matches("foo")
    assert matches("foo", ignorecase=True, smartcase=True)
    assert not matches("Foo", ignorecase=True, smartcase=True)
    assert matches(r"\u\w\+", ignorecase=True, smartcase=True)
    assert matches(r"\cfoo")
    assert not matches(r"\Cfoo", ignorecase=True)


def test_iskeyword_decides_what_a_word_is() -> None:
    options = CharOptions(iskeyword="@,48-57,_,-")
    match = compile_pattern(r"\<\k\+\>", options=options).search_line(["x foo-bar y"], 0, 1)
    assert match is not None
    assert match.groups[0] == "foo-bar"


def test_a_tilde_is_the_last_replacement() -> None:
    assert compile_pattern("a~c", last_substitute="x.y").search_line(["ax.yc"], 0) is not None
    with pytest.raises(PatternError, match="E33"):
        compile_pattern("~")


def test_a_nul_is_one_character(engine: str) -> None:
    match = compile_pattern(r"x\%d0y").search_line(["x\0y"], 0)
    assert match is not None
    assert match.end == (0, 3)


def test_match_at_takes_only_that_place(engine: str) -> None:
    pattern = compile_pattern("a")
    assert pattern.match_at(["ba"], 0, 0) is None
    assert pattern.match_at(["ba"], 0, 1) == Match((0, 1), (0, 2), ("a", *[None] * 9))


def test_lines_are_skipped_only_where_nothing_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_CHUNK", 7)
    lines = [f"line {n} of äöü" if n % 5 else f"x {n}" for n in range(60)]
    for source in ("x", "^x", r"\<x\>", "ä.*ü", "0$", r"x\n", "q"):
        pattern = compile_pattern(source)
        wanted = [n for n in range(60) if pattern.search_line(lines, n) is not None]
        assert [n for n in pattern.candidates(lines, 0, 60) if n in wanted] == wanted
        assert [n for n in pattern.candidates(lines, 0, 60, backward=True) if n in wanted] == wanted[::-1]


def test_split_pattern_ends_at_the_delimiter() -> None:
    assert split_pattern("a/b", "/") == ("a", "b")
    assert split_pattern(r"a\/b/c", "/") == (r"a\/b", "c")
    assert split_pattern("[/]x/c", "/") == ("[/]x", "c")
    assert split_pattern("[/x/y", "/") == ("[/x/y", None)
    assert split_pattern(r"\V[/]x", "/") == (r"\V[", "]x")
    assert split_pattern(r"a\?b?c", "?") == ("a?b", "c")
    assert split_pattern("abc", "/") == ("abc", None)
    assert split_pattern("", "/") == ("", None)


_ALPHABET = r"ab.*[]^$~\(){}|&@<>=+?!%_zsdnwkvVmMcCZ123-,:/äé" + "\u0301\n\t "


@settings(max_examples=300, deadline=None)
@given(st.text(_ALPHABET, max_size=12), st.text("ab 1äé\u0301\t", max_size=12))
def test_no_pattern_raises_anything_else(pattern: str, text: str) -> None:
    steps = iter(range(50))
    context = PatternContext(cursor=(0, 0), stop=lambda: next(steps, None) is None)
    match = None
    with suppress(PatternError, SearchStopped):
        match = compile_pattern(pattern, last_substitute="x").search_line([text, "b"], 0, 0, context)
    assert match is None or match.start <= match.end


@settings(max_examples=200, deadline=None)
@given(
    st.text(r"ab.*\(\)\|\+\=^$<>", max_size=10),
    st.lists(st.text("ab c", max_size=8), min_size=1, max_size=4),
)
def test_both_matchers_agree(pattern: str, lines: list[str]) -> None:
    def answers() -> object:
        compile_pattern.cache_clear()
        try:
            found = compile_pattern(pattern)
            return [m and (m.start, m.end) for n in range(len(lines)) if (m := found.search_line(lines, n)) or True]
        except PatternError as error:
            return str(error)

    limit = compiled._STEPS
    usual = answers()
    try:
        with patch.object(Cost, "steps", lambda *args: float("inf")):
            assert answers() == usual
        compiled._STEPS = -1
        assert answers() == usual
    finally:
        compiled._STEPS = limit
        compile_pattern.cache_clear()


@pytest.mark.perf
def test_a_line_of_five_megabytes_is_searched_quickly(stop_after: Callable[[int], Callable[[], bool]]) -> None:
    lines = ['{"foo":"bar",' * 400_000]
    for pattern in ("zzz", r"\<zzz\>", r"\w\+zzz", r"\s\+$", r"^.*zz", r"\w\+ \w\+", ".*zz"):
        assert compile_pattern(pattern).search_line(lines, 0, 0, PatternContext(stop=stop_after(9))) is None


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\%$", [(5, 1)]),
        (r"\%^", [(0, 0)]),
        (r"\%3la", [(2, 0)]),
        (r"\%<3la", [(0, 0), (1, 0)]),
        (r"\%>4la", [(4, 0), (5, 0)]),
        (r"\%.la", [(1, 0)]),
        (r"\%>.l\%<5la", [(2, 0), (3, 0)]),
        (r"\%#a", [(1, 0)]),
        (r"\%'ma", [(3, 0)]),
        (r"\%>'ma", [(4, 0), (5, 0)]),
        (r"\%<'ma", [(0, 0), (1, 0), (2, 0)]),
        (r"\%Va", [(2, 0), (3, 0)]),
        (r"\%9la", []),
        (r"\%'xa", []),
        (r"\%(\%2l\|\%4l\)a", [(1, 0), (3, 0)]),
        (r"\n\%3la", [(1, 1)]),
    ],
)
def test_places_restrict_the_lines_that_are_tried(pattern: str, expected: list[tuple[int, int]]) -> None:
    lines = ["a"] * 6
    context = PatternContext((1, 0), VisualArea((2, 0), (3, 0)), {"m": (3, 0)}.get)
    found = matches_to_replace(lines, compile_pattern(pattern), 0, 5, every=True, ctx=context)
    assert [match.start for match in found] == expected
