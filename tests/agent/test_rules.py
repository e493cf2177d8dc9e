"""AGENTS §10: rules of the user's own, and which option a choice means. CASES A-23, A-24."""

from __future__ import annotations

from pathlib import Path

import pytest

from tpy.modal.agent.permission import Option, Request
from tpy.modal.agent.rules import ALLOW, ASK, DENY, Rule, Subject, decide, load, parse, save

NO, NEVER = Option("n1", "No", "reject_once"), Option("n2", "Never", "reject_always")
YES, ALWAYS = Option("y", "Yes", "allow_once"), Option("a", "Always", "allow_always")
ODD = Option("x", "Perhaps", "future_kind")


class Answered:
    def __init__(self, *options: Option) -> None:
        self.got: list[str | None] = []
        self.request = Request("Run", options, self.got.append)


@pytest.mark.parametrize(
    ("options", "refusing"),
    [((NO, NEVER, YES), "n1"), ((NEVER, YES), "n2"), ((YES, ALWAYS), None), ((ODD,), None), ((), None)],
)
def test_a23_refusing_is_reject_once_else_always_else_cancelled(
    options: tuple[Option, ...], refusing: str | None
) -> None:
    asked = Answered(*options)
    assert asked.request.choose(asked.request.refusing)
    assert asked.got == [refusing]


def test_each_request_is_answered_exactly_once() -> None:
    asked = Answered(YES, NO)
    assert asked.request.choose(YES)
    assert not asked.request.choose(NO)
    assert not asked.request.withdraw()
    assert asked.got == ["y"]


def test_a24_every_option_is_shown_and_can_be_chosen_and_none_is_chosen_by_itself() -> None:
    second = Option("y2", "Yes, quietly", "allow_once")
    asked = Answered(YES, second, ODD)
    rows = [line.text for line in asked.request.lines("Bob")]
    assert rows == ["Bob asks: Run", "[1 y] Yes", "[2] Yes, quietly", "[3] Perhaps"]
    assert asked.request.by_key("2") is second
    assert asked.request.by_key("3") is ODD
    assert asked.request.by_key("4") is None
    assert asked.request.by_key("N") is None
    assert asked.request.by_name("perhaps") is ODD
    assert asked.request.by_name("y2") is second


def test_a24_a_request_without_options_says_why_it_can_only_be_dismissed() -> None:
    rows = [line.text for line in Answered().request.lines("Bob")]
    assert "only be dismissed" in rows[1]


@pytest.mark.parametrize(
    ("lines", "subject", "verdict"),
    [
        ([], Subject("Bob", "edit"), ASK),
        (["allow kind=read"], Subject("Bob", "read"), ALLOW),
        (["allow agent=Eve"], Subject("Bob", "read"), ASK),
        (["allow path=src/*"], Subject("Bob", "edit", ("src/a.py",)), ALLOW),
        (["allow path=src/*"], Subject("Bob", "edit", ("src/a.py", "x")), ASK),
        (["allow path=src/*"], Subject("Bob", "edit"), ASK),
        (["deny path=*.pem"], Subject("Bob", "edit", ("a", "k.pem")), DENY),
        (["allow kind=edit", "deny path=*.pem"], Subject("Bob", "edit", ("k.pem",)), DENY),
        (["allow kind=edit", "ask path=*.toml"], Subject("Bob", "edit", ("a.toml",)), ASK),
        (["allow command='make *'"], Subject("Bob", "execute", (), "make test"), ALLOW),
        (["allow command='make *'"], Subject("Bob", "execute", (), "rm -rf /"), ASK),
        (["allow command=*"], Subject("Bob", "execute"), ASK),
    ],
)
def test_strictest_rule_that_fits_decides(lines: list[str], subject: Subject, verdict: str) -> None:
    assert decide([parse(line) for line in lines], subject) == verdict


@pytest.mark.parametrize("text", ["", "permit kind=read", "allow read", "allow tool=x"])
def test_a_rule_that_cannot_be_read_says_so(text: str) -> None:
    with pytest.raises(ValueError, match=r"a rule begins|is none of"):
        parse(text)


def test_rules_are_kept_for_the_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "state" / "permissions.json"
    kept = [Rule(ALLOW, kind="read"), Rule(DENY, agent="Bob", path="*.pem")]
    save(str(path), kept)
    assert load(str(path)) == kept
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_unreadable_rules_allow_nothing(tmp_path: Path) -> None:
    path = tmp_path / "permissions.json"
    path.write_text('[{"action": "allow", "odd": 1}, 3]')
    assert load(str(path)) == []
    assert load(str(tmp_path / "missing")) == []
