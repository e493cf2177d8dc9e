"""AGENTS §5, row by row: the lists of `/` and `@` on the screen, and mentions on the wire."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from agentworld import World, prompts

COMMANDS = {
    "sessionUpdate": "available_commands_update",
    "availableCommands": [
        {"name": "help", "description": "Shows help"},
        {"name": "/model", "description": "Chooses", "input": {"hint": "name"}},
        {"name": "Memory show", "description": "Shows memory"},
    ],
}
EMBEDS = {"protocolVersion": 1, "agentCapabilities": {"promptCapabilities": {"embeddedContext": True}}}
FILES = ("main.go", "docs/README.md", "my file.txt", "docs/maintain.txt", ".git/HEAD2", "build/out.o")


def listed(world: World) -> list[str]:
    """The rows of the open list as they stand on the screen, "" for none."""
    popup: Any = world.editor.extra.get("popup")
    rows = world.screen
    found = [item.text for item in popup.items] if popup is not None else []
    for text in found[:5]:
        assert any(text in row for row in rows), text
    return found


def sent(world: World) -> list[dict[str, Any]]:
    world.until(lambda: world.calls("session/prompt"))
    blocks: list[dict[str, Any]] = world.calls("session/prompt")[-1]["prompt"]
    return blocks


@pytest.fixture
def bob(world: World) -> World:
    world.agent("Bob", [["say", "ok"]], before_new=[COMMANDS], initialize=EMBEDS)
    for name in FILES:
        path = world.project / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"text of {name}\n")
    (world.project / ".gitignore").write_text("build/\n")
    world.start()
    return world


def test_s5_slash_opens_the_commands_over_the_bottom_of_the_conversation(bob: World) -> None:
    bob.keys("/")
    assert listed(bob) == ["/help", "/model <name>", "/Memory show"]
    assert bob.sees("Shows memory")
    assert bob.cell("/Memory show")[0] == bob.cell("Bob  idle")[0] - 1


@pytest.mark.parametrize(
    ("typed", "rows"),
    [
        ("/m", ["/model <name>", "/Memory show"]),
        ("/MEM", ["/Memory show"]),
        ("/memory ", ["/Memory show"]),
        ("/memory sh", ["/Memory show"]),
        ("/memory x", []),
        (" /", []),
        ("a/", []),
        ("x<C-j>/", []),
    ],
)
def test_s5_typing_narrows_by_prefix(bob: World, typed: str, rows: list[str]) -> None:
    bob.keys(typed)
    assert listed(bob) == rows


def test_s5_without_commands_slash_is_a_character_and_tab_keeps_its_meaning(world: World) -> None:
    world.agent("Eve", [])
    world.start("Eve")
    world.keys("/he")
    assert listed(world) == []
    world.keys("<Tab>")
    assert world.editor.buffer.name == "agent://Eve"


def test_s5_command_is_plain_text_on_the_wire(bob: World) -> None:
    bob.keys("/mo<Tab>gpt<CR>")
    assert sent(bob) == [{"type": "text", "text": "/model gpt"}]


def test_s5_pasting_opens_no_list(bob: World) -> None:
    bob.engine.paste("/he")
    assert listed(bob) == []


@pytest.mark.parametrize(
    ("typed", "rows"),
    [
        ("@ma", ["main.go", "docs/maintain.txt"]),
        ("/model @ma", ["main.go", "docs/maintain.txt"]),
        ("see @ma", ["main.go", "docs/maintain.txt"]),
        ("@docs/", ["docs/maintain.txt", "docs/README.md"]),
        ("@dcrm", ["docs/README.md"]),
        ("a@ma", []),
        ("@HEAD2", []),
        ("@out", []),
        ('@"my f', ["my file.txt"]),
    ],
)
def test_s5_at_lists_the_projects_files(bob: World, typed: str, rows: list[str]) -> None:
    bob.keys(typed)
    assert sorted(listed(bob)) == sorted(rows) if "/" in typed else listed(bob) == rows


def test_s5_agentignore_brings_ignored_files_back(bob: World) -> None:
    bob.ex("set agentignore=")
    bob.keys("i@out")
    assert listed(bob) == ["build/out.o"]


def test_s5_list_shows_200_and_says_so_in_its_last_line(bob: World) -> None:
    for number in range(250):
        (bob.project / f"file{number:03}.txt").touch()
    bob.keys("@file")
    assert len(listed(bob)) == 200
    bob.keys("<Up>")
    assert bob.sees("… 51 more: type on to narrow")


def test_s5_walk_is_redone_at_each_opening(bob: World) -> None:
    bob.keys("@new")
    assert listed(bob) == []
    (bob.project / "new.txt").touch()
    bob.keys("<C-u>@new")
    assert listed(bob) == ["new.txt"]


@pytest.mark.parametrize(
    ("keys", "taken"),
    [
        ("/<Down><Tab>", "/model "),
        ("/<C-n><C-n><C-p><Tab>", "/model "),
        ("/<Up><Tab>", "/Memory show"),
        ("/<PageDown><Tab>", "/Memory show"),
        ("/<PageDown><PageUp><Tab>", "/help"),
        ("/h<CR>", "/help"),
        ("see @mai<Tab>", "see @main.go "),
        ("see @my<CR>", 'see @"my file.txt" '),
    ],
)
def test_s5_keys_of_an_open_list(bob: World, keys: str, taken: str) -> None:
    bob.keys(keys)
    assert bob.editor.buffer.lines == [taken]
    assert listed(bob) == []
    assert prompts(bob) == []


def test_s5_enter_sends_a_complete_word_with_the_highlight_unmoved(bob: World) -> None:
    bob.keys("/help<CR>")
    bob.see("ok")
    assert prompts(bob) == ["/help"]
    bob.idle()
    bob.keys("/help<Down><CR>")
    assert bob.editor.buffer.lines == ["/help"]
    assert prompts(bob) == ["/help"]


def test_s5_first_escape_closes_the_list_and_the_second_leaves_insert(bob: World) -> None:
    bob.keys("/m<Esc>")
    assert listed(bob) == []
    assert bob.sees("-- INSERT --")
    bob.keys("o")
    assert listed(bob) == ["/model <name>"]
    bob.keys("<Esc><Esc>")
    assert not bob.sees("-- INSERT --")


def test_s5_mention_is_a_block_in_its_place_and_the_conversation_keeps_the_line(bob: World) -> None:
    bob.say("explain @docs/README.md please")
    uri = f"file://{bob.project}/docs/README.md"
    text = "text of docs/README.md\n"
    assert sent(bob) == [
        {"type": "text", "text": "explain "},
        {"type": "resource", "resource": {"uri": uri, "mimeType": "text/markdown", "text": text}},
        {"type": "text", "text": " please"},
    ]
    assert bob.sees("explain @docs/README.md please")


def test_s5_mention_has_the_text_of_the_buffer(bob: World) -> None:
    bob.open("main.go").set_line(0, "typed")
    bob.say("@main.go")
    assert sent(bob)[0]["resource"]["text"] == "typed\n"


def test_s5_mention_is_a_link_where_content_is_not_taken_or_cannot_be_read(world: World) -> None:
    (world.project / "main.go").write_text("x\n")
    (world.project / "docs").mkdir()
    world.agent("Bob", [["say", "ok"]])
    world.start()
    world.say("@main.go and @docs/")
    uri = f"file://{world.project}/"
    first, text, second = sent(world)
    assert (first["type"], first["uri"], first["name"]) == ("resource_link", uri + "main.go", "main.go")
    assert first["mimeType"].startswith("text/")
    assert text == {"type": "text", "text": " and "}
    assert (second["type"], second["uri"]) == ("resource_link", uri + "docs")


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("@main.go", "main.go"),
        ("(@main.go)", None),
        ("see @main.go, then", "main.go"),
        ("see @main.go: it", "main.go"),
        ("@main.gopher", None),
        ("@gone.txt", None),
        ("me@main.go", None),
        ("@/etc/passwd", None),
        ("@../x", None),
        ("@~/x", None),
        ('@"my file.txt" now', "my file.txt"),
        ("@build/out.o", "build/out.o"),
        ("@out/f", None),
    ],
)
def test_s5_which_words_are_mentions(bob: World, typed: str, named: str | None) -> None:
    outside = bob.root / "outside"
    outside.mkdir()
    (outside / "f").write_text("x\n")
    (bob.project / "out").symlink_to(outside)
    bob.engine.paste(typed)
    bob.keys("<CR>")
    found = [block.get("resource", block).get("uri", "") for block in sent(bob) if block["type"] != "text"]
    assert [uri.rpartition("/project/")[2].replace("%20", " ") for uri in found] == ([named] if named else [])


def test_s5_sel_and_buf(bob: World) -> None:
    bob.open("main.go", b"one\ntwo\nthree\n")
    bob.to_file()
    bob.keys("jVj<Esc>")
    bob.ex("agent Bob")
    bob.say("look at @:sel in @:buf")
    _, selected, _, whole = sent(bob)
    assert selected["resource"]["text"] == "two\nthree\n"
    assert selected["resource"]["uri"].endswith("main.go#L2:3")
    assert whole["resource"]["text"] == "one\ntwo\nthree\n"


def test_s5_quickfix_list(bob: World) -> None:
    bob.open("main.go", b"one\ntwo\none\n")
    bob.to_file()
    bob.ex(f"vimgrep /one/ {bob.project}/main.go")
    bob.ex("agent Bob")
    bob.say("see @:qf")
    assert sent(bob)[1]["resource"]["text"].replace(f"{bob.project}/", "") == "main.go:1:1: one\nmain.go:3:1: one\n"


def test_s5_diff_of_what_is_not_staged(bob: World) -> None:
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(bob.home)}
    for words in ("init -q", "add main.go"):
        subprocess.run(["git", *words.split()], cwd=bob.project, env=environ, check=True, capture_output=True)
    (bob.project / "main.go").write_text("other\n")
    bob.say("see @:diff")
    text = sent(bob)[1]["resource"]["text"]
    assert "-text of main.go" in text
    assert "+other" in text


def test_s5_special_mentions_are_offered(bob: World) -> None:
    bob.keys("@:")
    assert listed(bob) == ["@:sel", "@:buf", "@:qf", "@:diff"]
    bob.keys("d<Tab>")
    assert bob.editor.buffer.lines == ["@:diff "]


@pytest.mark.parametrize(("takes", "kind"), [(True, "image"), (False, "resource_link")])
def test_s5_image_only_for_an_agent_that_takes_them(world: World, takes: bool, kind: str) -> None:
    (world.project / "p.png").write_bytes(b"\x89PNG")
    capabilities = {"promptCapabilities": {"image": takes}}
    world.agent("Bob", [["say", "ok"]], initialize={"protocolVersion": 1, "agentCapabilities": capabilities})
    world.start()
    world.say("@p.png")
    (block,) = sent(world)
    assert (block["type"], block["mimeType"]) == (kind, "image/png")
    assert block.get("data") == ("iVBORw==" if takes else None)
