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
complete -c tpy -n '__tpy_edits' -s c -d 'run an ex command after the first file is loaded' -x
complete -c tpy -n '__tpy_edits' -l cmd -d 'run an ex command before any file of yours is read' -x
complete -c tpy -n '__tpy_edits' -s R -d 'read only: writing needs !'
complete -c tpy -n '__tpy_edits' -s o -d 'a window for each file, one below the other'
complete -c tpy -n '__tpy_edits' -s O -d 'a window for each file, side by side'
complete -c tpy -n '__tpy_edits' -s p -d 'a tab page for each file'
complete -c tpy -n '__tpy_edits' -s d -d 'show the differences between the files'
complete -c tpy -n '__tpy_edits' -s q -d 'go through the places that FILE lists' -r -F
complete -c tpy -n '__tpy_edits' -s r -d 'recover what a crash left of a file; with no file, list it'
complete -c tpy -n '__tpy_edits' -s u -d 'read FILE in place of tpyrc; NONE reads nothing' -r -F
complete -c tpy -n '__tpy_edits' -l clean -d 'Vim\'s own defaults, no file of yours, nothing remembered'
complete -c tpy -n '__tpy_edits' -l version -d 'print the version'
complete -c tpy -n '__tpy_edits' -l help -d 'print this text'
complete -c tpy -n '__tpy_at completion' -f -a 'bash zsh fish'
complete -c tpy -n '__tpy_at agents' -f -a init -d 'write a starter file for this project'
complete -c tpy -n '__tpy_at agents init' -l user -d 'write your own file, for every project'
complete -c tpy -n '__tpy_at agents init' -l agent -d 'write that known agent alone' -x -a 'Claude Codex Gemini OpenCode Copilot Cursor Goose Kimi Qwen Docker mm'
complete -c tpy -n '__tpy_at agents init' -l force -d 'replace a file that is there'
complete -c tpy -n '__tpy_at agents init' -f
complete -c tpy -n '__tpy_at agents' -f -a list -d 'the merged list and where each value came from'
complete -c tpy -n '__tpy_at agents list' -l json -d 'for programs'
complete -c tpy -n '__tpy_at agents list' -f
complete -c tpy -n '__tpy_at agents' -f -a check -d 'try the agents, one line a step'
complete -c tpy -n '__tpy_at agents check' -l fast -d 'start nothing: stop after looking the program up'
complete -c tpy -n '__tpy_at agents check' -l json -d 'for programs'
complete -c tpy -n '__tpy_at agents check' -f -a '(tpy agents list --names 2>/dev/null)'
complete -c tpy -n '__tpy_at agents' -f -a trace -d 'show a trace in readable form'
