"""AGENTS §12, row by row: the classes in which the parts of a conversation are drawn, seen on the screen."""

from __future__ import annotations

import pytest
from agentworld import World

from tpy.modal.ui.theme import ANSI, TRUE, Style, Theme, load_theme, theme_names

CLASSES = ("syntax.keyword", "syntax.comment", "syntax.type", "diagnostic.error", "editor.selection")
TOOL = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Look", "status": "completed"}
FAILED = {"sessionUpdate": "tool_call", "toolCallId": "t2", "title": "Break", "status": "failed"}
SAID = "plain words\n```python\nclass A: pass\n```\n```\nclass B: pass\n```\n```nonsense\nclass C: pass\n```\n"


def marked(world: World, name: str) -> list[str]:
    """Return the pieces of text on the screen that are drawn in a class or what is part of it."""
    world.renderer.theme = Theme("test", {name: Style(attributes=frozenset({"reverse"}))}, ANSI)
    while world.screen and world.renderer.colour_pending():
        world.renderer.colour(float("inf"))
    rows = world.renderer.frame(*world.size).rows
    return [part.split("\x1b[m")[0].rstrip() for row in rows for part in row.ansi.split("\x1b[7m")[1:]]


@pytest.fixture
def told(world: World) -> World:
    world.agent("Bob", [["think", "hm hm"], ["say", SAID], ["upd", TOOL], ["upd", FAILED], ["end", "refusal"]])
    world.resize(100, 80)
    world.start()
    world.say("question")
    world.wait_for("The turn ended: refusal")
    world.idle()
    world.keys("<Esc><Tab>zR")
    return world


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("syntax.keyword", ["You", "Bob"]),
        ("syntax.comment", ["hm hm"]),
        ("syntax.type", ["Look (completed)"]),
        ("diagnostic.error", ["Break (failed)", "The turn ended: refusal"]),
    ],
)
def test_s12_elements_have_their_class(told: World, name: str, texts: list[str]) -> None:
    found = marked(told, name)
    for text in texts:
        assert text in found
    assert not {"plain words", "question"} & set(found)


def test_s12_selection_has_its_class(told: World) -> None:
    told.keys("gg/plain<CR>Vj")
    assert "plain words" in marked(told, "editor.selection")


def test_s12_fence_has_the_colours_of_the_language_it_announces_and_else_none(told: World) -> None:
    assert marked(told, "syntax.keyword").count("class") == 1
    assert all(told.sees(f"class {name}: pass") for name in "ABC")


@pytest.mark.parametrize("name", theme_names())
def test_s12_every_theme_has_the_classes(name: str) -> None:
    theme = load_theme(name, TRUE)
    for wanted in CLASSES:
        assert theme.sgr((wanted,)) != theme.sgr(()) or name == "mono", wanted
