"""Keys in Vim's notation, the trie that keys are looked up in, and the keymap files.

A key is a string: one character that stands for itself (also `<`), or a name in angle brackets as `canonical`
gives it. No key is acted on here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

# Names that differ from the key's own, and the names of keys that have one spelling.
_ALIASES = {
    "return": "<CR>",
    "enter": "<CR>",
    "cr": "<CR>",
    "nl": "<C-j>",
    "linefeed": "<C-j>",
    "c-[": "<Esc>",
    "esc": "<Esc>",
    "c-i": "<Tab>",
    "c-m": "<CR>",
    "tab": "<Tab>",
    "space": " ",
    "lt": "<",
    "bar": "|",
    "bslash": "\\",
    "nul": "<C-@>",
    "c-space": "<C-@>",
    "backspace": "<BS>",
    "delete": "<Del>",
    "ins": "<Insert>",
}
_NAMED = "BS Del Up Down Left Right Home End PageUp PageDown Insert Plug Nop Ignore".split()
_NAMES = {name.lower(): name for name in [*_NAMED, *(f"F{n}" for n in range(1, 13))]}
_KEY = re.compile(r"<[^<>\s]+>|.", re.S)
# The control characters that have a name of their own.
_CONTROL = {"\x1b": "<Esc>", "\r": "<CR>", "\t": "<Tab>"}
# What opens the command-line window, by `q:` and by the key of `cedit`; nobody can type it.
WINDOW_KEY = "<CmdWin>"
# Vim's codes for keys that are no characters, as they stand in a register (`:help t_ku` and following).
_CODES = {
    "<Up>": "ku", "<Down>": "kd", "<Left>": "kl", "<Right>": "kr", "<Home>": "kh", "<End>": "@7",
    "<Del>": "kD", "<BS>": "kb", "<Insert>": "kI", "<PageUp>": "kP", "<PageDown>": "kN", "<S-Tab>": "kB",
    "<S-Left>": "#4", "<S-Right>": "%i", "<F1>": "k1", "<F2>": "k2", "<F3>": "k3", "<F4>": "k4", "<F5>": "k5",
    "<F6>": "k6", "<F7>": "k7", "<F8>": "k8", "<F9>": "k9", "<F10>": "k;", "<F11>": "F1", "<F12>": "F2",
}  # fmt: skip
_KEYS_OF_CODES = {code: key for key, code in _CODES.items()}


def canonical(name: str) -> str | None:
    """Return the one spelling of a key name without its brackets (`"c-A"` → `<C-a>`), `None` for no key."""
    lower = name.lower()
    if lower in _ALIASES:
        return _ALIASES[lower]
    if lower in _NAMES:
        return f"<{_NAMES[lower]}>"
    modifiers, base = set(), name
    while len(base) > 2 and base[1] == "-" and base[0].lower() in "csmad":
        modifiers.add({"a": "m"}.get(base[0].lower(), base[0].lower()))
        base = base[2:]
    if not modifiers:
        return None
    named = canonical(base) if len(base) > 1 else base
    if named is None:
        return None
    if len(named) == 1:
        if modifiers == {"c"}:
            if named.isascii() and (named.isalpha() or named in "@[\\]^_?"):
                return control(chr(ord(named.upper()) ^ 64))
        elif modifiers == {"s"} and named.isalpha():
            return named.upper()
        if "c" in modifiers:
            named = named.lower()
    prefix = "".join(f"{m.upper()}-" for m in "csmd" if m in modifiers)
    return f"<{prefix}{named.strip('<>') if len(named) > 1 else named}>"


def control(char: str) -> str:
    """Return the key that a control character is typed with (`"\\x01"` → `<C-a>`)."""
    if char in _CONTROL:
        return _CONTROL[char]
    return f"<C-{chr(ord(char) ^ 64).lower()}>"


def parse_keys(notation: str) -> list[str]:
    """Return the keys of a text in Vim notation; a `<` that begins no key name stands for itself."""
    keys: list[str] = []
    at = 0
    while at < len(notation):
        match = _KEY.match(notation, at)
        assert match is not None
        token = match[0]
        if len(token) > 1:
            key = canonical(token[1:-1])
            if key is None:
                token = "<"
                keys.append("<")
            else:
                keys.append(key)
        else:
            keys.append(token if token >= " " and token != "\x7f" else control(token))
        at += len(token)
    return keys


def to_text(keys: Iterable[str]) -> str:
    """Return keys as the text that a recording leaves in a register: control characters, and codes as Vim's."""
    return "".join(_text_of(key) for key in keys)


def _text_of(key: str) -> str:
    if len(key) == 1:
        return key
    if key in _CODES:
        return "\x80" + _CODES[key]
    for char, name in _CONTROL.items():
        if key == name:
            return char
    if len(key) == 5 and key.startswith("<C-"):
        return chr(ord(key[3].upper()) ^ 64)
    return key


def from_text(text: str) -> list[str]:
    """Return the keys that a register's text stands for: the reverse of `to_text`."""
    keys: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\x80" and text[at + 1 : at + 3] in _KEYS_OF_CODES:
            keys.append(_KEYS_OF_CODES[text[at + 1 : at + 3]])
            at += 3
            continue
        keys.append(char if char >= " " and char != "\x7f" else control(char))
        at += 1
    return keys


def char_of(key: str) -> str | None:
    """Return the character that a key stands for where one is asked (`f`, `r`, Insert mode), `None` for none."""
    if len(key) == 1:
        return key
    text = _text_of(key)
    return text if len(text) == 1 else None


T = TypeVar("T")


class Lookup(NamedTuple, Generic[T]):
    """What a sequence of keys finds: the value of the longest match and its length, and whether more keys could
    make a longer one."""

    value: T | None
    length: int
    longer: bool


class Trie(Generic[T]):
    """Values by sequences of keys."""

    def __init__(self) -> None:
        self._root: _Node[T] = _Node()

    def add(self, keys: Iterable[str], value: T) -> None:
        """Give the sequence a value, replacing the one it had."""
        node = self._root
        for key in keys:
            node = node.children.setdefault(key, _Node())
        node.value = value

    def remove(self, keys: Iterable[str]) -> bool:
        """Forget the sequence; `False` when it had no value."""
        path, node = [], self._root
        for key in keys:
            child = node.children.get(key)
            if child is None:
                return False
            path.append((node, key))
            node = child
        if node.value is None:
            return False
        node.value = None
        while path and node.value is None and not node.children:
            node, key = path.pop()
            del node.children[key]
        return True

    def find(self, keys: Iterable[str]) -> Lookup[T]:
        """Look up the beginning of `keys`."""
        node, value, length, depth = self._root, None, 0, 0
        for key in keys:
            child = node.children.get(key)
            if child is None:
                return Lookup(value, length, False)
            node, depth = child, depth + 1
            if node.value is not None:
                value, length = node.value, depth
        return Lookup(value, length, bool(node.children))

    def begins(self, key: str) -> bool:
        """Whether any sequence begins with the key."""
        return key in self._root.children

    def exact(self, keys: Iterable[str]) -> T | None:
        """Return the value of exactly this sequence."""
        node = self._root
        for key in keys:
            child = node.children.get(key)
            if child is None:
                return None
            node = child
        return node.value

    def items(self) -> Iterator[tuple[tuple[str, ...], T]]:
        """Yield every sequence with its value, in the order of the keys."""
        stack: list[tuple[tuple[str, ...], _Node[T]]] = [((), self._root)]
        while stack:
            keys, node = stack.pop()
            if node.value is not None:
                yield keys, node.value
            stack.extend(((*keys, k), node.children[k]) for k in sorted(node.children, reverse=True))

    def __bool__(self) -> bool:
        return bool(self._root.children)


class _Node(Generic[T]):
    __slots__ = ("children", "value")

    def __init__(self) -> None:
        self.children: dict[str, _Node[T]] = {}
        self.value: T | None = None


class Mapping(NamedTuple):
    """A user's mapping: what it was typed as, the keys it stands for, and how they are read.

    `expr`: `right` spells an expression whose value gives the keys each time (`:help :map-expression`). `nowait`:
    longer mappings are not waited for.
    """

    left: str
    right: tuple[str, ...]
    remap: bool = True
    silent: bool = False
    source: str = ""
    expr: bool = False
    nowait: bool = False


class Binding(NamedTuple):
    """A built-in key sequence: `kind` is "motion", "operator", "object", "action" or "shorthand" (`names` then
    holds an operator and a motion)."""

    kind: str
    names: tuple[str, ...]
    keys: tuple[str, ...]
