# Runs a script in its folder, as one would by hand, called as
#
#   gnuplot -c in_folder.gp FOLDER SCRIPT TERMINALS
#
# where this gnuplot has all the terminals.
do for [terminal in ARG3] {
    if (strstrt(" " . GPVAL_TERMINALS . " ", " " . terminal . " ") == 0) {
        exit error "this gnuplot has no terminal " . terminal . "; choose other formats"
    }
}
cd ARG1
load ARG2
