# Where the time goes: for each variant, at its best tuning point and the largest size, a bar of its
# upload, the stages of its kernel and its download, one after the other, with their sum beside it.
# Kernels that have no stages are one part. Where transfers and kernel overlap so that together they
# take less than their sum, the bar is that time in one part. Bars are as long as their time; where the
# slowest takes more than 20 times as long as the fastest all are equally long and show shares.
plot_folder = ARG0[1:strlen(ARG0) - strlen("stages.gp")]
call plot_folder . "style.gp" ARG1 ARG2 ARG3 ARG4 ARG5 ARG6
load plot_folder . "series.gp"
if (size_count < 1 || !has_column("stages_ms")) { exit }

# --- Bars: "upload:0.85,integral:2.4,features:31,download:7.5" ------------------------------------------
or_zero(name) = strlen(strcol(name)) > 0 ? column(name) : 0.0
take_bar(unused) = strlen(bar_stages = strcol("stages_ms")) + strlen(bar_point = strcol("tuning")) \
    + (bar_up = or_zero("upload_ms"), bar_kernel = or_zero("kernel_ms_median"), bar_down = or_zero("download_ms"), \
       bar_whole = or_zero("end_to_end_ms"))
is_bar(name) = best_of_chart(name) && pixels(0) == size_pixels[size_count]
first_part(parts) = until(parts, ",")
parts_behind(parts) = strstrt(parts, ",") == 0 ? "" : parts[strstrt(parts, ",") + 1:*]
part_ms(part) = real(part[strstrt(part, ":") + 1:*])
sum_of(parts) = parts eq "" ? 0.0 : part_ms(first_part(parts)) + sum_of(parts_behind(parts))
part_if(name, ms) = ms > 0 ? sprintf("%s:%.9g", name, ms) : ""
and_then(parts, part) = part eq "" ? parts : parts eq "" ? part : parts . "," . part

whole_name = "whole kernel"
overlap_name = "overlapped"
array bar_name[variant_count]
array bar_tuning[variant_count]
array bar_parts[variant_count]
bar_count = 0
stage_names = "\t"
other_names = "\t"
widest_bar_name = 0
least_ms = 1e300
most_ms = 0.0
do for [i = 1:variant_count] {
    bar_kernel = 0.0
    stats csv using (is_bar(variant_name[i]) ? take_bar(0) : 0) nooutput
    if (bar_kernel > 0) {
        bar_count = bar_count + 1
        bar_name[bar_count] = variant_name[i]
        bar_tuning[bar_count] = bar_point
        kernel_parts = bar_stages eq "" ? part_if(whole_name, bar_kernel) : bar_stages
        parts = and_then(and_then(part_if("upload", bar_up), kernel_parts), part_if("download", bar_down))
        # Copies from ordinary memory take now more, now less time: a little less is no overlap.
        overlapped = bar_whole > 0 && bar_whole < 0.8 * (bar_up + bar_kernel + bar_down)
        parts = overlapped ? part_if(overlap_name, bar_whole) : parts
        bar_parts[bar_count] = parts
        rest = parts
        while (rest ne "") {
            name = until(first_part(rest), ":")
            if (!overlapped && bar_stages ne "" && name ne "upload" && name ne "download") {
                stage_names = set_add(stage_names, name)
            } else {
                other_names = set_add(other_names, name)
            }
            rest = parts_behind(rest)
        }
        least_ms = sum_of(parts) < least_ms ? sum_of(parts) : least_ms
        most_ms = sum_of(parts) > most_ms ? sum_of(parts) : most_ms
        widest = strlen(bar_name[bar_count]) > strlen(bar_point) * 0.8 ? strlen(bar_name[bar_count]) : strlen(bar_point) * 0.8
        widest_bar_name = widest > widest_bar_name ? widest : widest_bar_name
    }
}
stage_count = set_size(stage_names)
if (stage_count == 0) { exit }

# --- Parts: stages are coloured, everything else is grey ------------------------------------------------
array stage_colour = ["#0072B2", "#E69F00", "#56B4E9", "#CC79A7", "#009E73", "#F0E442"]
part_count = stage_count + set_size(other_names)
array part_name[part_count]
array part_colour[part_count]
array part_ink[part_count]
last_part = 0
do for [i = 1:part_count] { part_ink[i] = guide_colour }
if (set_has(other_names, "upload")) {
    last_part = last_part + 1
    part_name[last_part] = "upload"
    part_colour[last_part] = "#E2E2E2"
}
do for [i = 1:stage_count] {
    last_part = last_part + 1
    part_name[last_part] = set_word(stage_names, i)
    part_colour[last_part] = stage_colour[1 + (i - 1) % |stage_colour|]
    if (i % |stage_colour| == 1) { part_ink[last_part] = "#FFFFFF" }
}
if (set_has(other_names, whole_name)) {
    last_part = last_part + 1
    part_name[last_part] = whole_name
    part_colour[last_part] = "#6B7480"
    part_ink[last_part] = "#FFFFFF"
}
if (set_has(other_names, overlap_name)) {
    last_part = last_part + 1
    part_name[last_part] = overlap_name
    part_colour[last_part] = "#9AA3AE"
}
if (set_has(other_names, "download")) {
    last_part = last_part + 1
    part_name[last_part] = "download"
    part_colour[last_part] = "#C6C6C6"
}
place_of(name, i) = part_name[i] eq name ? i : place_of(name, i + 1)

# --- Places, px ---------------------------------------------------------------------------------------
shares = most_ms > 20 * least_ms
left = 16.0 + 5.5 * widest_bar_name
right = shares ? 52.0 : 12.0
pitch = 22.0
bar_high = 14.0
plot_width = wide - left - right
unit_ms = shares ? 1.0 : most_ms >= 2000 ? 1000.0 : most_ms >= 2 ? 1.0 : 0.001
unit_name = unit_ms == 1000 ? "s" : unit_ms == 1 ? "ms" : "µs"
# To the right of the longest bar there is room for its time.
scale_end = shares ? 100.0 : most_ms / unit_ms * plot_width / (plot_width - 42)
px_per_unit = plot_width / scale_end
digits_of(number) = sprintf(number >= 99.95 ? "%.0f" : number >= 9.995 ? "%.1f" : "%.2f", number)
time_words(ms) = ms >= 999.5 ? digits_of(ms / 1000) . " s" : ms >= 0.9995 ? digits_of(ms) . " ms" \
    : digits_of(ms * 1000) . " µs"

# Part, height, start, end. Shares of the bar are written on the parts that have room for them.
array share_words[bar_count * part_count]
array share_ink[bar_count * part_count]
array share_x[bar_count * part_count]
array share_bar[bar_count * part_count]
array part_px[part_count]
do for [i = 1:part_count] { part_px[i] = 0.0 }
share_count = 0
set print $parts
do for [b = 1:bar_count] {
    total = sum_of(bar_parts[b])
    per_ms = shares ? 100.0 / total : 1 / unit_ms
    rest = bar_parts[b]
    from = 0.0
    while (rest ne "") {
        to = from + part_ms(first_part(rest)) * per_ms
        share = part_ms(first_part(rest)) / total * 100
        part = place_of(until(first_part(rest), ":"), 1)
        print sprintf("%d,%g,%.9g,%.9g", part, bar_count - b + 0.5, from, to)
        px = (to - from) * px_per_unit
        part_px[part] = px > part_px[part] ? px : part_px[part]
        if (px >= 25 && share < 99.5) {
            share_count = share_count + 1
            share_words[share_count] = sprintf("%.0f%%", share)
            share_ink[share_count] = part_ink[part]
            share_x[share_count] = left + (from + to) / 2 * px_per_unit
            share_bar[share_count] = b
        }
        from = to
        rest = parts_behind(rest)
    }
}
set print

# Parts that no bar shows are not in the key.
widest_part = 0
key_count = 0
array key_part[part_count]
do for [i = 1:part_count] {
    if (part_px[i] >= 0.5) {
        key_count = key_count + 1
        key_part[key_count] = i
        widest_part = strlen(part_name[i]) > widest_part ? strlen(part_name[i]) : widest_part
    }
}
key_columns = int(0.98 * wide / (5.2 * widest_part + 38))
key_columns = key_columns > key_count ? key_count : key_columns
key_rows = int((key_count + key_columns - 1) / key_columns)
key_high = 6 + 12.8 * key_rows
bottom = 42 + key_high
top = title_high + (shares ? 10 : 0)
high = int(top + bar_count * pitch + 6 + bottom)
bar_y(i) = 1 - (top + 3 + (i - 0.5) * pitch) / high

eval(read_series)
half_bar = bar_high / pitch / 2
do for [format = 1:2] {
    load plot_folder . "terminal.gp"
    load plot_folder . "frame.gp"
    set multiplot
    set border 1
    unset grid
    unset logscale
    set lmargin at screen left / wide
    set rmargin at screen 1 - right / wide
    set tmargin at screen 1 - top / high
    set bmargin at screen bottom / high
    set yrange [-3 / pitch:bar_count + 3 / pitch]
    set xrange [0:scale_end]
    set xtics () font ",8.5"
    if (shares) { set xtics 0, 20, 100 } else { set xtics autofreq }
    set format x "%g"
    unset mxtics
    unset ytics
    set title title_of(sprintf("%s at %s", algorithm, size_in_words(size_name[size_count]))) font ",9.5" \
        offset 0, (shares ? 0.1 : -0.6)
    set xlabel (shares ? "Share of the time (%)" : sprintf("Time (%s)", unit_name)) offset 0, 0.4
    unset label
    do for [b = 1:bar_count] {
        lift = bar_tuning[b] eq "" ? 0.0 : 4.5
        set label bar_name[b] right at screen (left - 5) / wide, screen bar_y(b) + lift / high font ",8.5"
        if (bar_tuning[b] ne "") {
            set label bar_tuning[b] right at screen (left - 5) / wide, screen bar_y(b) - 5.5 / high \
                font ",6.5" textcolor rgb "#606060"
        }
        total = sum_of(bar_parts[b])
        bar_end = left + (shares ? plot_width : total / unit_ms * px_per_unit)
        set label time_words(total) left at screen (bar_end + 4) / wide, screen bar_y(b) font ",8.5"
    }
    if (shares) {
        set label "total" left at screen (left + plot_width + 4) / wide, screen 1 - (top - 4) / high \
            font ",7.5" textcolor rgb "#606060"
    }
    do for [i = 1:share_count] {
        set label share_words[i] center at screen share_x[i] / wide, screen bar_y(share_bar[i]) front \
            font ",7" textcolor rgb share_ink[i]
    }
    unset key
    plot for [i = 1:part_count] $parts using ($1 == i ? ($3 + $4) / 2 : NaN):2:3:4:($2 - half_bar):($2 + half_bar) \
             with boxxyerror fillstyle solid 1 border linecolor rgb "#FFFFFF" fillcolor rgb part_colour[i] \
             linewidth 0.5 notitle

    unset label
    unset title
    unset xlabel
    unset tics
    unset border
    set xrange [0:1]
    set yrange [0:1]
    set lmargin at screen 0.02
    set rmargin at screen 0.98
    set tmargin at screen key_high / high
    set bmargin at screen 0
    set key notitle samplen 1.2 at screen 0.52, screen key_high / high center top maxrows key_rows Left reverse
    plot NaN notitle, \
         for [i = 1:key_count] keyentry with boxes fillstyle solid 1 noborder \
             fillcolor rgb part_colour[key_part[i]] title part_name[key_part[i]]
    unset multiplot
    unset output
}
