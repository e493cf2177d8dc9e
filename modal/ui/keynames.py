"""The names of keys that arrive as sequences: from bytes and numbers to the spelling of `keymap.canonical`.

Plain sequences are known by curtsies' key tables; what those lack or get wrong (modified keys, the kitty
protocol, xterm's modifyOtherKeys) is computed from the numbers in the sequence. Which bytes belong together
is decided in `keydecode.py`.
"""

from __future__ import annotations

from functools import cache

from tpy.modal.keymap import canonical

_SHIFT, _META, _CTRL = 1, 2, 4
_ALT_ALSO = 32  # kitty's "meta" modifier, treated as Alt

# Final letters of `CSI 1 ; modifiers X` and of `ESC O X`.
_LETTERS = {
    "A": "Up", "B": "Down", "C": "Right", "D": "Left", "H": "Home", "F": "End",
    "P": "F1", "Q": "F2", "R": "F3", "S": "F4", "E": "Home",
}  # fmt: skip
# Numbers of `CSI number ; modifiers ~`.
_NUMBERS = {
    1: "Home", 2: "Insert", 3: "Del", 4: "End", 5: "PageUp", 6: "PageDown", 7: "Home", 8: "End",
    11: "F1", 12: "F2", 13: "F3", 14: "F4", 15: "F5", 17: "F6", 18: "F7", 19: "F8", 20: "F9", 21: "F10",
    23: "F11", 24: "F12",
}  # fmt: skip
# The keypad in the kitty protocol (from 57399), as the keys it stands for.
_KEYPAD_KITTY = [
    *"0123456789./*-+", "CR", "=", ",", "Left", "Right", "Up", "Down", "PageUp", "PageDown", "Home", "End",
    "Insert", "Del",
]  # fmt: skip
_CODES = {8: "BS", 9: "Tab", 13: "CR", 27: "Esc", 127: "BS"}
# What Ctrl makes of characters whose key carries a control character in older terminals.
_CTRL_ALIASES = {" ": "@", "2": "@", "3": "[", "4": "\\", "5": "]", "6": "^", "7": "_", "8": "?", "/": "_"}
_CURTSIES_NAMES = {"DELETE": "Del", "BACKSPACE": "BS", "PAGEUP": "PageUp", "PAGEDOWN": "PageDown"}


def control(byte: int) -> str:
    """The key of a control character: `0x01` is `<C-a>`."""
    return _CONTROL[byte]


def _control(byte: int) -> str:
    if byte in _CODES and byte != 8:
        return f"<{_CODES[byte]}>"
    return f"<C-{chr(byte + 64).lower()}>"


_CONTROL = {byte: _control(byte) for byte in [*range(32), 127]}


def meta(key: str) -> str:
    """The same key with Alt held: `x` is `<M-x>`, `<CR>` is `<M-CR>`."""
    name = key[1:-1] if len(key) > 1 else "Space" if key == " " else "lt" if key == "<" else key
    return _spelled(f"M-{name}")


def _spelled(name: str) -> str:
    return canonical(name) or f"<{name}>"


@cache
def csi(sequence: bytes, parameters: bytes, final: bytes) -> str | None:
    """The key of a `CSI` sequence without private mark, or None when it is no key."""
    numbers = _numbers(parameters)
    first, modifiers = _at(numbers, 0, 1), _modifiers(_at(numbers, 1, 1))
    if len(numbers) > 1 and len(numbers[1]) > 1 and numbers[1][1] == 3:
        return None  # kitty: the key was let go
    letter = final.decode()
    if letter == "u":
        return _unicode_key(numbers[0], modifiers) if numbers else None
    if letter == "~" and first == 27 and len(numbers) == 3:
        return _unicode_key(numbers[2], modifiers)
    if letter == "R" and not (first == 1 and 1 < _at(numbers, 1, 1) <= 8):
        return None  # a cursor report; only `CSI 1;2R` and kin are Shift-F3
    if not parameters:
        return _named(_LETTERS.get(letter), 0) or _plain(sequence)
    name = _NUMBERS.get(first) if letter == "~" else _LETTERS.get(letter) if first == 1 else None
    if letter == "Z":
        name, modifiers = "Tab", modifiers | _SHIFT
    return _named(name, modifiers) or _plain(sequence)


@cache
def ss3(sequence: bytes, parameters: bytes, final: bytes) -> str | None:
    """The key of `ESC O X`: cursor keys in application mode, F1 to F4."""
    modifiers = _modifiers(_at(_numbers(parameters), -1, 1)) if parameters else 0
    return _named(_LETTERS.get(final.decode()), modifiers) or _plain(sequence)


def _plain(sequence: bytes) -> str | None:
    """What curtsies calls a sequence without parameters of its own, in our spelling."""
    from tpy.modal.ui.lightcurtsies import Keynames, get_key

    try:
        name = get_key([sequence], "utf-8", Keynames.CURTSIES, full=True)
    except (ValueError, AssertionError):
        return None
    if not name or not name.startswith("<") or len(name) < 3:
        return None
    *held, base = name[1:-1].replace("Esc+", "Meta-").split("-")
    modifiers = sum({"Shift": _SHIFT, "Meta": _META, "Ctrl": _CTRL}.get(word, 0) for word in held)
    return _named(_CURTSIES_NAMES.get(base, base.capitalize()), modifiers)


def _numbers(parameters: bytes) -> list[list[int]]:
    """`b"97:65;5"` → `[[97, 65], [5]]`; what is left out is 0."""
    return [[int(part or 0) for part in field.split(b":")] for field in parameters.split(b";")] if parameters else []


def _at(numbers: list[list[int]], index: int, default: int) -> int:
    return numbers[index][0] or default if -len(numbers) <= index < len(numbers) else default


def _modifiers(number: int) -> int:
    bits = max(number - 1, 0)
    return bits & (_SHIFT | _META | _CTRL) | (_META if bits & _ALT_ALSO else 0)


def _unicode_key(codes: list[int], modifiers: int) -> str | None:
    """The key of a character code; `codes` may hold the shifted key and the key of a Latin keyboard, too."""
    code = codes[0]
    if code in _CODES:
        return _named(_CODES[code], modifiers)
    if 57399 <= code < 57399 + len(_KEYPAD_KITTY):
        name = _KEYPAD_KITTY[code - 57399]
        return _named(name, modifiers if len(name) > 1 else modifiers & ~_SHIFT)
    if code < 32 or 0xD800 <= code < 0xF900 or code > 0x10FFFF:
        return None  # keys of modifiers, media and lock keys
    if modifiers & (_CTRL | _META) and code > 127 and len(codes) > 2 and codes[2]:
        code = codes[2]
    char = chr(code)
    if modifiers & _SHIFT:
        shifted = chr(codes[1]) if len(codes) > 1 and codes[1] and code == codes[0] else char.upper()
        if len(shifted) == 1 and shifted != char and not (modifiers & _CTRL and shifted.isalpha()):
            char, modifiers = shifted, modifiers & ~_SHIFT
    return _character(char, modifiers)


def _character(char: str, modifiers: int) -> str:
    """A character with modifiers in the one spelling; without any it stands for itself."""
    if modifiers & _CTRL and char in _CTRL_ALIASES:
        char, modifiers = _CTRL_ALIASES[char], modifiers & ~_SHIFT
    if not modifiers or (char == " " and modifiers == _SHIFT):
        return char
    return _named("Space" if char == " " else "lt" if char == "<" else char, modifiers) or char


def _named(name: str | None, modifiers: int) -> str | None:
    if not name:
        return None
    held = ("C-" if modifiers & _CTRL else "") + ("S-" if modifiers & _SHIFT else "")
    held += "M-" if modifiers & _META else ""
    return name if not held and len(name) == 1 else _spelled(held + name)
