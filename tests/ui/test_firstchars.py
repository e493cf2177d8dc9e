"""With which characters matches begin: what is left out must never match, or text loses its colours."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.ui import languages
from tpy.modal.ui.firstchars import first_chars
from tpy.modal.ui.recorder import recording

_TEXT = (
    string.printable
    + '\ndef f(a, b="x%s"):\n\t"""Doc."""\n  return 0x1F + 1.5e-3 # note\n@dec\nclass A(B): pass\n'
    + "#include <a.h>\nint main(void) { /* c */ char *s = 'c'; }\n<a href=\"x\">t</a> <!-- no -->\n"
    + "SELECT * FROM t;\n$x = `ls`;\n%macro\n=begin\n* list\n# Heading\n[link](url) --flag=1\nı ſ K é 語\n"
)


@pytest.mark.parametrize(
    ("pattern", "flags", "chars"),
    [
        ("abc", 0, "a"),
        ("a*bc", 0, "ab"),
        ("(?:a|b?c|d+)e", 0, "abcd"),
        ("(a|)b", 0, "ab"),
        ("a*", 0, None),
        ("a??", 0, None),
        ("^(?=z)x", 0, "x"),
        (r"\bword|x[0-2]", 0, "wx"),
        (r"[^\w\s]", re.ASCII, "".join(c for c in map(chr, range(128)) if not re.match(r"[\w\s]", c, re.ASCII))),
        ("[0-2b]", 0, "012b\x1c\x1d\x1e\x1f"),
        ("AbC", re.IGNORECASE, "aA"),
        ("(?i:a)b", 0, "".join(map(chr, range(128)))),
        ("é", 0, ""),
        ("é", re.IGNORECASE, None),
        (r"(x)?\1y", 0, "".join(map(chr, range(128)))),
        (r"(x)?\1", 0, None),
        ("(?:a|(?=b))", 0, None),
        ("[é-ü]", 0, "\x1c\x1d\x1e\x1f"),
    ],
)
def test_what_a_match_begins_with(pattern: str, flags: int, chars: str | None) -> None:
    found = first_chars(re.compile(pattern, flags))
    assert found == (None if chars is None else frozenset(chars))


@pytest.mark.parametrize("language", sorted(set(languages._TABLE)))
def test_no_rule_of_a_lexer_matches_where_it_is_left_out(language: str) -> None:
    lexer = languages.lexer_class(language)
    record = recording(lexer) if lexer is not None else None
    if record is None:
        return
    for rules in record()._tokens.values():  # type: ignore[attr-defined]
        for rule in rules:
            pattern = getattr(rule[0], "__self__", None)
            first = first_chars(pattern) if isinstance(pattern, re.Pattern) else None
            if first is None:
                continue
            left_out = [at for at, char in enumerate(_TEXT) if char.isascii() and char not in first]
            matched = [_TEXT[at : at + 20] for at in left_out if rule[0](_TEXT, at)]
            assert not matched, (pattern.pattern, matched)  # type: ignore[union-attr]
            assert rule[0](_TEXT, len(_TEXT)) is None, pattern.pattern  # type: ignore[union-attr]


_ATOM = st.sampled_from(
    ["a", "B", "1", " ", "é", r"\w", r"\s", r"\D", "[a-c]", "[^a]", ".", "^", "$", r"\b", "(?=a)", "(?!a)"]
)
_REGEX = st.recursive(
    _ATOM,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(inner, st.sampled_from("*+?")).map(lambda two: f"(?:{two[0]}){two[1]}"),
        inner.map(lambda one: f"({one})"),
    ),
    max_leaves=8,
)


@given(_REGEX, st.sampled_from([0, re.IGNORECASE, re.DOTALL, re.MULTILINE]), st.text("aAbB1 é\n", max_size=6))
def test_whatever_matches_is_not_left_out(pattern: str, flags: int, text: str) -> None:
    compiled = re.compile(pattern, flags)
    first = first_chars(compiled)
    for at in range(len(text) + 1):
        if compiled.match(text, at) and first is not None:
            assert text[at : at + 1], pattern
            assert not text[at].isascii() or text[at] in first, pattern
