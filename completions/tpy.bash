# Completion of tpy for bash. Made by `python -m tpy.modal.completion`; do not edit.
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
    agents)
        _tpy_offer < <(printf '%s\n' init list check trace)
        ;;
    completion)
        _tpy_offer < <(printf '%s\n' bash zsh fish)
        ;;
    'agents init')
        if [[ $prev == --agent ]]; then
            _tpy_offer < <(printf '%s\n' Claude Codex Gemini OpenCode Copilot Cursor Goose Kimi Qwen Docker mm)
            return 0
        fi
        _tpy_offer < <(printf '%s\n' --user --agent --force)
        ;;
    'agents list')
        _tpy_offer < <(printf '%s\n' --json)
        ;;
    'agents check')
        if [[ $cur == -* ]]; then _tpy_offer < <(printf '%s\n' --fast --json); else _tpy_offer < <("${COMP_WORDS[0]}" agents list --names 2>/dev/null); fi
        ;;
    'agents trace')
        if [[ $cur == -* ]]; then :; else _tpy_files; fi
        ;;
    *)
        case $prev in -c | --cmd) return 0 ;; esac
        if [[ $cur == -* ]]; then
            _tpy_offer < <(printf '%s\n' -c --cmd -R -o -O -p -d -q -r -u --clean --version --help)
        else
            (( at == 1 )) && _tpy_offer < <(printf '%s\n' agents completion)
            _tpy_files
        fi
        ;;
    esac
}

complete -F _tpy tpy
