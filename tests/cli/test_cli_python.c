/* Variants in Python, from outside: `bench run FILE.py`, `verify` and `list`. */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "needs.h"
#include "program.h"
#include "search_path.h"
#include "test.h"

#define QUICK " --sizes 64x48 --reps 3 --no-plot --no-roof --quiet --out run --force"
#define VERIFY " --shapes 1x1,33x17 --contents noise,full"

#define HEAD "import bench\nimport numpy as np\n"
/* The oracle of an algorithm: the negative of an image. */
#define PLAIN                                                                                      \
    HEAD "@bench.variant\n"                                                                        \
         "def plain(image, out):\n"                                                                \
         "    \"\"\"NumPy, in one line.\"\"\"\n"                                                   \
         "    out[:] = 255 - image\n"

static void write_text(const char *path, const char *text) {
    write_file(path, text, strlen(text));
}

/* === The Python there is ====================================================================== */

/* Whether the program is one that has NumPy and can be loaded. */
static bool suits(const char *program, char why[256]) {
    setenv("BENCH_PYTHON", program, 1);
    Outcome outcome = bench("list --plugin there.py");
    const bool loaded = outcome.code == 0;
    snprintf(why, 256, "%s", outcome.err);
    return loaded;
}

/* Debian's own is the one for which the tests' packages are installed. Asked once for all tests. */
static void choose_python(void) {
    static const char *const programs[] = {"/usr/bin/python3", "python3", NULL};
    static const char *const *chosen = programs;
    static char why[256];
    static bool asked;
    while (!asked && *chosen != NULL && !suits(*chosen, why)) {
        chosen++;
    }
    asked = true;
    if (*chosen == NULL) {
        folder_leave();
        why[strcspn(why, "\n")] = '\0';
        skip_needing(NEEDS_NUMPY, why);
    }
    setenv("BENCH_PYTHON", *chosen, 1);
}

static void enter(void) {
    folder_enter();
    /* Python is never ended, and NumPy keeps what it has: sanitizers would call that leaks. */
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    write_text("there.py", PLAIN);
    choose_python();
}

EACH_TEST(enter, folder_leave);

/* === What is measured ========================================================================= */

TEST(a_marked_function_is_verified_and_timed) {
    write_text("my-Negative.py", PLAIN "@bench.variant(improves_on=\"plain\")\n"
                                       "def returned(image, out):\n"
                                       "    return np.invert(image)\n");
    check_prints(bench("list --plugin my-Negative.py my_negative"), 0, "NumPy, in one line",
                 "improves on plain");
    bench_ok("verify my-Negative.py" VERIFY);
    bench_ok("run my-Negative.py" QUICK " --launches 2");
    check_file_has("run/results.csv", "\nmy_negative,plain,cpu,texture,64x48,64,48,,,1,ok,,yes,1,");
    check_file_has("run/results.csv",
                   "\nmy_negative,returned,cpu,texture,64x48,64,48,,,1,ok,,yes,");
    check_file_has("run/results.json", "\"module_my_negative\":\t\"my-Negative.py\"");
    check_file_has("run/results.json", "\"module_with_my_negative\":\t\"Python 3.");
    check_file_has("run/results.json", ", numpy ");
    bench_ok("show run --plugin my-Negative.py");
}

TEST(keywords_are_axes) {
    write_text("shifted.py",
               HEAD "bench.algorithm(dtype=\"uint64\", shape=(256,), parameters={\"by\": [0, 2]})\n"
                    "@bench.variant(oracle=True)\n"
                    "def plain(image, out, by):\n"
                    "    out[:] = np.bincount((image >> by).ravel(), minlength=256)\n"
                    "@bench.variant(threads=True, tuning={\"rows_at_once\": [1, 8]})\n"
                    "def bands(image, out, by, threads, rows_at_once):\n"
                    "    out[:] = 0\n"
                    "    for y in range(0, len(image), rows_at_once):\n"
                    "        rows = image[y:y + rows_at_once] >> by\n"
                    "        out += np.bincount(rows.ravel(), minlength=256).astype(np.uint64)\n");
    bench_ok("verify shifted.py" VERIFY);
    bench_ok("run shifted.py" QUICK " --threads 1 --rows-at-once 1,8 --by 2");
    check_file_has(
        "run/results.csv",
        "\nshifted,bands,cpu,texture,64x48,64,48,by:2,\"threads:1,rows-at-once:8\",1,ok");
}

/* What a function does with other values is not known. */
TEST(only_the_values_that_are_declared_are_verified) {
    write_text("blocks.py", HEAD "bench.algorithm(parameters={\"by\": [2, 4]})\n"
                                 "@bench.variant(oracle=True)\n"
                                 "def plain(image, out, by):\n"
                                 "    assert by in (2, 4)\n"
                                 "    out[:] = image >> by\n"
                                 "@bench.variant(tuning={\"block\": [1, 8]})\n"
                                 "def blocks(image, out, by, block):\n"
                                 "    assert block in (1, 8)\n"
                                 "    out[:] = image >> by\n");
    bench_ok("verify blocks.py" VERIFY);
    bench_ok("verify blocks.py --quick" VERIFY);
    check_ends(bench("verify blocks.py --block 3" VERIFY), 4);
}

TEST(functions_may_take_two_images) {
    write_text("apart.py", HEAD "bench.algorithm(images=2)\n"
                                "@bench.variant\n"
                                "def plain(image, second, out):\n"
                                "    assert not second.flags.writeable\n"
                                "    out[:] = image ^ second\n"
                                "@bench.variant\n"
                                "def returned(image, second, out):\n"
                                "    return np.bitwise_xor(image, second)\n"
                                "@bench.variant\n"
                                "def first(image, second, out):\n"
                                "    out[:] = image\n");
    Outcome outcome = bench("verify apart.py" VERIFY);
    check_code(&outcome, 4);
    check_verdict(&outcome, "apart", "returned", " right");
    check_verdict(&outcome, "apart", "first", " WRONG");
    write_file("a.pgm", "P5\n2 1\n255\n\x0f\xff", 13);
    write_file("b.pgm", "P5\n2 1\n255\n\xff\x01", 13);
    bench_ok("run apart.py --variants plain,returned --launches 1 --input a.pgm "
             "--second b.pgm --reps 3 --no-plot --out run --save saved");
    check_file_has("run/results.csv", "\napart,returned,cpu,a.pgm+b.pgm,native,2,1,,,1,ok,,yes,");
    assert_true(file_exists("saved/apart-a.pgm+b-native-answer.png"));
    write_file("b.pgm", "P5\n1 2\n255\n\xff\x01", 13);
    check_says(bench("run apart.py --input a.pgm --second b.pgm"), 2,
               "two images of one size would be right");
}

TEST(an_answer_may_be_near) {
    write_text("near.py",
               HEAD "bench.algorithm(dtype=\"float32\", relative=1e-6)\n"
                    "@bench.variant\n"
                    "def plain(image, out):\n    out[:] = np.sqrt(image.astype(np.float32))\n"
                    "@bench.variant\n"
                    "def near(image, out):\n    return np.float32(1 + 1e-7) * np.sqrt(image, "
                    "dtype=np.float32)\n"
                    "@bench.variant\n"
                    "def far(image, out):\n    return np.float32(1 + 1e-5) * np.sqrt(image, "
                    "dtype=np.float32)\n");
    Outcome outcome = bench("verify near.py" VERIFY);
    check_code(&outcome, 4);
    check_verdict(&outcome, "near", "near", " right");
    check_verdict(&outcome, "near", "far", " WRONG");
}

/* Of a PGM of 16 bits, and of an array; rows of other types have no gaps. The first call has the
 * input of the file, later ones may have another. */
TEST(images_have_the_type_that_is_asked_for) {
    static const char pixels[] = "P5\n3 1\n65535\n\x12\x34\x00\x01\xff\xff";
    static const char head[] = "\x93NUMPY\x01\x00\x37\x00"
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
    char file[sizeof head + 7]; /* 8 bytes behind the head */
    write_file("deep.pgm", pixels, sizeof pixels - 1);
    memcpy(file, head, sizeof head - 1);
    memcpy(file + sizeof head - 1, "\x00\x00\x00\x3f\x00\x00\x00\xc0", 8);
    write_file("two.npy", file, sizeof file);
    write_text("deep.py", HEAD "bench.algorithm(input=\"uint16\", dtype=\"float64\")\n"
                               "calls = []\n"
                               "@bench.variant\n"
                               "def plain(image, out):\n"
                               "    assert image.dtype == np.uint16 and image.flags.c_contiguous\n"
                               "    calls.append(1)\n"
                               "    if image.shape == (1, 3) and len(calls) == 1:\n"
                               "        assert image.tolist() == [[0x1234, 1, 65535]]\n"
                               "    out[:] = 2.0 * image\n");
    write_text("real.py",
               HEAD "bench.algorithm(input=\"float32\", dtype=\"float32\")\n"
                    "calls = []\n"
                    "@bench.variant\n"
                    "def plain(image, out):\n"
                    "    assert image.dtype == np.float32\n"
                    "    calls.append(1)\n"
                    "    if image.shape == (1, 2):\n"
                    "        assert len(calls) > 1 or image.tolist() == [[0.5, -2.0]]\n"
                    "    else:\n"
                    "        assert image.min() >= 0 and image.max() <= 1\n"
                    "        assert image.shape[0] < 48 or len(np.unique(image * 255 % 1)) > 999\n"
                    "    out[:] = image / 2\n");
    bench_ok("verify deep.py" VERIFY);
    bench_ok("verify real.py" VERIFY);
    bench_ok("run deep.py --launches 1 --input deep.pgm --reps 3 --no-plot --out a");
    check_file_has("a/results.csv", "\ndeep,plain,cpu,deep.pgm,native,3,1,,,1,ok,,yes,1,");
    bench_ok("run real.py --launches 1 --input two.npy --reps 3 --no-plot --out b");
    check_file_has("b/results.csv", "\nreal,plain,cpu,two.npy,native,2,1,,,1,ok,,yes,1,");
    bench_ok("run real.py --launches 1" QUICK);
    check_refused(bench("run deep.py --input two.npy"), 5,
                  "two.npy: has float32 numbers, of which 0.5 (column 0, row 0) is no uint16");
}

/* Of one dimension, whatever the file has. */
TEST(functions_may_take_an_array) {
    static const char head[] = "\x93NUMPY\x01\x00\x39\x00"
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1)}";
    char file[sizeof head + 7]; /* 8 bytes behind the head */
    memcpy(file, head, sizeof head - 1);
    memcpy(file + sizeof head - 1, "\x00\x00\x00\x3f\x00\x00\x00\xc0", 8);
    write_file("two.npy", file, sizeof file);
    write_text("flat.py", HEAD "bench.algorithm(array=True, input=\"float32\", dtype=\"float64\")\n"
                               "@bench.variant\n"
                               "def plain(values, out):\n"
                               "    assert values.ndim == 1 and values.dtype == np.float32\n"
                               "    assert out.shape == values.shape\n"
                               "    out[:] = 2.0 * values\n");
    bench_ok("verify flat.py" VERIFY);
    check_ends(
        bench("run flat.py --launches 1 --input two.npy --reps 3 --no-plot --out a --save saved"),
        0);
    check_file_has("a/results.csv", "\nflat,plain,cpu,two.npy,native,1,2,,,1,ok,,yes,1,");
    assert_int_equal(system("grep -aq \"'shape': (1, 2)\" saved/flat-two-native-answer.npy"), 0);
    write_text("pairs.py",
               HEAD "bench.algorithm(array=True, shape=lambda count: [count // 2 + 1])\n"
                    "@bench.variant\n"
                    "def plain(values, out):\n"
                    "    out[:-1] = values[:len(out) - 1]\n"
                    "    out[-1] = 7\n"
                    "@bench.variant\n"
                    "def wrong(values, out):\n"
                    "    out[:-1] = values[:len(out) - 1]\n"
                    "    out[-1] = 8\n");
    Outcome outcome = bench("verify pairs.py" VERIFY);
    check_code(&outcome, 4);
    check_verdict(&outcome, "pairs", "wrong", " WRONG");
    bench_ok("run pairs.py --variants plain --launches 1" QUICK);
}

/* Threads that a library starts when the file is run, or in the first call, may be anywhere, though
 * the thread that calls is bound to a processor. */
TEST(the_first_call_sees_all_processors) {
    write_text("bound.py", PLAIN "import os\n"
                                 "allowed = os.sched_getaffinity(0)\n"
                                 "seen = set()\n"
                                 "@bench.variant\n"
                                 "def starts(image, out):\n"
                                 "    if image.shape not in seen:\n"
                                 "        seen.add(image.shape)\n"
                                 "        assert os.sched_getaffinity(0) == allowed\n"
                                 "    elif len(allowed) > 1:\n"
                                 "        assert len(os.sched_getaffinity(0)) < len(allowed)\n"
                                 "    out[:] = 255 - image\n");
    bench_ok("run bound.py --launches 1" QUICK);
    check_file_has("run/results.csv", "\nbound,starts,cpu,texture,64x48,64,48,,,1,ok,");
}

/* Numba sets them in its first loop. */
TEST(a_library_may_set_the_number_of_openmp_threads) {
    write_text("loops.py", PLAIN "import ctypes\n"
                                 "openmp = ctypes.CDLL(\"libgomp.so.1\")\n"
                                 "@bench.variant\n"
                                 "def sets(image, out):\n"
                                 "    openmp.omp_set_num_threads(7)\n"
                                 "    openmp.omp_set_max_active_levels(3)\n"
                                 "    out[:] = 255 - image\n");
    bench_ok("run loops.py --launches 1" QUICK);
    check_file_has("run/results.csv", "\nloops,sets,cpu,texture,64x48,64,48,,,1,ok,,yes,1,");
}

/* === Imports ================================================================================== */

/* A file that tells `log` of each import of it, which takes longer than a second. */
#define SLOW                                                                                       \
    PLAIN "import time\n"                                                                          \
          "with open(\"log\", \"a\") as log:\n    log.write(\"+\")\n"                              \
          "time.sleep(1.1)\n"

/* Since the last call. */
static size_t imports(void) {
    char *log = read_text("log");
    const size_t count = strlen(log);
    remove("log");
    return count;
}

/* As OpenCV does when it is imported, by each launch. The loader has read it by then. */
TEST(a_library_may_say_where_libraries_are) {
    write_text("there.py", "import os\n"
                           "os.environ['LD_LIBRARY_PATH'] = '/there'\n" PLAIN);
    bench_ok("run there.py --launches 1" QUICK);
    write_text("there.py", "import os\n"
                           "os.environ['LD_PRELOAD'] = '/there'\n" PLAIN);
    Outcome outcome = bench("run there.py --launches 1" QUICK);
    check_code(&outcome, 4);
    check_contains(outcome.err, "it changed the variable LD_PRELOAD of the environment");
}

TEST(a_slow_import_is_made_once_for_all_launches) {
    write_text("slow.py", SLOW "time.sleep(1.5)\n"
                               "bench.algorithm(shape=lambda height, width: (height, width))\n");
    Outcome outcome = bench_ok("run slow.py --launches 3 --spread 0" QUICK);
    check_contains(outcome.err, "slow.py is importing its libraries\n");
    assert_int_equal(imports(), 1);
    check_file_has("run/launch-3/results.csv", "\nslow,plain,cpu,texture,64x48,64,48,,,1,ok,");
    bench_ok("run slow.py --launches 1" QUICK);
    assert_int_equal(imports(), 1);
    bench_ok("verify slow.py" VERIFY);
    assert_int_equal(imports(), 1);
}

/* It need not be the file that imports the library. */
TEST(the_library_of_arrays_is_imported_once_too) {
    write_text("torch.py", "import time\nwith open(\"log\", \"a\") as log:\n    log.write(\"+\")\n"
                           "time.sleep(1.1)\ndef from_numpy(array):\n    return array\n");
    write_text("case.py", PLAIN "@bench.variant(\"torch\", device=\"cpu\")\n"
                                "def other(image, out):\n    out[:] = 255 - image\n");
    bench_ok("run case.py --launches 3 --spread 0" QUICK);
    assert_int_equal(imports(), 1);
    check_file_has("run/results.csv", "\ncase,other,cpu,texture,64x48,64,48,,,1,ok,");
}

/* A copy of a process lacks its threads. */
TEST(a_file_that_starts_a_thread_is_imported_by_each_launch) {
    write_text("slow.py",
               SLOW "import threading\n"
                    "threading.Thread(target=time.sleep, args=[99], daemon=True).start()\n");
    bench_ok("run slow.py --launches 2 --spread 0" QUICK);
    assert_in_range(imports(), 3, 9);
}

/* Of more than a megabyte, each written to `log` in hexadecimal digits of one length. */
TEST(memory_of_forked_launches_lies_apart) {
    write_text("slow.py", PLAIN "import time\ntime.sleep(1.1)\n"
                                "@bench.variant\ndef tells(image, out):\n"
                                "    if image.shape == (1024, 2048):\n"
                                "        with open(\"log\", \"a\") as log:\n"
                                "            log.write(\"%016x\" % out.ctypes.data)\n"
                                "    out[:] = 255 - image\n");
    bench_ok("run slow.py --launches 3 --spread 0 --reps 3 --sizes 2048x1024 --no-plot "
             "--no-roof --quiet --out run");
    char *log = read_text("log");
    size_t others = 0;
    for (const char *at = log; strlen(at) >= 16; at += 16) {
        others += strncmp(at, log, 16) != 0;
    }
    assert_true(others > 0);
}

/* The program's own, such as that progress is relayed, may be set after the import. */
TEST(forked_launches_have_the_variables_of_the_launcher) {
    write_text("slow.py", SLOW "import os\n"
                               "@bench.variant\ndef tells(image, out):\n"
                               "    os.system('echo \"relay=$BENCH_PROGRESS_RELAY\" >told')\n"
                               "    out[:] = 255 - image\n");
    bench_ok("run slow.py --launches 2 --spread 0 --sizes 64x48 --reps 3 --no-plot "
             "--no-roof --out run");
    assert_int_equal(imports(), 1);
    check_file_has("told", "relay=1\n");
}

TEST(a_launch_that_ends_is_made_again_without_an_import) {
    write_text("slow.py",
               SLOW "import os\n@bench.variant\ndef bad(image, out):\n    os._exit(7)\n");
    Outcome outcome = bench("run slow.py --launches 2 --spread 0" QUICK);
    check_code(&outcome, 4);
    check_contains(outcome.err, "ended its process with exit code 7 in open");
    assert_int_equal(imports(), 1);
    check_file_has("run/results.csv", "\nslow,plain,cpu,texture,64x48,64,48,,,1,ok,");
}

/* === What fails =============================================================================== */

/* Of a run of a variant `bad` beside the oracle. */
static void check_fails(const char *code, const char *why) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s", PLAIN, code);
    write_text("case.py", text);
    check_says(bench("run case.py --launches 1" QUICK), 4, why);
    check_file_has("run/results.csv", "\ncase,plain,cpu,texture,64x48,64,48,,,1,ok,");
    check_file_has("run/results.csv", "\ncase,bad,cpu,texture,64x48,64,48,,,1,fail,");
}

TEST(what_is_wrong_with_an_answer_is_named) {
    check_fails(
        "@bench.variant\ndef bad(image, out):\n    out[:] = 255 - image\n    out[0, 0] ^= 1\n",
        "wrong answer: answer (0, 0) is ");
    check_fails("@bench.variant\ndef bad(image, out):\n    pass\n", "wrong answer: ");
    check_fails("@bench.variant\ndef bad(image, out):\n    return image[1:]\n",
                "it returned an answer of the shape (47, 64); (48, 64) would be right");
    check_fails("@bench.variant\ndef bad(image, out):\n    return \"text\"\n",
                "it returned what is no array, of the type str: invalid literal");
    check_fails("@bench.variant\ndef bad(image, out):\n    image[0, 0] = 1\n",
                "case.py:9: ValueError: assignment destination is read-only");
}

/* As while modules are loaded: the process that loads them does not listen yet. */
TEST(an_interrupt_while_a_file_is_loaded_has_its_exit_code) {
    write_text("case.py", "open('started', 'w').close()\nwhile True:\n    pass\n");
    const pid_t process = bench_start("run case.py --launches 1" QUICK);
    const bool started = wait_for_text(process, "started", "", 120);
    assert_int_equal(kill(process, SIGTERM), 0);
    Outcome outcome = bench_wait_at_most(process, 20);
    assert_true(started);
    check_code(&outcome, 130);
    assert_string_equal(outcome.err, "bench: interrupted\n");
}

TEST(an_exception_is_a_line_of_the_persons_own_code) {
    check_fails("def deep():\n    return np.zeros(3) + np.zeros(4)\n"
                "@bench.variant\ndef bad(image, out):\n    deep()\n",
                "case.py:8: ValueError: operands could not be broadcast");
    check_fails("@bench.variant\ndef bad(image, out):\n    np.pad(image, \"no number\")\n",
                "case.py:9: ");
    check_fails("@bench.variant\ndef bad(image, out):\n    raise SystemExit(3)\n",
                "case.py:9: SystemExit: 3");
    check_fails("class Odd(BaseException):\n    def __str__(self):\n        return 1\n"
                "@bench.variant\ndef bad(image, out):\n    raise Odd\n",
                "case.py:12: Odd");
    check_fails("@bench.variant\ndef bad(image):\n    pass\n",
                ": case.py: TypeError: bad() takes 1 positional");
    check_fails("import os\n@bench.variant\ndef bad(image, out):\n    os._exit(7)\n",
                "ended its process with exit code 7 in open");
}

TEST(a_file_may_bring_the_code_that_it_would_be_replaced_by) {
    write_text("case.py",
               "import bench\nimport numpy as np\n"
               "@bench.variant(peer=\"numpy\")\ndef library(image, out):\n"
               "    np.subtract(255, image, out=out)\n"
               "@bench.variant(peer=\"numpy\", difference=\"a pixel\", agreement=0.9)\n"
               "def other(image, out):\n    out[:] = 255 - image\n    out[0, 0] ^= 1\n"
               "@bench.variant(peer=\"no_such_library\")\ndef absent(image, out):\n    pass\n"
               "@bench.variant\ndef plain(image, out):\n    out[:] = 255 - image\n");
    bench_ok("run case.py --launches 1" QUICK);
    char *rows = read_text("run/results.csv");
    assert_null(strstr(rows, "case,library,"));
    bench_ok("run case.py --peers --launches 1" QUICK);
    check_file_has("run/results.csv", "case,plain,cpu,");
    check_file_has("run/results.csv", "case,library,cpu,");
    check_file_has("run/results.csv", "no_such_library is not installed for ");
    check_file_has("run/results.json", "\"library\":\t\"numpy ");
    check_file_has("run/results.json", "\"another_definition\":\t\"a pixel\"");
    check_file_has("run/results.json", "\"best_cpu\":\t\"plain\"");
}

TEST(marks_of_peers_that_contradict_are_refused) {
    static const struct {
        const char *mark, *why;
    } cases[] = {
        {"peer=\"numpy\", oracle=True", "a peer is neither the oracle nor an improvement"},
        {"peer=\"\"", "peer is ''; the name that Python imports would be right, such as 'cv2'"},
        {"peer=\"a\\nb\"", "peer is 'a\\nb'; the name that Python imports would be right"},
        {"difference=\"a pixel\"", "difference is of a peer, and agreement of a difference"},
        {"peer=\"numpy\", agreement=0.5", "difference is of a peer, and agreement of a"},
        {"peer=\"numpy\", difference=\"a\", agreement=2", "agreement is 2; a share from 0 to 1"},
        {"peer=\"numpy\"", "every variant on the CPU is a peer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 HEAD "@bench.variant(%s)\ndef f(image, out):\n    out[:] = image\n",
                 cases[i].mark);
        write_text("case.py", text);
        check_says(bench("list case.py"), 5, cases[i].why);
    }
}

TEST(too_little_memory_is_no_failure) {
    write_text("case.py", PLAIN "@bench.variant\ndef bad(image, out):\n    raise MemoryError\n");
    bench_ok("run case.py --launches 1" QUICK);
    check_file_has("run/results.csv", ",1,skip,case.py:9: MemoryError,");
}

TEST(what_a_function_refuses_is_no_failure) {
    write_text("case.py", PLAIN "@bench.variant\ndef picky(image, out):\n"
                                "    if len(image) < 64:\n"
                                "        raise NotImplementedError(\"too small\")\n"
                                "    out[:] = 255 - image\n");
    bench_ok("run case.py --launches 1" QUICK);
    bench_ok("verify case.py --quick");
    bench_ok("run case.py --sizes 32x32 --launches 1 --reps 3 --no-plot --out small");
    check_file_has("small/results.csv", ",1,skip,case.py:10: NotImplementedError: too small,");
}

TEST(a_library_that_is_not_there_is_named) {
    write_text("case.py", PLAIN "@bench.variant(\"torch\", device=\"cpu\")\n"
                                "def other(image, out):\n    out[:] = 255 - image\n");
    Outcome outcome = bench_ok("list --plugin case.py case");
    if (strstr(outcome.out, "not available") != NULL) {
        check_contains(outcome.out, "torch is not installed for /");
    }
}

/* As with `try: import cupy`. What was left out for another reason is not spoken of. */
TEST(what_a_guarded_import_leaves_out_is_skipped) {
    write_text("case.py", PLAIN "try:\n    import no_library as lib\nexcept ImportError:\n"
                                "    lib = None\n"
                                "if lib:\n"
                                "    @bench.variant(name=\"fast\", improves_on=\"plain\")\n"
                                "    def compiled(image, out):\n"
                                "        \"\"\"Calls a library.\"\"\"\n"
                                "        lib.negative(image, out)\n");
    Outcome outcome = bench_ok("run case.py --launches 2 --spread 0" QUICK);
    check_contains(outcome.out, "Skipped: fast (1): no_library is not installed for /");
    check_contains(outcome.out, "2 cells: 1 ok, 1 skipped, 0 failed");
    outcome = bench("list --plugin case.py case");
    check_contains(outcome.out, "Calls a library");
    write_text("case.py", PLAIN "if False:\n    @bench.variant\n"
                                "    def unwanted(image, out):\n        pass\n");
    outcome = bench("list --plugin case.py case");
    assert_null(strstr(outcome.out, "unwanted"));
}

/* The plain code has the name that its function has. */
TEST(headlines_name_the_plain_code) {
    write_text("alone.py", PLAIN);
    Outcome outcome = bench("run alone.py --launches 1" QUICK);
    check_contains(outcome.out, "alone at 64x48: plain alone has a time on the CPU");
    check_contains(outcome.out, "against plain");
    check_contains(outcome.out, "bench show run --all alone.py");
    assert_null(strstr(outcome.out, "seq"));
    write_text("slower.py", PLAIN "@bench.variant\ndef slow(image, out):\n"
                                  "    for y in range(len(image)):\n"
                                  "        for x in range(len(image[y])):\n"
                                  "            out[y, x] = 255 - image[y, x]\n");
    outcome = bench("run slower.py --launches 1 --variants slow" QUICK);
    check_contains(outcome.out, "slower at 64x48: slow takes ");
    check_contains(outcome.out, ", with no other variant beside it");
}

/* === What is refused ========================================================================== */

static void check_file_refused(const char *code, const char *why) {
    write_text("case.py", code);
    check_refused(bench("list --plugin case.py"), 5, why);
}

TEST(a_file_without_variants_is_refused) {
    check_file_refused(
        "def blur(image, out):\n    pass\n",
        "case.py: no function is marked as a variant; put @bench.variant above each");
    write_file("case.py", "\0", 1); /* the exception has no place in the file */
    check_refused(bench("list case.py"), 5, "bench: case.py:");
    check_file_refused("import bench\n@bench.variant(\"cupy\")\ndef f(image, out):\n    pass\n",
                       "case.py: no variant runs on the CPU");
    check_file_refused("import bench\n@bench.variant(\"jax\")\ndef f(image, out):\n    pass\n",
                       "case.py:2: ValueError: arrays is 'jax'; one of numpy, cupy, torch");
    check_file_refused("import bench\nbench.algorithm(input=\"int8\")\n",
                       "case.py:2: ValueError: input is 'int8'; one of uint8, uint16,");
    check_file_refused("import bench\n@bench.variant\ndef Blur(image, out):\n    pass\n",
                       "case.py: 'Blur' cannot be the name of a variant");
    check_file_refused("import bench\nfor i in range(2):\n    @bench.variant\n"
                       "    def f(image, out):\n        pass\n",
                       "case.py: two variants have the name 'f'");
    check_file_refused("import bench\nfor i in range(33):\n    @bench.variant(name=f\"f{i}\")\n"
                       "    def f(image, out):\n        pass\n",
                       "there are more than 32 variants in Python");
}

TEST(a_file_that_python_refuses_is_named) {
    check_file_refused("import bench\nx = (\n", "case.py:2: SyntaxError: '(' was never closed");
    check_file_refused("import no_such_library\n",
                       "case.py:1: ModuleNotFoundError: No module named 'no_such_library'; "
                       "no_such_library is not installed for /");
    check_file_refused("import sys\nsys.exit(0)\n", "case.py:2: SystemExit: 0");
    check_refused(bench("list --plugin nowhere.py"), 5, "nowhere.py: cannot open");
    write_text("lbp.py", PLAIN);
    check_refused(bench("list --plugin lbp.py"), 5, "lbp.py: the name 'lbp' is taken");
}

/* What stands in for python3. */
static void write_program(const char *path, const char *text) {
    write_text(path, text);
    assert_int_equal(chmod(path, 0700), 0);
}

/* Whatever BENCH_PYTHON says, and in the launches too. */
TEST(an_option_names_the_python) {
    char text[512];
    snprintf(text, sizeof text, "#!/bin/sh\necho asked >>asked\nexec '%s' \"$@\"\n",
             getenv("BENCH_PYTHON"));
    write_program("mine", text);
    setenv("BENCH_PYTHON", "no-such-python", 1);
    bench_ok("run there.py --python ./mine --launches 2 --spread 0" QUICK);
    check_file_has("asked", "asked\n");
    check_file_has("run/results.csv", "\nthere,plain,cpu,texture,64x48,64,48,,,1,ok,,yes,1,");
    check_refused(bench("list --python=nothing --plugin there.py"), 5,
                  "Python is needed, but 'nothing' cannot be started: No such file");
}

TEST(a_python_that_cannot_be_used_is_named) {
    setenv("BENCH_PYTHON", "no-such-python", 1);
    check_refused(bench("list --plugin there.py"), 5,
                  "Python is needed, but 'no-such-python' cannot be started: No such file");
    setenv("BENCH_PYTHON", "", 1);
    char *before = search_path_set("empty", true);
    Outcome outcome = bench("list --plugin there.py");
    search_path_restore(before);
    check_refused(outcome, 5, "Python is needed, but 'python3' cannot be started");
    static const struct {
        const char *says, *why;
    } cases[] = {
        {"exit 0", "does not say where its library is: it prints nothing"},
        {"kill -SEGV $$", "does not say where its library is: it was ended by signal 11 (Seg"},
        {"echo; echo no; exit 1", "does not say where its library is: no"},
        {"printf '\\nPython for bench:\\n3.8\\n/usr\\n\\n{}\\n'",
         "is Python 3.8; 3.9 or later would be right"},
        {"printf '\\nPython for bench:\\n3.11\\n/usr\\n/no/lib.so\\n\\n{}\\n'",
         "is Python 3.11, whose shared library cannot be loaded (/no/lib.so: cannot open"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "#!/bin/sh\n%s\n", cases[i].says);
        write_program("stand-in", text);
        setenv("BENCH_PYTHON", "./stand-in", 1);
        check_refused(bench("list --plugin there.py"), 5, cases[i].why);
    }
    bench_ok("list lbp"); /* asks for no Python */
}
