/* An algorithm in one file, from outside: `bench run FILE` in C, C++ and CUDA. */
#include <math.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "needs.h"
#include "program.h"
#include "test.h"

/* Modules are kept in the test's own folder. */
static void enter(void) {
    char cache[PROGRAM_PATH_SIZE];
    folder_enter();
    assert_non_null(getcwd(cache, sizeof cache));
    setenv("XDG_CACHE_HOME", cache, 1);
    setenv("CFLAGS", "-O0", 1);
    setenv("CXXFLAGS", "-O0", 1);
}

EACH_TEST(enter, folder_leave);

#define VERIFY "verify --shapes 1x1,33x17 --contents noise,full "
#define RUN "run --sizes 64x48 --reps 3 --no-plot --no-roof --quiet --out run --force "

static void write_text(const char *path, const char *text) {
    write_file(path, text, strlen(text));
}

/* A file in which every pixel of the answer is `value`, an expression of the pixel v, width, x and
 * y. */
static void write_image(const char *path, const char *before, const char *types,
                        const char *answer_type, const char *value, const char *behind) {
    char text[4096];
    snprintf(
        text, sizeof text,
        "#include \"bench.h\"\n"
        "%s\n"
        "static void rows(const %s *in, %s *out, int width, int height, int first, int last) {\n"
        "    (void)height;\n"
        "    for (int y = first; y < last; y++) {\n"
        "        for (int x = 0; x < width; x++) {\n"
        "            const size_t i = (size_t)y * (size_t)width + (size_t)x;\n"
        "            const %s v = in[i];\n"
        "            out[i] = (%s)(%s);\n"
        "        }\n"
        "    }\n"
        "}\n"
        "BENCH_IMAGE(%s, %s, rows)\n"
        "%s\n",
        before, types, answer_type, types, answer_type, value, types, answer_type, behind);
    write_text(path, text);
}

static void write_negative(const char *path) {
    write_image(path, "", "uint8_t", "uint8_t", "255 - v", "");
}

static void check_right(const char *path, const char *last) {
    check_prints(bench(VERIFY "%s", path), 0, last);
}

/* The plain code is held to itself alone, for which small images do. */
TEST(large_images_do_not_try_the_plain_code) {
    write_negative("negative.c");
    check_prints(bench("verify --shapes 640x480 --contents noise negative.c"), 0,
                 "negative/seq is not tried on images as large as these");
}

/* === Languages ================================================================================ */

TEST(a_file_of_c_is_an_algorithm) {
    write_negative("negative.c");
    check_right("negative.c", "2 of 2 variants right");
    bench_ok(RUN "negative.c");
    check_file_has("run/results.csv", "negative,seq,cpu,texture,64x48");
    check_file_has("run/results.csv", "negative,omp,cpu,texture,64x48");
    check_file_has("run/results.csv", "# module_source_negative: negative.c\n");
    check_file_has("run/results.csv", "-O3 -shared -DBENCH_ALGORITHM=negative ");
    bench_ok("show run negative.c");
    Outcome outcome = bench(RUN "negative.c");
    check_contains(outcome.out, "  bench show run --all negative.c\n");
    check_prints(bench("list negative.c"), 0, "an algorithm of one file");
}

TEST(so_is_a_file_of_cpp) {
    static const char *const names[] = {"a.cpp", "b.cc", "c.cxx"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_image(names[i], "#include <vector>\nstatic std::vector<int> some(3, 1);", "uint8_t",
                    "uint8_t", "255 - v * some[0]", "");
        check_right(names[i], "2 of 2 variants right");
    }
}

/* Without a command the file is run; with another algorithm it is one of several. */
TEST(a_file_stands_where_an_algorithm_does) {
    write_negative("one.c");
    write_negative("two.c");
    bench_ok("one.c --sizes 16x16 --reps 3 --no-plot --no-roof --quiet --out run");
    check_file_has("run/results.csv", "one,seq,");
    bench_ok(RUN "one.c two.c");
    check_file_has("run/results.csv", "two,seq,");
    bench_ok(RUN "one.c --algo one,copy --variants seq");
    check_file_has("run/results.csv", "copy,seq,");
    /* The value of an option is none. */
    check_refused(bench(RUN "--algo copy --input one.c"), 5, "one.c");
}

static bool has_nvcc(void) {
    return access("/usr/local/cuda/bin/nvcc", X_OK) == 0 ||
           system("command -v nvcc >/dev/null") ==
               0; /* NOLINT(cert-env33-c,concurrency-mt-unsafe) */
}

static const char cuda_text[] =
    "#include \"bench.h\"\n"
    "BENCH_TUNING(block, \"64,128\", 32, 1024, \"threads of a block\")\n"
    "static void rows(const uint8_t *in, uint8_t *out, size_t, size_t first, size_t last) {\n"
    "    for (size_t i = first; i < last; i++) { out[i] = 255 - in[i]; }\n"
    "}\n"
    "__global__ void kernel(const uint8_t *in, uint8_t *out, size_t count) {\n"
    "    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < count) { out[i] = 255 - in[i]; }\n"
    "}\n"
    "static void cuda_one(const uint8_t *in, uint8_t *out, size_t count, cudaStream_t stream) {\n"
    "    kernel<<<(unsigned)((count + block - 1) / block), block, 0, stream>>>(in, out, count);\n"
    "}\n"
    "static void cuda_two(const uint8_t *in, uint8_t *out, size_t count, cudaStream_t stream) {\n"
    "    cuda_one(in, out, count, stream);\n"
    "}\n"
    "BENCH_ARRAY(uint8_t, uint8_t, rows, cuda_one, cuda_two)\n";

TEST(functions_that_launch_kernels_are_variants) {
    if (!has_nvcc()) {
        skip_needing("nvcc", "nvcc compiles files of CUDA");
    }
    write_text("negative.cu", cuda_text);
    check_prints(bench("list negative.cu"), 0,
                 "cuda_one          launches its kernels on one device; improves on seq",
                 "improves on cuda_one", "--block LIST    threads of a block. Default: 64,128");
    check_prints(bench(VERIFY "negative.cu --variants seq,omp,cuda_one,cuda_two"), 0,
                 " variants right");
}

TEST(they_need_a_file_of_cuda_and_its_compiler) {
    write_image("blur.c", "static void launch(void) {}", "uint8_t", "uint8_t", "v", "");
    char *text = read_text("blur.c");
    char *line = strstr(text, ", rows)");
    assert_non_null(line);
    line[0] = '\0';
    char changed[4096];
    snprintf(changed, sizeof changed, "%s, rows, launch)\n", text);
    write_text("blur.c", changed);
    check_says(bench("run blur.c"), 5, "functions that launch kernels need a file .cu");
    setenv("NVCC", "no-such-nvcc", 1);
    write_text("negative.cu", cuda_text);
    check_refused(bench("run negative.cu"), 5,
                  "negative.cu: NVCC is 'no-such-nvcc', which is no program");
    unsetenv("NVCC");
}

/* === What is compiled, and when =============================================================== */

/* How often the line of a compilation is there. */
static void check_compiled(bool compiled) {
    Outcome outcome = bench_ok(VERIFY "negative.c");
    assert_int_equal(strstr(outcome.err, "compiling negative.c with ") != NULL, compiled);
}

TEST(what_is_compiled_is_kept) {
    write_text("level.h", "enum { LEVEL = 255 };\n");
    write_image("negative.c", "#include \"level.h\"", "uint8_t", "uint8_t", "LEVEL - v", "");
    check_compiled(true);
    check_compiled(false);
    write_text("level.h", "enum { LEVEL = 254 };\n");
    check_compiled(true);
    check_compiled(false);
    write_image("negative.c", "#include \"level.h\"", "uint8_t", "uint8_t", "LEVEL - 2 * v", "");
    check_compiled(true);
    check_compiled(false);
    setenv("CFLAGS", "-O2", 1);
    check_compiled(true);
    setenv("CC", "gcc -O1", 1);
    check_compiled(true);
    check_compiled(false);
    unsetenv("CC");
    /* As it was: nothing has to be compiled. */
    setenv("CFLAGS", "-O0", 1);
    write_text("level.h", "enum { LEVEL = 255 };\n");
    check_compiled(true);
    write_text("level.h", "enum { LEVEL = 254 };\n");
    check_compiled(false);
}

/* Of the modules in this folder's cache. */
static int count_modules(void) {
    FILE *found = popen("find bench/modules -name negative.so | wc -l", "r");
    int count = -1;
    assert_non_null(found);
    assert_int_equal(fscanf(found, "%d", &count), 1);
    pclose(found);
    return count;
}

TEST(what_is_not_used_any_more_goes) {
    write_negative("negative.c");
    check_compiled(true);
    setenv("CFLAGS", "-O1", 1);
    check_compiled(true);
    assert_int_equal(count_modules(), 2);
    assert_int_equal(
        system("find bench/modules -mindepth 2 -type d -exec touch -d '31 days ago' {} +"), 0);
    check_compiled(false); /* which is a use */
    setenv("CFLAGS", "-O2", 1);
    check_compiled(true);
    assert_int_equal(count_modules(), 2);
    setenv("CFLAGS", "-O1", 1);
    check_compiled(false);
    setenv("CFLAGS", "-O0", 1);
    check_compiled(true);
}

TEST(what_the_compiler_says_comes_through) {
    write_text("wrong.c", "#include \"bench.h\"\n\nint main(void) { return missing; }\n");
    check_says(bench("run wrong.c"), 5, "wrong.c:3:", "missing",
               "bench: wrong.c is not compiled: ", " ended with exit code 1\n");
    assert_int_equal(count_files(".so"), 0);
}

TEST(functions_of_another_type_are_refused) {
    write_text("wide.c",
               "#include \"bench.h\"\n"
               "static void blur(const uint16_t *in, int width, int height, uint8_t *out) {\n"
               "    (void)in, (void)width, (void)height, (void)out;\n"
               "}\n"
               "BENCH_IMAGE(uint8_t, uint8_t, blur)\n");
    check_says(bench("run wide.c"), 5, "wide.c:5:", "incompatible", "wide.c is not compiled: ");
}

/* A process that has ended and that nobody has waited for has no command line. */
static bool is_alive(pid_t process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)process);
    const char *line = read_if_there(path);
    return line != NULL && line[0] != '\0';
}

TEST(an_interrupt_ends_the_compiler) {
    write_text("slow", "#!/bin/sh\n"
                       "exec 2>&1\n"
                       "sleep 200 &\n"
                       "echo $! >begun.txt\n"
                       "wait\n");
    assert_int_equal(chmod("slow", 0700), 0);
    write_negative("negative.c");
    setenv("CC", "./slow", 1);
    const pid_t process = bench_start("run negative.c");
    assert_true(wait_for_text(process, "begun.txt", "\n", 60));
    assert_int_equal(kill(process, SIGINT), 0);
    check_ends(bench_wait_at_most(process, 60), 130);
    unsetenv("CC");
    /* What the compiler has started is gone, or about to go. */
    char *text = read_text("begun.txt");
    const pid_t started = (pid_t)strtol(text, NULL, 10);
    for (int i = 0; i < 1000 && is_alive(started); i++) {
        usleep(10000);
    }
    assert_false(is_alive(started));
}

TEST(files_that_are_no_algorithm_are_refused) {
    check_refused(bench("run nowhere.c"), 5, "nowhere.c: cannot open");
    assert_int_equal(mkdir("folder.c", 0700), 0);
    check_refused(bench("run folder.c"), 5, "folder.c");
    write_negative("lbp.c");
    check_refused(bench("run lbp.c"), 2, "bench has an algorithm 'lbp' already; rename the file");
    write_negative("2d.c");
    check_refused(bench("run 2d.c"), 2, "no algorithm can have this name, which begins with");
    write_negative("all.c");
    check_refused(bench("run all.c"), 2, "'all' means every algorithm; rename the file");
    setenv("CC", "no-such-cc", 1);
    write_negative("negative.c");
    check_refused(bench("run negative.c"), 5, "CC is 'no-such-cc', which is no program");
    unsetenv("CC");
    write_text("formless.c", "#include \"bench.h\"\n");
    check_says(bench("run formless.c"), 5, "bench: formless.c: it names no algorithm: below its");
    static const char *const words[] = {"run --algo lbp --sizes 8x8 --variants seq --reps 1 "
                                        "--launches 1 --no-roof --no-plot --out run.c",
                                        "show run.c"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        bench_ok("%s", words[i]);
    }
    write_text("empty.c", "int nothing;\n");
    check_says(bench("run empty.c"), 5, "bench: empty.c: it does not include bench.h");
    write_text("ends.c", "#include <stdlib.h>\n"
                         "__attribute__((constructor)) static void leave(void) { exit(3); }\n");
    check_says(bench("run ends.c"), 5, "bench: ends.c: ended its process with exit code 3");
    write_text("lacks.c", "void missing(void);\n"
                          "void (*bench_module)(void) = missing;\n");
    check_says(bench("run lacks.c"), 5, "bench: lacks.c: undefined symbol: missing");
    write_text("taken.c", "#include \"bench.h\"\n"
                          "BENCH_PARAMETER(sizes, \"2\", 1, 16, \"x\")\n"
                          "static void nothing(const uint8_t *in, uint8_t *out, int width,\n"
                          "                    int height, int first, int last) {}\n"
                          "BENCH_IMAGE(uint8_t, uint8_t, nothing)\n");
    check_says(bench("run taken.c"), 5, "bench: taken.c: --sizes is an option already");
}

TEST(runs_says_that_the_file_is_needed) {
    write_negative("negative.c");
    bench_ok("run negative.c --variants seq --sizes 8x8 --reps 1 --launches 1 --no-roof --no-plot "
             "--out kept/run");
    check_prints(bench("runs kept"), 0, "of a module: name its file");
    check_prints(bench("runs kept negative.c"), 0, "seq alone");
}

/* === Names ==================================================================================== */

/* Nothing in a name is run or cut. WORD_SPACE is one there. */
TEST(names_of_files_reach_no_shell) {
    static const char *const names[] = {"my\vown.c",
                                        "it's.c",
                                        "a;touch\vowned;b.c",
                                        "q\"uote.c",
                                        "t$(touch\vowned).c",
                                        "t`touch\vowned`.c",
                                        "-O9.c",
                                        "at@x.c",
                                        "hash#x.c",
                                        "back\\slash.c",
                                        "dollar$x.c",
                                        "p%s%n.c"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i += SWEEP_STEP) {
        char path[64];
        snprintf(path, sizeof path, "%s", names[i]);
        word_spaces(path);
        write_negative(path);
        const bool option = path[0] == '-';
        check_right(option ? "./-O9.c" : names[i], "2 of 2 variants right");
        assert_false(file_exists("owned"));
    }
}

TEST(what_nvcc_would_give_to_a_shell_is_refused) {
    if (!has_nvcc()) {
        skip_needing("nvcc", "nvcc compiles files of CUDA");
    }
    static const char *const names[] = {"t$(touch\vowned).cu", "t`touch\vowned`.cu", "q\"uote.cu"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s", names[i]);
        word_spaces(path);
        write_text(path, cuda_text);
        check_refused(bench("list %s", names[i]), 5, "to a shell");
        assert_false(file_exists("owned"));
    }
}

/* === Parameters =============================================================================== */

TEST(a_default_beyond_the_bounds_is_refused) {
    write_image("times.c", "BENCH_PARAMETER(factor, \"20\", 1, 16, \"x\")", "uint8_t", "uint8_t",
                "v * factor", "");
    check_says(bench(VERIFY "times.c"), 2,
               "bench: --factor takes whole numbers from 1 to 16, not '20'");
}

TEST(parameters_are_axes) {
    write_image("times.c",
                "BENCH_PARAMETER(by_factor, \"2\", 1, 9, \"what each pixel is taken times\")",
                "uint8_t", "uint8_t", "v * by_factor", "");
    check_right("times.c", "2 of 2 variants right");
    bench_ok(RUN "times.c --by-factor 1,3 --variants seq");
    check_file_has("run/results.csv", "by-factor:1");
    check_file_has("run/results.csv", "by-factor:3");
    check_refused(bench(RUN "times.c --by-factor 10"), 2, "--by-factor");
    bench_ok(RUN "times.c --variants seq");
    check_file_has("run/results.csv", "by-factor:2");
}

TEST(more_parameters_than_a_point_has_are_refused) {
    char lines[1024] = "";
    for (int i = 0; i < 9; i++) {
        char line[96];
        snprintf(line, sizeof line, "BENCH_PARAMETER(value_%c, \"1\", 0, 9, \"a number\")\n",
                 'a' + i);
        strncat(lines, line, sizeof lines - strlen(lines) - 1);
    }
    write_image("many.c", lines, "uint8_t", "uint8_t", "v", "");
    check_says(bench("run many.c"), 5, "it has more than 8 axes");
}

/* === Forms ==================================================================================== */

static const char numbers_text[] =
    "#include \"bench.h\"\n"
    "static void count(const uint8_t *in, uint64_t *out, int width, int height, int first, int "
    "last) {\n"
    "    (void)height;\n"
    "    for (size_t i = (size_t)first * width; i < (size_t)last * width; i++) { out[in[i]]++; }\n"
    "}\n"
    "BENCH_NUMBERS(uint8_t, uint64_t, 256, count)\n";

static const char two_text[] =
    "#include \"bench.h\"\n"
    "static void differ(const uint8_t *a, const uint8_t *b, uint8_t *out, int width, int height, "
    "int first, int last) {\n"
    "    (void)height;\n"
    "    for (size_t i = (size_t)first * width; i < (size_t)last * width; i++) {\n"
    "        out[i] = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];\n"
    "    }\n"
    "}\n"
    "BENCH_TWO_IMAGES(uint8_t, uint8_t, differ)\n";

static const char array_text[] =
    "#include \"bench.h\"\n"
    "static void square(const float *in, double *out, size_t count, size_t first, size_t last) {\n"
    "    (void)count;\n"
    "    for (size_t i = first; i < last; i++) { out[i] = (double)in[i] * in[i]; }\n"
    "}\n"
    "BENCH_ARRAY(float, double, square)\n";

/* Twelve pixels: 0, 51, 255, and nine of 102. */
static void write_pixels(void) {
    static const char pixels[] = "P5\n4 3\n255\n\x00\x33\xff\x66\x66\x66\x66\x66\x66\x66\x66\x66";
    write_file("pixels.pgm", pixels, sizeof pixels - 1);
}

/* The elements of a saved array, behind its head of 128 bytes. */
static void *saved_array(const char *path, const char *type) {
    static unsigned char bytes[4096];
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_true(fread(bytes, 1, sizeof bytes, stream) > 128);
    fclose(stream);
    check_contains((const char *)bytes + 10, type);
    return bytes + 128;
}

#define SAVED                                                                                      \
    "run --variants seq --input pixels.pgm --save saved --reps 3 --no-plot --no-roof --quiet "     \
    "--out run --force "

TEST(numbers_of_threads_are_added) {
    write_text("count.c", numbers_text);
    check_right("count.c", "2 of 2 variants right");
    write_pixels();
    bench_ok(SAVED "count.c");
    check_file_has("saved/count-pixels-native-answer.csv", "\n102,9\n");
    check_file_has("saved/count-pixels-native-answer.csv", "\n255,1\n");
}

TEST(the_second_image_is_the_first_turned) {
    write_text("differ.cpp", two_text);
    check_right("differ.cpp", "2 of 2 variants right");
    write_pixels();
    bench_ok(SAVED "differ.cpp");
    assert_true(file_exists("saved/differ-pixels-native-answer.png"));
}

/* Of 3x1 pixels. */
static void write_row(const char *path, const char *pixels) {
    char file[32];
    const int size = snprintf(file, sizeof file, "P2 3 1 255 %s", pixels);
    write_file(path, file, (size_t)size);
}

TEST(the_second_image_can_be_named) {
    char text[sizeof two_text];
    memcpy(text, two_text, sizeof text);
    char *answer = strstr(text, "uint8_t *out");
    memcpy(strstr(text, "(uint8_t, uint8_t, differ)"), "(uint8_t, int32_t, differ)", 26);
    memcpy(answer, "int32_t *out", 12);
    write_text("differ.c", text);
    write_row("left.pgm", "10 20 30");
    write_row("right.pgm", "1 25 30");
    write_file("tall.pgm", "P2 1 3 255 1 2 3", 16);
    bench_ok("run differ.c --variants seq --input left.pgm --second right.pgm --save saved "
             "--reps 3 --no-plot --no-roof --quiet --out run");
    const int32_t *differences =
        saved_array("saved/differ-left.pgm+right-native-answer.npy", "'<i4'");
    assert_true(differences[0] == 9 && differences[1] == 5 && differences[2] == 0);
    check_file_has("run/results.csv", "differ,seq,cpu,left.pgm+right.pgm,native,3,1,");
    bench_ok(RUN "differ.c --variants seq --input left.pgm --second right.pgm");
    check_file_has("run/results.csv", "differ,seq,cpu,left.pgm+right.pgm,64x48,");
    check_refused(
        bench("run differ.c --input left.pgm --second tall.pgm"), 2,
        "--second: tall.pgm has 1x3 pixels and left.pgm 3x1; two images of one size would "
        "be right");
    check_refused(bench("run differ.c --second tall.pgm"), 2,
                  "--second: the first image is synthetic; name its file with --input");
    check_refused(bench("run --algo lbp --input left.pgm --second right.pgm"), 2,
                  "--second is for algorithms that take two images, and none is selected");
    check_refused(bench("run differ.c --input left.pgm --second nowhere.pgm"), 5,
                  "nowhere.pgm: cannot open");
    check_refused(bench("run differ.c --input left.pgm --second right.pgm --csv right.pgm"), 2,
                  "right.pgm");
}

TEST(arrays_have_the_pixels_as_numbers) {
    write_text("square.c", array_text);
    check_right("square.c", "2 of 2 variants right");
    write_pixels();
    bench_ok(SAVED "square.c");
    const double *squares = saved_array("saved/square-pixels-native-answer.npy", "'<f8'");
    assert_true(squares[0] == 0 && squares[2] == 1);
    assert_true(squares[1] > 0.0399 && squares[1] < 0.0401);
}

/* === Types and tolerances ===================================================================== */

TEST(images_have_any_type) {
    static const char *const types[] = {"uint8_t", "uint16_t", "int32_t", "uint32_t",
                                        "int64_t", "uint64_t", "float",   "double"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i += SWEEP_STEP) {
        write_image("image.c", "", types[i], "double", "v * 2.0", "");
        check_right("image.c", "2 of 2 variants right");
        write_image("back.cpp", "", "double", types[i], "v * 100", "");
        check_right("back.cpp", "2 of 2 variants right");
    }
}

TEST(white_is_the_largest_number_of_16_bits_and_1_of_float) {
    write_pixels();
    write_image("deep.c", "", "uint16_t", "uint16_t", "v", "");
    bench_ok(SAVED "deep.c");
    const uint16_t *deep = saved_array("saved/deep-pixels-native-answer.npy", "'<u2'");
    assert_true(deep[0] == 0 && deep[1] == 51 * 257 && deep[2] == 65535);
    write_image("real.c", "", "float", "float", "v", "");
    bench_ok(SAVED "real.c");
    const float *real = saved_array("saved/real-pixels-native-answer.npy", "'<f4'");
    assert_true(real[0] == 0 && real[2] == 1 && real[1] > 0.1999F && real[1] < 0.2001F);
}

/* 0x1234, 1 and white of 16 bits. */
static void write_deep(void) {
    static const char pixels[] = "P5\n3 1\n65535\n\x12\x34\x00\x01\xff\xff";
    write_file("pixels.pgm", pixels, sizeof pixels - 1);
}

TEST(images_of_16_bits_reach_it_whole) {
    write_deep();
    write_image("deep.c", "", "uint16_t", "uint16_t", "v", "");
    bench_ok(SAVED "deep.c");
    const uint16_t *deep = saved_array("saved/deep-pixels-native-answer.npy", "'<u2'");
    assert_true(deep[0] == 0x1234 && deep[1] == 1 && deep[2] == 65535);
    write_image("real.c", "", "float", "float", "v", "");
    bench_ok(SAVED "real.c");
    const float *real = saved_array("saved/real-pixels-native-answer.npy", "'<f4'");
    assert_true(real[0] == 0x1234 / 65535.0F && real[1] == 1 / 65535.0F && real[2] == 1);
    write_image("whole.c", "", "int32_t", "int32_t", "v", "");
    bench_ok(SAVED "whole.c");
    const int32_t *whole = saved_array("saved/whole-pixels-native-answer.npy", "'<i4'");
    assert_true(whole[0] == 0x1234 && whole[1] == 1 && whole[2] == 65535);
    /* 8 bits are rounded: 0x1234·255/65535 is 18.1. */
    write_image("plain.c", "", "uint8_t", "double", "v", "");
    bench_ok(SAVED "plain.c");
    const double *plain = saved_array("saved/plain-pixels-native-answer.npy", "'<f8'");
    assert_true(plain[0] == 18 && plain[1] == 0 && plain[2] == 255);
}

/* Those of 8 bits are multiples of 257. */
TEST(synthetic_images_have_all_bits) {
    enum { PIXELS = 64 * 48 };
    size_t fine = 0;
    write_image("deep.c", "", "uint16_t", "uint16_t", "v", "");
    bench_ok(RUN "deep.c --variants seq --save saved");
    FILE *stream = fopen("saved/deep-texture-64x48-answer.npy", "rb");
    assert_non_null(stream);
    static uint16_t levels[64 + PIXELS];
    assert_int_equal(fread(levels, sizeof *levels, 64 + PIXELS, stream), 64 + PIXELS);
    fclose(stream);
    for (size_t i = 64; i < 64 + PIXELS; i++) {
        fine += levels[i] % 257 != 0;
    }
    assert_true(fine > PIXELS / 2);
}

/* An array of one dimension, as numpy.save writes it, with five numbers of 8 bytes. */
static void write_numbers(const char *path, double last) {
    static const char head[] = "\x93NUMPY\x01\x00\x37\x00"
                               "{'descr': '<f8', 'fortran_order': False, 'shape': (5,)}";
    const double numbers[5] = {0.5, -2, 1e300, 0.1, last};
    char file[sizeof head - 1 + sizeof numbers];
    memcpy(file, head, sizeof head - 1);
    memcpy(file + sizeof head - 1, numbers, sizeof numbers);
    write_file(path, file, sizeof file);
}

TEST(arrays_are_read_as_they_are) {
    write_text(
        "twice.c",
        "#include \"bench.h\"\n"
        "static void twice(const double *in, double *out, size_t count, size_t first, size_t "
        "last) {\n"
        "    (void)count;\n"
        "    for (size_t i = first; i < last; i++) { out[i] = 2 * in[i]; }\n"
        "}\n"
        "BENCH_ARRAY(double, double, twice)\n");
    write_numbers("five.npy", 3);
    bench_ok("run twice.c --variants seq --input five.npy --save saved --reps 3 --no-plot "
             "--no-roof --quiet --out run --force");
    const double *twice = saved_array("saved/twice-five-native-answer.npy", "'<f8'");
    assert_true(twice[0] == 1 && twice[1] == -4 && twice[2] == 2e300 && twice[3] == 0.2 &&
                twice[4] == 6);
    check_file_has("run/results.csv", "twice,seq,cpu,five.npy,native,5,1,");
    check_refused(
        bench(RUN "twice.c --input five.npy"), 2,
        "five.npy has numbers, which are not scaled; --sizes native (5x1) would be right");
    write_text("square.c", array_text);
    bench_ok("list square.c"); /* is compiled */
    check_refused(bench("run square.c --input five.npy"), 5,
                  "five.npy: has float64 numbers, of which 1.0000000000000001e+300 (column 2, row "
                  "0) is no float32; numbers are taken as they are: a file of float32 would be "
                  "right");
    check_refused(bench("run --algo lbp --input five.npy"), 5,
                  "of which 0.5 (column 0, row 0) is "
                  "no uint8");
    write_numbers("five.npy", (double)NAN);
    check_refused(bench("run twice.c --input five.npy"), 5,
                  "five.npy: the number in column 4 of row 0 is NaN; all have to be finite");
    write_file("five.npy", "\x93NUMPY\x01\x00", 8);
    check_refused(bench("run twice.c --input five.npy"), 5,
                  "five.npy: damaged NPY: the file is truncated");
}

/* A second function that is off by an expression of the right number r. */
static void check_tolerance(const char *type, const char *off, const char *tolerance, bool right) {
    char behind[1024];
    snprintf(
        behind, sizeof behind,
        "static void other(const %s *in, %s *out, int width, int height, int first, int last) {\n"
        "    rows(in, out, width, height, first, last);\n"
        "    for (size_t i = 0; i < (size_t)width * (size_t)last; i++) {\n"
        "        const %s r = out[i]; out[i] = (%s)(%s);\n"
        "    }\n"
        "}\n"
        "BENCH_CPU(other)\n%s",
        type, type, type, type, off, tolerance);
    write_image("near.c", "#include <math.h>", type, type, "v + 1", behind);
    Outcome outcome = bench(VERIFY "near.c");
    check_code(&outcome, right ? 0 : 4);
    check_verdict(&outcome, "near", "other", right ? " right" : " WRONG");
    check_verdict(&outcome, "near", "omp", " right");
    if (!right) {
        check_contains(outcome.err, "near/other: ");
        check_contains(outcome.err, tolerance[0] != '\0' ? "out of tolerance" : "elements differ");
    }
}

TEST(a_tolerance_is_absolute_relative_or_of_last_places) {
    static const struct {
        const char *type, *off, *tolerance;
        bool right;
    } cases[] = {
        {"float", "r + 0.001F", "", false},
        {"float", "r + 0.001F", "BENCH_TOLERANCE(0.002, 0, 0)", true},
        {"float", "r + 0.001F", "BENCH_TOLERANCE(0.0005, 0, 0)", false},
        {"double", "r * 1.00001", "BENCH_TOLERANCE(0, 2e-5, 0)", true},
        {"double", "r * 1.00001", "BENCH_TOLERANCE(0, 5e-6, 0)", false},
        {"float", "nextafterf(nextafterf(r, 9), 9)", "BENCH_TOLERANCE(0, 0, 2)", true},
        {"float", "nextafterf(nextafterf(r, 9), 9)", "BENCH_TOLERANCE(0, 0, 1)", false},
        {"float", "NAN", "BENCH_TOLERANCE(9, 9, 9)", false},
        {"uint8_t", "r ^ 1", "BENCH_TOLERANCE(1, 0, 0)", true},
        {"uint8_t", "r + 2", "BENCH_TOLERANCE(1, 0, 0)", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i += SWEEP_STEP) {
        check_tolerance(cases[i].type, cases[i].off, cases[i].tolerance, cases[i].right);
    }
    check_refused(bench("list near.c --no-such"), 2, "unknown option");
}

TEST(a_tolerance_below_0_is_refused) {
    write_image("near.c", "BENCH_TOLERANCE(-1, 0, 0)", "float", "float", "v", "");
    check_says(bench("list near.c"), 5, "its tolerance is below 0");
}

/* === Other people's code ====================================================================== */

#define OTHER_FUNCTION                                                                             \
    "static void other(const uint8_t *in, uint8_t *out, int width, int height, int first, "        \
    "int last) {\n    rows(in, out, width, height, first, last);\n    out[0] ^= 1;\n}\n"

TEST(a_file_may_bring_the_code_that_it_would_be_replaced_by) {
    write_image("negative.c", "", "uint8_t", "uint8_t", "255 - v",
                OTHER_FUNCTION "BENCH_PEER(other, \"Other\", \"1.2.3\")\n"
                               "BENCH_PEER_DIFFERS(other, \"a pixel\", 0.9)\n");
    bench_ok(RUN "negative.c");
    char *rows = read_text("run/results.csv");
    assert_null(strstr(rows, "negative,other,"));
    bench_ok(RUN "--peers negative.c");
    check_file_has("run/results.csv", "negative,other,cpu,");
    check_file_has("run/results.csv", "Other 1.2.3,a pixel,");
    check_file_has("run/results.json", "\"best_peer\":\t\"other\"");
    Outcome outcome = bench("list negative.c");
    check_contains(outcome.out, "other");
    assert_null(strstr(outcome.out, "called once for all rows; improves on"));
}

/* Equal in all but one of 3072 pixels: enough for 0.9, not for all of them or where it says none.
 */
TEST(a_peer_is_held_to_its_share) {
    static const char *const marks[] = {
        "BENCH_PEER(other, \"Other\", \"1\")\n",
        "BENCH_PEER(other, \"Other\", \"1\")\nBENCH_PEER_DIFFERS(other, \"a pixel\", 1)\n"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        char behind[1024];
        snprintf(behind, sizeof behind, OTHER_FUNCTION "%s", marks[i]);
        write_image("negative.c", "", "uint8_t", "uint8_t", "255 - v", behind);
        check_ends(bench(RUN "--peers negative.c"), 4);
        check_file_has("run/results.csv", "wrong answer");
    }
    write_image("negative.c", "", "uint8_t", "uint8_t", "255 - v",
                "BENCH_PEER_DIFFERS(rows, \"a pixel\", 1)\n");
    check_says(bench("list negative.c"), 5, "bench_is_peer_rows");
    write_image("negative.c", "", "uint8_t", "uint8_t", "255 - v",
                "BENCH_PEER_GPU(other, \"Other\", \"1\")\n");
    check_says(bench("list negative.c"), 5, "functions that launch kernels need a file .cu");
}

/* === Wrong answers ============================================================================ */

TEST(wrong_answers_are_named) {
    /* Right for all rows at once alone. */
    write_image("rows.c", "", "uint8_t", "uint8_t", "v + (first > 0)", "");
    Outcome outcome = bench(VERIFY "rows.c");
    check_code(&outcome, 4);
    check_verdict(&outcome, "rows", "seq", " right");
    check_verdict(&outcome, "rows", "omp", " WRONG");
    check_contains(outcome.err, "wrong answer: answer (");
    /* Rows that are left out are poison; a byte too many is seen. */
    write_image("hole.c", "", "uint8_t", "uint8_t", "y == 1 ? out[i] : v", "");
    check_says(bench(VERIFY "hole.c"), 4,
               ", first run: its calls give different answers, as where elements are left "
               "unwritten: answer (");
    write_image("past.c", "", "uint8_t", "uint8_t", "(out[i + 1] = v)", "");
    check_says(bench(VERIFY "past.c"), 4, "out of bounds");
}

TEST(a_file_that_ends_the_process_fails) {
    write_image("dies.cpp", "#include <stdexcept>", "uint8_t", "uint8_t",
                "width > 20 ? throw std::runtime_error(\"no\") : v", "");
    check_says(bench(RUN "dies.cpp"), 4, "crashed: SIGABRT");
}

#ifndef __SANITIZE_ADDRESS__ /* which ends the process itself */
/* What is written past the guards is the allocator's: the process ends, and who did it is said, of
 * an oracle that writes too much as well. */
TEST(memory_behind_the_guards_names_the_variant) {
    write_image("far.c", "#include <string.h>", "uint8_t", "uint8_t",
                "(i == 0 ? (memset(out + width * height, 7, 100000), v) : v)", "");
    Outcome outcome = bench(RUN "far.c");
    check_code(&outcome, 4);
    check_contains(outcome.err, "the first is far/seq/");
    /* Where the heap ends before that, the write itself does. */
    if (strstr(outcome.err, "crashed: SIGSEGV (Segmentation fault) in run") == NULL) {
        check_contains(outcome.err, " was written out of bounds, 1 bytes past its end");
    }
    check_contains(outcome.out, "no oracle, because it failed: ");
    check_ends(bench(VERIFY "far.c"), 4);
}
#endif
