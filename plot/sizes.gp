# The words "pixels:name" of the set `sizes`, in ascending order: size_name[], size_pixels[] and
# size_count.
size_count = set_size(sizes)
array size_name[size_count > 0 ? size_count : 1]
array size_pixels[size_count > 0 ? size_count : 1]
do for [i = 1:size_count] {
    word_i = set_word(sizes, i)
    place = i
    do for [j = 1:i - 1] {
        if (size_pixels[i - j] > real(until(word_i, ":"))) {
            size_pixels[i - j + 1] = size_pixels[i - j]
            size_name[i - j + 1] = size_name[i - j]
            place = i - j
        }
    }
    size_pixels[place] = real(until(word_i, ":"))
    size_name[place] = word_i[strstrt(word_i, ":") + 1:*]
}
