"""Draw pictures of the real program for the README and the guides, as SVG: `make screenshots`.

One scene a picture, in `SCENES`. The editor runs in a pseudo-terminal; the screen model's cells become text and
rectangles.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / "screen")]

from harness import Editor  # noqa: E402

CELL_W, CELL_H, PAD = 8.4, 18, 12
PALETTE = {
    "default": "#d8dee4", "black": "#1c2128", "red": "#f47067", "green": "#8ddb8c", "brown": "#e0b070",
    "blue": "#6cb6ff", "magenta": "#dcbdfb", "cyan": "#76e3ea", "white": "#cdd9e5",
    "brightblack": "#768390", "brightred": "#ff938a", "brightgreen": "#b4f1b4", "brightbrown": "#eac55f",
    "brightblue": "#96d0ff", "brightmagenta": "#e2c5ff", "brightcyan": "#b3f0ff", "brightwhite": "#ffffff",
}  # fmt: skip
PAPER = "#22272e"


def _color(name: str, fallback: str) -> str:
    if name == "default":
        return fallback
    return PALETTE.get(name, f"#{name}")


def _style(cell: Any) -> tuple[str, str, bool, bool, bool]:
    ink, paper = _color(cell.fg, PALETTE["default"]), _color(cell.bg, PAPER)
    if cell.reverse:
        ink, paper = paper, ink
    return ink, paper, cell.bold, cell.italics, cell.underscore


def svg(editor: Editor) -> str:
    """Return the screen as an SVG picture."""
    columns, rows = editor.screen.columns, editor.screen.lines
    width, height = columns * CELL_W + 2 * PAD, rows * CELL_H + 2 * PAD
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">',
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>',
    ]
    cursor = editor.cursor
    for row in range(rows):
        column = 0
        while column < columns:
            cell = editor.cell(row, column)
            style, start, text = _style(cell), column, ""
            while column < columns and _style(editor.cell(row, column)) == style and (row, column) != cursor:
                text += editor.cell(row, column).data or ""
                column += 1
            if (row, start) == cursor:
                text, column = editor.cell(row, start).data, start + 1
                style = (style[1], style[0], *style[2:])
            parts += _run(text, style, start, row, column - start)
    return "\n".join([*parts, "</svg>", ""])


def _run(text: str, style: tuple[str, str, bool, bool, bool], column: int, row: int, cells: int) -> list[str]:
    ink, paper, bold, italic, underlined = style
    x, y = PAD + column * CELL_W, PAD + row * CELL_H
    parts = []
    if paper != PAPER:
        parts.append(f'<rect x="{x:.1f}" y="{y}" width="{cells * CELL_W:.1f}" height="{CELL_H}" fill="{paper}"/>')
    if text.strip():
        extra = (' font-weight="bold"' if bold else "") + (' font-style="italic"' if italic else "")
        extra += ' text-decoration="underline"' if underlined else ""
        parts.append(
            f'<text x="{x:.1f}" y="{y + 13.5:.1f}" fill="{ink}" textLength="{cells * CELL_W:.1f}" '
            f'xml:space="preserve"{extra}>{escape(text)}</text>'
        )
    return parts


GREET = (
    'def greet(name: str) -> str:\n    """Return a greeting."""\n    return f"Hello, {name}!"\n\n\n'
    'if __name__ == "__main__":\n    print(greet("Vim"))\n'
)
BIG, SMALL = (120, 32), (80, 24)
Scene = Callable[[Editor], None]


def _prompt(tpy: Editor, text: str) -> None:
    tpy.keys(":agent Tutor<CR>")
    tpy.wait("Tutor  idle")
    tpy.keys(text)


def _streaming(tpy: Editor) -> None:
    """An answer on its way: a plan, a list, code, the spinner."""
    _prompt(tpy, "/plan<CR>")
    tpy.wait("The plan is done")
    tpy.wait("idle")
    tpy.keys("/markdown<CR>")
    tpy.wait(lambda t: t.text.count("def greet") == 2)


def _permission(tpy: Editor) -> None:
    """A question with its diff beside the file."""
    _prompt(tpy, "edit greet.py<CR>")
    tpy.wait("Tutor asks")
    tpy.keys("<Esc>")
    tpy.wait(lambda t: "INSERT" not in t.text)


def _changed(tpy: Editor) -> None:
    """What it wrote, in the open buffer."""
    _permission(tpy)
    tpy.keys(":allow<CR>")
    tpy.wait("is mine")
    tpy.wait("idle")


def _diff(tpy: Editor) -> None:
    """The cursor in the diff of the conversation, at a hunk."""
    _changed(tpy)
    tpy.keys("<Tab>[czt")
    tpy.wait(lambda t: "@@" in t.rows()[t.cursor[0]])


def _lists(tpy: Editor) -> None:
    """The list of commands over the conversation."""
    _prompt(tpy, "hello<CR>")
    tpy.wait("the list comes by itself")
    tpy.wait("idle")
    tpy.keys("/")
    tpy.wait("change a file, after asking")


def _form(tpy: Editor) -> None:
    """A form to fill in."""
    _prompt(tpy, "/form<CR>")
    tpy.wait("Keys you know")
    tpy.keys("<Esc><C-w>k<C-w>kA Ada<Esc>")
    tpy.wait("required): Ada")


def _status(tpy: Editor) -> None:
    """What is known about all agents, and the sessions."""
    _prompt(tpy, "/slow 60<CR>")
    tpy.wait("Count to 60")
    tpy.keys("<Esc>:agentstatus<CR>:only<CR>/agent:..Tut<CR>:set so=0<CR>:noh<CR>zt")
    tpy.wait("mode (Mode)")


def _lesson(tpy: Editor) -> None:
    """The lesson, on a screen of that size."""
    _prompt(tpy, "/lesson 7<CR>")
    tpy.wait("then say yes")
    tpy.wait("idle")
    tpy.keys("/permission<CR>")
    tpy.wait("Tutor asks")


SCENES: dict[str, tuple[tuple[int, int], Scene]] = {
    "streaming": (BIG, _streaming),
    "permission": (BIG, _permission),
    "changed": (BIG, _changed),
    "diff": (BIG, _diff),
    "lists": (SMALL, _lists),
    "form": (SMALL, _form),
    "status": (SMALL, _status),
    **{
        f"size-{columns}x{rows}": ((columns, rows), _lesson)
        for columns, rows in ((160, 45), (100, 30), (80, 24), (60, 20))
    },
}


def take(name: str, folder: Path) -> None:
    """Take one picture into `folder`."""
    size, scene = SCENES[name]
    with tempfile.TemporaryDirectory(prefix="tpy-pictures-") as work:
        (Path(work) / "greet.py").write_text(GREET)
        with Editor(["greet.py"], size=size, cwd=Path(work), env={"COLORTERM": "truecolor"}, timeout=60) as tpy:
            tpy.wait("Hello")
            scene(tpy)
            (folder / f"{name}.svg").write_text(svg(tpy))
            tpy.keys("<Esc>:qa!<CR>")


def main() -> None:
    """Write all pictures, or those named, into `docs/pictures/`."""
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    for name in sys.argv[1:] or SCENES:
        take(name, folder)


if __name__ == "__main__":
    main()
