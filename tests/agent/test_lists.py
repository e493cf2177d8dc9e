"""AGENTS §5: the lists of the prompt through keys, and mentions on the wire."""

from __future__ import annotations

from typing import Any

import pytest
from agentworld import World

from tpy.modal.view.popup import Popup

COMMANDS = {
    "sessionUpdate": "available_commands_update",
    "availableCommands": [
        {"name": "help", "description": "Shows help"},
        {"name": "model", "description": "Chooses", "input": {"hint": "name"}},
        {"name": "memory show", "description": "Shows memory", "input": None},
    ],
}
EMBEDS = {"protocolVersion": 1, "agentCapabilities": {"promptCapabilities": {"embeddedContext": True}}}


def popup(world: World) -> Popup | None:
    found = world.editor.extra.get("popup")
    return found if isinstance(found, Popup) else None


def rows(world: World) -> list[str]:
    found = popup(world)
    return [item.text for item in found.items] if found is not None else []


def draft(world: World) -> list[str]:
    return world.editor.buffer.lines


@pytest.fixture
def bob(world: World) -> World:
    world.agent("Bob", [["say", "ok"]], before_new=[COMMANDS], initialize=EMBEDS)
    for name in ("main.go", "docs/README.md", "my file.txt"):
        path = world.project / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"text of {name}\n")
    world.start()
    return world


def test_slash_opens_the_commands_and_typing_narrows(bob: World) -> None:
    bob.keys("/")
    assert rows(bob) == ["/help", "/model <name>", "/memory show"]
    found = popup(bob)
    assert found is not None
    assert [item.detail for item in found.items] == ["Shows help", "Chooses", "Shows memory"]
    bob.keys("M")
    assert rows(bob) == ["/model <name>", "/memory show"]
    bob.keys("emory s")
    assert rows(bob) == ["/memory show"]
    bob.keys("x")
    assert rows(bob) == []
    bob.keys("<BS>")
    assert rows(bob) == ["/memory show"]


def test_slash_elsewhere_and_without_commands_is_a_character(world: World) -> None:
    world.agent("Eve", [])
    world.start("Eve")
    world.keys("/he")
    assert rows(world) == []
    world.keys("<Tab>")
    assert world.editor.buffer is world.talk.buffer


def test_tab_takes_the_entry_and_one_that_wants_input_gets_a_blank(bob: World) -> None:
    bob.keys("/mo<Tab>")
    assert draft(bob) == ["/model "]
    assert rows(bob) == []
    bob.keys("gpt<CR>")
    bob.wait_for("ok")
    assert bob.calls("session/prompt")[0]["prompt"] == [{"type": "text", "text": "/model gpt"}]


def test_enter_takes_unless_the_word_is_complete_and_the_highlight_unmoved(bob: World) -> None:
    bob.keys("/he<CR>")
    assert draft(bob) == ["/help"]
    bob.keys("<C-u>/help<CR>")
    bob.wait_for("ok")
    assert bob.calls("session/prompt")[0]["prompt"] == [{"type": "text", "text": "/help"}]


def test_moving_the_highlight_makes_enter_take(bob: World) -> None:
    bob.keys("/<Down><Down><CR>")
    assert draft(bob) == ["/memory show"]
    assert bob.calls("session/prompt") == []


def test_first_escape_closes_the_list_and_the_second_leaves_insert(bob: World) -> None:
    bob.keys("/m<Esc>")
    assert rows(bob) == []
    assert bob.engine.mode == "i"
    bob.keys("o")
    assert rows(bob) == ["/model <name>"]
    bob.keys("<Esc><Esc>")
    assert bob.engine.mode == "n"


def test_at_lists_the_projects_files_and_a_taken_file_gets_a_blank(bob: World) -> None:
    bob.keys("see @")
    assert rows(bob) == ["main.go", "my file.txt", "docs/README.md"]
    bob.keys("read<Tab>")
    assert draft(bob) == ["see @docs/README.md "]
    bob.keys("and @my<Tab>")
    assert draft(bob) == ['see @docs/README.md and @"my file.txt" ']


def test_at_inside_a_word_opens_nothing(bob: World) -> None:
    bob.keys("me@")
    assert rows(bob) == []


def test_files_are_listed_anew_at_each_opening(bob: World) -> None:
    bob.keys("@new")
    assert rows(bob) == []
    bob.keys("<C-u>")
    (bob.project / "new.txt").write_text("")
    bob.keys("@new")
    assert rows(bob) == ["new.txt"]


def sent(world: World) -> list[dict[str, Any]]:
    world.until(lambda: world.calls("session/prompt"))
    blocks: list[dict[str, Any]] = world.calls("session/prompt")[-1]["prompt"]
    return blocks


def test_mention_is_a_block_in_its_place_and_the_conversation_keeps_the_line(bob: World) -> None:
    bob.say("explain @docs/README.md please")
    uri = f"file://{bob.project}/docs/README.md"
    assert sent(bob) == [
        {"type": "text", "text": "explain "},
        {"type": "resource",
         "resource": {"uri": uri, "mimeType": "text/markdown", "text": "text of docs/README.md\n"}},
        {"type": "text", "text": " please"},
    ]  # fmt: skip
    assert bob.shown[1] == "explain @docs/README.md please"


def test_mention_carries_unsaved_text(bob: World) -> None:
    bob.open("main.go").set_line(0, "typed")
    bob.say("@main.go")
    assert sent(bob)[0]["resource"]["text"] == "typed\n"


def test_mention_is_a_link_where_the_agent_takes_no_content(world: World) -> None:
    (world.project / "main.go").write_text("x\n")
    (world.project / "docs").mkdir()
    world.agent("Bob", [["say", "ok"]])
    world.start()
    world.say("@main.go and @docs/ and @gone.txt")
    uri = f"file://{world.project}/"
    first, _, second, last = sent(world)
    assert (first["type"], first["uri"], first["name"]) == ("resource_link", uri + "main.go", "main.go")
    assert (second["type"], second["uri"]) == ("resource_link", uri + "docs")
    assert last == {"type": "text", "text": " and @gone.txt"}


def test_file_that_cannot_be_read_as_text_is_a_link(bob: World) -> None:
    (bob.project / "bin").write_bytes(b"\0\1")
    bob.say("@bin")
    assert sent(bob)[0]["type"] == "resource_link"


def test_image_is_sent_only_to_an_agent_that_takes_images(world: World) -> None:
    (world.project / "p.png").write_bytes(b"\x89PNG")
    takes = {"protocolVersion": 1, "agentCapabilities": {"promptCapabilities": {"image": True}}}
    world.agent("Bob", [["say", "ok"]], initialize=takes)
    world.start()
    world.say("@p.png")
    block = sent(world)[0]
    assert (block["type"], block["mimeType"], block["data"]) == ("image", "image/png", "iVBORw==")


def test_buffer_and_selection_can_be_mentioned(bob: World) -> None:
    bob.keys("<Esc>")
    buffer = bob.open("main.go", b"one\ntwo\nthree\n")
    bob.editor.focus(bob.editor.layout.windows()[0])
    bob.keys("jVj<Esc>")
    bob.ex("agent Bob")
    bob.say("look at @:sel in @:buf")
    blocks = sent(bob)
    assert [block["type"] for block in blocks] == ["text", "resource", "text", "resource"], blocks
    assert blocks[1]["resource"]["text"] == "two\nthree\n"
    assert blocks[1]["resource"]["uri"].endswith("main.go#L2:3")
    assert blocks[3]["resource"]["text"] == "\n".join(buffer.lines) + "\n"


def test_gb_puts_what_a_motion_covers_into_the_prompt_and_dot_repeats(bob: World) -> None:
    bob.keys("<Esc>")
    bob.open("main.go", b"one\ntwo\nthree\n")
    bob.editor.focus(bob.editor.layout.windows()[0])
    bob.keys("gbj")
    assert bob.talk.prompt.text == "main.go:1-2\n```\none\ntwo\n```"
    bob.keys("j.")
    assert bob.talk.prompt.text.endswith("\nmain.go:2-3\n```\ntwo\nthree\n```")


def test_words_of_commands_complete(bob: World) -> None:
    words = bob.editor.extra["agent-words"]
    assert words("agent", "b") == ["Bob"]
    assert words("agent", "") == ["Bob", "Tutor"]
    assert words("agent-running", "") == ["Bob"]
    assert words("agent-answer", "") == []


def test_pasting_opens_no_list(bob: World) -> None:
    bob.engine.paste("/he")
    assert draft(bob) == ["/he"]
    assert rows(bob) == []


def test_pasting_into_the_conversation_is_refused_like_typing(bob: World) -> None:
    bob.keys("<Esc><Tab>")
    bob.engine.paste("x")
    assert bob.message.startswith("E21")


def test_help_agents_is_a_page_about_agent_windows(world: World) -> None:
    world.ex("help agents")
    lines = world.editor.buffer.lines
    assert lines[0] == "Agents"
    for wanted in (":agent[!]", ":allow", "]a", "<M-CR>", "<Tab>"):
        line = next((line for line in lines if line.strip().startswith(wanted + " ")), "")
        assert len(line.split()) > 2, wanted
    assert not world.agents.talks
