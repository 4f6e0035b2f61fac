# Writes the manual pages that PROGRAM prints into FOLDER: bench.1 and one for each command, named by
# "bench help commands": bench-app-match.1 is of `bench app match`. bench.1, which the build looks at,
# comes last.
function(page path)
  execute_process(COMMAND ${PROGRAM} help --man ${ARGN} OUTPUT_FILE ${path} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "bench help --man ${ARGN}: ${failed}")
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${PROGRAM} help commands OUTPUT_VARIABLE answer)
string(REGEX MATCHALL "\n[a-z-]+( [a-z-]+)?  " commands "\n${answer}")
foreach(command IN LISTS commands)
  string(STRIP "${command}" command)
  string(REPLACE " " "-" name "${command}")
  string(REPLACE " " ";" words "${command}")
  page(${FOLDER}/bench-${name}.1 ${words})
endforeach()
page(${FOLDER}/bench.1)
