# How a folder under src/ becomes a library, a program, a test or a benchmark. Adding a file to a
# folder needs no change here: sources are globbed and re-checked on every build.

# Compiled objects are shared between all checkouts on a machine: paths count relative to the source
# folder, and precompiled headers by what went into them.
find_program(PARLOR_CCACHE ccache)
if(PARLOR_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${PARLOR_CCACHE})
endif()

add_library(parlor_flags INTERFACE)
target_compile_options(parlor_flags INTERFACE -Wall -Wextra -Wpedantic -Werror)
target_include_directories(parlor_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # ccache can only reuse precompiled headers that GCC preprocesses itself.
  target_compile_options(parlor_flags INTERFACE -fpch-preprocess)
  # The compiler looks for memory it no longer needs when it has half a gigabyte, not before: a tenth of its time.
  target_compile_options(parlor_flags INTERFACE
    --param=ggc-min-expand=200 --param=ggc-min-heapsize=524288)
else()
  # __int128 is an extension the random generator needs; GCC says so with __extension__.
  target_compile_options(parlor_flags INTERFACE -Wno-gnu-zero-variadic-macro-arguments)
endif()
# One compilation serves the program and the Python module: code for a shared library that costs the
# program nothing, since no symbol can be replaced from outside and thread-local things have a fixed place.
# Shared libraries of their own show everything.
if(NOT PARLOR_SANITIZE AND NOT BUILD_SHARED_LIBS)
  target_compile_options(parlor_flags INTERFACE
    -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -ftls-model=initial-exec)
endif()
if(PARLOR_SANITIZE)
  string(REPLACE "," ";" sanitizers "${PARLOR_SANITIZE}")
  foreach(sanitizer ${sanitizers})
    target_compile_options(parlor_flags INTERFACE -fsanitize=${sanitizer})
    target_link_options(parlor_flags INTERFACE -fsanitize=${sanitizer})
  endforeach()
  # For the Python module, too (scripts/python asan).
  target_compile_options(parlor_flags INTERFACE -fPIC -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(PARLOR_SANITIZE MATCHES undefined)
    # The address sanitizer sees these too, at the access, and they cost a third of the compile time.
    target_compile_options(parlor_flags INTERFACE -fno-sanitize=null,object-size,vptr)
  endif()
endif()

# The headers that cost most to parse and that nearly every source needs, precompiled once for all
# libraries and once, with the test framework, for all tests.
set(PARLOR_PRECOMPILED
  <algorithm> <array> <cstdint> <map> <memory> <optional> <span> <string> <string_view>
  <unordered_map> <utility> <variant> <vector> <fmt/core.h> <nlohmann/json.hpp> <tl/expected.hpp>)

function(parlor_precompile name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LIBS;OPTIONS" ${ARGN})
  set(source ${CMAKE_BINARY_DIR}/${name}.cpp)
  if(NOT EXISTS ${source})
    file(WRITE ${source} "// Only here to own the precompiled headers.\n")
  endif()
  add_library(${name} OBJECT ${source})
  target_link_libraries(${name} PUBLIC parlor_flags ${ARG_LIBS})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${PARLOR_PRECOMPILED} ${ARG_HEADERS})
endfunction()

# Several sources of a folder are compiled as one, which takes a third of the time; the preset `dev`
# compiles each by itself, for somebody who changes one file again and again. Which sources go
# together depends on their names alone, so that a new file changes one group and not all. (Two files
# of a folder that give different things in their unnamed namespaces the same name show up here, sooner
# or later, as an error.) Of what is COLD two and a half times as many go together, since what they share is compiled
# once (the compiler takes up to 2.5 GB for it); hot code keeps its groups, which decide what is inlined. Sources that have a group already keep it.
function(parlor_join_sources target)
  if(PARLOR_JOIN_SOURCES LESS 2)
    return()
  endif()
  set(most ${PARLOR_JOIN_SOURCES})
  if(ARGV1 STREQUAL COLD)
    math(EXPR most "${most} * 5 / 2")
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(LENGTH sources count)
  set(groups 1)
  foreach(more 2 3 4 6 8 12 16 24 32)
    math(EXPR room "${more} * ${most}")
    if(count GREATER room)
      set(groups ${more})
    endif()
  endforeach()
  foreach(source ${sources})
    get_source_file_property(own ${source} TARGET_DIRECTORY ${target} UNITY_GROUP)
    if(own)
      continue()
    endif()
    file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR} ${source})
    string(MD5 hash ${name})
    string(SUBSTRING ${hash} 0 6 hash)
    math(EXPR group "0x${hash} % ${groups}")
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP group_${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Not a mistake where a source is included by the file that joins several.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()
# Tests spend their time in the layers, which are optimised; in their own code little is gained.
if(PARLOR_SANITIZE)
  set(PARLOR_TEST_OPTIONS -O0)
else()
  set(PARLOR_TEST_OPTIONS -O1)
endif()

# What runs once per game or per request.
if(PARLOR_SANITIZE OR CMAKE_CXX_FLAGS MATCHES "-O0")
  set(PARLOR_COLD_OPTIONS -O0)
else()
  set(PARLOR_COLD_OPTIONS -O1)
endif()
function(parlor_cold target)
  target_compile_options(${target} PRIVATE ${PARLOR_COLD_OPTIONS})
  target_precompile_headers(${target} REUSE_FROM parlor_cold_headers)
endfunction()

set(PARLOR_LAYERS "" CACHE INTERNAL "")

# COLD: the whole layer runs once per game or per request. COLD_PARTS: files or folders of it that do; they
# are compiled like cold layers, and the rest of the layer like hot ones. INSIDE: nobody else builds on it; it is part
# of the program even where the others are shared libraries.
function(parlor_layer name)
  cmake_parse_arguments(ARG "COLD;INSIDE" "" "USES;LIBS;COLD_PARTS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  set(needs ${ARG_LIBS})
  foreach(layer ${ARG_USES})
    if(TARGET parlor_${layer})
      list(APPEND needs parlor_${layer})
    endif()
  endforeach()
  set(cold_objects)
  if("(" IN_LIST ARG_COLD_PARTS)  # an argument of its own, and the rest would match every file
    message(FATAL_ERROR "parlor_layer(${name}): put COLD_PARTS with parentheses in quotes")
  endif()
  if(ARG_COLD_PARTS)
    list(JOIN ARG_COLD_PARTS "|" parts)
    set(cold ${sources})
    list(FILTER cold INCLUDE REGEX "/src/${name}/(${parts})")
    list(FILTER sources EXCLUDE REGEX "/src/${name}/(${parts})")
    add_library(parlor_${name}_cold OBJECT ${cold})
    target_link_libraries(parlor_${name}_cold PRIVATE parlor_flags ${needs})
    parlor_cold(parlor_${name}_cold)
    parlor_join_sources(parlor_${name}_cold COLD)
    set(cold_objects $<TARGET_OBJECTS:parlor_${name}_cold>)
  endif()
  set(kind)  # shared with BUILD_SHARED_LIBS
  if(ARG_INSIDE)
    set(kind STATIC)
  endif()
  add_library(parlor_${name} ${kind} ${sources} ${cold_objects})
  # Wherever they are moved to, they find one another.
  set_target_properties(parlor_${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    INSTALL_RPATH $ORIGIN)
  # How Parlor is compiled is no business of those who use an installed one.
  target_link_libraries(parlor_${name} PUBLIC $<BUILD_INTERFACE:parlor_flags> ${needs})
  if(ARG_COLD)
    parlor_cold(parlor_${name})
    parlor_join_sources(parlor_${name} COLD)
  else()
    target_precompile_headers(parlor_${name} REUSE_FROM parlor_headers)
    parlor_join_sources(parlor_${name})
  endif()
  set(PARLOR_LAYERS ${PARLOR_LAYERS} parlor_${name} CACHE INTERNAL "")
endfunction()

# The headers that printed code needs (src/kernel/printed), as texts in the library that compiles it: they are there
# wherever the program is, and always those it was built with.
function(parlor_printed_headers)
  set(texts "")
  foreach(header ${ARGN})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${header})
    file(READ ${CMAKE_SOURCE_DIR}/src/${header} text)
    string(APPEND texts "    {\"${header}\", R\"PARLOR(${text})PARLOR\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/printed_headers.cpp @ONLY CONTENT
"// Made by CMake from the headers it names.
#include \"open/printed_headers.h\"

namespace parlor::open {

const std::vector<PrintedHeader>& printed_headers() {
  static const std::vector<PrintedHeader> headers = {
@texts@  };
  return headers;
}

}  // namespace parlor::open
")
  target_sources(parlor_open PRIVATE ${CMAKE_BINARY_DIR}/printed_headers.cpp)
endfunction()

# src/chess once more, for a board of another size (src/chess/geometry.h): everything but what there is
# once for all boards (boards.cpp) and what speaks to programs and tests that know 8×8 alone.
function(parlor_chess_board files ranks)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/chess/*.cpp)
  list(FILTER sources EXCLUDE REGEX "chess/(boards|uci|uci_go|trial|modifiers/document)\\.cpp$")
  set(target parlor_chess_${files}x${ranks})
  add_library(${target} OBJECT ${sources})
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:parlor_flags> parlor_kernel)
  target_compile_definitions(${target} PRIVATE
    PARLOR_BOARD=board_${files}x${ranks} PARLOR_BOARD_FILES=${files} PARLOR_BOARD_RANKS=${ranks})
  parlor_cold(${target})  # half the time to compile; the board most games are played on is 8×8
  parlor_join_sources(${target} COLD)
  target_sources(parlor_chess PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

# src/<folder> becomes a library, so that tests can call what the program does, and main.cpp the program.
function(parlor_program folder)
  cmake_parse_arguments(ARG "" "OUTPUT" "LIBS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${folder}/*.cpp)
  list(REMOVE_ITEM sources ${CMAKE_SOURCE_DIR}/src/${folder}/main.cpp)
  add_library(parlor_${folder} STATIC ${sources})
  target_link_libraries(parlor_${folder} PUBLIC ${PARLOR_LAYERS} ${ARG_LIBS})
  parlor_cold(parlor_${folder})
  parlor_join_sources(parlor_${folder} COLD)
  add_executable(${ARG_OUTPUT} ${CMAKE_SOURCE_DIR}/src/${folder}/main.cpp)
  target_link_libraries(${ARG_OUTPUT} PRIVATE parlor_${folder})
  # Without the precompiled headers: with shared libraries those are -fPIC, and a program is -fPIE.
  target_compile_options(${ARG_OUTPUT} PRIVATE ${PARLOR_COLD_OPTIONS})
endfunction()

# tests/<folder>/**.cpp becomes one GoogleTest program; ctest runs its suites (cmake/suites.cmake).
function(parlor_tests folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/${folder}/*.cpp)
  if(NOT sources)
    return()
  endif()
  set(program test_${folder})
  add_executable(${program} ${sources})
  target_include_directories(${program} PRIVATE ${CMAKE_SOURCE_DIR}/tests ${RAPIDCHECK_INCLUDE})
  # Tests of the lower layers need none of the layers above, and building those takes long.
  set(layers ${PARLOR_LAYERS})
  if(folder MATCHES "^(base|game|spec|kernel|rules|chess|open|table)$")
    set(layers parlor_${folder})
  elseif(folder STREQUAL play)
    set(layers parlor_play parlor_chess)  # mates are found in chess
  elseif(folder MATCHES "^(host|wire)$")
    set(layers parlor_wire parlor_open)
  elseif(folder STREQUAL games)
    set(layers parlor_open parlor_play)
  endif()
  target_link_libraries(${program} PRIVATE
    ${layers} parlor_source_dir GTest::gmock GTest::gtest_main ${RAPIDCHECK_LIBRARY})
  if(folder STREQUAL cli)
    target_link_libraries(${program} PRIVATE parlor_cli)
    target_sources(${program} PRIVATE ${CMAKE_SOURCE_DIR}/tests/game/duel.cpp)
    add_dependencies(${program} parlor)
  endif()
  if(folder STREQUAL table_pg)
    add_dependencies(${program} parlor)  # nodes are processes
  endif()
  if(folder STREQUAL fuzz)
    target_link_libraries(${program} PRIVATE parlor_fuzz)
  endif()
  target_compile_options(${program} PRIVATE ${PARLOR_TEST_OPTIONS})
  target_precompile_headers(${program} REUSE_FROM parlor_test_headers)
  parlor_join_sources(${program})
  add_dependencies(tests ${program})
  # A test run says the same every time. Look for more with RC_PARAMS="max_success=10000" and the
  # test program itself: it takes another seed each time.
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${program}.suites.cmake CONTENT
"set(program $<TARGET_FILE:${program}>)
set(folder ${folder})
set(environment \"PARLOR=${CMAKE_BINARY_DIR}/parlor\")
set(rapidcheck \"seed=20261116\")
include(${CMAKE_SOURCE_DIR}/cmake/suites.cmake)
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES
    ${CMAKE_CURRENT_BINARY_DIR}/${program}.suites.cmake)
endfunction()

# bench/<name>.cpp becomes one Google Benchmark program bench_<name>.
function(parlor_benchmark name)
  add_executable(bench_${name} ${CMAKE_SOURCE_DIR}/bench/${name}.cpp)
  target_link_libraries(bench_${name} PRIVATE ${PARLOR_LAYERS} benchmark::benchmark)
  target_precompile_headers(bench_${name} REUSE_FROM parlor_headers)
endfunction()

# Puts the archive of a library in the place of the shared one, if there is one that can become part of a shared
# library (Debian's libfyaml.a cannot).
function(parlor_prefer_archive variable name)
  find_library(archive lib${name}.a NO_CACHE)
  if(archive)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -shared -o ${CMAKE_BINARY_DIR}/archive-of-${name}.so
      -Wl,--whole-archive ${archive} -Wl,--no-whole-archive RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
      set(${variable} ${archive} PARENT_SCOPE)
    endif()
  endif()
endfunction()
