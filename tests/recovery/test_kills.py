"""SIGKILL in mid-burst of typing: at most the last two seconds are missing, and never anything that was saved."""

from __future__ import annotations

from pathlib import Path

from kills import JOURNAL, kill_many


def test_killed_while_typing(tmp_path: Path) -> None:
    outcomes = kill_many(25, seed=6, folder=tmp_path)
    assert [one for one in outcomes if one.problem] == []
    assert sum(one.way == JOURNAL for one in outcomes) >= 5
