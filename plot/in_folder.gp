# Runs a script in its folder, as one would by hand, called as
#
#   gnuplot -c in_folder.gp FOLDER SCRIPT TERMINALS
#
# where this gnuplot has all the terminals. Exits with 3 where it has not; what it prints is then
# the whole reason.
do for [terminal in ARG3] {
    if (strstrt(" " . GPVAL_TERMINALS . " ", " " . terminal . " ") == 0) {
        printerr "this gnuplot has no terminal " . terminal . "; choose other formats"
        exit status 3
    }
}
cd ARG1
load ARG2
