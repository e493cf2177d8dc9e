"""Ask the Vim on this machine what it does with a case: text, cursor, options and keys in, its whole state out.

    ask({"text": ["one"], "cursor": [1, 0], "keys": "xu", "options": {}}) -> {"text": …, "cursor": …, "mode": …}

Each case runs in a Vim of its own on a pseudo-terminal nobody looks at. A timer in Vim, which only fires while Vim
waits for a key, sends a beat; each key is typed after two beats, so that Vim has dealt with the one before, as with a
person's, and an error does not lose the keys behind it. When they are used up the timer writes the state down, in
whatever mode it is.
"""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

from tpy.modal.keymap import parse_keys

VIM = shutil.which("vim")
SECONDS = 10.0
# Keys that are no characters come as private characters, so that <Esc> is never the start of one; not from the first
# on, whose bytes mean something to Vim itself.
SPECIAL = [
    "<Up>", "<Down>", "<Left>", "<Right>", "<Home>", "<End>", "<PageUp>", "<PageDown>", "<Insert>", "<Del>", "<BS>",
    "<S-Tab>", "<S-Left>", "<S-Right>", "<S-Up>", "<S-Down>", "<C-Left>", "<C-Right>", "<C-Home>", "<C-End>",
]  # fmt: skip
CODES = {key: chr(0xE061 + number) for number, key in enumerate(SPECIAL)}
SETTINGS = """
set nocompatible encoding=utf-8
scriptencoding utf-8
set backspace=indent,eol,start history=200 ruler showcmd wildmenu ttimeout ttimeoutlen=1 display=truncate
set scrolloff=5 incsearch nrformats=bin,hex nolangremap mouse= nohlsearch belloff=all nomodeline noswapfile
set nobackup nowritebackup viminfo= shell=/bin/sh lines=24 columns=80 updatecount=0 more shortmess=filnxtToOS
set nojoinspaces cpoptions=aABceFs redrawtime=20000 t_vb=
filetype off
noremap Q gq
sunmap Q
inoremap <C-U> <C-G>u<C-U>
let s:case = json_decode(join(readfile($CASE), "\\n"))
for [s:name, s:code] in items(s:case.codes)
  silent! execute 'set ' . s:name . '=' . s:code
endfor
func! s:Pos(where)
  let p = getcharpos(a:where)
  return p[1] == 0 ? v:null : [p[1], p[2] > 1000000 ? -1 : p[2] - 1]
endfunc
func! s:Finish()
  let r = {'text': getline(1, '$'), 'mode': mode(1), 'cursor': s:Pos('.'), 'registers': {}, 'regtype': {}, 'opaque': []}
  for c in split('"0123456789-abcdefghijklmnopqrstuvwxyz/', '\\zs')
    let v = getreg(c, 1)
    if v ==# ''
      continue
    endif
    if json_decode(json_encode(v)) !=# v || v =~# "\\x80"
      call add(r.opaque, c)
    else
      let r.registers[c] = v
      let r.regtype[c] = getregtype(c)
    endif
  endfor
  let r.visual = [s:Pos('v'), s:Pos('.')]
  let r.cmdline = r.mode =~# '^c' ? getcmdtype() . getcmdline() : ''
  let r.error = v:errmsg
  let r.asked = s:asked
  let r.windows = winnr('$') + len(getbufinfo({'buflisted': 1})) - 1
  call writefile([json_encode(r)], $ANSWER)
  qall!
endfunc
let s:idle = 0
let s:asked = 0
func! s:Tick(timer)
  " a question, or a message that did not fit: the key that answers it is no command
  if mode() =~# '^r'
    let s:asked = 1
  endif
  if !filereadable($ANSWER . '.typed')
    call echoraw("\x1e")
    return
  endif
  " Vim waits for the rest of a mapping: look again until that is over
  let s:idle += 1
  if s:idle > 3 && (state('m') ==# '' || s:idle > 1300)
    call timer_stop(a:timer)
    call s:Finish()
  endif
endfunc
func! s:Enter()
  for [o, v] in items(s:case.options)
    execute 'let &' . o . ' = v'
  endfor
  call setcursorcharpos(s:case.cursor[0], s:case.cursor[1] + 1)
  messages clear
  let v:errmsg = ''
  call timer_start(1, function('s:Tick'), {'repeat': -1})
endfunc
autocmd VimEnter * ++once call s:Enter()
"""
MODES = {
    "nov": "no", "noV": "no", "no\x16": "no", "\x16": "<C-v>", "\x13": "<C-s>", "\x16s": "<C-v>", "vs": "v", "Vs": "V",
    "ic": "i", "ix": "i", "Rc": "R", "Rx": "R", "Rvc": "Rv", "Rvx": "Rv", "cv": "c", "ce": "c", "cr": "c",
}  # fmt: skip


def typed(key: str) -> bytes:
    """Return the bytes that a key is typed with."""
    if key in CODES:
        return CODES[key].encode()
    if len(key) == 1:
        return key.encode()
    named = {"<Esc>": 27, "<CR>": 13, "<Tab>": 9, "<C-@>": 0}
    return bytes([named[key] if key in named else ord(key[3].upper()) ^ 64])


def ask(case: dict[str, Any]) -> dict[str, Any] | None:
    """Return what Vim did, in the form of a recorded answer; `None` when it did not come to an end."""
    assert VIM is not None
    with tempfile.TemporaryDirectory(prefix="tpy-vim-") as name:
        folder = Path(name)
        (folder / "case.txt").write_text("\n".join(case["text"]) + "\n", encoding="utf-8")
        question = {"options": case.get("options", {}), "cursor": case["cursor"], "codes": CODES}
        (folder / "case.json").write_text(json.dumps(question), encoding="utf-8")
        (folder / "settings.vim").write_text(SETTINGS, encoding="utf-8")
        _run(folder, [typed(key) for key in parse_keys(case["keys"])])
        answer = folder / "answer.json"
        if not answer.exists():
            return None
        return _cleaned(json.loads(answer.read_text(encoding="utf-8")))


def _run(folder: Path, keys: list[bytes]) -> None:
    """Run Vim in `folder`, type the keys, and wait until it has written its answer."""
    assert VIM is not None
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(folder)
        env = {"TERM": "dumb", "HOME": str(folder), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        env.update(CASE=str(folder / "case.json"), ANSWER=str(folder / "answer.json"), LINES="24", COLUMNS="80")
        os.execve(VIM, ["vim", "-N", "-u", "settings.vim", "-i", "NONE", "case.txt"], env)
    deadline = time.monotonic() + SECONDS
    beats, done = 0, False
    waiting = list(reversed(keys))
    try:
        while time.monotonic() < deadline:
            if not select.select([fd], [], [], 0.5)[0]:
                continue
            try:
                data = os.read(fd, 65536)
            except OSError:
                break
            beats += data.count(b"\x1e")
            if beats < 2 or done:
                continue
            beats = 0
            if waiting:
                os.write(fd, waiting.pop())
            else:
                done = True
                (folder / "answer.json.typed").touch()
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(fd)


def _cleaned(raw: dict[str, Any]) -> dict[str, Any]:
    """Return Vim's record in the form of the driver's results."""
    mode = MODES.get(raw["mode"], raw["mode"])
    raw["mode"] = mode
    raw["regtype"] = {name: kind.replace("\x16", "<C-v>") for name, kind in raw["regtype"].items()}
    if mode not in ("v", "V", "<C-v>", "s", "S", "<C-s>"):
        del raw["visual"]
    if mode != "c":
        del raw["cmdline"]
    return raw
