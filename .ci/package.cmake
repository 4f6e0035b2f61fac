# `cpack` in a build folder makes the Debian package. What a package has beyond an installed prefix
# (copyright, changelog) is added by package_debian.cmake when cpack runs.
#
# The package is not called bench: that is the name of many programs (npm, PyPI and Hackage each have
# one), and apt has one name space for all. The program is: nothing in Debian has a /usr/bin/bench.
set(CPACK_PACKAGE_NAME gpu-bench)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGE_CONTACT "The bench authors <maintainers@users.noreply.a-seed-e7e90304.example>"
    CACHE STRING "Maintainer of packages, NAME <ADDRESS>")
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_PACKAGE_DESCRIPTION "\
bench times image algorithms on processors and on NVIDIA GPUs and checks
every output before it gives a time. It draws charts, writes reports,
compares runs and repeats the measurements of published studies.
.
Algorithms of one's own are built as modules: 'bench new-algorithm' writes
a project for one, and the headers, the CMake package and the pkg-config
file that it needs are in this package.")

# Linked libraries are Depends, found by dpkg-shlibdeps. Loaded when first needed: OpenBLAS, without
# which some CPU variants are skipped. Charts need gnuplot, whose letters are Liberation Sans.
# A project of new-algorithm is built by CMake or by pkg-config's flags.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox | gnuplot, fonts-liberation")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libopenblas0, cmake, gcc | clang, pkg-config")
if(BENCH_HAS_CUDA) # the driver's libraries, loaded too, and the profiler of `bench profile`
  string(APPEND CPACK_DEBIAN_PACKAGE_SUGGESTS ", libcuda1, libnvidia-ml1, nsight-compute")
endif()

set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/package_debian.cmake)
set(CPACK_BENCH_DOCDIR ${CMAKE_INSTALL_DOCDIR})
set(CPACK_BENCH_HAS_CUDA ${BENCH_HAS_CUDA})
include(CPack)
