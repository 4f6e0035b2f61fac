# shellcheck shell=bash
# Completion of bench command lines in bash. The program itself is asked what may come next; nothing
# that stands on the line is ever evaluated.
_bench() {
    local rest=$COMP_LINE before trimmed breaks cut='' line kind i
    local -a whole=() lines=()
    # Bash also splits words at = and :, the program does not: pieces without a blank between them are
    # one word.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        before=$rest
        trimmed=${rest#"${rest%%[![:space:]]*}"}
        rest=${trimmed#*"${COMP_WORDS[i]}"}
        if ((i > 0)) && [[ $trimmed == "$before" ]]; then
            whole[${#whole[@]} - 1]+=${COMP_WORDS[i]}
        else
            whole+=("${COMP_WORDS[i]}")
        fi
    done
    local IFS=$'\n'
    mapfile -t lines < <("${whole[0]/#\~\//$HOME/}" help --complete="${whole[*]}" 2>/dev/null)
    kind=${lines[0]-}
    # Of the last word only what follows its last = or : is replaced.
    breaks=${COMP_WORDBREAKS//[^=:]/}
    [[ -z $breaks ]] || cut=${whole[-1]%"${whole[-1]##*[$breaks]}"}
    COMPREPLY=()
    for line in "${lines[@]:1}"; do
        line=${line%%$'\t'*}
        # Bash quotes the names of files alone.
        [[ $kind == files || $line != *[!A-Za-z0-9_=:,./+-]* ]] || continue
        COMPREPLY+=("${line#"$cut"}")
    done
    case $kind in
    list) compopt -o nospace ;;
    files) compopt -o filenames -o default ;;
    folders) compopt -o filenames -o dirnames ;;
    esac
    if [[ $kind == files && ${#COMPREPLY[@]} -gt 0 ]]; then
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${whole[-1]#"$cut"}")
    fi
}
complete -F _bench bench
