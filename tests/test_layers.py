"""The shape of the code: imports go one way, files and functions stay small."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# What a module's path begins with, by layer; the first that fits counts (docs/design.md).
LAYERS = (
    (0, tuple(f"modal/{name}.py" for name in ("registry", "options", "keymap", "startup", "shipped", "progress"))),
    (1, ("modal/text/",)),
    (2, ("modal/view/",)),
    (3, ("modal/editor.py",)),
    (4, ("modal/engine/",)),
    (5, ("modal/ex/",)),
    (6, ("modal/agent/",)),
    (7, ("modal/ui/",)),
    (8, ("modal/",)),
)
MOST_LINES, MOST_FUNCTION_LINES = 500, 60


def sources(*rooms: str) -> list[Path]:
    """All modules of some rooms."""
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py") if "__pycache__" not in path.parts)


def layer(path: str) -> int:
    """The layer of a module given by its path from the root."""
    return next(number for number, starts in LAYERS if path.startswith(starts))


def parsed(text: str) -> ast.Module:
    """The syntax tree of a module. Python 3.11 fails to make one when the collector calls Python meanwhile."""
    gc.disable()
    try:
        return ast.parse(text)
    finally:
        gc.enable()


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """Every `tpy` module that a file imports when it is run, with the line; not what only a type checker reads."""
    tree = parsed(path.read_text(encoding="utf-8"))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            if name == "tpy" or name.startswith("tpy."):
                yield name, node.lineno


def module_path(name: str) -> str | None:
    """The path of an imported module from the root, None where the name is none."""
    path = name.removeprefix("tpy.").replace(".", "/")
    if (ROOT / f"{path}.py").is_file():
        return f"{path}.py"
    if (ROOT / path / "__init__.py").is_file():
        return f"{path}/__init__.py"
    return None


def relative(path: Path) -> str:
    """A module's path from the root."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", sources("modal"), ids=relative)
def test_imports_come_from_the_same_layer_or_one_above(path: Path) -> None:
    own = layer(relative(path))
    wrong = [
        f"line {line} imports {name} of layer {layer(target)}"
        for name, line in imported(path)
        if (target := module_path(name)) is not None and target.startswith("modal/") and layer(target) > own
    ]
    assert not wrong, f"{relative(path)} is in layer {own}: {wrong}"


@pytest.mark.parametrize("path", sources("modal"), ids=relative)
def test_only_the_bridge_and_what_starts_it_know_the_protocol(path: Path) -> None:
    if relative(path).startswith("modal/agent/") or layer(relative(path)) == 8:
        return
    assert not [name for name, _ in imported(path) if name.startswith("tpy.acp")]


@pytest.mark.parametrize("path", sources("acp"), ids=relative)
def test_the_protocol_knows_nothing_of_the_editor(path: Path) -> None:
    assert not [name for name, _ in imported(path) if name.startswith("tpy.modal")]


@pytest.mark.parametrize("path", sources("modal", "acp"), ids=relative)
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= MOST_LINES
    long = [
        node.name
        for node in ast.walk(parsed(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > MOST_FUNCTION_LINES
    ]
    assert not long
