/* The folders of control groups, found in trees as they look on hosts and within containers. */
#include <sys/stat.h>
#include <unistd.h>

#include "resources.h"
#include "test.h"

static char root[64];

static void make_folders(const char *path) {
    char folder[256];
    for (const char *slash = path; (slash = strchr(slash + 1, '/')) != NULL;) {
        snprintf(folder, sizeof folder, "%s%.*s", root, (int)(slash - path), path);
        mkdir(folder, 0755);
    }
}

static void write_file(const char *path, const char *text) {
    char name[256];
    make_folders(path);
    snprintf(name, sizeof name, "%s%s", root, path);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void make_root(void) {
    snprintf(root, sizeof root, "/tmp/test_control_group_XXXXXX");
    assert_non_null(mkdtemp(root));
}

static void remove_root(void) {
    static const char *const entries[] = {"/proc/self/cgroup",
                                          "/proc/self/mountinfo",
                                          "/proc/self",
                                          "/proc",
                                          "/sys/fs/cgroup/cpu",
                                          "/sys/fs/cgroup/cpu,cpuacct",
                                          "/sys/fs/cgroup",
                                          "/sys/fs",
                                          "/sys"};
    char path[256];
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        snprintf(path, sizeof path, "%s%s", root, entries[i]);
        remove(path);
    }
    assert_int_equal(rmdir(root), 0);
}

EACH_TEST(make_root, remove_root);

/* The folders, without the root, with blanks between. */
static void check_folders(const char *controller, const char *expected) {
    ControlGroups groups;
    char found[1024] = "";
    control_groups_find(root, controller, &groups);
    for (size_t i = 0; i < groups.count; i++) {
        assert_int_equal(strncmp(groups.folders[i], root, strlen(root)), 0);
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s", i > 0 ? " " : "",
                 groups.folders[i] + strlen(root));
    }
    control_groups_release(&groups);
    assert_string_equal(found, expected);
}

TEST(without_proc_there_are_none) {
    check_folders("cpu", "");
}

TEST(version_2_has_parents) {
    write_file("/proc/self/cgroup", "0::/slurm/job_7\n");
    check_folders("cpu", "/sys/fs/cgroup/slurm/job_7 /sys/fs/cgroup/slurm /sys/fs/cgroup");
}

TEST(version_1_has_a_hierarchy_for_each_controller) {
    write_file("/proc/self/cgroup", "9:name=systemd:/s\n4:cpuset:/x\n2:cpu,cpuacct:/a/b\n"
                                    "1:memory:/m\n");
    check_folders("memory", "/sys/fs/cgroup/memory/m /sys/fs/cgroup/memory");
    make_folders("/sys/fs/cgroup/cpu/");
    check_folders("cpu", "/sys/fs/cgroup/cpu/a/b /sys/fs/cgroup/cpu/a /sys/fs/cgroup/cpu");
    make_folders("/sys/fs/cgroup/cpu,cpuacct/");
    check_folders("cpu", "/sys/fs/cgroup/cpu,cpuacct/a/b /sys/fs/cgroup/cpu,cpuacct/a "
                         "/sys/fs/cgroup/cpu,cpuacct");
}

TEST(both_versions_may_be_there) {
    write_file("/proc/self/cgroup", "3:cpu:/a\n0::/b\n");
    write_file("/proc/self/mountinfo",
               "30 24 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate\n"
               "33 24 0:29 / /sys/fs/cgroup/cpu rw shared:9 - cgroup cgroup rw,cpu\n");
    check_folders("cpu", "/sys/fs/cgroup/cpu/a /sys/fs/cgroup/cpu /sys/fs/cgroup/unified/b "
                         "/sys/fs/cgroup/unified");
}

TEST(a_hierarchy_may_be_mounted_anywhere) {
    write_file("/proc/self/cgroup", "3:cpu:/a\n");
    write_file("/proc/self/mountinfo",
               "33 24 0:29 / /old\\040groups rw - cgroup cgroup rw,cpuset\n"
               "34 24 0:30 / /my\\040groups rw - cgroup cgroup rw,cpuacct,cpu\n");
    check_folders("cpu", "/my groups/a /my groups");
}

/* A container without a namespace of its own knows its path on the host. */
TEST(a_mounted_group_is_left_out_of_the_path) {
    write_file("/proc/self/cgroup", "3:cpu:/docker/abc/own\n");
    write_file("/proc/self/mountinfo",
               "32 24 0:28 /other /elsewhere ro - cgroup cgroup rw,cpu\n"
               "33 24 0:29 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n");
    check_folders("cpu", "/sys/fs/cgroup/cpu/own /sys/fs/cgroup/cpu");
}

TEST(a_namespace_begins_at_its_root) {
    write_file("/proc/self/mountinfo", "33 24 0:29 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
    write_file("/proc/self/cgroup", "0::/\n");
    check_folders("cpu", "/sys/fs/cgroup");
    write_file("/proc/self/cgroup", "0::/../..\n");
    check_folders("cpu", "/sys/fs/cgroup");
    write_file("/proc/self/cgroup", "0::/../other/..own\n");
    check_folders("cpu", "/sys/fs/cgroup");
    write_file("/proc/self/cgroup", "0::/..own\n");
    check_folders("cpu", "/sys/fs/cgroup/..own /sys/fs/cgroup");
    write_file("/proc/self/mountinfo", "33 24 0:29 /../.. /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
    write_file("/proc/self/cgroup", "0::/\n");
    check_folders("cpu", "/sys/fs/cgroup");
}

TEST(lines_that_are_none_are_left_out) {
    write_file("/proc/self/cgroup", "\nnonsense\n3:cpu\n5:cpus:/b\n");
    check_folders("cpu", "");
}
