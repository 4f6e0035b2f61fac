# Run by cpack between installing into a staging folder and packing it: moves the documentation to the
# package's own folder and adds what Debian's policy asks for there, copyright and changelog.
# The same commit gives the same bytes: every date is SOURCE_DATE_EPOCH, which, where nobody has set it,
# is the commit's time, or in an unpacked `git archive`, which gives its files that time, a file's.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(doc ${usr}/share/doc/${CPACK_PACKAGE_NAME})

if("$ENV{SOURCE_DATE_EPOCH}" STREQUAL "")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=GIT_DIR --unset=GIT_WORK_TREE
                          git -c log.showSignature=false -C ${source} log -1 --format=%ct
                  OUTPUT_VARIABLE epoch
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed OR NOT EXISTS ${source}/.git)
    file(TIMESTAMP ${source}/CMakeLists.txt epoch "%s" UTC)
  endif()
  set(ENV{SOURCE_DATE_EPOCH} ${epoch})
endif()
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH

# As small as gzip makes it, and without the time.
function(compress)
  foreach(file IN LISTS ARGN)
    execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endfunction()

file(MAKE_DIRECTORY ${usr}/share/doc)
file(RENAME ${usr}/${CPACK_BENCH_DOCDIR} ${doc})

# --- copyright: LICENSE in the machine-readable form, its title replaced by Debian's name for it ---
file(REMOVE ${doc}/LICENSE)
file(READ ${source}/LICENSE license)
if(NOT license MATCHES "^MIT License\n+(Copyright [^\n]*)\n+(.*)$")
  message(FATAL_ERROR "LICENSE must be 'MIT License', a line 'Copyright …', and the text")
endif()
set(holder "${CMAKE_MATCH_1}")
string(STRIP "${CMAKE_MATCH_2}" text)
string(REGEX REPLACE "^Copyright (\\([cC]\\) )?" "" holder "${holder}")
string(REPLACE "\n\n" "\n.\n" text "${text}")
string(REPLACE "\n" "\n " text "${text}")
set(comment "")
if(CPACK_BENCH_HAS_CUDA)
  set(comment "Comment: usr/bin/bench also contains NVIDIA's CUDA runtime library, under the End User\n"
              " Licence Agreement of the CUDA Toolkit.\n")
  string(CONCAT comment ${comment})
endif()
file(WRITE ${doc}/copyright "\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: bench
Upstream-Contact: ${CPACK_PACKAGE_CONTACT}

Files: *
Copyright: ${holder}
License: Expat
${comment}
License: Expat
 ${text}
")

# --- changelog: of a package whose version is the project's own it is changelog.gz -----------------
set(entry "Version ${CPACK_PACKAGE_VERSION}.")
if(EXISTS ${source}/CHANGELOG.md)
  configure_file(${source}/CHANGELOG.md ${doc}/CHANGELOG.md COPYONLY)
  set(entry "Version ${CPACK_PACKAGE_VERSION}; CHANGELOG.md beside this file says what is new.")
endif()
file(WRITE ${doc}/changelog "\
${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) UNRELEASED; urgency=medium

  * ${entry}

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
compress(${doc}/changelog)

file(GLOB_RECURSE pages ${usr}/share/man/*.[1-8])
compress(${pages})
