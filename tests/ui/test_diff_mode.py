"""Windows that are compared: rows side by side, scrolling together, copying changes (`:help diff-mode`)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.assembly import make_engine
from tpy.modal.engine.diffing import side_of
from tpy.modal.engine.dispatch import Engine
from tpy.modal.keymap import parse_keys
from tpy.modal.view.differ import ADDED, CHANGED, Comparison, blocks_of, changes

CASES = json.loads((Path(__file__).parent / "diffs.json").read_text(encoding="utf-8"))
TEXTS = st.lists(st.sampled_from("abcd"), max_size=12)


@given(TEXTS, TEXTS)
def test_changes_make_one_text_of_the_other(old: list[str], new: list[str]) -> None:
    made, at = [], -1
    for edit in changes(old, new):
        assert edit.start > at  # equal lines lie between two changes
        made += old[max(at, 0) : edit.start] + new[edit.new_start : edit.new_end]
        at = edit.end
    assert made + old[max(at, 0) :] == new


@given(st.lists(TEXTS, min_size=2, max_size=4))
def test_blocks_leave_the_same_lines_in_all_texts(texts: list[list[str]]) -> None:
    left = []
    for index, text in enumerate(texts):
        changed = {
            line
            for block in blocks_of(texts)
            for line in range(block.first[index], block.first[index] + block.sizes[index])
        }
        left.append([line for number, line in enumerate(text) if number not in changed])
    assert all(lines == left[0] for lines in left)


@given(TEXTS, TEXTS, st.data())
def test_rows_and_lines_belong_to_each_other(old: list[str], new: list[str], data: st.DataObject) -> None:
    sides = [Comparison([old, new]).side(index) for index in (0, 1)]
    line = data.draw(st.integers(0, len(old)))
    shown = data.draw(st.integers(0, sides[0].fillers.get(line, 0)))
    row = sides[0].row_of(line, shown)
    assert sides[0].place_of(row) == (line, shown)
    at, filler = sides[1].place_of(row)
    assert sides[1].row_of(at, filler) == row


def test_very_different_texts_do_not_take_long() -> None:
    old = [f"line {number}" for number in range(20_000)]
    new = [f"line {number * 7919 % 20_000}" for number in range(20_000)]
    made, at = [], 0
    for edit in changes(old, new):
        made += old[at : edit.start] + new[edit.new_start : edit.new_end]
        at = edit.end
    assert made + old[at:] == new


def compared(old: list[str], new: list[str]) -> Engine:
    """Return an engine in the right one of two compared windows."""
    engine = make_engine(vim=True)
    engine.editor.set_option("hidden", True)
    engine.editor.buffer.lines[:] = old
    engine.editor.buffer.no_lines = False
    type_(engine, ":rightbelow vnew<CR>")
    engine.editor.buffer.lines[:] = new
    engine.editor.buffer.no_lines = False
    type_(engine, ":windo diffthis<CR>:windo normal! zn<CR>gg")
    return engine


def type_(engine: Engine, keys: str) -> None:
    for key in parse_keys(keys):
        engine.feed(key)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["keys"])
def test_compared_texts_are_as_in_vim(case: dict[str, Any]) -> None:
    """Texts, what is marked before, and what keys make of both; recorded from Vim 9.0."""
    engine = compared(case["left"], case["right"])
    side = side_of(engine.editor)
    names = {ADDED: "DiffAdd", CHANGED: "DiffChange", "": ""}
    lines = range(len(case["right"]) + 1)
    marks = [[side.fillers.get(line, 0), names[side.kind(line)]] for line in lines] if side is not None else None
    assert marks == case["marks"]
    left, right = list(engine.editor.buffers.values())[:2]
    type_(engine, case["keys"])
    assert [left.lines, right.lines, engine.editor.window.cursor.line + 1] == case["want"]


@pytest.fixture
def two(shown: Callable[..., Any]) -> Any:
    """A screen with two compared windows of 30 lines; the right one has two lines less."""
    screen = shown(*[f"line {n}" for n in range(30)], size=(41, 10))
    screen.keys(":set hidden<CR>:rightbelow vnew<CR>")
    screen.editor.buffer.lines[:] = [f"line {n}" for n in range(30) if n not in (3, 4)]
    screen.editor.buffer.lines[0] = "Line 0"
    screen.keys(":windo diffthis<CR>:windo normal! zn<CR>gg")
    return screen


def halves(screen: Any) -> list[tuple[str, str]]:
    """Return the rows of both windows, without their fold columns, in which no fold shows."""
    rows = [row.partition("|") for row in screen.rows[:8]]
    assert all(left[:2] == right[:2] == "  " for left, _, right in rows)
    return [(left[2:].rstrip(), right[2:].rstrip()) for left, _, right in rows]


def test_filler_rows_keep_equal_lines_side_by_side(two: Any) -> None:
    rows = halves(two)
    assert rows[0] == ("line 0", "Line 0")
    assert rows[3:6] == [("line 3", "-" * 18), ("line 4", "-" * 18), ("line 5", "line 5")]


def test_windows_scroll_row_by_row_through_fillers(two: Any) -> None:
    two.set(scrolloff=0)
    for count in range(1, 8):
        two.keys("<C-e>")
        left, right = halves(two)[0]
        assert left == f"line {count}"
        assert right == ("-" * 18 if count in (3, 4) else left)
    for count in range(6, -1, -1):
        two.keys("<C-y>")
        assert halves(two)[0][0] == f"line {count}"
        assert halves(two)[0][1].lower() == ("-" * 18 if count in (3, 4) else f"line {count}")


def test_the_other_window_follows_to_the_end_and_back(two: Any) -> None:
    two.keys("G")
    assert halves(two)[-1] == ("line 29", "line 29")
    two.keys("<C-w>hgg")
    assert halves(two)[0] == ("line 0", "Line 0")


def test_equal_lines_are_folded(two: Any) -> None:
    two.keys(":windo normal! zN<CR>")
    assert two.editor.window.closed_fold(20) == (9, 27)
    two.keys(":diffoff!<CR>")
    assert two.editor.window.closed_fold(20) is None
    assert not any(two.editor.option("diff", window) for window in two.editor.windows())


def test_closing_a_window_ends_the_comparison(two: Any) -> None:
    two.keys(":close<CR>")
    assert two.editor.option("diff") is False
    assert two.editor.option("foldmethod") == "manual"


@pytest.mark.parametrize(
    ("keys", "error"),
    [
        (":diffget<CR>", "E99: Current buffer is not in diff mode"),
        (":diffthis<CR>:diffget<CR>", "E100: No other buffer in diff mode"),
        (":diffthis<CR>:diffput 77<CR>", 'E102: Can\'t find buffer "77"'),
        (":new<CR>:diffthis<CR>:diffget 1<CR>", 'E103: Buffer "1" is not in diff mode'),
        (":diffpatch x<CR>", "E319: :diffpatch is not in tpy"),
        (":diffdisk<CR>", "E32: No file name"),
    ],
)
def test_what_cannot_be_done_says_so(engine: Engine, keys: str, error: str) -> None:
    type_(engine, keys)
    assert engine.editor.message is not None
    assert engine.editor.message.text.startswith(error)


def test_a_third_text_must_be_named(engine: Engine) -> None:
    type_(engine, ":set hidden<CR>ia<Esc>:new<CR>ib<Esc>:new<CR>ic<Esc>:windo diffthis<CR>:diffget<CR>")
    assert engine.editor.message is not None
    assert engine.editor.message.text.startswith("E101: More than two buffers in diff mode")
    type_(engine, ":diffget 3<CR>")
    assert engine.editor.buffer.lines == ["c"]


def test_bound_windows_scroll_together(shown: Callable[..., Any]) -> None:
    screen = shown(*[f"line {n}" for n in range(50)], size=(41, 10))
    screen.keys(":vsplit<CR>10<C-e>:windo set scrollbind<CR><C-w>w3<C-e>")
    assert sorted(window.top for window in screen.editor.windows()) == [3, 13]
    screen.keys(":set noscrollbind<CR>2<C-e>")
    assert sorted(window.top for window in screen.editor.windows()) in ([3, 15], [5, 13])


def test_the_file_on_disk_is_compared(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\ntwo\n")
    type_(engine, f":e {path}<CR>ox<Esc>:diffdisk<CR>")
    assert engine.editor.buffer.lines == ["one", "x", "two"]
    (disk,) = [buffer for buffer in engine.editor.buffers.values() if buffer.name.startswith("disk://")]
    assert disk.lines == ["one", "two"]
    assert not disk.modifiable
    type_(engine, "do")
    assert engine.editor.buffer.lines == ["one", "two"]


def test_a_file_is_split_off_and_compared(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("".join(f"line {n}\n" for n in range(20)))
    (tmp_path / "b").write_text("new\n" + "".join(f"line {n}\n" for n in range(20)))
    type_(engine, f":e {tmp_path}/a<CR>5G:vertical diffsplit {tmp_path}/b<CR>")
    assert engine.editor.buffer.name.endswith("b")
    assert engine.editor.window.cursor.line == 5  # the line that stands beside the cursor's
    assert len(engine.editor.windows()) == 2
    assert engine.editor.windows()[0].height == engine.editor.windows()[1].height
    assert all(engine.editor.option("diff", window) for window in engine.editor.windows())


def test_an_update_looks_at_the_files_again(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("one\n")
    (tmp_path / "b").write_text("one\n")
    engine.editor.set_option("autoread", True)
    type_(engine, f":e {path}<CR>:diffsplit {tmp_path}/b<CR>")
    path.write_text("one\ntwo\n")
    before = engine.editor.extra.get("comparisons")
    type_(engine, ":diffupdate<CR>")
    assert before is None or engine.editor.extra.get("comparisons") is not before
    side = side_of(engine.editor)
    assert side is not None
    assert side.fillers == {}
    type_(engine, ":diffupdate!<CR>")
    side = side_of(engine.editor)
    assert side is not None
    assert side.fillers == {1: 1}


@pytest.mark.parametrize(
    ("option", "left", "right", "differ"),
    [
        ("icase", "One", "one", False),
        ("iwhite", "a  b ", "a b", False),
        ("iwhite", "a b", "ab", True),
        ("iwhiteall", "a b", "ab", False),
        ("iwhiteeol", "a ", "a", False),
        ("iwhiteeol", " a", "a", True),
        ("filler", "One", "one", True),
    ],
)
def test_what_is_not_to_be_compared(option: str, left: str, right: str, differ: bool) -> None:
    engine = compared([left], [right])
    type_(engine, f":set diffopt+={option}<CR>")
    side = side_of(engine.editor)
    assert side is not None
    assert bool(side.comparison.blocks) is differ


def test_equal_texts_after_a_copy_are_no_blocks_and_undo_brings_them_back() -> None:
    engine = compared(["a", "b"], ["a", "x", "b"])
    type_(engine, "]cdo")
    assert engine.editor.buffer.lines == ["a", "b"]
    type_(engine, "u")
    assert engine.editor.buffer.lines == ["a", "x", "b"]
    side = side_of(engine.editor)
    assert side is not None
    assert len(side.comparison.blocks) == 1


@pytest.mark.parametrize(
    ("option", "width"), [("internal,filler", 2), ("internal,foldcolumn:5", 5), ("foldcolumn:0", 0)]
)
def test_diff_mode_has_a_fold_column_of_its_own(option: str, width: int) -> None:
    """As in Vim, `:diffoff` gives the window its own back, unless another was set meanwhile."""
    engine = make_engine(vim=True)
    editor = engine.editor
    type_(engine, f":set diffopt={option} foldcolumn=1<CR>:diffthis<CR>")
    assert editor.option("foldcolumn") == width
    type_(engine, ":diffoff<CR>")
    assert editor.option("foldcolumn") == 1
    type_(engine, ":diffthis<CR>:set foldcolumn=3<CR>:diffoff<CR>")
    assert editor.option("foldcolumn") == 3
