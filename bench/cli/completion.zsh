#compdef bench
# Completion of bench command lines in zsh. The program itself is asked what may come next; nothing
# that stands on the line is ever evaluated.
_bench() {
    local kind line program=${(Q)words[1]}
    local -a lines values shown suffix
    lines=("${(@f)$("${program/#\~\//$HOME/}" help --complete="${(F)${(@Q)words[1,CURRENT]}}" 2>/dev/null)}")
    kind=$lines[1]
    for line in "${(@)lines[2,-1]}"; do
        values+=("${line%%$'\t'*}")
        shown+=("${${line/$'\t'/  -- }[1,COLUMNS-1]}")
    done
    [[ $kind == list ]] && suffix=(-S ' ' -r ', ')
    compadd -l -d shown "${suffix[@]}" -- "${values[@]}"
    # _files would run commands that stand in the path.
    if [[ $kind == (files|folders) && $PREFIX != *('$('|'`')* ]]; then
        [[ $PREFIX == --*=* ]] && compset -P 1 '--*='
        if [[ $kind == files ]]; then _files; else _files -/; fi
    fi
}
if [[ $funcstack[1] == _bench ]]; then
    _bench "$@"
else
    compdef _bench bench
fi
