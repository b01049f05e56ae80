# Builds and runs the consumer project `way` outside the build tree, as a user would.
cmake_minimum_required(VERSION 3.25)

function(step)
    execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${work_dir}")
set(arguments)
if(way STREQUAL "find_package")
    step("${CMAKE_COMMAND}" --install "${binary_dir}" --prefix "${work_dir}/prefix")
    set(arguments "-DCMAKE_PREFIX_PATH=${work_dir}/prefix")
else()
    set(arguments "-DFETCHCONTENT_SOURCE_DIR_TOROID=${source_dir}")
endif()
step(
    "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/${way}" -B "${work_dir}/build" -G "${generator}"
    "-DCMAKE_CXX_COMPILER=${compiler}" ${arguments}
)
step("${CMAKE_COMMAND}" --build "${work_dir}/build")
step("${work_dir}/build/consumer")
