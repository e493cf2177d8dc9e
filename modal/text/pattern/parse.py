"""Reading a Vim pattern into its syntax tree.

Lives here: the grammar (branches, concats, pieces, atoms, multis) with Vim's error messages.
Not here: magic (`tokens.py`), collections (`collection.py`), matching. Source: `:help pattern`.
"""

from __future__ import annotations

from tpy.modal.text import chars
from tpy.modal.text.pattern import tokens
from tpy.modal.text.pattern.collection import CharOptions, class_set, find_end, parse_collection
from tpy.modal.text.pattern.nodes import (
    EMPTY,
    Alt,
    Any,
    At,
    Atomic,
    Backref,
    Char,
    Group,
    Look,
    Marks,
    Newline,
    Node,
    PatternError,
    Repeat,
    Seq,
    Tree,
)
from tpy.modal.text.pattern.tokens import Reader, Token

_MULTIS = frozenset("*+=?@{")
_MAX = 32767 << 16
_NUMBERS = {"d": (10, 10), "o": (8, 4), "x": (16, 2), "u": (16, 4), "U": (16, 8)}
_PLACES = {"^": "bof", "$": "eof", "#": "cursor", "V": "visual"}


def parse(text: str, magic: bool, previous: str | None, options: CharOptions) -> Tree:
    """Parse a pattern. `previous` is the last substitute string for `~`, None when there is none.

    Raises PatternError with Vim's message.
    """
    return _Parser(text, magic, previous, options).parse()


def has_upper_case(text: str) -> bool:
    """Say whether a pattern holds a capital that counts for `smartcase`: `\\S`, `\\_S`, `\\%V` do not."""
    at = 0
    while at < len(text):
        if text[at] == "\\":
            at += 3 if text[at + 1 : at + 2] in ("_", "%") and at + 2 < len(text) else 2
        elif chars.to_lower(text[at]) != text[at]:
            return True
        else:
            at += 1
    return False


class _Parser:
    """One pattern being read."""

    def __init__(self, text: str, magic: bool, previous: str | None, options: CharOptions) -> None:
        self.text = text
        self.reader = Reader(text, tokens.ON if magic else tokens.OFF)
        self.previous = previous
        self.options = options
        self.groups = 0
        self.closed: set[int] = set()
        self.fold: bool | None = None
        self.ignore_marks = False

    def parse(self) -> Tree:
        """Read the whole pattern."""
        if self.text.startswith(r"\%#="):
            if self.text[4:5] not in ("0", "1", "2") or not self.text[4:5]:
                raise PatternError(r"E864: \%#= can only be followed by 0, 1, or 2. The automatic engine will be used")
            self.reader.jump(5)
        node = self.alternatives()
        if self.reader.peek() == Token(")", True):
            raise PatternError(f"E55: Unmatched {self.slash()})")
        return Tree(node, self.groups, self.fold, self.ignore_marks, has_upper_case(self.text))

    def slash(self) -> str:
        """Return what stands before a special character at this magic level, for messages."""
        return "" if self.reader.level == tokens.ALL else "\\"

    def alternatives(self) -> Node:
        """Read branches joined by `\\|`."""
        branches = [self.branch()]
        while self.reader.peek() == Token("|", True):
            self.reader.take()
            branches.append(self.branch())
        return branches[0] if len(branches) == 1 else Alt(tuple(branches))

    def branch(self) -> Node:
        """Read concats joined by `\\&`: all but the last only look ahead."""
        concats = [self.concat()]
        while self.reader.peek() == Token("&", True):
            self.reader.take()
            concats.append(self.concat())
        if len(concats) == 1:
            return concats[0]
        return Seq((*(Look(node) for node in concats[:-1]), concats[-1]))

    def concat(self) -> Node:
        """Read pieces up to the end of a branch."""
        items: list[Node] = []
        while True:
            token = self.reader.peek()
            if token == tokens.END or (token.magic and token.char in "|&)"):
                return items[0] if len(items) == 1 else Seq(tuple(items)) if items else EMPTY
            if not (token.magic and self.flag(token.char)):
                items.append(self.piece())

    def flag(self, letter: str) -> bool:
        """Take `\\c \\C \\Z \\v \\m \\M \\V`; say whether it was one."""
        if letter not in "cCZvmMV" or not letter:
            return False
        self.reader.skip_keeping_start()
        if letter in "cC":
            self.fold = letter == "c"
        elif letter == "Z":
            self.ignore_marks = True
        else:
            self.reader.set_level(letter)
        return True

    def piece(self) -> Node:
        """Read an atom and the multi behind it."""
        node = self.atom()
        token = self.reader.peek()
        if not (token.magic and token.char in _MULTIS):
            return node
        if isinstance(node, At) and node.kind in ("zs", "ze"):
            raise PatternError(f"E888: (NFA regexp) cannot repeat \\{node.kind}")
        node = self.multi(node)
        token = self.reader.peek()
        if token.magic and token.char in _MULTIS:
            raise PatternError("E871: (NFA regexp) Can't have a multi follow a multi")
        return node

    def multi(self, node: Node) -> Node:
        """Read the multi of an atom."""
        char = self.reader.take().char
        if char == "*":
            return Repeat(node, 0, None)
        if char == "+":
            return Repeat(node, 1, None)
        if char in "=?":
            return Repeat(node, 0, 1)
        if char == "@":
            return self.look(node)
        greedy = self.reader.peek().char != "-"
        if not greedy:
            self.reader.take()
        low, high = self.limits()
        return Repeat(node, low, high, greedy)

    def limits(self) -> tuple[int, int | None]:
        """Read what follows the `{` of a multi up to its `}`."""
        reader = self.reader
        reader.jump(reader.pos)
        low = reader.number(10, 12)
        high = low
        if reader.text.startswith(",", reader.pos):
            reader.jump(reader.pos + 1)
            high = reader.number(10, 12)
        elif low is None:
            high = None
        if reader.text.startswith("\\", reader.pos):
            reader.jump(reader.pos + 1)
        if not reader.text.startswith("}", reader.pos):
            raise PatternError(f"E554: Syntax error in {self.slash()}{{...}}")
        reader.take()
        first = min(low or 0, _MAX)
        if high is not None and high < first:
            first, high = high, first
        return first, None if high is None or high >= _MAX else high

    def look(self, node: Node) -> Node:
        """Read a look-around after its `@`."""
        limit = self.reader.number(10, 9) or 0
        char = self.reader.take().char
        if char == "=":
            return Look(node)
        if char == "!":
            return Look(node, negated=True)
        if char == ">":
            return Atomic(node)
        if char == "<":
            char = self.reader.take().char
            if char in ("=", "!"):
                return Look(node, behind=True, negated=char == "!", limit=limit)
            raise PatternError("E869: (NFA regexp) Unknown operator '\\@" + (f"{char}'" if char else ""))
        raise PatternError("E869: (NFA regexp) Unknown operator '\\@" + (f"{char}'" if char else ""))

    def atom(self) -> Node:
        """Read one atom (`:help pattern-atoms`)."""
        char, magic = self.reader.take()
        if not magic:
            return self.literal(char)
        if char in ("^", "$", "<", ">"):
            return At({"^": "bol", "$": "eol", "<": "bow", ">": "eow"}[char])
        if char == ".":
            marks = self.take_marks()
            return Marks(marks) if marks else Any()
        if char == "_":
            return self.with_newline()
        if char == "n":
            return Newline()
        if char == "(":
            return self.group()
        if char in _MULTIS:
            raise PatternError(f"E866: (NFA regexp) Misplaced {char}")
        if char == "~":
            return self.last_substitute()
        if char.isdigit():
            return self.backref(int(char))
        if char == "z":
            return self.after_z()
        if char == "%":
            return self.after_percent()
        if char == "[":
            return self.collection(False)
        return class_set(char, False, self.options) or self.literal(char)

    def literal(self, char: str) -> Node:
        """Return a character with the combining ones that follow it."""
        if chars.is_combining(char):
            return Marks(char + self.take_marks())
        return Char(char, self.take_marks())

    def take_marks(self) -> str:
        """Take the combining characters that follow."""
        start = end = self.reader.pos
        while end < len(self.text) and chars.is_combining(self.text[end]):
            end += 1
        if end > start:
            self.reader.jump(end)
        return self.text[start:end]

    def with_newline(self) -> Node:
        """Read what follows `\\_`."""
        char = self.reader.take().char
        if not char:
            raise PatternError("E865: (NFA) Regexp end encountered prematurely")
        if char in "^$":
            return At("bol" if char == "^" else "eol")
        if char == "[":
            return self.collection(True)
        if char == ".":
            return Any(newline=True)
        found = class_set(char, True, self.options)
        if found is None:
            raise PatternError(f"E877: (NFA regexp) Invalid character class: {ord(char)}")
        return found

    def collection(self, newline: bool) -> Node:
        """Read a collection behind its `[`; without a `]` that is a character."""
        start = self.reader.pos
        end = find_end(self.text, start)
        if end < 0:
            return self.literal("[")
        self.reader.jump(end + 1)
        return parse_collection(self.text, start, end, newline, self.options)

    def group(self) -> Node:
        """Read a capturing group behind its `(`."""
        if self.groups == 9:
            raise PatternError("E872: (NFA regexp) Too many '('")
        self.groups += 1
        number = self.groups
        slash = self.slash()
        node = self.alternatives()
        if self.reader.peek() != Token(")", True):
            raise PatternError(f"E54: Unmatched {slash}(")
        self.reader.take()
        self.closed.add(number)
        return Group(number, node)

    def last_substitute(self) -> Node:
        """Return the last replacement as literal text."""
        if self.previous is None:
            raise PatternError("E33: No previous substitute regular expression")
        return Seq(tuple(Char(char) for char in self.previous))

    def backref(self, number: int) -> Node:
        """Return a reference to a group that was closed."""
        rest = self.text[self.reader.pos :]  # in front of a look-behind the group may come later
        if number not in self.closed and "@<=" not in rest and "@<!" not in rest:
            raise PatternError("E65: Illegal back reference")
        return Backref(number)

    def after_z(self) -> Node:
        """Read what follows `\\z`."""
        char = self.reader.take().char
        if char in ("s", "e"):
            return At("z" + char)
        if char == "(":
            raise PatternError(r"E66: \z( not allowed here")
        if char and char in "123456789":
            raise PatternError(r"E67: \z1 - \z9 not allowed here")
        raise PatternError("E867: (NFA regexp) Unknown operator '\\z" + (f"{char}'" if char else ""))

    def after_percent(self) -> Node:
        """Read what follows `\\%`."""
        char = self.reader.take().char
        if char in _NUMBERS:
            return self.code(char)
        if char in _PLACES:
            return At(_PLACES[char])
        if char == "C":
            return Marks()
        if char == "(":
            slash = self.slash()
            node = self.alternatives()
            if self.reader.peek() != Token(")", True):
                raise PatternError(f"E53: Unmatched {slash}%(")
            self.reader.take()
            return Seq((node,))
        if char == "[":
            return self.optional_sequence()
        return self.place(char)

    def code(self, letter: str) -> Node:
        """Read the number of a character behind `\\%d` and kin."""
        base, most = _NUMBERS[letter]
        value = self.reader.number(base, most)
        if value is None or value > 0x7FFFFFFF:
            raise PatternError(r"E678: Invalid character after \%[dxouU]")
        if letter == "o" and value > 0o377:  # a fourth digit would leave a byte
            value //= 8
            self.reader.jump(self.reader.pos - 1)
        return self.literal("\0" if value in (0, 10) else chr(min(value, chars.LAST)))

    def optional_sequence(self) -> Node:
        """Read `\\%[abc]`: as many of the atoms as match."""
        slash = self.slash()
        atoms: list[Node] = []
        while self.reader.peek() != Token("]", False):
            if self.reader.peek() == tokens.END:
                raise PatternError(f"E69: Missing ] after {slash}%[")
            atoms.append(self.atom())
        self.reader.take()
        if not atoms:
            raise PatternError(f"E70: Empty {slash}%[]")
        node: Node = EMPTY
        for atom in reversed(atoms):
            node = Repeat(Seq((atom, node)), 0, 1)
        return node

    def place(self, char: str) -> Node:
        """Read `\\%23l`, `\\%<.c`, `\\%>'m` from the character after `\\%` on."""
        compare = char if char in ("<", ">") else ""
        if compare:
            char = self.reader.take().char
        here = char == "."
        if here:
            char = self.reader.take().char
        digits = ""
        while char.isdigit():
            digits += char
            char = self.reader.take().char
        if char in ("l", "c", "v"):
            if here and digits:
                raise PatternError(f"E1204: No Number allowed after .: '\\%{char}'")
            if not here and not digits:
                raise PatternError(f"E1273: (NFA regexp) missing value in '\\%{char}'")
            kind = {"l": "line", "c": "col", "v": "vcol"}[char]
            return At(kind, -1 if here else int(digits), compare)
        if char == "'" and not digits and not here:
            return At("mark", 0, compare, self.reader.take().char)
        raise PatternError("E867: (NFA regexp) Unknown operator '\\%" + (f"{char}'" if char else ""))
