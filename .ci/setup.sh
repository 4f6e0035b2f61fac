# shellcheck shell=sh
# Shared by bench.sh, test.sh and .ci/run: installs what is missing, configures and builds build/, or
# the folder that BENCH_BUILD names. Sourced by POSIX shells, with `root` set to the project's folder.
# Everything is said on standard error, because standard output belongs to the program's results. A
# call that finds nothing to do starts neither the package manager nor a configure step.

# shellcheck disable=SC2154 # root is the caller's
build=${BENCH_BUILD:-$root/build}
unset BENCH_BUILD # tests run these scripts on other trees

say() {
    printf '%s\n' "$*" >&2
}

die() {
    say "$(basename "$0"): $*"
    exit 70 # apart from the exit codes of the program itself
}

# Runs a command with its output in a log; shows the end of the log only when the command fails.
quietly() {
    quiet_log=$1
    shift
    "$@" >"$quiet_log" 2>&1 </dev/null && return 0
    quiet_code=$?
    say "failed: $*"
    tail -n 40 "$quiet_log" >&2
    return "$quiet_code"
}

# --- Packages -------------------------------------------------------------------------------------

# Prints the Debian packages behind whatever is absent among "tool:NAME=PACKAGE" and
# "library:PKG-CONFIG-NAME=PACKAGE" items; with --names the tool and pkg-config names instead.
missing() {
    missing_as=packages
    if [ "$1" = --names ]; then
        missing_as=names
        shift
    fi
    for item in "$@"; do
        missing_kind=${item%%:*}
        missing_name=${item#*:}
        missing_package=${missing_name#*=}
        missing_name=${missing_name%%=*}
        if [ "$missing_kind" = tool ]; then
            command -v "$missing_name" >/dev/null 2>&1 && continue
        else
            pkg-config --exists "$missing_name" 2>/dev/null && continue
        fi
        if [ "$missing_as" = names ]; then
            printf '%s ' "$missing_name"
        else
            printf '%s ' "$missing_package"
        fi
    done
}

# How packages can be installed here: sets `elevate` (a command prefix) or returns 1.
may_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    elevate=""
    [ "$(id -u)" -eq 0 ] && return 0
    command -v sudo >/dev/null 2>&1 || return 1
    elevate="sudo"
    # Without a terminal nobody can type a password.
    sudo -n true 2>/dev/null || [ -t 0 ]
}

# apt_install PACKAGE…: returns 1 when they cannot be had.
apt_install() {
    may_install || return 1
    say "Installing: $*"
    apt_log=$(mktemp)
    # Lists may be absent (a fresh container) or old (a package has moved): refresh, then once more.
    if ! apt_run install "$@" && ! { apt_run update && apt_run install "$@"; }; then
        say "apt-get could not install: $*"
        tail -n 30 "$apt_log" >&2
        rm -f "$apt_log"
        return 1
    fi
    rm -f "$apt_log"
}

apt_run() {
    apt_verb=$1
    shift
    if [ "$apt_verb" = update ]; then
        $elevate apt-get -qq -o DPkg::Lock::Timeout=300 update >>"$apt_log" 2>&1
    else
        $elevate env DEBIAN_FRONTEND=noninteractive apt-get -y -qq -o DPkg::Lock::Timeout=300 \
            install --no-install-recommends "$@" >>"$apt_log" 2>&1
    fi
}

# install_missing ITEM…: the items of `missing`, all of them necessary.
install_missing() {
    packages=$(missing "$@" | tr ' ' '\n' | sort -u | tr '\n' ' ')
    packages=$(printf '%s' "$packages" | sed 's/^ *//; s/ *$//')
    [ -n "$packages" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        die "missing: $(missing --names "$@")(programs and pkg-config names); install them with this system's package manager and call again"
    fi
    may_install || die "no right to install packages; ask for: $packages"
    # shellcheck disable=SC2086 # a list of package names
    apt_install $packages || die "could not install: $packages"
    packages=$(missing --names "$@")
    [ -z "$packages" ] || die "still missing after installing: $packages"
}

# install_build_packages [ITEM…]: what a build needs, and further items. OpenBLAS is not built with
# but loaded; pkg-config knows of it by its development package.
install_build_packages() {
    install_missing tool:pkg-config=pkg-config tool:cc=build-essential tool:c++=build-essential \
        tool:cmake=cmake tool:ninja=ninja-build library:libpng=libpng-dev \
        library:libjpeg=libjpeg-dev library:zlib=zlib1g-dev library:libcjson=libcjson-dev \
        library:hwloc=libhwloc-dev library:openblas=libopenblas-dev "$@"
    cmake_version=$(cmake --version | sed -n 's/^cmake version \([0-9.]*\).*/\1/p')
    if [ "$(printf '%s\n' 3.22 "$cmake_version" | sort -V | head -n 1)" != 3.22 ]; then
        die "cmake 3.22 or newer is needed, $cmake_version is installed"
    fi
    # Only the charts need gnuplot: without the right to install it the numbers still come.
    if ! command -v gnuplot >/dev/null 2>&1; then
        if ! apt_install gnuplot-nox fonts-liberation; then
            say "gnuplot is not installed, so no charts will be drawn; ask for: gnuplot-nox"
        fi
    fi
}

# --- CUDA -----------------------------------------------------------------------------------------

find_nvcc() {
    if [ -n "${CUDACXX:-}" ]; then
        printf '%s\n' "$CUDACXX"
    elif command -v nvcc >/dev/null 2>&1; then
        command -v nvcc
    else
        for candidate in /usr/local/cuda/bin/nvcc \
            $(printf '%s\n' /usr/local/cuda-*/bin/nvcc | sort -rV); do
            if [ -x "$candidate" ]; then
                printf '%s\n' "$candidate"
                return
            fi
        done
    fi
}

has_nvidia_device() {
    [ -e /dev/nvidia0 ] && return 0
    command -v nvidia-smi >/dev/null 2>&1 && nvidia-smi -L 2>/dev/null | grep -q '^GPU'
}

# Sets CUDACXX when there is a CUDA compiler. A compiler is installed only for a machine with a
# device, and only where the distribution offers one.
prepare_cuda() {
    nvcc=$(find_nvcc)
    if [ -z "$nvcc" ] && has_nvidia_device; then
        if may_install && apt-cache policy nvidia-cuda-toolkit 2>/dev/null |
            grep -q 'Candidate: [0-9]'; then
            if apt_install nvidia-cuda-toolkit; then nvcc=$(find_nvcc); fi
        fi
        [ -n "$nvcc" ] || say "An NVIDIA device is here but no CUDA compiler: the CUDA variants" \
            "will be listed as unavailable. Install the CUDA toolkit (nvcc in PATH or under" \
            "/usr/local/cuda) and call this again."
    fi
    if [ -n "$nvcc" ]; then
        CUDACXX=$nvcc
        export CUDACXX
    fi
}

# What kernels are compiled for unless told otherwise, as "75-real;80-real;90".
every_architecture() {
    sed -n 's/^ *set(CMAKE_CUDA_ARCHITECTURES \([^)]*\))$/\1/p' "$root/CMakeLists.txt" | tr ' ' ';'
}

# What the devices here need, likewise. It is everything where the driver does not name their compute
# capabilities, or this nvcc does not know one of them, which then takes PTX.
device_architectures() {
    has_nvidia_device || return 0
    devices_need=""
    devices_have=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
        sed -n 's/^ *\([0-9]*\)\.\([0-9]*\) *$/\1\2/p' | sort -un)
    nvcc_knows=$("$nvcc" --list-gpu-code 2>/dev/null || true)
    for capability in $devices_have; do
        if [ -n "$nvcc_knows" ] && ! printf '%s\n' "$nvcc_knows" | grep -qx "sm_$capability"; then
            devices_need=""
            break
        fi
        devices_need=${devices_need:+$devices_need;}$capability-real
    done
    printf '%s\n' "${devices_need:-$(every_architecture)}"
}

# What the kernels in build/ are compiled for, likewise; nothing where it has none.
built_architectures() {
    if [ ! -f "$build/CMakeCache.txt" ] || cached WITH_CUDA=OFF || cached WITH_CUDA=EMULATED ||
        grep -q '^CMAKE_CUDA_COMPILER:.*NOTFOUND' "$build/CMakeCache.txt"; then
        return 0
    fi
    built_for=$(sed -n 's/^CMAKE_CUDA_ARCHITECTURES:[A-Z]*=//p' "$build/CMakeCache.txt")
    printf '%s\n' "${built_for:-$(every_architecture)}"
}

# with_architectures LIST LIST: both as one. "90" is "90-real" and PTX for later devices.
with_architectures() {
    joined=$1
    for architecture in $(printf '%s' "$2" | tr ';' ' '); do
        case ";$joined;" in
            *";$architecture;"* | *";${architecture%-real};"*) ;;
            *)
                joined=$(printf '%s' "$joined" | tr ';' '\n' | grep -vx "$architecture-real" | tr '\n' ';')
                joined=$joined$architecture
                ;;
        esac
    done
    printf '%s\n' "$joined"
}

# choose_kernels [all]: sets `kernel_options`, with which build/ gets the kernels that the devices here
# need, or all. Kernels of other devices stay, so that machines may share a folder, and so does what
# somebody has chosen for it.
choose_kernels() {
    kernel_options=""
    kernels_of=${1:-devices}
    forget_other_folder
    case " ${BENCH_CMAKE_OPTIONS:-}" in *" -DWITH_CUDA="* | *" -DCMAKE_CUDA_ARCHITECTURES="*) return 0 ;; esac
    kernels_built=$(built_architectures)
    if [ "$kernels_of" = all ]; then
        [ -n "$nvcc" ] || die "--cuda compiles every CUDA variant, but no nvcc was found; set CUDACXX or PATH"
        kernels_needed=$(every_architecture)
    elif [ -z "$nvcc" ] || cached WITH_CUDA=OFF; then
        return 0
    else
        kernels_needed=$(device_architectures)
    fi
    case $kernels_built in native | all | all-major) return 0 ;; esac
    kernels=$(with_architectures "$kernels_built" "$kernels_needed")
    if [ "$kernels" != "$kernels_built" ]; then
        kernel_options="-DWITH_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=$kernels"
    elif [ -z "$kernels" ]; then
        kernel_options=-DWITH_CUDA=EMULATED
        cached "${kernel_options#-D}" || say "No NVIDIA device is here, so no CUDA kernels are compiled" \
            "($(basename "$0") --cuda … compiles all of them)"
    fi
}

# Has compilers called through ccache where there is one, so that a clone or another build folder takes
# what was compiled before with the same flags. Its folder is named, as tests have a cache of their own.
# CUDA files are known by the files they include, for each architecture and the host: preprocessed, as
# ccache otherwise looks at them, nvcc shows them for one architecture alone.
use_compiler_cache() {
    command -v ccache >/dev/null 2>&1 || return 0
    CCACHE_DIR=${CCACHE_DIR:-$(ccache --get-config cache_dir)}
    mkdir -p "$CCACHE_DIR" 2>/dev/null && [ -w "$CCACHE_DIR" ] || return 0
    CMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER-ccache}
    CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
    CMAKE_CUDA_COMPILER_LAUNCHER=${CMAKE_CUDA_COMPILER_LAUNCHER-env;CCACHE_DEPEND=1;ccache}
    CCACHE_BASEDIR=$root
    CCACHE_NOHASHDIR=1
    export CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER CMAKE_CUDA_COMPILER_LAUNCHER CCACHE_DIR CCACHE_BASEDIR CCACHE_NOHASHDIR
}

# --- Configure and build --------------------------------------------------------------------------

# cached NAME=VALUE: whether build/ is configured so.
cached() {
    cached_value=$(sed -n "s/^${1%%=*}:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null)
    [ "$cached_value" = "${1#*=}" ]
}

# A folder that was copied together with its sources still points at the old place, and one that was
# configured by hand may be for make.
forget_other_folder() {
    [ -f "$build/CMakeCache.txt" ] || return 0
    cached "CMAKE_HOME_DIRECTORY=$root" && cached CMAKE_GENERATOR=Ninja && return 0
    rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles" "$build/build.ninja" "$build/.ninja_deps" "$build/.ninja_log"
}

# configure -DNAME=VALUE…: says where to look if it fails.
configure() {
    say "Configuring $(basename "$build")/"
    (cd "$root" && quietly "$build/configure.log" cmake --preset release -B "$build" "$@") && return 0
    say "$(basename "$0"): the configure step failed; its whole output is in $build/configure.log"
    return 1
}

# configure_and_build -DNAME=VALUE…: brings build/ up to date with these options; options of earlier
# calls stay as they are, so that bench.sh and test.sh share one folder. BENCH_CMAKE_OPTIONS in the
# environment holds further ones ("-DWITH_CUDA=OFF"); `build_target` names what is built of it.
build_target=all
configure_and_build() {
    # shellcheck disable=SC2086 # lists of options
    set -- "$@" ${kernel_options:-} ${BENCH_CMAKE_OPTIONS:-}
    configure=no
    forget_other_folder
    [ -f "$build/build.ninja" ] || configure=yes
    for option in "$@"; do
        cached "${option#-D}" || configure=yes
    done
    # CMake remembers that it found no nvcc; look again when there is one now.
    if [ -n "${CUDACXX:-}" ] && grep -q '^CMAKE_CUDA_COMPILER:.*NOTFOUND' "$build/CMakeCache.txt" \
        2>/dev/null; then
        set -- -U CMAKE_CUDA_COMPILER "$@"
        configure=yes
    fi
    mkdir -p "$build"
    use_compiler_cache
    if [ "$configure" = yes ] && ! configure "$@"; then
        # An nvcc that does not work is no reason to go without the CPU's variants.
        [ "${kernel_options:-}" != "${kernel_options#-DWITH_CUDA=ON}" ] && [ "${kernels_of:-}" != all ] || exit 70
        say "$(basename "$0"): once more without CUDA variants"
        configure "$@" -DWITH_CUDA=EMULATED || exit 70
    fi
    if [ -t 2 ]; then
        cmake --build "$build" --target $build_target </dev/null >&2 || die "the build failed"
    else
        [ "$configure" = no ] || say "Building in $(basename "$build")/"
        quietly "$build/build.log" cmake --build "$build" --target $build_target ||
            die "the build failed; its whole output is in $build/build.log"
    fi
}
