# Completion of bench command lines in fish. The program itself is asked what may come next; nothing
# that stands on the line is ever evaluated.
function __bench_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -l line $words[1]
    for word in $words[2..]
        set line $line\n$word
    end
    set -l lines (command $program help --complete="$line" 2>/dev/null)
    set -l kind $lines[1]
    string join \n -- $lines[2..]
    if contains -- "$kind" files folders
        set -l option (string match -r -- '^--[^=]*=' $words[-1])
        set -l start (string replace -r -- '^--[^=]*=' '' $words[-1])
        if test "$kind" = files
            __fish_complete_path "$start" | string replace -r -- '^' "$option"
        else
            __fish_complete_directories "$start" '' | string replace -r -- '^' "$option"
        end
    end
end
complete -c bench -f -a '(__bench_complete)'
