/* The words of --device, read and printed. */
#include "device_choice.h"
#include "test.h"

static void check_read(const char *text, bool cpu, DeviceChoiceKind kind, size_t count,
                       const char *printed) {
    DeviceChoice choice;
    char words[DEVICE_CHOICE_SIZE];
    assert_ok(device_choice_read(text, cpu, &choice));
    assert_int_equal(choice.kind, kind);
    assert_int_equal(choice.count, count);
    device_choice_text(&choice, words);
    assert_string_equal(words, printed);
}

TEST(words_are_read_and_printed) {
    check_read("all", false, DEVICES_ALL, 0, "all");
    check_read("all", true, DEVICES_ALL, 0, "all");
    check_read("cpu", true, DEVICES_NONE, 0, "cpu");
    check_read("0", true, DEVICES_LISTED, 1, "0");
    check_read("3,0,03,255", false, DEVICES_LISTED, 4, "3,0,3,255");
}

/* As many of three digits as there may be fill the text. */
TEST(the_longest_list_has_room) {
    char list[DEVICE_CHOICE_SIZE] = "255";
    for (size_t i = 1; i < CUDA_DEVICES_MAX; i++) {
        strcat(list, ",255");
    }
    check_read(list, false, DEVICES_LISTED, CUDA_DEVICES_MAX, list);
}

static void check_refused(const char *text, bool cpu, const char *why) {
    DeviceChoice choice;
    const Status status = device_choice_read(text, cpu, &choice);
    assert_int_equal(status.code, STATUS_USAGE);
    assert_says(status.why, why);
}

TEST(other_words_are_refused) {
    check_refused("cpu", false, "'cpu' is no list of devices");
    check_refused("gpu", true, "'gpu' is no list of devices");
    check_refused("256", false, "'256' is no list of devices");
    check_refused("-1", false, "'-1' is no list of devices");
    check_refused("0,,1", false, "there is an empty name before a comma");
    check_refused("0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", false, "at most 16");
}
