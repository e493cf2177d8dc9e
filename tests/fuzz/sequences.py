"""Random but sensible key sequences over random texts, drawn so that every row of the scope comes up equally often.

A *row* is a built-in key of a mode (`key:normal:dd`), a key of Insert or Command-line mode (`insert:<C-w>`,
`cmdline:<C-u>`) or a form of an ex command (`ex:sort`). Rows come from a bag that is refilled when it is empty.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import rowtrace

from tpy.modal import registry
from tpy.modal.keymap import Binding

WORDS = (
    "one two three foo bar baz if x1 0x1f 007 9 -5 end the (a) {b} [c] \"q s\" 'w' a_b é 日本 foo.bar , ; /* */".split(
        " "
    )
)
LINES = (
    "The quick brown fox jumps. Over the lazy dog!  And then it sleeps.", "\tif (x > 10) {", "\t\treturn foo(bar, [1, 2]);",
    "\t}", "", "   ", "<b>bold <i>text</i></b> tail", "a, b; c (d) {e} [f] \"g h\" 'i' `j`", "word", "x", "        eight",
    "été 日本語 naïve ﬁn", "\ttab\tin\tthe middle", "0x0f 077 99 -1 1b101", "foo foo bar foo", "# a comment line here",
    "no end of sentence", "zz top, aa bottom", "  indented two", "/* c */ // d", "1. first item in a list of some length",
)  # fmt: skip
SKIPPED = {
    "<C-z>", "ZZ", "ZQ", "gQ", "Q", "q:", "q/", "q?", "K", "<C-]>", "gf", "gF", "gx", "<F6>", "<C-l>", "<C-g>", "g<C-g>", "<C-c>",
    "<S-Insert>", "<C-Insert>", "&", "g&", "!", ":", "q", "gR", "g8", "ga", "<C-^>", "<C-\\><C-n>", "<C-\\><C-g>", "gs",
    "gh", "gH", "g<C-h>", "<C-PageUp>", "<C-PageDown>", "@", "Q", "gt", "gT", "do", "dp", "zv", "zx", "zX",
}  # fmt: skip
ARGUMENTS = {"char": "aeo1(.", "mark": "ab", "register": "ab", "/": ("o<CR>", "\\<lt>f<CR>", "foo/e<CR>", "e/+1<CR>"),
             "?": ("o<CR>", "the<CR>", "a?b+1<CR>"), ":": ("+1<CR>",), "=": ("2+3<CR>",)}  # fmt: skip
INSERTED = ("<C-w>", "<C-u>", "<C-h>", "<BS>", "<Del>", "<C-t>", "<C-d>", "<C-e>", "<C-y>", "<C-a>", "<C-o>x", "<C-o>w",
            "<C-r>a", "<C-r>\"", "<C-r><C-r>a", "<C-r><C-o>a", "<C-r><C-p>a", "<C-r>=1+1<CR>", "<C-v>65", "<C-v>u00e9", "<C-k>a:",
            "<CR>", "<C-j>", "<Tab>", "<Left>", "<Right>", "<Up>", "<Down>", "<Home>", "<End>", "<S-Left>", "<S-Right>",
            "<C-g>u", "<C-g>j", "<C-g>k", "<C-n>", "<C-p>", "<C-x><C-l>", "<C-x><C-n>", "<C-x><C-e>", "<Insert>z",
            "0<C-d>", "^<C-d>", "<C-Left>", "<C-Right>", "<C-Home>", "<C-End>")  # fmt: skip
TYPED = ("<C-w>", "<C-u>", "<C-h>", "<BS>", "<Del>", "<Left>", "<Right>", "<Home>", "<C-b>", "<C-e>", "<End>", "<S-Left>", "<S-Right>",
         "<C-r>a", "<C-r><C-w>", "<C-v>65", "<C-k>a:", "<Up>", "<Down>", "<C-p>", "<C-n>", "<Insert>")  # fmt: skip
ADDRESSES = (
    "",
    ".",
    "$",
    "%",
    "1",
    "2,3",
    ".,+2",
    "-1,+1",
    "'a",
    "/foo/",
    "?o?",
    "1,$",
    "2;+1",
    "'<,'>",
    "'[,']",
    "*",
    ",4",
    "0",
    "3,1",
)
PATTERNS = ("o", "foo", "\\<f", "[a-e]", "\\w\\+", "\\s*$", "^", "e\\zs.", "\\(o\\)\\1", "\\v(a|b)+", "\\d\\d*", "x\\=", ".\\{-}e", "\\Cf",
            "\\cF", "\\n", "\\u\\l*", "a\\|o")  # fmt: skip
REPLACEMENTS = (
    "",
    "X",
    "&&",
    "[\\0]",
    "\\u&",
    "\\U&\\e-",
    "<\\1>",
    "\\r",
    "~",
    "a\\tb",
    "\\=line('.')",
    "\\=submatch(0).'x'",
)
EX = {
    "d": ("{a}d", "{a}d a", "{a}d 2", "{a}d a 2"), "y": ("{a}y", "{a}y b"), "pu": ("{a}pu", "{a}pu!", "{a}pu a"),
    "m": ("{a}m{t}",), "t": ("{a}t{t}", "{a}co{t}"), "j": ("{a}j", "{a}j!", "{a}j 3"), "gt": ("{a}>", "{a}>>", "{a}> 2"),
    "lt": ("{a}<lt>", "{a}<lt><lt>"), "k": ("{a}ka", "{a}mark b"), "s": ("{a}s/{p}/{r}/{f}", "{a}s#{p}#{r}#{f}"),
    "again": ("{a}&&", "{a}&", "{a}~", "s/o/0/<CR>:&&", "{a}s", "{a}sg"), "g": ("{a}g/{p}/d", "{a}g/{p}/s//{r}/", "{a}g/{p}/m0",
    "{a}g/{p}/t.", "{a}g!/{p}/j", "{a}v/{p}/norm! Ax", "{a}g/{p}/norm! dw", "{a}g/{p}/pu a"),
    "norm": ("{a}norm! x", "{a}norm! Iy<C-v><Esc>", "{a}norm dwp", "{a}norm! ~j"), "sort": ("{a}sort", "{a}sort!", "{a}sort n",
    "{a}sort u", "{a}sort i", "{a}sort x", "{a}sort /{p}/", "{a}sort /{p}/ r"), "left": ("{a}le", "{a}le 4"), "right": ("{a}ri 40",),
    "center": ("{a}ce 40",), "retab": ("{a}ret", "{a}ret 4", "{a}ret!"), "undo": ("u", "red", "undo 0", "undo 1", "earlier 1", "later 1"),
    "insert": ("{a}a<CR>new one<CR>new two<CR>.", "{a}i<CR>before<CR>.", "{a}c<CR>changed<CR>."), "at": ("d<CR>:{a}@:", "{a}@:"),
    "set": ("set sw=4", "set et", "set ai", "set ts=4", "set tw=30", "set nosol", "set ic", "set scs", "set sta", "set sts=4",
    "set ve=block", "set nf=alpha", "set js", "set sr", "set ww=h,l", "set si"), "fold": ("{a}fold", "{a}foldo", "{a}foldc"),
    "nmap": ("nnoremap x dd<CR>x", "nmap gz 2x<CR>gz", "inoremap jj <lt>Esc><CR>iajjx", "ia fx foo<CR>afx <Esc>", "onoremap q iw<CR>dq",
    "vnoremap z d<CR>vlz"), "delm": ("delm a", "delm!"), "ju": ("keepj {a}", "lockm {a}d"), "go": ("goto 10", "go 3"),
    "jumpline": ("{a}", "5", "{a}+1", "-2"), "bar": ("{a}d|u", "{a}s/{p}/{r}/e|d", "2|s/o/0/e"), "filter": ("{a}!sort", "{a}!tr a-z A-Z",
    "{a}!cat"), "reg": ("let @a='q'",),
}  # fmt: skip


def rows() -> list[str]:
    """Return every row that can be compared with Vim."""
    found = []
    for mode, trie in rowtrace.tries().items():
        for keys, binding in trie.items():
            name = "".join(keys)
            if name in SKIPPED or name.startswith(("<C-w>", "<M-", "Z")) or binding.names[0].startswith("agent"):
                continue
            found.append(f"key:{mode}:{name}")
    found += [f"insert:{keys}" for keys in INSERTED]
    found += [f"cmdline:{keys}" for keys in TYPED]
    found += [f"ex:{name}" for name in EX]
    return found


class Source:
    """Draws cases. `seed` decides all of them; `drawn` counts the rows."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.rows = rows()
        self.drawn: Counter[str] = Counter()
        self._bag: list[str] = []
        self._bindings: dict[str, Binding] = {
            f"key:{mode}:{''.join(keys)}": binding
            for mode, trie in rowtrace.tries().items()
            for keys, binding in trie.items()
        }
        self._operators = [row for row in self.rows if self._kind(row) == "operator" and row.startswith("key:normal:")]
        self._targets = [row for row in self.rows if row.startswith("key:operator:")]

    def _kind(self, row: str) -> str:
        binding = self._bindings.get(row)
        return binding.kind if binding is not None else ""

    def case(self, identity: str) -> dict[str, Any]:
        """Return a fresh case with its commands apart, as `commands`."""
        pick = self.random
        text = [self._line() for _ in range(pick.randint(1, 12))]
        line = pick.randrange(len(text))
        column = pick.randrange(max(len(text[line]), 1))
        commands = [self._command() for _ in range(pick.randint(3, 8))]
        return {
            "id": identity, "group": "fuzz", "text": text, "cursor": [line + 1, column], "commands": commands,
            "keys": "".join(commands),
        }  # fmt: skip

    def _line(self) -> str:
        if self.random.random() < 0.5:
            return self.random.choice(LINES)
        return " ".join(self.random.choices(WORDS, k=self.random.randint(1, 7)))

    def _command(self) -> str:
        if not self._bag:
            self._bag = self.rows[:]
            self.random.shuffle(self._bag)
        row = self._bag.pop()
        self.drawn[row] += 1
        kind, _, rest = row.partition(":")
        if kind == "ex":
            return ":" + self._filled(self.random.choice(EX[rest])) + "<CR>"
        if kind == "insert":
            before, after = self.random.choice(("", "ab", "foo ")), self.random.choice(("", "z"))
            return self.random.choice("iaAoOIcwRsS")[0] + before + rest + after + "<Esc>"
        if kind == "cmdline":
            return ":2d" + rest + self.random.choice(("", "1")) + "<CR>"
        mode, _, _ = rest.partition(":")
        return {"normal": self._normal, "visual": self._visual, "operator": self._target}[mode](row)

    def _keys(self, row: str) -> str:
        """Return a row's keys with the argument it asks for."""
        binding = self._bindings[row]
        keys = "".join("<lt>" if key == "<" else key for key in binding.keys)
        table: dict[str, Any] = {"motion": registry.motions, "action": registry.actions}
        want = table[binding.kind][binding.names[0]].arg if binding.kind in table else None
        return keys + (self.random.choice(ARGUMENTS.get(want, "a")) if want else "")

    def _count(self) -> str:
        return self.random.choice(("", "", "", "2", "3", "5"))

    def _register(self) -> str:
        return self.random.choice(("", "", "", '"a', '"A', '"_', '"1', '"-'))

    def _normal(self, row: str) -> str:
        binding = self._bindings[row]
        keys = self._count() + self._keys(row)
        if binding.kind == "motion":
            return keys
        if binding.kind == "operator":
            target = self.random.choice((self._keys(self.random.choice(self._targets)), binding.keys[-1] if len(binding.keys) < 2
                                         else "".join(binding.keys)))  # fmt: skip
            return self._ended(self._register() + keys + self._count() + target.replace("<", "<lt>") if target == "<" else
                               self._register() + keys + self._count() + target, binding.names[0])  # fmt: skip
        return self._ended(self._register() + keys, binding.names[-1])

    def _visual(self, row: str) -> str:
        start = self.random.choice(("v", "V", "<C-v>"))
        moves = "".join(self.random.choices(("l", "j", "w", "$", "k", "3l", "o", "h"), k=self.random.randint(0, 3)))
        binding = self._bindings[row]
        keys = start + moves + self._register() * (binding.kind != "motion") + self._keys(row)
        if binding.kind in ("motion", "object"):
            return self._ended(keys + self.random.choice(("d", "y", "~", "<Esc>", "cnew<Esc>", "rx", "p", ">")), "")
        return self._ended(keys, binding.names[0])

    def _target(self, row: str) -> str:
        operator = self.random.choice(self._operators)
        keys = self._keys(operator)
        force = self.random.choice(("", "", "", "", "v", "V", "<C-v>"))
        return self._ended(
            self._register() + keys + self._count() + force + self._keys(row), self._bindings[operator].names[0]
        )

    def _ended(self, keys: str, name: str) -> str:
        """Return the keys with text and `<Esc>` behind what may have begun to insert; elsewhere they do no harm."""
        return keys + (self.random.choice(("new<Esc>", "<Esc>", "a b<Esc>")) if self._inserts(name) else "<Esc>")

    @staticmethod
    def _inserts(name: str) -> bool:
        return any(
            part in name for part in ("insert", "change", "append", "open", "substitute", "replace-mode", "virtual")
        )

    def _filled(self, template: str) -> str:
        pick = self.random.choice
        return (
            template.replace("{a}", pick(ADDRESSES))
            .replace("{t}", pick(("0", "$", ".", "2", "'a", "-1")))
            .replace("{p}", pick(PATTERNS))
            .replace("{r}", pick(REPLACEMENTS))
            .replace("{f}", pick(("", "g", "ge", "i", "e", "n", "&", "2", "g 3")))
        )
