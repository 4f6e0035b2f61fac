/* How the chosen GPUs are linked, as a fake of NVML tells it. */
#include "cli_internal.h"
#include "fake_nvml/load_fake_nvml.h"
#include "machine_internal.h"
#include "test.h"
#include "text.h"

static void reset(void) {
    *fake = (FakeNvml){.devices = FAKE_NVML_DEVICES_MAX};
    for (int i = 0; i < FAKE_NVML_DEVICES_MAX; i++) {
        fake->pcie[i][0] = 5;
        fake->pcie[i][1] = 16;
    }
}

ALL_TESTS(load_fake_nvml);
EACH_TEST(reset);

/* A machine whose chosen devices are the first ones. */
static const Machine *machine_of(int count) {
    static Machine machine;
    char numbers[FACT_VALUE_SIZE] = "";
    char ids[FACT_VALUE_SIZE] = "";
    machine = (Machine){.count = 0};
    machine_add_text(&machine, "gpu_pci_bus_id", FAKE_NVML_BUS_ID, false);
    for (int i = 0; count > 1 && i < count; i++) {
        text_append(numbers, sizeof numbers, "%s%d", i > 0 ? "," : "", i);
        text_append(ids, sizeof ids, "%s0000:%02X:00.0", i > 0 ? "," : "", 0x18 + i);
    }
    machine_add_text(&machine, "gpu_numbers", numbers, false);
    machine_add_text(&machine, "gpu_bus_ids", ids, false);
    machine_read_links(&machine);
    return &machine;
}

static void link_all_to_switch(int device, int links) {
    for (int i = 0; i < links; i++) {
        fake->nvlinks[device][i] = FAKE_LINK_TO_SWITCH;
    }
}

static void check(int count, const char *pcie, const char *links) {
    const Machine *machine = machine_of(count);
    assert_string_equal(machine_text(machine, "gpu_pcie"), pcie);
    assert_string_equal(machine_text(machine, "gpu_links"), links);
}

TEST(one_device_has_its_link_to_the_host) {
    check(1, "generation 5, 16 lanes", "");
    assert_null(machine_fact(machine_of(1), "gpu_links"));
}

TEST(pcie_is_said_by_device_where_it_differs) {
    check(2, "generation 5, 16 lanes", "PCIe on one board");
    fake->pcie[1][0] = 4;
    fake->pcie[1][1] = 8;
    check(3, "1: generation 4, 8 lanes; others: generation 5, 16 lanes", "PCIe on one board");
    fake->pcie[0][0] = 0; /* refused: nothing is known of it, and it is none of the others */
    check(3, "1: generation 4, 8 lanes; 2: generation 5, 16 lanes", "PCIe on one board");
}

TEST(each_level_of_pcie_has_its_words) {
    static const struct {
        int level;
        const char *words;
    } levels[] = {{10, "PCIe through one switch"},
                  {20, "PCIe through several switches"},
                  {30, "PCIe through one host bridge"},
                  {40, "PCIe through the host bridges of one NUMA node"},
                  {50, "PCIe across NUMA nodes"},
                  {60, ""}};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        fake->levels[0][1] = levels[i].level;
        check(2, "generation 5, 16 lanes", levels[i].words);
    }
}

/* Four links to each other, and two of the first to a third device, which do not count. */
TEST(links_between_two_devices_are_counted) {
    for (int i = 0; i < 4; i++) {
        fake->nvlinks[0][i] = FAKE_LINK_TO(1);
        fake->nvlinks[1][i] = FAKE_LINK_TO(0);
    }
    fake->nvlinks[0][4] = fake->nvlinks[0][5] = FAKE_LINK_TO(2);
    check(2, "generation 5, 16 lanes", "4 × NVLink");
    fake->nvlink_mbps = 26562;
    check(2, "generation 5, 16 lanes", "4 × NVLink, 26.6 GB/s each");
    fake->levels[0][2] = fake->levels[1][2] = 50;
    fake->nvlinks[2][0] = fake->nvlinks[2][1] = FAKE_LINK_TO(0);
    check(3, "generation 5, 16 lanes",
          "0-2: 2 × NVLink, 26.6 GB/s each; 1-2: PCIe across NUMA nodes; others: 4 × NVLink, 26.6 "
          "GB/s each");
}

/* Behind a switch a pair has as many as the one that has fewer. */
TEST(links_through_a_switch_are_those_of_the_lesser_end) {
    fake->nvlink_mbps = 26562;
    link_all_to_switch(0, 18);
    check(2, "generation 5, 16 lanes", "PCIe on one board"); /* the other has none */
    link_all_to_switch(1, 18);
    check(2, "generation 5, 16 lanes", "18 × NVLink through a switch, 26.6 GB/s each");
    fake->nvlinks[1][3] = fake->nvlinks[1][7] = FAKE_LINK_OFF;
    check(2, "generation 5, 16 lanes", "16 × NVLink through a switch, 26.6 GB/s each");
}

/* As from a guest of a virtual machine: that it is NVLink is known, of how many links is not. */
TEST(hidden_ends_are_not_counted) {
    for (int i = 0; i < 18; i++) {
        fake->nvlinks[0][i] = fake->nvlinks[1][i] = FAKE_LINK_HIDDEN;
    }
    check(2, "generation 5, 16 lanes", "PCIe on one board");
    fake->copies_over_nvlink = 1;
    check(2, "generation 5, 16 lanes", "NVLink");
    fake->nvlink_mbps = 26562;
    check(2, "generation 5, 16 lanes", "NVLink, 26.6 GB/s each");
}

/* Sixteen devices: 56 pairs within halves, 64 between them. */
TEST(many_pairs_are_counted_and_fit) {
    for (int i = 0; i < 16; i++) {
        for (int j = i + 1; j < 16; j++) {
            fake->levels[i][j] = i / 8 == j / 8 ? 20 : 50;
        }
    }
    check(16, "generation 5, 16 lanes",
          "56 pairs: PCIe through several switches; others: PCIe across NUMA nodes");
}

TEST(what_stands_for_several_is_one_device) {
    Machine machine = {.count = 0};
    machine_add_text(&machine, "gpu_numbers", "0,0", false);
    machine_add_text(&machine, "gpu_bus_ids", FAKE_NVML_BUS_ID "," FAKE_NVML_BUS_ID, false);
    machine_read_links(&machine);
    assert_string_equal(machine_text(&machine, "gpu_links"), "one device");
}

TEST(what_is_refused_is_absent) {
    fake->refuses = 1;
    const Machine *machine = machine_of(2);
    assert_null(machine_fact(machine, "gpu_pcie"));
    assert_null(machine_fact(machine, "gpu_links"));
}

TEST(a_device_that_nvml_does_not_know_has_no_links) {
    fake->devices = 2;
    const Machine *machine = machine_of(3);
    assert_null(machine_fact(machine, "gpu_pcie"));
    assert_null(machine_fact(machine, "gpu_links"));
}

TEST(the_list_shows_what_is_known) {
    char text[1000] = "";
    Machine machine = *machine_of(2);
    assert_string_equal(machine_gpus(&machine), "");
    machine_add_text(&machine, "gpu_model", "NVIDIA H200", true);
    assert_string_equal(machine_gpus(&machine), "NVIDIA H200");
    machine_add_text(&machine, "gpu_devices", "2 × NVIDIA H200", false);
    assert_string_equal(machine_gpus(&machine), "2 × NVIDIA H200");
    FILE *stream = tmpfile();
    list_print_links(stream, &machine);
    rewind(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_string_equal(text, "      chosen:         2 × NVIDIA H200\n"
                              "      PCIe:           generation 5, 16 lanes\n"
                              "      links:          PCIe on one board\n");
    const Machine none = {.count = 0};
    stream = tmpfile();
    list_print_links(stream, &none);
    assert_int_equal(ftell(stream), 0);
    fclose(stream);
}
