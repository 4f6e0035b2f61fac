# Charts of several answer points on shared axes: which points the chart has, a panel for each, in
# the order of the file. Gives answer_text[], answer_name[] and answer_count, and the number of
# points for which there is no room, answers_left; what series.gp gives, for all of them; and
# panel_rows[], panel_title[] and panel_count, with of_chart for the rows of number `panel`. Where
# there is only one answer point, size_count is 0.

answers_most = 6
answers = "\t"
of_input(unused) = strcol("algorithm") eq algorithm && strcol("input") eq input && strcol("status") eq "ok"
stats csv using (of_input(0) ? strlen(answers = set_add(answers, strcol("answer"))) : 0) nooutput
answer_count = set_size(answers)
answers_left = answer_count > answers_most ? answer_count - answers_most : 0
answer_count = answer_count - answers_left
size_count = 0
if (answer_count < 2) { exit }

array answer_text[answer_count]
array answer_name[answer_count]
shown_answers = "\t"
do for [i = 1:answer_count] {
    answer_text[i] = set_word(answers, i)
    shown_answers = set_add(shown_answers, answer_text[i])
}

# Axes with the same value in all panels are named in the title, the others above their panels.
has_part(point, part) = strstrt("," . point . ",", "," . part . ",") > 0
shared_by(part, n) = n == 0 ? 1 : has_part(answer_text[n], part) && shared_by(part, n - 1)
parts_if(point, shared) = strlen(point) == 0 ? "" \
    : (shared_by(until(point, ","), answer_count) == shared ? "," . until(point, ",") : "") \
      . parts_if(strstrt(point, ",") == 0 ? "" : point[strstrt(point, ",") + 1:*], shared)
parts_in_words(parts) = strlen(parts) == 0 ? "" : in_words(parts[2:*])
do for [i = 1:answer_count] { answer_name[i] = parts_in_words(parts_if(answer_text[i], 0)) }
shared_parts = parts_in_words(parts_if(answer_text[1], 1))

# All panels have the variants and sizes of any.
of_chart(unused) = of_input(0) && set_has(shown_answers, strcol("answer"))
load plot_folder . "series.gp"

# Rows of one panel.
panel_count = answer_count
array panel_rows[panel_count]
array panel_title[panel_count]
do for [i = 1:panel_count] {
    panel_rows[i] = answer_text[i]
    panel_title[i] = answer_name[i]
}
of_chart(unused) = of_input(0) && strcol("answer") eq panel_rows[panel]
