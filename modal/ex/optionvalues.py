"""What values options may have: numbers, lists of items, flags, and Vim's messages for wrong ones.

Setting them is in `settings.py`.
"""

from __future__ import annotations

from tpy.modal.options import Option, Value
from tpy.modal.registry import CommandFailed
from tpy.modal.text.chars import CharOptionError, parse_option
from tpy.modal.text.width import char_cells

# Options of Vim that tpy does not have.
UNSUPPORTED = frozenset(
    """
    acd al aleph allowrevins ambiwidth ambw arab arabic arabicshape ari arshape asd autochdir autoshelldir
    autowriteall awa background backup backupcopy backupdir backupext backupskip balloondelay balloonevalterm
    balloonexpr bdir bdlay bevalterm bex bexpr bg bin binary bk bkc breakat breakindentopt brk bsk casemap ccv cd cdh
    cdhome cdpath cedit cfu ch charconvert cin cindent cm cmdheight cmdwinheight cmp cms co cocu cole columns
    commentstring compatible completefunc completepopup concealcursor conceallevel cp cpp crb cryptmethod
    cscopepathcomp cscopeprg cscopequickfix cscoperelative cscopetag cscopetagorder cscopeverbose cspc csprg cst csto
    cursorbind cursorlineopt cwh debug deco delcombine dex diffexpr dir directory ead eadirection eb ef ei ek emo
    emoji endoffile eof ep equalprg errorbells errorfile esckeys eventignore ex exrc fcl fcs fdc fde fdi fdls fdn fdt
    fencs fex ffs fic fileencodings fileformats fileignorecase fillchars flp foldclose foldcolumn foldexpr foldignore
    foldlevelstart foldnestmax foldtext formatexpr formatlistpat formatprg fp fs fsync gcr gfm grepformat guicursor
    helpfile helpheight helplang hf hh highlight hk hkmap hkmapp hkp hl hlg icon iconstring imactivatefunc imaf imc
    imcmdline imd imdisable imi iminsert ims imsearch imsf imstatusfunc inc include includeexpr inde indentexpr
    indentkeys indk inex key keymap keyprotocol keywordprg kmp kp kpc langmap langmenu langnoremap lines lisp
    lispoptions lispwords lm lmap lnr loadplugins lop lpl lw makeef makeencoding mat matchtime maxcombine
    maxfuncdepth maxmem maxmempattern maxmemtot mco mef menc menuitems mfd mis mkspellmem ml mle mls mm mmp mmt
    modeline modelineexpr modelines more mousem mousemodel mouset mousetime msm ofu omnifunc packpath pastetoggle
    patchexpr patchmode pdev penc pex pexpr pfn ph pm pmbfn pp previewheight previewpopup previewwindow printdevice
    printencoding printexpr printfont printheader printmbcharset printmbfont printoptions prompt pt pumheight
    pumwidth pvh pvp pvw pw qftf quickfixtextfunc rdt re redrawtime regexpengine remap revins ri rightleft
    rightleftcmd rl rlc rtp ruf rulerformat runtimepath sbo scrolljump scrollopt secure sessionoptions sft shcf
    shellcmdflag shellpipe shellquote shellredir shelltemp shellxescape shellxquote shm shortmess shortname
    showcmdloc showfulltag showtabline shq sj sloc smc smoothscroll sms sn sp spc spell spellcapcheck spellfile
    spelllang spelloptions spellsuggest spf spk spl splitkeep spo sps srr ssop stal stmp su sua suffixes suffixesadd
    swapfile swapsync swf sws sxe sxq synmaxcol ta tabline tabpagemax tag tagbsearch tagcase tagfunc taglength
    tagrelative tags tagstack tal tbi tbidi tbs tc tenc term termbidi termencoding termwinkey termwinscroll
    termwinsize terse textauto textmode tf tfu tgst thesaurusfunc titlelen titleold tl tpm tr tsl tsrfu tty
    ttybuiltin ttyfast ttym ttymouse ttyscroll ttytype twk tws twsl tx uc udir undodir undoreload updatecount
    updatetime ur ut varsofttabstop vartabstop vdir verbosefile vfile vi viewdir viewoptions vif viminfo viminfofile
    vop vsts vts wa warn wb wc wcm wd weirdinvert wfw wi wig wildchar wildcharm wildignore wildoptions wincolor
    window winfixwidth wiv wop write writeany writebackup writedelay xtermcodes
    """.split()
)
_CHARS = ("isfname", "isident", "isprint", "iskeyword")
_MOST_TABSTOP = 9999


def checked(option: Option, old: Value, sign: str, text: str, word: str) -> Value:
    """Return the value that `text` gives an option; `sign` is `+`, `-`, `^` or "".

    `word` is what was typed, for messages. Raises `CommandFailed` with Vim's message.
    """
    if option.type is int:
        return _number(option, old, sign, text, word)
    value = _unescaped(text)
    if sign:
        assert isinstance(old, str)
        value = _combined(option, old, sign, value)
    _check_text(option, value, word)
    return value


def _number(option: Option, old: Value, sign: str, text: str, word: str) -> int:
    try:
        number = int(text, 0) if text[:2].lower() in ("0x", "0b") else int(text, 10)
    except ValueError:
        raise CommandFailed(f"E521: Number required after =: {word}") from None
    assert isinstance(old, int)
    number = {"": number, "+": old + number, "-": old - number, "^": old * number}[sign]
    if option.least is not None and number < option.least:
        raise CommandFailed(f"E487: Argument must be positive: {word}")
    if option.name == "tabstop" and number > _MOST_TABSTOP:
        raise CommandFailed(f"E474: Invalid argument: {word}")
    return number


def _unescaped(text: str) -> str:
    """Remove the backslash before blanks, quotes, bars and backslashes."""
    out: list[str] = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text) and not text[at + 1].isalnum():
            at += 1
        out.append(text[at])
        at += 1
    return "".join(out)


def _combined(option: Option, old: str, sign: str, value: str) -> str:
    """Add to, put before or remove from a string (`:help :set+=`)."""
    if option.list == "comma":
        items = old.split(",") if old else []
        if sign == "-":
            kept = _without(items, value.split(","))
            return ",".join(kept)
        if value in items and option.name != "comments":
            return old
        return ",".join(part for part in ((old, value) if sign == "+" else (value, old)) if part)
    if sign == "-":
        if option.list == "flags":
            at = old.find(value)
            return old[:at] + old[at + len(value) :] if at >= 0 else old
        return old.replace(value, "", 1)
    if option.list == "flags":
        value = "".join(flag for flag in dict.fromkeys(value) if flag not in old)
    return old + value if sign == "+" else value + old


def _without(items: list[str], gone: list[str]) -> list[str]:
    """Remove a run of items where it stands."""
    for at in range(len(items) - len(gone) + 1):
        if items[at : at + len(gone)] == gone:
            return items[:at] + items[at + len(gone) :]
    return items


def _check_text(option: Option, value: str, word: str) -> None:
    bad = CommandFailed(f"E474: Invalid argument: {word}")
    if option.list == "flags" or option.name == "whichwrap":
        for flag in value:
            if option.values and flag not in option.values and flag != ",":
                raise CommandFailed(f"E539: Illegal character <{flag}>: {word}")
        return
    if option.name in _CHARS:
        try:
            parse_option(value)
        except CharOptionError:
            raise bad from None
    elif option.name == "showbreak":
        if any(not char.isprintable() or char_cells(char, 0, 8) != 1 for char in value):
            raise CommandFailed(f"E595: 'showbreak' contains unprintable or wide character: {word}")
    elif option.name == "backspace" and value in ("0", "1", "2", "3"):
        return
    elif option.name == "matchpairs":
        if value and any(len(pair) != 3 or pair[1] != ":" for pair in value.split(",")):
            raise bad
    elif option.list == "comma" and option.values:
        if any(item not in option.values for item in value.split(",") if item):
            raise bad
    elif not option.list and option.values and value not in option.values:
        raise bad
