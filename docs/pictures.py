"""Draw pictures of the real program for the README and the guides, as SVG: `make pictures`.

The editor runs in a pseudo-terminal; the screen model's cells become text and rectangles.
"""

from __future__ import annotations

import sys
import tempfile
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


def session(folder: Path) -> None:
    """Take the pictures of one session with the Tutor."""
    work = Path(tempfile.mkdtemp(prefix="tpy-pictures-"))
    (work / "greet.py").write_text(
        'def greet(name: str) -> str:\n    """Return a greeting."""\n    return f"Hello, {name}!"\n\n\n'
        'if __name__ == "__main__":\n    print(greet("Vim"))\n'
    )
    with Editor(["greet.py"], size=(120, 32), cwd=work, env={"COLORTERM": "truecolor"}) as tpy:
        tpy.wait("Hello")
        tpy.keys(":agent Tutor<CR>")
        tpy.wait("idle")
        tpy.keys("edit greet.py<CR>")
        tpy.wait("Tutor asks")
        tpy.keys("<Esc>")
        tpy.wait(lambda t: "INSERT" not in t.text)
        (folder / "permission.svg").write_text(svg(tpy))
        tpy.keys(":allow<CR>")
        tpy.wait("is mine")
        tpy.wait("idle")
        (folder / "changed.svg").write_text(svg(tpy))


def main() -> None:
    """Write all pictures into `docs/pictures/`."""
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    session(folder)


if __name__ == "__main__":
    main()
