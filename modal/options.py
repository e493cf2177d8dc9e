"""Every option, declared once: short name, type, default, scope, allowed values, what to redraw.

Values live in an `Options` store per editor, buffer and window; reading one asks the store that its scope names,
then the editor's. `:set` itself is in `ex/settings.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

Value = bool | int | str
GLOBAL, BUFFER, WINDOW = "global", "buffer", "window"


class Option(NamedTuple):
    """One option. `vim` is the default under `--clean` and in the headless driver, `default` that of `tpy`.

    `list` says how a string is made up: "comma" of items, "flags" of letters, "" of neither. `values` are the items
    that may be in it; for "flags" they are the letters.
    """

    name: str
    short: str
    vim: Value
    scope: str
    help: str
    default: Value | None = None
    values: tuple[str, ...] = ()
    least: int | None = None
    redraw: bool = False
    list: str = ""

    @property
    def type(self) -> type[Value]:
        """The type of its values: `bool`, `int` or `str`."""
        return type(self.vim)

    @property
    def ours(self) -> Value:
        """The default without `--clean`."""
        return self.vim if self.default is None else self.default


_G, _B, _W = GLOBAL, BUFFER, WINDOW
_ROWS = (
    Option("autoindent", "ai", False, _B, "a new line gets the indent of the one before", True),
    Option("autowrite", "aw", False, _G, "write a changed buffer before leaving it"),
    Option(
        "backspace", "bs", "indent,eol,start", _G, "what <BS> may delete in Insert mode",
        values=("indent", "eol", "start", "nostop"), list="comma",
    ),
    Option(
        "comments", "com", "s1:/*,mb:*,ex:*/,://,b:#,:%,:XCOMM,n:>,fb:-", _B, "how comment lines begin", list="comma",
    ),
    Option("complete", "cpt", ".,w,b,u,t,i", _B, "where keyword completion looks", list="comma"),
    Option(
        "completeopt", "cot", "menu,preview", _G, "kept for compatibility: how Insert mode completion behaves",
        values=("menu", "menuone", "longest", "preview", "popup", "popuphidden", "noinsert", "noselect"), list="comma",
    ),
    Option("cedit", "", "\x06", _G, "the key that opens the command-line window"),
    Option("cindent", "cin", False, _B, "indent C while it is typed"),
    Option("cinkeys", "cink", "0{,0},0),0],:,0#,!^F,o,O,e", _B, "with 0# lines in # go to the left", list="comma"),
    Option("cinoptions", "cino", "", _B, "how C code is indented", list="comma"),
    Option("cinscopedecls", "cinsd", "public,protected,private", _B, "words that begin a scope in C++", list="comma"),
    Option("cinwords", "cinw", "if,else,while,do,for,switch", _B, "words that begin a body in C", list="comma"),
    Option("cmdwinheight", "cwh", 7, _G, "lines of the command-line window", least=1),
    Option("cpoptions", "cpo", "aABceFs", _G, "kept for compatibility: flags for old behaviour", list="flags"),
    Option("define", "def", r"^\s*#\s*define", _B, "what comes before the name of a macro (`[d`)"),
    Option("dictionary", "dict", "", _B, "files of words that <C-x><C-k> completes", list="comma"),
    Option("digraph", "dg", False, _G, "{char} <BS> {char} types a digraph"),
    Option("edcompatible", "ed", False, _G, "kept for compatibility: the g and c flags of :s toggle"),
    Option("encoding", "enc", "utf-8", _G, "kept for compatibility: the encoding of text in memory", values=("utf-8",)),
    Option("expandtab", "et", False, _B, "<Tab> types blanks"),
    Option("fileencoding", "fenc", "", _B, "the encoding of the file", list="comma"),
    Option("fileformat", "ff", "unix", _B, "the line ends of the file", values=("unix", "dos", "mac")),
    Option("fixendofline", "fixeol", True, _B, "writing adds a missing last line end"),
    Option("endofline", "eol", True, _B, "the last line of the file ends in a line end"),
    Option("bomb", "", False, _B, "the file begins with a byte order mark"),
    Option("foldenable", "fen", True, _W, "folds may be closed", redraw=True),
    Option("foldcolumn", "fdc", 0, _W, "columns at the left that show folds", least=0, redraw=True),
    Option("foldlevel", "fdl", 0, _W, "folds of a higher level are closed", least=0, redraw=True),
    Option("foldmarker", "fmr", "{{{,}}}", _W, "what begins and ends a fold by marker", redraw=True, list="comma"),
    Option(
        "foldmethod", "fdm", "manual", _W, "how folds come about", values=("manual", "indent", "marker", "diff"),
        redraw=True,
    ),
    Option("foldminlines", "fml", 1, _W, "a fold of fewer lines is not shown closed", redraw=True),
    Option(
        "foldopen", "fdo", "block,hor,mark,percent,quickfix,search,tag,undo", _G, "which commands open folds",
        values=("all", "block", "hor", "insert", "jump", "mark", "percent", "quickfix", "search", "tag", "undo"),
        list="comma",
    ),
    Option(
        "formatoptions", "fo", "tcq", _B, "how text is formatted", "tcqj",
        values=tuple("tcroq/wan2vlb1mMB]jp"), list="flags",
    ),
    Option("gdefault", "gd", False, _G, ":s replaces all matches of a line"),
    Option("hidden", "hid", False, _G, "a buffer may be changed and in no window", True),
    Option("history", "hi", 200, _G, "lines kept in each history", 1000, least=0),
    Option("hlsearch", "hls", False, _G, "show all matches of the last search", True, redraw=True),
    Option("ignorecase", "ic", False, _G, "search without regard to case", redraw=True),
    Option("incsearch", "is", True, _G, "show the match while the pattern is typed"),
    Option("infercase", "inf", False, _B, "kept for compatibility: completion follows the case typed"),
    Option("insertmode", "im", False, _G, "kept for compatibility"),
    Option("isfname", "isf", "@,48-57,/,.,-,_,+,,,#,$,%,~,=", _G, "characters of file names", list="comma"),
    Option("isident", "isi", "@,48-57,_,192-255", _G, "characters of identifiers", list="comma"),
    Option("iskeyword", "isk", "@,48-57,_,192-255", _B, "characters of keywords", list="comma"),
    Option("isprint", "isp", "@,161-255", _G, "characters shown as they are", list="comma"),
    Option("joinspaces", "js", False, _G, "two blanks after a sentence when joining"),
    Option(
        "keymodel", "km", "", _G, "what cursor keys do to a selection", values=("startsel", "stopsel"), list="comma",
    ),
    Option("langremap", "lrm", False, _G, "kept for compatibility"),
    Option("lazyredraw", "lz", False, _G, "kept for compatibility: no drawing while a macro runs"),
    Option("breakindent", "bri", False, _W, "rows of wrapped lines are indented as the first one", redraw=True),
    Option("linebreak", "lbr", False, _W, "wrap long lines at blanks", redraw=True),
    Option("list", "", False, _W, "show tabs and line ends", redraw=True),
    Option("listchars", "lcs", "eol:$", _W, "what list mode shows", redraw=True, list="comma"),
    Option("magic", "", True, _G, "the usual special characters in patterns"),
    Option("matchpairs", "mps", "(:),{:},[:]", _B, "the pairs that % knows", list="comma"),
    Option("maxmapdepth", "mmd", 1000, _G, "how deep mappings may nest", least=1),
    Option("modifiable", "ma", True, _B, "the text may be changed"),
    Option("modified", "mod", False, _B, "the text differs from the file"),
    Option("mouse", "", "", _G, "where the mouse works", "a", values=tuple("anvichr"), list="flags"),
    Option(
        "nrformats", "nf", "bin,hex", _B, "which numbers <C-a> knows",
        values=("alpha", "octal", "hex", "bin", "unsigned"), list="comma",
    ),
    Option("number", "nu", False, _W, "show line numbers", redraw=True),
    Option("numberwidth", "nuw", 4, _W, "least width of the number column", least=1, redraw=True),
    Option("operatorfunc", "opfunc", "", _G, "kept for compatibility"),
    Option("paragraphs", "para", "IPLPPPQPP TPHPLIPpLpItpplpipbp", _G, "nroff macros that begin paragraphs"),
    Option("paste", "", False, _G, "kept for compatibility: typed text is taken as pasted"),
    Option("path", "pa", ".,/usr/include,,", _G, "where gf and :find look", ".,,**", list="comma"),
    Option("preserveindent", "pi", False, _B, "keep the kind of indent when changing it"),
    Option("copyindent", "ci", False, _B, "copy the kind of indent from the line before"),
    Option("quoteescape", "qe", "\\", _B, "what escapes a quote inside a quoted string"),
    Option("readonly", "ro", False, _B, "writing needs !"),
    Option("relativenumber", "rnu", False, _W, "show line numbers relative to the cursor", redraw=True),
    Option("report", "", 2, _G, "more changed lines than this are reported"),
    Option("ruler", "ru", True, _G, "show the cursor's place", redraw=True),
    Option("scroll", "scr", 0, _W, "lines that <C-d> and <C-u> scroll", least=0),
    Option("scrollbind", "scb", False, _W, "scroll with other such windows"),
    Option("scrolloff", "so", 5, _G, "lines kept above and below the cursor", 2, least=0, redraw=True),
    Option("sections", "sect", "SHNHH HUnhsh", _G, "nroff macros that begin sections"),
    Option("selection", "sel", "inclusive", _G, "how a selection ends", values=("inclusive", "exclusive", "old")),
    Option("selectmode", "slm", "", _G, "when to use Select mode", values=("mouse", "key", "cmd"), list="comma"),
    Option("shell", "sh", "/bin/sh", _G, "what ! runs commands with"),
    Option("shiftround", "sr", False, _G, "indent to a multiple of shiftwidth"),
    Option("shiftwidth", "sw", 8, _B, "columns of one indent", least=0),
    Option("showbreak", "sbr", "", _W, "what rows of wrapped lines but the first begin with", redraw=True),
    Option("showcmd", "sc", True, _G, "show the command being typed"),
    Option("showmatch", "sm", False, _G, "kept for compatibility: show the matching bracket when one is typed"),
    Option("showmode", "smd", True, _G, "show the mode"),
    Option("sidescroll", "ss", 0, _G, "columns scrolled sideways at once", least=0),
    Option("sidescrolloff", "siso", 0, _G, "columns kept beside the cursor", least=0),
    Option("smartcase", "scs", False, _G, "ignorecase ends where the pattern has a capital"),
    Option("smartindent", "si", False, _B, "indent by braces"),
    Option("smarttab", "sta", False, _G, "<Tab> before text indents by shiftwidth"),
    Option("softtabstop", "sts", 0, _B, "columns that <Tab> counts for when typed"),
    Option("splitbelow", "sb", False, _G, "a new window opens below"),
    Option("splitright", "spr", False, _G, "a new window opens to the right"),
    Option("startofline", "sol", True, _G, "some commands go to the first character that is no blank"),
    Option("statusline", "stl", "", _W, "what the status line shows", redraw=True),
    Option("laststatus", "ls", 1, _G, "when the last window has a status line", 2, redraw=True),
    Option(
        "switchbuf", "swb", "", _G, "kept for compatibility: where quickfix commands open buffers",
        values=("useopen", "usetab", "split", "vsplit", "newtab", "uselast"), list="comma",
    ),
    Option("syntax", "syn", "", _B, "the language that colours the text", redraw=True),
    Option("filetype", "ft", "", _B, "the kind of file"),
    Option("thesaurus", "tsr", "", _B, "files of lines of words alike that <C-x><C-t> completes", list="comma"),
    Option("title", "", False, _G, "the terminal's window has a title", redraw=True),
    Option("titlestring", "", "", _G, "the title, written as `'statusline'` is", redraw=True),
    Option("tabstop", "ts", 8, _B, "columns that a tab stands for", least=1, redraw=True),
    Option("termguicolors", "tgc", False, _G, "kept for compatibility: use 24-bit colours", redraw=True),
    Option("textwidth", "tw", 0, _B, "longest line when formatting", least=0),
    Option("tildeop", "top", False, _G, "~ is an operator"),
    Option("timeout", "to", True, _G, "mappings time out"),
    Option("timeoutlen", "tm", 1000, _G, "milliseconds to wait for the rest of a mapping", least=0),
    Option("ttimeout", "", True, _G, "kept for compatibility: key codes time out"),
    Option("ttimeoutlen", "ttm", 100, _G, "milliseconds to wait for the rest of a key code", 50),
    Option("undofile", "udf", False, _B, "keep the undo tree on disk", True),
    Option("undolevels", "ul", 1000, _G, "undo steps kept"),
    Option(
        "virtualedit", "ve", "", _G, "where the cursor may leave the text",
        values=("block", "insert", "all", "onemore", "none", "NONE"), list="comma",
    ),
    Option("visualbell", "vb", False, _G, "kept for compatibility: flash instead of a bell"),
    Option("belloff", "bo", "", _G, "kept for compatibility: which bells are off", list="comma"),
    Option("whichwrap", "ww", "b,s", _G, "keys that move across line ends", values=tuple("bshl<>[]~"), list="comma"),
    Option("wildmenu", "wmnu", True, _G, "kept for compatibility: completion shows a menu"),
    Option("wildmode", "wim", "full", _G, "kept for compatibility: how completion works", list="comma"),
    Option("wildignorecase", "wic", False, _G, "kept for compatibility: completion of files ignores case"),
    Option("winheight", "wh", 1, _G, "kept for compatibility: least height of the current window", least=1),
    Option("winminheight", "wmh", 1, _G, "kept for compatibility: least height of any window", least=0),
    Option("winwidth", "wiw", 20, _G, "kept for compatibility: least width of the current window", least=1),
    Option("winminwidth", "wmw", 1, _G, "kept for compatibility: least width of any window", least=0),
    Option("equalalways", "ea", True, _G, "windows get equal sizes on a split"),
    Option("winfixheight", "wfh", False, _W, "the window keeps its height when others open, close or get equal"),
    Option("wrap", "", True, _W, "long lines go on in the next row", redraw=True),
    Option("wrapmargin", "wm", 0, _B, "columns from the right edge where typing wraps", least=0),
    Option("wrapscan", "ws", True, _G, "searches go round the end"),
    Option(
        "display", "dy", "truncate", _G, "how a last line that does not fit is shown", redraw=True,
        values=("lastline", "truncate", "uhex"), list="comma",
    ),
    Option("cursorline", "cul", False, _W, "show the cursor's line", redraw=True),
    Option("cursorcolumn", "cuc", False, _W, "show the cursor's column", redraw=True),
    Option("colorcolumn", "cc", "", _W, "columns that are marked", redraw=True, list="comma"),
    Option("signcolumn", "scl", "auto", _W, "the column for signs", redraw=True),
    Option("diff", "", False, _W, "the window takes part in a diff", redraw=True),
    Option(
        "diffopt", "dip", "internal,filler,closeoff", _G, "how diff mode compares and shows texts", redraw=True,
        list="comma",
    ),
    Option("autoread", "ar", False, _G, "a file changed on disk is read again", True),
    Option("confirm", "cf", False, _G, "kept for compatibility: ask instead of failing"),
    Option("buftype", "bt", "", _B, "what kind of buffer it is", values=("", "nofile", "nowrite", "quickfix", "help")),
    Option("buflisted", "bl", True, _B, ":ls shows the buffer"),
    Option("bufhidden", "bh", "", _B, "kept for compatibility: what happens when no window shows the buffer"),
    Option("grepprg", "gp", "grep -n $* /dev/null", _G, "the program of :grep"),
    Option("makeprg", "mp", "make", _G, "the program of :make"),
    Option("errorformat", "efm", "%f:%l:%c:%m,%f:%l:%m,%f|%l|%m", _G, "how quickfix reads messages", list="comma"),
    Option("verbose", "vbs", 0, _G, "kept for compatibility: how much is told"),
    Option("agentwrite", "", "auto", _G, "whether an agent's write is saved", values=("auto", "buffer", "save")),
    Option("agentinsert", "", True, _G, ":agent ends in Insert mode in the prompt"),
    Option("agentignore", "", ".gitignore", _G, "what the list of files leaves out"),
    Option("agentnotice", "", "bell", _G, "how an agent out of sight tells that it is done or waits",
           values=("bell", "osc9", "osc777", "none")),
    Option("agenthistory", "", True, _G, "conversations are kept"),
)  # fmt: skip

OPTIONS: dict[str, Option] = {option.name: option for option in _ROWS}
_BY_SHORT = {option.short: option for option in _ROWS if option.short}


def find(name: str) -> Option | None:
    """Return the option of that full or short name."""
    return OPTIONS.get(name) or _BY_SHORT.get(name)


class Options:
    """The option values of one editor, with those of buffers and windows laid over them.

    `local` is the dictionary a buffer or window keeps for itself. `vim` takes Vim's defaults (`--clean`).
    """

    def __init__(self, *, vim: bool = False) -> None:
        self.vim = vim
        self.values: dict[str, Value] = {option.name: option.vim if vim else option.ours for option in OPTIONS.values()}

    def get(self, name: str, local: dict[str, Any] | None = None) -> Any:
        """Return the value of the option `name` (full name), the local one where there is one."""
        if local is not None and name in local:
            return local[name]
        return self.values[name]

    def default(self, name: str) -> Value:
        """Return the value the option starts with."""
        option = OPTIONS[name]
        return option.vim if self.vim else option.ours

    def __iter__(self) -> Iterator[Option]:
        return iter(OPTIONS.values())
