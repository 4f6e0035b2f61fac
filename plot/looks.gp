# What the charts of bench/report and the figures of documents have in common: the width of a paper's
# column (9 cm) in px at 96 an inch and the scale that gives PNG 300, the colour of lines that guide
# the eye, powers of ten in words, and names at the marks of an axis.
wide = 340.0
png_scale = 1063.0 / wide
guide_colour = "#202020"

# "⁻¹²" for -12.
raised(power) = power < 0 ? "⁻" . raised(-power) : power > 9 ? raised(power / 10) . raised(power % 10) \
    : word("⁰ ¹ ² ³ ⁴ ⁵ ⁶ ⁷ ⁸ ⁹", power + 1)

# gnuplot takes the name at a mark for a format, in which two percent signs are one.
add_to_mark(letter) = (mark_words = mark_words . (letter eq "%" ? "%%" : letter), 0)
at_mark(words) = (mark_words = "", sum [i = 1:strlen(words)] add_to_mark(words[i:i]), mark_words)
