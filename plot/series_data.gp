# Fills $data with a block for each shown variant that has a value: pixels, value_here, low_here and
# high_here (by default `value_column`, `low_column` and `high_column`), at its best tuning point for
# each size. Variant `left_out` is not taken. Gives block_variant[] and block_count, and the range
# least…most.

least = 1e300
most = 0
widen(value) = (value > 0 && value < least ? (least = value) : 0, value > most ? (most = value) : 0, 1)
take(unused) = (found = found + 1, widen(value_here(0)), widen(low_here(0)), widen(high_here(0)))

array block_variant[variant_count]
block_count = 0
set print $data
print "# first block"
set print
do for [i = 1:variant_count] {
    found = 0
    if (variant_name[i] ne left_out) {
        stats csv using (best_of_chart(variant_name[i]) && has_value(0) ? take(0) : 0) nooutput
    }
    if (found > 0) {
        block_count = block_count + 1
        block_variant[block_count] = i
        set table $data append separator comma
        plot csv using (pixels(0)):(value_here(0)):(low_here(0)):(high_here(0)) \
            with table if (best_of_chart(variant_name[i]) && has_value(0))
        unset table
        set print $data append
        print ""
        print ""
        set print
    }
}
