"""Themes: which colours and attributes a class of text has, as the terminal can show them.

A theme is a TOML file with a table `[styles]`, one row a class (`"syntax.keyword" = { fg = "yellow", bold = true }`),
and optionally `[palette]` with names for colours. Shipped ones are in `keymaps/themes/`, the user's in
`~/.config/turbo-python/themes/`. Colours are the 16 names, 0-255, or `#rrggbb`. A class without a row uses the part
before its last dot. Which text has which class is the matter of `highlight.py` and `render.py`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from tpy.modal.shipped import shipped_path, shipped_text

NAMES = (
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    "bright-black", "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan",
    "bright-white",
)  # fmt: skip
ATTRIBUTES = {"bold": 1, "dim": 2, "italic": 3, "underline": 4, "blink": 5, "reverse": 7, "strike": 9}
# How many colours the terminal has: none, the 16 names, 256, or any.
PLAIN, ANSI, INDEXED, TRUE = 0, 16, 256, 1 << 24
_LEVELS = (0, 95, 135, 175, 215, 255)
# What xterm shows for the 16 names, to find the nearest one.
_ANSI_RGB = (
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
)  # fmt: skip

Color = int | tuple[int, int, int]


class ThemeError(ValueError):
    """A theme can't be used; the text says which, where and why."""


class Style(NamedTuple):
    """Colours (None: those of what is below) and attributes of a class."""

    fg: Color | None = None
    bg: Color | None = None
    attributes: frozenset[str] = frozenset()

    def over(self, below: Style) -> Style:
        """This style laid over another."""
        return Style(
            below.fg if self.fg is None else self.fg,
            below.bg if self.bg is None else self.bg,
            below.attributes | self.attributes,
        )


def color_depth(environment: Mapping[str, str]) -> int:
    """How many colours the environment says the terminal has (`NO_COLOR`, `COLORTERM`, `TERM`)."""
    if environment.get("NO_COLOR"):
        return PLAIN
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return TRUE
    term = environment.get("TERM", "")
    if term.endswith("-direct"):
        return TRUE
    if "256" in term or term.startswith(("xterm-kitty", "alacritty", "foot", "xterm-ghostty")):
        return INDEXED
    return PLAIN if term in ("", "dumb") else ANSI


class Theme:
    """The styles of one theme for a terminal of `depth` colours; `sgr` is what the renderer asks."""

    def __init__(self, name: str, styles: Mapping[str, Style], depth: int) -> None:
        self.name = name
        self.depth = depth
        self._styles = styles
        self._known: dict[tuple[str, ...], str] = {}
        # Text itself has a background of its own: every row is then painted to its end.
        self.paints_background = depth != PLAIN and self.style("text").bg is not None

    def style(self, name: str) -> Style:
        """The style of a class, or of what it is a part of (`syntax.keyword` of `syntax.keyword.import`)."""
        while name:
            if name in self._styles:
                return self._styles[name]
            name = name.rpartition(".")[0]
        return Style()

    def sgr(self, classes: tuple[str, ...]) -> str:
        """The sequence that sets the classes, each laid over the one before, `""` when nothing is to be set.

        It starts from plain text; `\\x1b[m` goes back there.
        """
        known = self._known.get(classes)
        if known is None:
            style = self.style("text")
            for name in classes:
                style = self.style(name).over(style)
            known = self._known[classes] = self._sequence(style)
        return known

    def _sequence(self, style: Style) -> str:
        codes = [str(ATTRIBUTES[name]) for name in sorted(style.attributes)]
        if self.depth != PLAIN:
            codes += [
                _code(color, base, self.depth) for color, base in ((style.fg, 30), (style.bg, 40)) if color is not None
            ]
        return f"\x1b[{';'.join(codes)}m" if codes else ""


def _code(color: Color, base: int, depth: int) -> str:
    """The SGR parameters of a colour, as near as the terminal can come."""
    if isinstance(color, tuple):
        if depth == TRUE:
            return f"{base + 8};2;{color[0]};{color[1]};{color[2]}"
        color = _nearest_indexed(color)
    if color > 15 and depth == ANSI:
        color = _nearest(_rgb(color), _ANSI_RGB)
    if color < 8:
        return str(base + color)
    return str(base + 52 + color) if color < 16 else f"{base + 8};5;{color}"


def _rgb(index: int) -> tuple[int, int, int]:
    if index < 16:
        return _ANSI_RGB[index]
    if index >= 232:
        return (8 + 10 * (index - 232),) * 3
    index -= 16
    return _LEVELS[index // 36], _LEVELS[index // 6 % 6], _LEVELS[index % 6]


def _nearest(color: tuple[int, int, int], among: tuple[tuple[int, int, int], ...]) -> int:
    def distance(number: int) -> int:
        return sum((a - b) ** 2 for a, b in zip(color, among[number], strict=True))

    return min(range(len(among)), key=distance)


def _nearest_indexed(color: tuple[int, int, int]) -> int:
    return 16 + _nearest(color, tuple(_rgb(number) for number in range(16, 256)))


def parse_color(value: object, palette: Mapping[str, object]) -> Color:
    """A colour as a theme writes it. ThemeError when it is none."""
    if isinstance(value, str) and value in palette:
        value = palette[value]
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 256:
        return value
    if isinstance(value, str):
        if value in NAMES:
            return NAMES.index(value)
        if len(value) == 7 and value[0] == "#":
            try:
                return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)
            except ValueError:
                pass
    raise ThemeError(f'{value!r} is no colour: use one of {", ".join(NAMES[:8])}, bright-…, 0-255 or "#rrggbb"')


def parse_styles(document: Mapping[str, Any], where: str) -> dict[str, Style]:
    """The styles of a theme's TOML document. ThemeError names the place and the mistake."""
    palette = document.get("palette", {})
    rows = document.get("styles")
    if not isinstance(rows, dict) or not isinstance(palette, dict):
        raise ThemeError(f"{where}: a theme needs a table [styles]")
    styles = {}
    for name, row in rows.items():
        if not isinstance(row, dict):
            raise ThemeError(f'{where}: "{name}" must be a table such as {{ fg = "red", bold = true }}')
        unknown = [key for key in row if key not in ATTRIBUTES and key not in ("fg", "bg")]
        if unknown:
            raise ThemeError(f'{where}: "{name}" has an unknown key {unknown[0]!r}')
        try:
            fg, bg = (parse_color(row[key], palette) if key in row else None for key in ("fg", "bg"))
        except ThemeError as error:
            raise ThemeError(f'{where}: "{name}": {error}') from None
        styles[name] = Style(fg, bg, frozenset(key for key in ATTRIBUTES if row.get(key)))
    return styles


def user_directory() -> str:
    """Where the user's themes are."""
    own = os.environ.get("TURBO_PYTHON_DIR")
    if own:
        return os.path.join(own, "themes")
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return os.path.join(base, "turbo-python", "themes")


def first_theme(environment: Mapping[str, str]) -> Theme:
    """The theme to start with on a terminal as the environment tells: without colours where it has none."""
    depth = color_depth(environment)
    return load_theme("mono" if depth == PLAIN else "default", depth)


def theme_names() -> list[str]:
    """The names `:colorscheme` takes, the user's among them."""
    shipped = os.listdir(shipped_path("themes"))
    try:
        own = os.listdir(user_directory())
    except OSError:
        own = []
    return sorted({name[:-5] for name in [*shipped, *own] if name.endswith(".toml")})


def load_theme(name: str, depth: int) -> Theme:
    """Read a theme, the user's before a shipped one of the same name. ThemeError when there is none or it is wrong."""
    import tomli

    where = os.path.join(user_directory(), f"{name}.toml")
    try:
        with open(where, encoding="utf-8") as own:
            text = own.read()
    except (OSError, UnicodeDecodeError, ValueError):
        where = f"{name}.toml"
        if "/" in name or not os.path.isfile(shipped_path("themes", where)):
            raise ThemeError(f"E185: Cannot find color scheme '{name}': there are {', '.join(theme_names())}") from None
        text = shipped_text("themes", where)
    try:
        document = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise ThemeError(f"{where}: {error}") from None
    return Theme(name, parse_styles(document, where), depth)
