# Writes the manual pages that PROGRAM prints into FOLDER: bench.1 and one for each command, named by
# its completion of "bench help …". bench.1, which the build looks at, comes last.
function(page path)
  execute_process(COMMAND ${PROGRAM} help --man ${ARGN} OUTPUT_FILE ${path} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "bench help --man ${ARGN}: ${failed}")
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${PROGRAM} "help" "--complete=bench\n" OUTPUT_VARIABLE answer)
string(REGEX MATCHALL "\n[a-z-]+\t" commands "${answer}")
foreach(command IN LISTS commands)
  string(STRIP "${command}" command)
  page(${FOLDER}/bench-${command}.1 ${command})
endforeach()
page(${FOLDER}/bench.1)
