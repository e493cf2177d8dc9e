#compdef tpy
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
    agents)
        _tpy_offer <<'END'
init	write a starter file for this project
list	the merged list and where each value came from
check	try the agents, one line a step
trace	show a trace in readable form
END
        ;;
    completion)
        _tpy_offer <<'END'
bash
zsh
fish
END
        ;;
    'agents init')
        if [[ $previous == --agent ]]; then
            _tpy_offer <<'END'
Claude
Codex
Gemini
OpenCode
Copilot
Cursor
Goose
Kimi
Qwen
Docker
mm
END
            return 0
        fi
        _tpy_offer <<'END'
--user	write your own file, for every project
--agent	write that known agent alone
--force	replace a file that is there
END
        ;;
    'agents list')
        _tpy_offer <<'END'
--json	for programs
END
        ;;
    'agents check')
        if [[ $PREFIX == -* ]]; then
            _tpy_offer <<'END'
--fast	start nothing: stop after looking the program up
--json	for programs
END
        else
            _tpy_offer < <("$words[1]" agents list --names 2>/dev/null)
        fi
        ;;
    'agents trace')
        if [[ $PREFIX == -* ]]; then
            _tpy_offer <<'END'
END
        else
            _files
        fi
        ;;
    *)
        [[ $previous == (-c|--cmd) ]] && return 0
        if [[ $PREFIX == -* ]]; then
            _tpy_offer <<'END'
-c	run an ex command after the first file is loaded
--cmd	run an ex command before any file of yours is read
-R	read only: writing needs !
-o	a window for each file, one below the other
-O	a window for each file, side by side
-p	a tab page for each file
-d	show the differences between the files
-q	go through the places that FILE lists
-r	recover what a crash left of a file; with no file, list it
-u	read FILE in place of tpyrc; NONE reads nothing
--clean	Vim's own defaults, no file of yours, nothing remembered
--version	print the version
--help	print this text
END
        else
            (( CURRENT == 2 )) && _tpy_offer <<'END'
agents	agents: write the file, try them, list them
completion	print a completion script
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
