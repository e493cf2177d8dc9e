"""What random sequences are made of: words and lines of texts, arguments of keys, and templates of whole commands.

A template may hold `{a}` an address, `{t}` a target address, `{p}` a pattern, `{r}` a replacement, `{f}` flags of `:s`,
`{m}` a motion, `{o}` a text object, `{e}` an edit of Normal mode that ends there, `{i}` text as it is typed in Insert mode,
`{n}` a small count or none, `{b}` moves in Visual mode.
"""

# ruff: noqa: E501
# fmt: off

from __future__ import annotations

WORDS = tuple(
    "one two three foo bar baz if x1 0x1f 007 9 -5 end the (a) {b} [c] \"q s\" 'w' a_b é 日本 foo.bar , ; /* */ e\u0301a".split()
)
LINES = (
    "The quick brown fox jumps. Over the lazy dog!  And then it sleeps.", "\tif (x > 10) {", "\t\treturn foo(bar, [1, 2]);",
    "\t}", "", "   ", "<b>bold <i>text</i></b> tail", "a, b; c (d) {e} [f] \"g h\" 'i' `j`", "word", "x", "        eight",
    "été 日本語 naïve ﬁn", "\ttab\tin\tthe middle", "0x0f 077 99 -1 1b101", "foo foo bar foo", "# a comment line here",
    "no end of sentence", "zz top, aa bottom", "  indented two", "/* c */ // d", "1. first item in a list of some length",
    "{", "}", "  a\u0300b 👍🏽 c\u0301\u0302d", "\t", "x\ty\tz", "ends in blanks   ", "(one (two) three) [a{b}c]", "* a star", "\" quoted",
)

# The keys that a row's own argument is drawn from.
ARGUMENTS = {
    "char": ("a", "e", "o", "1", "(", ".", " ", "<CR>", "é", "<C-k>a:", "<C-v>65", "<Tab>"), "mark": ("a", "a", "b"), "register": ("a", "b"),
    "/": ("o<CR>", "\\<lt>f<CR>", "foo/e<CR>", "e/+1<CR>", "{p}<CR>", "{p}/s-1<CR>", "{p}/b+1<CR>", "<CR>", "//e<CR>", "foo/;/o<CR>"),
    "?": ("o<CR>", "the<CR>", "a?b+1<CR>", "{p}<CR>", "{p}?e<CR>", "<CR>", "o?-1<CR>"),
    ":": ("+1<CR>", "s/o/0/<CR>", "norm! x<CR>"), "=": ("2+3<CR>", "'a'.'b'<CR>"), "!": ("sort<CR>", "tr a-z A-Z<CR>"),
}

ADDRESSES = ("", "", ".", "$", "%", "1", "2,3", ".,+2", "-1,+1", "'a", "/foo/", "?o?", "1,$", "2;+1", "'<lt>,'>", "'[,']", ",4",
             "0", "3,1", "'a,'b", "\\/", "\\?", "/foo/+1", "$-1,$", "1,2,3", "+", "--", "2,/o/")
PATTERNS = ("o", "foo", "\\<lt>f", "[a-e]", "\\w\\+", "\\s*$", "^", "e\\zs.", "\\(o\\)\\1", "\\v(a|b)+", "\\d\\d*", "x\\=", ".\\{-}e", "\\Cf",
            "\\cF", "\\n", "\\u\\l*", "a\\|o", "\\v<lt>\\w", "\\%[foo]", "o\\@<lt>!o", "\\_s\\+", "[^ ]\\+$", "\\~", "\\V.", "é", "[[:upper:]]", "\\%V.",
            "\\vo{2}", ".*", "\\%2l.", "\\%>3c.", "e\\&..", "\\(a\\)\\=b", "[[=e=]]", "\\t")
REPLACEMENTS = ("", "X", "&&", "[\\0]", "\\u&", "\\U&\\e-", "<lt>\\1>", "\\r", "~", "a\\tb", "\\=line('.')", "\\=submatch(0).'x'", "\\n", "\\&", "a\\<CR>b",
                "\\L\\u&", "é", "\\\\")
FLAGS = ("", "", "g", "g", "ge", "i", "e", "n", "&", "2", "g 3", "I", "r", "&g")

# Insert mode: one key of interest, typed within other text.
INSERTED = ("<C-w>", "<C-u>", "<C-h>", "<BS>", "<BS><BS><BS>", "<Del>", "<C-t>", "<C-d>", "<C-e>", "<C-y>", "<C-a>", "<C-o>x", "<C-o>w",
            "<C-o>dw", "<C-o>p", "<C-o>u", "<C-o>D", "<C-o>A", "<C-o>3l", "<C-o>.", "<C-o>:s/o/0/<CR>", "<C-o>J", "<C-o>$", "<C-o>0",
            "<C-r>a", "<C-r>\"", "<C-r>-", "<C-r>.", "<C-r>/", "<C-r>1", "<C-r><C-r>a", "<C-r><C-o>a", "<C-r><C-p>a", "<C-r>=1+1<CR>",
            "<C-v>65", "<C-v>u00e9", "<C-v>x41", "<C-v>o101", "<C-v><Tab>", "<C-v><Esc>", "<C-q>a", "<C-k>a:", "<C-k>12", "<C-k>Eu",
            "<CR>", "<CR><CR>", "<C-j>", "<Tab>", "<Tab><BS>", " <Tab>", "<Left>", "<Right>", "<Up>", "<Down>", "<Home>", "<End>", "<S-Left>",
            "<S-Right>", "<C-g>u", "<C-g>j", "<C-g>k", "<C-g>U<Left>", "<C-n>", "<C-p>", "<C-n><C-n>", "<C-p><C-p>", "<C-n><C-e>", "<C-n><C-y>",
            "<C-n><C-p>", "<C-x><C-l>", "<C-x><C-n>", "<C-x><C-p>", "<C-x><C-e>", "<C-x><C-y>", "<C-x><C-l><C-n>", "<Insert>z",
            "<Insert>zz<Insert>y", "0<C-d>", "^<C-d>", "<C-Left>", "<C-Right>", "<C-Home>", "<C-End>", "<PageUp>", "<PageDown>", "é", "日",
            "e<C-v>u0301", "<C-c>", "<Left><BS>", "<Up><BS>", "\"x\"", "(", "{<CR>", "}", "# c")
STARTS = ("i", "a", "A", "o", "O", "I", "cw", "R", "s", "S", "C", "gR", "gi", "gI", "3i", "2o", "2A", "3R", "cc", "ce", "2gR", "i", "a")

# The command line: one key of interest behind `:2d`, `:s/o/` or a search.
TYPED = ("<C-w>", "<C-u>", "<C-h>", "<BS>", "<Del>", "<Left>", "<Right>", "<Home>", "<C-b>", "<C-e>", "<End>", "<S-Left>", "<S-Right>",
         "<C-Left>", "<C-Right>", "<C-r>a", "<C-r><C-w>", "<C-r><C-a>", "<C-r><C-l>", "<C-r>=2<CR>", "<C-v>65", "<C-q>u00e9", "<C-k>a:", "<Up>", "<Down>",
         "<C-p>", "<C-n>", "<Insert>", "<S-Up>", "<C-r>/", "<C-r><C-r>a", "<Left><C-w>", "<Home><Del>", "<Left><C-u>")
LINES_TYPED = (":2d{k}<CR>", ":s/o/{k}/<CR>", "/o{k}<CR>", "?e{k}<CR>", ":norm! x{k}<CR>", ":2d{k}1<CR>", ":2d<CR>:{k}<CR>", "d/o{k}<CR>", ":m{k}0<CR>")

EX = {
    "delete": ("{a}d", "{a}d a", "{a}d 2", "{a}d a 2", "{a}d A", "{a}d _"), "yank": ("{a}y", "{a}y b", "{a}y 2", "{a}y A"), "put": ("{a}pu", "{a}pu!", "{a}pu a", "{a}pu =1+1", "{a}pu 1"),
    "move": ("{a}m{t}",), "copy": ("{a}t{t}", "{a}co{t}"), "join": ("{a}j", "{a}j!", "{a}j 3"), "right-shift": ("{a}>", "{a}>>", "{a}> 2"),
    "left-shift": ("{a}<lt>", "{a}<lt><lt>"), "mark": ("{a}ka", "{a}mark b", "{a}k a"), "substitute": ("{a}s/{p}/{r}/{f}", "{a}s#{p}#{r}#{f}", "{a}s/{p}/{r}/{f}", "{a}s/{p}/{r}/{f}"),
    "substitute-again": ("{a}&&", "{a}&", "{a}~", "s/o/0/<CR>:{a}&&", "{a}s", "{a}sg", "{a}&r", "{a}s//{r}/g", "{a}~&g"),
    "global": ("{a}g/{p}/d", "{a}g/{p}/s//{r}/", "{a}g/{p}/m0", "{a}g/{p}/t.", "{a}g!/{p}/j", "{a}v/{p}/norm! Ax", "{a}g/{p}/norm! dw",
               "{a}g/{p}/pu a", "{a}g/{p}/>", "{a}g/{p}/norm! {e}", "{a}g/{p}/ka|'am$", "{a}g/{p}/y A", "{a}v/{p}/d a", "{a}g//s/o/&&/", "{a}g/{p}/-1j", "{a}g/{p}/.,+1d", "{a}g/{p}/m$"),
    "normal": ("{a}norm! x", "{a}norm! Iy<C-v><Esc>", "{a}norm dwp", "{a}norm! ~j", "{a}norm {e}", "norm! {e}", "norm! 2{e}", "{a}norm! A{i}"),
    "sort": ("{a}sort", "{a}sort!", "{a}sort n", "{a}sort u", "{a}sort i", "{a}sort x", "{a}sort /{p}/", "{a}sort /{p}/ r", "{a}sort! n", "{a}sort b", "{a}sort o", "{a}sort iu", "{a}sort f"),
    "left": ("{a}le", "{a}le 4"), "right": ("{a}ri 40", "{a}ri"), "center": ("{a}ce 40", "{a}ce"),
    "retab": ("{a}ret", "{a}ret 4", "{a}ret!", "{a}ret! 3"), "undo": ("u", "red", "undo 0", "undo 1", "earlier 1", "later 1", "undo 2", "earlier 2", "later 10", "earlier 1f"),
    "append": ("{a}a<CR>new one<CR>new two<CR>.", "{a}a!<CR>x<CR>."), "insert": ("{a}i<CR>before<CR>.",), "change": ("{a}c<CR>changed<CR>.",),
    "at": ("d<CR>:{a}@:", "{a}s/o/0/<CR>@:", ">|<CR>@:@@"), "folds": ("{a}fold", "{a}foldo", "{a}foldc", "{a}foldo!", "{a}foldd d", "{a}foldd norm! x"),
    "delmarks": ("delm a", "delm!", "delm a-c"), "keepjumps": ("keepj {a}", "keepj norm! G", "lockm {a}d", "keepp s/o/0/", "keepm {a}m0", "sil {a}d", "keepalt {a}d"),
    "goto": ("goto 10", "go 3", "go", "goto 200"), "line": ("{a}", "5", "{a}+1", "-2", "{a};+1", "{a},{a}"),
    "bar": ("{a}d|u", "{a}s/{p}/{r}/e|d", "2|s/o/0/e", "{a}j|s/ /_/e|>"), "filter": ("{a}!sort", "{a}!tr a-z A-Z", "{a}!cat", "{a}!sed s/o/0/"),
    "read": ("{a}r !echo new", "{a}r !printf 'a\\nb'"), "changes": ("keepj norm! g;", "noh", "z", "{a}="),
    "nohlsearch": ("noh",), "startinsert": ("star<CR>new<Esc>:noh", "star!<CR>new<Esc>:noh", "startreplace<CR>ne<Esc>:noh"),
    "unknown": ("foobar", "{a}foobar", "d x y z", "s/\\(/x/", "'zd", "99d", "norm"),
}

# Options that change what keys do; each is a row, set before something that is likely to feel it.
OPTIONS = (
    "sw=4", "et", "ai", "ts=4", "tw=30", "nosol", "ic", "scs ic", "sta", "sts=4", "ve=block", "ve=onemore", "ve=all", "ve=insert", "ve=block,insert", "nf=alpha", "nf=octal,hex", "nf=", "nf+=unsigned",
    "js", "sr", "ww=h,l", "ww=b,s,<lt>,>,[,]", "si", "sel=exclusive", "sel=old", "nows", "nomagic", "gd", "tildeop", "mps+=<lt>:>", "isk+=-", "isk=@", "bs=", "bs=indent",
    "fo=croql", "fo+=n ai", "fo-=c", "fo+=2 ai", "fo+=j", "fo+=w", "com=:#", "wm=10", "sm", "slm=key km=startsel", "km=startsel,stopsel", "slm=cmd", "dg", "ci ai", "pi ai et", "ssop=", "inf ic",
    "fdm=indent sw=2", "fdm=marker", "nofen", "fdl=1", "fdo=", "fdo=all", "fcl=all", "cpo+=$", "cpo+=E", "cpo+=y", "ul=2", "ul=0", "ul=-1", "tm=10", "sts=4 et", "bri", "nowrap", "list", "so=0", "report=0",
    "fic", "sts=-1 sw=3", "tf", "para=", "cpo-=c", "cpo-=a", "cpo-=e", "cpo+=W", "cpo+=J", "edcompatible", "remap", "noremap",
)
AFTER_OPTION = ("", "{e}", "i{i}<Esc>", "o{i}<CR>{i}<Esc>", "{m}{e}", "v{b}d", "<C-v>{b}~", "A{i}<Esc>", "{m}", "d{m}", ">>")
AFTER_SELECTION = ("d", "y", "~", "<Esc>", "cnew<Esc>", "rx", "p", ">", "iw<Esc>", "J", "o<Esc>")

# Whole phrases: things in combination, a row for each.
PHRASES = {
    "macro": ("qa{e}{e}q{n}@a", "qa{e}q@a@@", "qa{e}qqA{m}q@a", "\"ayy@a", "qajq3@a", "qaf xq5@a", "qa{m}{e}q:{a}norm! @a<CR>", "qqqqq{m}dw@qq@q", "qqqqqf x@qq@q", "qaq@a", "qa{e}q:2norm @a<CR>", "qaA{i}<Esc>q2@a", "qajdwq:g/{p}/norm! @a<CR>"),
    "macro-register": ("qa{e}q\"ap", "qaix<Esc>q\"aPdd@\"", "yiw@\"", "\"ayiw@a", ":s/o/0/<CR>@:2@:", "qaciwx<Esc>wq.@a"),
    "normal-map": (":nnoremap x dd<CR>3x", ":nmap gz 2x<CR>gz", ":nmap , f,<CR>,", ":nnoremap <lt>C-n> dw<CR><C-n>", ":nmap a ix<lt>Esc><CR>a", ":nn Y y$<CR>Yp", ":nmap dd x<CR>dd", ":nnoremap j gj<CR>2j", ":nmap q{m} x<CR>q", ":nn zz :s/o/0/<lt>CR><CR>zz"),
    "insert-map": (":inoremap jj <lt>Esc><CR>iajjx", ":inoremap ( ()<lt>Left><CR>if(x<Esc>", ":imap a b<CR>:imap b c<CR>iab<Esc>", ":ino <lt>C-f> <lt>Right><CR>i<C-f>x<Esc>", ":map! q w<CR>iq<Esc>"),
    "operator-map": (":onoremap q iw<CR>dq", ":omap L $<CR>dL", ":onoremap p i(<CR>cpnew<Esc>", ":ono il :<lt>C-u>norm! 0v$<lt>CR><CR>dil", ":onoremap F :norm! 0f(vi(<lt>CR><CR>dF"),
    "visual-map": (":vnoremap z d<CR>vlz", ":xnoremap j 2j<CR>vjd", ":vmap s I<lt>Del><lt>Esc><CR><C-v>js", ":vn > >gv<CR>V>>"),
    "unmap": (":nmap x dd<CR>:nunmap x<CR>x", ":nmapc<CR>x", ":imap x y<CR>:iun x<CR>ix<Esc>", ":map x dd<CR>:unm x<CR>x"),
    "abbreviation": (":ia fx foo<CR>afx <Esc>", ":ia fx foo bar<CR>ifx<Esc>p", ":ab #i inc<CR>o#i <Esc>", ":ia ;; x<CR>oa;; <Esc>", ":ia fx foo<CR>oafx fx<C-v> fx.<Esc>", ":ab fx y<CR>:s/o/fx/<CR>", ":ia fx a<lt>CR>b<CR>ifx <Esc>u", ":ia fx foo<CR>:una fx<CR>afx <Esc>", ":iab <lt>buffer> fx q<CR>2afx <Esc>", ":ia fx fy<CR>:ia fy z<CR>ofx <Esc>", ":ia fx fo<CR>ifx<C-]>y<Esc>", ":ia fx fo<CR>ofx<CR>fx<Tab><Esc>"),
    "digraph": ("r<C-k>e:", "f<C-k>e:", "i<C-k>Co<Esc>", ":dig xx 8364<CR>a<C-k>xx<Esc>", "a<C-k><Space>a<Esc>", ":set dg<CR>aa<BS>:<Esc>", "i<C-k>e<Esc>", "s<C-k>zz<Esc>"),
    "completion": ("ofo<C-n><Esc>", "ofo<C-p><C-p><C-y>x<Esc>", "ot<C-n><C-n> e<C-p><Esc>", "o<C-x><C-l><C-x><C-l><Esc>", "of<C-x><C-n><C-x><C-n><Esc>", "o<C-p><Esc>", "oxyz<C-n>q<Esc>", "aT<C-n><BS><Esc>", "of<C-n><C-w><Esc>", "of<C-n><CR>x<Esc>", "of<C-n><Down><CR><Esc>", ":set cpt=.<CR>of<C-p><Esc>", "ob<C-n><C-e>z<Esc>.", "ofo<C-n><Esc>j."),
    "select": ("gh{k}", "gH{k}", "g<C-h>l{k}", "v{b}<C-g>{k}", "gh<S-Right><S-Right>{k}", "viw<C-g>new<Esc>", "gh<Right>x<Esc>", "gh<BS>", "gh<C-o>d", "gh<C-g>d", "Vj<C-g><C-r>", "gh<Esc>gv<C-g>z<Esc>", "ghx<Esc>u", "ghab<Esc>.", "<C-v>jl<C-g>x<Esc>", "gh<CR><Esc>", "gh<S-Down><Del>", "v<C-g><C-v><Esc>"),
    "virtual-replace": ("gRab<BS><Esc>", "3gRx<Esc>", "gR<Tab>y<Esc>", "gR{i}<Esc>", "gRabc<CR>d<Esc>", "grx", "3gré", "gr<Tab>", "gRa<BS><BS><Esc>u", "gR日<Esc>", "gRab<Esc>j.", "gRxyz<C-w><Esc>", "gR<C-t><Esc>"),
    "replace": ("Rab<BS><Esc>", "3Rx<Esc>", "R<Tab>y<Esc>", "R{i}<Esc>", "Rabc<CR>d<Esc>", "R日<Esc>", "Rab<BS><BS><BS>c<Esc>", "Rx<Left>y<BS><Esc>", "Rx<C-u><Esc>", "Ra<C-w>b<Esc>.", "Ra<Insert>b<Insert>c<BS><Esc>", "Rab<Esc>j3.", "R<C-v>u00e9<Esc>", "Rab<C-h><C-h><Esc>"),
    "virtual-edit": (":set ve=all<CR>$4l{e}{m}{e}", ":set ve=all<CR>{m}3l{e}.", ":set ve=all<CR>9|v{b}d", ":set ve=all<CR>12|i{i}<Esc>", ":set ve=all<CR>$2la{i}<Esc>", ":set ve=all<CR>7|{e}u", ":set ve=all<CR>yl15|p", ":set ve=all<CR>yiw6|{n}P",
                     ":set ve=all<CR>d{m}10|R{i}<Esc>", ":set ve=all<CR>9|v{b}r-", ":set ve=all<CR>6|y{m}p", ":set ve=all<CR>{m}{m}4l{e}", ":set ve=all<CR>20|d{m}", ":set ve=all<CR>3|ma20|y`ap", ":set ve=all<CR>10|{n}rx", ":set ve=all<CR>8|i<C-o>{m}{i}<Esc>",
                     ":set ve=block<CR>$<C-v>3l{b}d", ":set ve=block<CR><C-v>{b}5lI{i}<Esc>", ":set ve=block<CR>$<C-v>2l{b}c{i}<Esc>", ":set ve=block<CR><C-v>5l{b}r-", ":set ve=block<CR><C-v>{b}4lA{i}<Esc>", ":set ve=block<CR><C-v>{b}3ly$p",
                     ":set ve=block<CR><C-v>{b}5lyP", ":set ve=block<CR><C-v>{b}5l<Esc>gv>", ":set ve=block<CR><C-v>{b}5l~.", ":set ve=block<CR><C-v>{b}6ly{m}{e}", ":set ve=block<CR><C-v>{b}2lOd", ":set ve=block<CR><C-v>{b}3lp",
                     ":set ve=insert<CR>A<Right><Right>{i}<Esc>", ":set ve=insert<CR>{m}a<Down><Right>{i}<Esc>", ":set ve=insert<CR>A<Up><Up>x<Left><Left>y<Esc>", ":set ve=insert<CR>o<Right><Right><BS>{i}<C-w><Esc>", ":set ve=insert<CR>A<Right><C-o>{e}z<Esc>"),
    "block-insert": ("<C-v>{b}I{i}<Esc>", "<C-v>{b}A{i}<Esc>", "<C-v>{b}c{i}<Esc>", "<C-v>{b}$Ax<Esc>", "<C-v>{b}IX<Esc>j.", "<C-v>{b}s日<Esc>", "<C-v>j$A z<Esc>u", "<C-v>{b}Cnew<Esc>", "<C-v>{b}Ia<CR>b<Esc>", "<C-v>{b}Ia<Left>b<Esc>", "<C-v>{b}Ax<BS>y<Esc>", "<C-v>{b}2Ix<Esc>", "<C-v>{b}A\t<Esc>", "<C-v>j3lRnew<Esc>"),
    "block-edit": ("<C-v>{b}d", "<C-v>{b}r日", "<C-v>{b}~", "<C-v>{b}yP", "<C-v>{b}y$p", "<C-v>{b}>", "<C-v>{b}2<lt>", "<C-v>{b}J", "<C-v>{b}D", "<C-v>{b}X", "<C-v>{b}U", "<C-v>{b}xGp", "<C-v>{b}y2p", "<C-v>{b}g<C-a>", "<C-v>{b}3<C-a>", "<C-v>{b}Y.", "<C-v>{b}dj.", "<C-v>{b}r<CR>", "<C-v>{b}$d", "<C-v>{b}$y0P", "<C-v>{b}Op", "<C-v>{b}oyp", "<C-v>{b}dgvp", "<C-v>{b}:s/\\%Vo/0/g<CR>", "<C-v>{b}:norm! x<CR>", "<C-v>{b}gJ", "<C-v>{b}S{i}<Esc>", "<C-v>{b}r\t", "<C-v>{b}!sort<CR>"),
    "visual-change": ("v{b}c{i}<Esc>", "V{b}c{i}<Esc>", "v{b}d.", "V{b}d.", "v{b}p", "yiwv{b}pu", "ddv{b}P", "v{b}\"ayv{b}\"ap", "V{b}>.", "v{b}r<CR>", "v{b}<C-a>", "V{b}g<C-a>", "v{b}Y", "v{b}~gv~", "v{b}ojd", "v{b}<Esc>1v~", "V{b}J.", "v{b}Uw.", "v{b}gJ", "v{b}s{i}<Esc>w.", "v{b}aw~", "viwd.", "vipJ", "v{b}it~", "V{b}:m0<CR>", "v{b}<C-v>y", "v{b}Vd", "v{b}C{i}<Esc>", "v{b}$yp", "v{b}gqgv<Esc>", "v{b}gww", "2vd", "vd2v~", "v{b}*", "v{b}\"_dP"),
    "undo": ("uu<C-r>", "U", "{e}U", "{e}UU", "3g-", "g+", "{e}{e}g-g-", "{e}u{e}g-g-g+", ":earlier 2<CR>:later 1<CR>", "{e}uu{e}{e}3u2<C-r>", "{e}u{e}u{e}5g-", "u.u", "{e}:undo 1<CR>g+", "{e}2u", "i{i}<C-g>u{i}<Esc>u", "{e}U.", "{e}{e}Uu"),
    "register-walk": ("dd{e}dd\"1p..u", "\"1pu.u.u.", "dwddd}\"1p\"2p\"3p", "ddp\"2P.", "\"ayy\"Ayiw\"ap", "dd\"1P\"-p", "diw\"_dd\"-P", "\"add\"Add\"bp\"ap", "cwx<Esc>\".p", "\"%p", "\":p", "\"/p", "\"=1+2<CR>p", "3\"ayy\"a2p", "xp", "ddkP", "yyP``", "\"bdw\"Bdw\"bP", "d)\"1p", "d%\"1p\"-p", "dn\"1p", "\"adfo\"1p"),
    "put": ("yy{n}p", "yiw{n}P", "yy{n}gp", "yiw{n}gP", "yy{n}]p", "yy{n}[p", "yy>>]P", "ddgP", "<C-v>jly3P", "<C-v>j$ygp", "yyjp`[", "y2jp`]", "yipP'[", "]p", "\"a]P", "y$p.", "yy2p2.", "vey:pu<CR>", "v{b}y]p"),
    "marks": ("ma{m}d'a", "ma{m}y`a", "{m}``{e}", "{m}''{e}", "ma{e}`a", "mA{m}'A", "{e}`[v`]~", "{e}`.", "{e}{m}g;", "{e}{m}{e}g;g;g,", "i{i}<Esc>{m}`^", "v{b}<Esc>`<lt>v`>d", "mm{e}'m", "ma{m}mbd`a`b", "ma:2m0<CR>'a", "ma:1d<CR>'ax", "{e}'[", "y`]", "c`[x<Esc>", "m[{m}'[", "m'{m}''", "ma{m}mb]'['`a", "]`d[`", "{e}g;2g,"),
    "jumps": ("{m}<C-o>", "{m}{m}<C-o><C-o><Tab>", "G<C-o>", "/o<CR>n<C-o>2<C-o>", "gg``", "3G5G<C-o><C-o><C-i>", "%<C-o>", "*<C-o>", "{e}G``", ":2<CR>``", ":keepj 3<CR>``", "Gdd<C-o>", "ma{m}`a<C-o>", "(){}<C-o>", "HML<C-o><C-o>", "2G<Tab>"),
    "folds": ("zfjzo", "zfjdd", "zfjyyp", "zf{m}zjzk", "zF", "2zFzD", "zfjjzfkzE", "zfjzn", "zfjziix<Esc>", "zfapj{e}", "zfjza{e}", "zfjzcx", "zfj:s/o/0/<CR>", "zfjzoj{e}", "zfjzMzR{e}", "zfjjp", "zfj>>", "zfj{m}{e}", "zfjkj{e}", "zfjdju", "2zFzaj[z]z", "zfjVd", "zfjzvzX{e}", "zfjJ", "zfj:d<CR>", "zfjcc{i}<Esc>", "zf2jzoj zfjzc{e}", "zfjO{i}<Esc>", "zfjzC:m0<CR>", "v{b}zf{e}", "zfkzdp", "zfj3zo{m}d{m}", "zfj:.norm! x<CR>"),
    "repeat": ("{e}.", "{e}3.", "{e}j.", "{e}u.", "A{i}<Esc>j.", "o{i}<Esc>.", "I{i}<Esc>2.", "cw{i}<Esc>w.", "2dw2.", "3iab<Esc>4.", "dd2.", "\"1p..", "{e}{m}.{m}.", "i<C-r>a<Esc>.", "a<C-o>x<Esc>.", "cgnX<Esc>.", "~.", "d/o<CR>.", "df .;.", "xp.", "J.", ">>.", "gUiw.", "&.", "rx2.", "<C-a>3.", "v{b}~.", "O{i}<CR>{i}<Esc>.", "cib<Esc>.", "5ix<BS>y<Esc>.", "itext<Left>x<Esc>.", "gi{i}<Esc>."),
    "search": ("/{p}<CR>{n}n", "?{p}<CR>N", "/{p}/e<CR>nN", "/{p}/s+1<CR>n", "*{n}n", "#N", "g*n", "g#n", "/{p}/;?{p}?<CR>", "d/{p}<CR>", "c/{p}/e<CR>{i}<Esc>", "y?{p}<CR>P", "v/{p}<CR>d", "/{p}/+1<CR>dn", "{n}/{p}<CR>", "//<CR>", "??<CR>", "/{p}\\c<CR>", "dgn", "cgn{i}<Esc>", "/{p}<CR>dgNn", "gnd", "/{p}<CR>:s//{r}/<CR>n", "/{p}/b-1<CR>d//e<CR>", "d*", "yn"),
    "formatting": (":set tw=20<CR>{n}gqq", ":set tw=20<CR>gqap", "gqj", "gww", "gwip", ":set tw=15<CR>A{i} and more words to wrap<Esc>", ":set tw=15 ai<CR>o  {i} some more words here<Esc>", ":set tw=30 fo+=r com=:#<CR>A # more<CR>x<Esc>", ":set tw=20<CR>v{b}gq", "{n}J", "{n}gJ", ":set js<CR>3J", ":set tw=10<CR>gqG", ":ce 30<CR>", "gqgqu", ":set ai<CR>o\tx<CR><CR>y<Esc>", ":set si<CR>oif {<CR>x<CR>}<Esc>", ":set ai<CR>cc{i}<Esc>", ":set wm=60<CR>A{i} b c d e f<Esc>", ":set fo+=w tw=20<CR>ix <Esc>"),
    "reindent": ("==", "=ap", "gg=G", ":set sw=4<CR>gg=G", "=j", "v{b}="),
    "numbers": ("{n}<C-a>", "{n}<C-x>", ":set nf=alpha<CR><C-a>", "v{b}3<C-a>", "V{b}g<C-a>", "G3<C-x>.", ":set nf+=octal<CR>2<C-a>", "<C-a>u", "99<C-a>", "w<C-a>b<C-x>", ":set nf=bin<CR><C-x>", "Vjj2g<C-x>", "i0xfe<Esc>4<C-a>", "i-1<Esc>2<C-a>", "A 9<Esc>3<C-a>"),
    "case": ("{n}~", "g~{m}", "gU{m}", "gu{m}", "gUgU", "guu", "g~~", "g??", "g?{m}", "gUiw.", "v{b}u", "V{b}U", "g~iwu", "2g~~"),
    "operator-count": ("2d2w", "3dd", "d3d", "2c2w{i}<Esc>", "\"a2y2w", "2>2j", "d0", "2\"add", "\"a2\"bdw", "d\"aw", "9dw", "3x", "2X", "2D", "2s{i}<Esc>", "2S{i}<Esc>", "2C{i}<Esc>", "2Y", "5J", "3rx", "3r<CR>", "dv2w", "dVw", "d<C-v>j", "dvj", "yv$p", "d2f ", "c3l{i}<Esc>", "2cc{i}<Esc>", "y2ap", "d2aw", "d2as", "dgg", "2gUU", "10~", "2gqq", "3==", "5p", "12<Del>3<Del>x"),
    "objects": ("d{o}", "c{o}{i}<Esc>", "y{o}P", "v{o}~", "v{o}{o}d", "{n}d{o}", "gU{o}", ">{o}", "v{b}{o}d", "d2{o}", "y{o}vP", "V{o}d", "g?{o}."),
    "insert-counts": ("3i{i}<Esc>", "2A{i}<Esc>", "3o{i}<Esc>", "2O{i}<Esc>", "3I{i}<Esc>", "2a{i}<CR>x<Esc>", "3gI{i}<Esc>", "2gi{i}<Esc>", "4ix<C-o>l<Esc>", "3i<Esc>", "2oa<CR>b<Esc>u", "5a-<Esc>.", "3cwa<Esc>", "2sx<Esc>"),
    "scrolling": ("<C-e>{e}", "<C-y>{e}", "<C-d>{e}", "<C-u>{e}", "<C-f>{e}", "<C-b>{e}", "zt{e}", "zb{e}", "zz{e}", "z<CR>{e}", "z.{e}", "2z-{e}", "H{e}", "L{e}", "M{e}"),
    "amp": ("&", "g&", ":s/o/0/<CR>j&", ":s/o/0/g<CR>jg&", ":%s/e/E/<CR>u&&", ":s/{p}/{r}/{f}<CR>&", "/a<CR>:s/o/0/<CR>g&"),
    "info": ("ga", "g8", "g<C-g>", "<C-g>", ":ma a<CR>'a", "gv<Esc>", "<C-\\><C-n>", "i<C-\\><C-n>", "i<C-\\><C-o>x<Esc>", "v<C-\\><C-n>", ":<C-\\><C-n>", "d<C-\\><C-n>x", ":\"c<CR>", "<Insert>x<Esc>", "Qj", "Q{m}", "v<C-c>", "d<C-c>x"),
}

# What leaves Normal mode in it; `{e}` of the templates.
EDITS = ("x", "dw", "dd", "p", "P", "J", "~", ">>", "yyp", "D", "rz", "X", "ix<Esc>", "A.<Esc>", "Oup<Esc>", "ciwq<Esc>", "yiwP", "dj", "2x", "<C-a>", "gUiw", "xp",
         "s-<Esc>", "cc<Esc>", "d$", "dap", "gJ", "yy", "obelow<Esc>", "I\t<Esc>", "dvb", "guu", "C!<Esc>", "Rov<Esc>", "u", ".")
MOVES = ("l", "j", "w", "$", "k", "3l", "o", "h", "b", "e", "G", "O", "2j", "0", "f ", "}", "iw")
MOTIONS = ("h", "l", "j", "k", "w", "b", "e", "ge", "W", "B", "E", "gE", "0", "^", "$", "gg", "G", "fo", "Fo", "to", "Te", ";", ",", "(", ")", "{", "}", "%", "H", "M", "L",
           "n", "N", "*", "#", "`a", "'a", "+", "-", "_", "g_", "|", "5|", "3|", "gj", "gk", "g0", "g$", "]]", "[[", "[(", "[{", "])", "]}", "/o<CR>", "?e<CR>", "2j", "3l", "2w", "''", "``", "[m", "]M",
           "<C-n>", "<CR>", "go", "5go", "gM", "[*", "]/", "[#")
OBJECTS = tuple(f"{a}{o}" for a in "ia" for o in ("w", "W", "s", "p", "(", ")", "b", "{", "}", "B", "[", "]", "<lt>", ">", "t", '"', "'", "`"))
TEXTS = ("new", "", "a b", "x", "foo bar", "é", "日", "a<CR>b", "1", "\t", "ab<BS>c", "  ", "end.", "x<Left>y", "q<C-w>r", "(z)", "one<C-o>0two")
