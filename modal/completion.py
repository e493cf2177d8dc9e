"""The completion scripts for bash, zsh and fish, written from the rows that the program itself reads.

    python -m tpy.modal.completion          # writes them into completions/

The scripts are static and shipped, because asking the program at each `<Tab>` would cost its start. Only the
names of agents are asked for, by `tpy agents list --names`, which starts nothing and never fails.
Not here: printing them (`cli.py`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from tpy.modal.arguments import OPTIONS
from tpy.modal.cli import SHELLS

NAMES = "agents list --names"


class Word(NamedTuple):
    """One word that can be completed, and what it is for."""

    word: str
    about: str


class Scope(NamedTuple):
    """What can follow `tpy agents NAME`: options, and whether agents' names or files."""

    name: str
    about: str
    options: tuple[Word, ...]
    then: str = ""


def scopes() -> tuple[Scope, ...]:
    """The subcommands of `tpy agents`, asked of click."""
    from tpy.acp.shell import agents

    found = []
    for name, command in agents.commands.items():
        options = [
            Word(max(parameter.opts, key=len), getattr(parameter, "help", None) or "")
            for parameter in command.params
            if parameter.opts[0].startswith("-") and not getattr(parameter, "hidden", False)
        ]
        arguments = [p.name or "" for p in command.params if not p.opts[0].startswith("-")]
        then = "agents" if "names" in arguments else "files" if "file" in arguments else ""
        found.append(Scope(name, command.get_short_help_str(70), tuple(options), then))
    return tuple(found)


def known_names() -> tuple[str, ...]:
    """The names `tpy agents init --agent` takes."""
    from tpy.acp.known import known_agents

    return tuple(agent.name for agent in known_agents())


def script(shell: str) -> str:
    """The whole script for a shell."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]()


# --- bash -----------------------------------------------------------------------------------------------

_BASH = r"""# Completion of tpy for bash. Made by `python -m tpy.modal.completion`; do not edit.
# Install: tpy completion bash >~/.local/share/bash-completion/completions/tpy

# Offer the candidates on standard input, one a line, what follows a tab being left out.
_tpy_offer() {
    local line colon=
    # bash cuts words at colons: it wants only what comes after the last one.
    [[ $cur == *:* && ${COMP_WORDBREAKS-} == *:* ]] && colon=${cur%"${cur##*:}"}
    while IFS= read -r line; do
        line=${line%%$'\t'*}
        [[ -n $line && $line == "$cur"* ]] || continue
        line=${line#"$colon"}
        [[ -n $quote ]] || printf -v line %q "$line"
        COMPREPLY+=("$line")
    done
    return 0
}

_tpy_files() {
    compopt -o filenames 2>/dev/null
    local line
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur" 2>/dev/null)
    return 0
}

_tpy() {
    COMPREPLY=()
    local at=${COMP_CWORD:-0} cur prev='' quote='' scope=''
    cur=${COMP_WORDS[at]-}
    while (( at > 1 )) && [[ ${COMP_WORDS[at]-} == :* || ${COMP_WORDS[at-1]-} == *: ]]; do
        (( at-- ))
        cur=${COMP_WORDS[at]}$cur
    done
    (( at > 0 )) && prev=${COMP_WORDS[at-1]-}
    [[ $cur == [\"\']* ]] && quote=${cur:0:1} cur=${cur:1}
    [[ -n $quote ]] || cur=${cur//\\/}
    (( at > 1 )) && scope=${COMP_WORDS[1]-}
    (( at > 2 )) && [[ $scope == agents ]] && scope="agents ${COMP_WORDS[2]-}"
    case $scope in
@CASES@
    *)
        case $prev in -c | --cmd) return 0 ;; esac
        if [[ $cur == -* ]]; then
            _tpy_offer < <(printf '%s\n' @OPTIONS@)
        else
            (( at == 1 )) && _tpy_offer < <(printf '%s\n' agents completion)
            _tpy_files
        fi
        ;;
    esac
}

complete -F _tpy tpy
"""


def _bash() -> str:
    cases = [("agents", [scope.name for scope in scopes()], ""), ("completion", list(SHELLS), "")]
    cases += [(f"'agents {scope.name}'", [o.word for o in scope.options], scope.then) for scope in scopes()]
    rows = []
    for pattern, words, then in cases:
        rows.append(f"    {pattern})")
        if "--agent" in words:
            rows.append("        if [[ $prev == --agent ]]; then")
            rows.append(f"            _tpy_offer < <(printf '%s\\n' {' '.join(known_names())})")
            rows.append("            return 0")
            rows.append("        fi")
        offer = f"_tpy_offer < <(printf '%s\\n' {' '.join(words)})" if words else ""
        if then:
            other = f'_tpy_offer < <("${{COMP_WORDS[0]}}" {NAMES} 2>/dev/null)' if then == "agents" else "_tpy_files"
            rows.append(f"        if [[ $cur == -* ]]; then {offer or ':'}; else {other}; fi")
        else:
            rows.append(f"        {offer}")
        rows.append("        ;;")
    options = " ".join(option.name for option in OPTIONS)
    return _BASH.replace("@CASES@", "\n".join(rows)).replace("@OPTIONS@", options)


# --- zsh ------------------------------------------------------------------------------------------------

_ZSH = r"""#compdef tpy
# Completion of tpy for zsh. Made by `python -m tpy.modal.completion`; do not edit.
# Install: tpy completion zsh >DIR/_tpy, where DIR is a directory of your $fpath; or source it after compinit.

# Offer names with descriptions: standard input has one a line, a tab between the two. Arrays keep them apart,
# so that neither may be cut at a colon or a blank.
_tpy_offer() {
    local line
    local -a names shown
    while IFS= read -r line; do
        [[ -n $line ]] || continue
        names+=("${line%%$'\t'*}")
        if [[ $line == *$'\t'?* ]]; then
            shown+=("${line%%$'\t'*}  -- ${line#*$'\t'}")
        else
            shown+=("${line%%$'\t'*}")
        fi
    done
    (( $#names )) && compadd -l -d shown -a -- names
}

_tpy() {
    local scope= previous=${words[CURRENT-1]}
    (( CURRENT > 2 )) && scope=$words[2]
    (( CURRENT > 3 )) && [[ $scope == agents ]] && scope="agents $words[3]"
    case $scope in
@CASES@
    *)
        [[ $previous == (-c|--cmd) ]] && return 0
        if [[ $PREFIX == -* ]]; then
            _tpy_offer <<'END'
@OPTIONS@
END
        else
            (( CURRENT == 2 )) && _tpy_offer <<'END'
agents@TAB@agents: write the file, try them, list them
completion@TAB@print a completion script
END
            _files
        fi
        ;;
    esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _tpy "$@"
else
    compdef _tpy tpy
fi
"""


def _zsh() -> str:
    rows: list[str] = []

    def _here(words: Iterable[Word], indent: str = "        ") -> None:
        rows.append(f"{indent}_tpy_offer <<'END'")
        rows.extend(f"{word.word}\t{word.about}".rstrip() for word in words)
        rows.append("END")

    rows.append("    agents)")
    _here(Word(scope.name, scope.about) for scope in scopes())
    rows += ["        ;;", "    completion)"]
    _here(Word(shell, "") for shell in SHELLS)
    rows.append("        ;;")
    for scope in scopes():
        rows.append(f"    'agents {scope.name}')")
        if any(option.word == "--agent" for option in scope.options):
            rows.append("        if [[ $previous == --agent ]]; then")
            _here((Word(name, "") for name in known_names()), "            ")
            rows += ["            return 0", "        fi"]
        if scope.then:
            rows.append("        if [[ $PREFIX == -* ]]; then")
            _here(scope.options, "            ")
            other = f'_tpy_offer < <("$words[1]" {NAMES} 2>/dev/null)' if scope.then == "agents" else "_files"
            rows += ["        else", f"            {other}", "        fi"]
        else:
            _here(scope.options)
        rows.append("        ;;")
    options = "\n".join(f"{option.name}\t{option.help}" for option in OPTIONS)
    text = _ZSH.replace("@CASES@", "\n".join(rows)).replace("@OPTIONS@", options)
    return text.replace("@TAB@", "\t")


# --- fish -----------------------------------------------------------------------------------------------

_FISH = """\
# Completion of tpy for fish. Made by `python -m tpy.modal.completion`; do not edit.
# Install: tpy completion fish >~/.config/fish/completions/tpy.fish

function __tpy_at
    # Whether the words before the cursor are tpy and then exactly these.
    set -l words (commandline -opc)
    set -e words[1]
    test (count $words) -ge (count $argv); or return 1
    for i in (seq (count $argv))
        test "$words[$i]" = "$argv[$i]"; or return 1
    end
    if test (count $argv) -lt 2
        test (count $words) -eq (count $argv)
    end
end

function __tpy_edits
    set -l words (commandline -opc)
    not contains -- "$words[2]" agents completion
end

complete -c tpy -n '__tpy_at' -a agents -d 'agents: write the file, try them, list them'
complete -c tpy -n '__tpy_at' -a completion -d 'print a completion script'
"""


def _fish() -> str:
    lines = [_FISH.rstrip()]

    def _option(condition: str, name: str, about: str, extra: str = "") -> None:
        kind = "-l" if name.startswith("--") else "-s"
        lines.append(f"complete -c tpy -n '{condition}' {kind} {name.lstrip('-')} -d {_single(about)}{extra}")

    for row in OPTIONS:
        extra = {"FILE": " -r -F", "CMD": " -x"}.get(row.value, "")
        _option("__tpy_edits", row.name, row.help, extra)
    lines.append(f"complete -c tpy -n '__tpy_at completion' -f -a '{' '.join(SHELLS)}'")
    for scope in scopes():
        lines.append(f"complete -c tpy -n '__tpy_at agents' -f -a {scope.name} -d {_single(scope.about)}")
        where = f"__tpy_at agents {scope.name}"
        for word in scope.options:
            extra = f" -x -a '{' '.join(known_names())}'" if word.word == "--agent" else ""
            _option(where, word.word, word.about, extra)
        if scope.then == "agents":
            lines.append(f"complete -c tpy -n '{where}' -f -a '(tpy {NAMES} 2>/dev/null)'")
        elif scope.then != "files":
            lines.append(f"complete -c tpy -n '{where}' -f")
    return "\n".join(lines) + "\n"


def _single(text: str) -> str:
    """A text between single quotes, for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def main() -> None:
    """Write the three scripts into `completions/`."""
    import tpy

    folder = os.path.join(os.path.dirname(tpy.__file__), "completions")
    for shell in SHELLS:
        with open(os.path.join(folder, f"tpy.{shell}"), "w", encoding="utf-8") as stream:
            stream.write(script(shell))


if __name__ == "__main__":
    main()
