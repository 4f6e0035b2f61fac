# Fills $data with a block for each shown variant that has `value_column`: pixels, value, and the
# ends of its interval from `low_column` and `high_column`, at its best tuning point for each size.
# Variant `left_out` is not taken. Gives block_variant[] and block_count, and the range least…most.

has_value(unused) = strlen(strcol(value_column)) > 0
least = 1e300
most = 0
widen(value) = (value > 0 && value < least ? (least = value) : 0, value > most ? (most = value) : 0, 1)
take(unused) = (found = found + 1, widen(column(value_column)), widen(end_of(low_column, value_column)), \
    widen(end_of(high_column, value_column)))

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
        plot csv using (pixels(0)):(column(value_column)):(end_of(low_column, value_column)):(end_of(high_column, value_column)) \
            with table if (best_of_chart(variant_name[i]) && has_value(0))
        unset table
        set print $data append
        print ""
        print ""
        set print
    }
}
