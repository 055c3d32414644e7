# The engine as WebAssembly: everything but what needs files or threads. With PARLOR_FYAML_SOURCE (the
# folder scripts/wasm has fetched Debian's source package into) it also reads the texts of games.
set(PARLOR_FYAML_SOURCE "" CACHE PATH "Sources of libfyaml; without them game texts are not read")
set(wasm_include ${CMAKE_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${wasm_include})
foreach(library nlohmann fmt tl)  # headers only; the rest of /usr/include belongs to another machine
  file(CREATE_LINK /usr/include/${library} ${wasm_include}/${library} SYMBOLIC)
endforeach()

file(GLOB wasm_sources CONFIGURE_DEPENDS
  src/base/*.cpp src/game/*.cpp src/kernel/*.cpp src/kernel/*/*.cpp src/rules/rules.cpp
  src/chess/*.cpp src/chess/presets/*.cpp src/play/agent.cpp src/play/simple_agents.cpp
  src/play/tree.cpp src/play/tree_agents.cpp src/play/alphabeta.cpp src/play/cfr.cpp src/wasm/*.cpp)
list(FILTER wasm_sources EXCLUDE REGEX "base/files|game/conformance|game/secrecy|chess/(uci|pgn|trial)")

if(PARLOR_FYAML_SOURCE)
  file(GLOB spec_sources CONFIGURE_DEPENDS src/spec/*.cpp src/spec/read/*.cpp src/spec/expand/*.cpp src/spec/derive/*.cpp
    src/spec/lower/*.cpp src/spec/text/*.cpp)
else()
  list(FILTER wasm_sources EXCLUDE REGEX "wasm/texts")
endif()

# Compiled objects are shared between all checkouts on a machine, as those of the native build are.
find_program(PARLOR_CCACHE ccache)
if(PARLOR_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${PARLOR_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
include_directories(src/wasm/shims src ${wasm_include})
add_compile_definitions(FMT_HEADER_ONLY=1 JSON_HAS_FILESYSTEM=0 PARLOR_ONE_BOARD=1)
add_compile_options(-ffunction-sections)
set_source_files_properties(src/base/version.cpp PROPERTIES
  COMPILE_DEFINITIONS PARLOR_VERSION="${PROJECT_VERSION}")

# Up to twenty sources of one folder are compiled as one: names in unnamed namespaces differ within a folder, and what
# costs most are the headers that all of them share.
function(wasm_join target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(folder "")
  foreach(source ${ARGN})
    cmake_path(GET source PARENT_PATH own)
    if(NOT own STREQUAL folder)
      set(folder ${own})
      set(count 0)
    endif()
    math(EXPR group "${count} / 20")
    math(EXPR count "${count} + 1")
    # By its place in the tree, so that ccache knows it in every checkout.
    file(RELATIVE_PATH place ${CMAKE_SOURCE_DIR} ${own})
    string(MAKE_C_IDENTIFIER "${place}_${group}" name)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name})
  endforeach()
endfunction()

add_executable(parlor_wasm ${wasm_sources})
set_target_properties(parlor_wasm PROPERTIES OUTPUT_NAME parlor SUFFIX .wasm)
wasm_join(parlor_wasm ${wasm_sources})
target_compile_options(parlor_wasm PRIVATE -O2 -Wall)

# What is asked once in a while is made small: reading compiled games, evaluation, records of games.
file(GLOB cold_sources CONFIGURE_DEPENDS src/spec/gamedef/*.cpp)
list(FILTER cold_sources EXCLUDE REGEX "spec/gamedef/schema")
foreach(source play/beginnings play/evaluation play/flags play/measure play/probes play/simulation play/statistics play/study play/game_table play/trace chess/pgn)
  list(APPEND cold_sources ${CMAKE_SOURCE_DIR}/src/${source}.cpp)
endforeach()
add_library(parlor_wasm_cold STATIC ${cold_sources})
wasm_join(parlor_wasm_cold ${cold_sources})
target_compile_options(parlor_wasm_cold PRIVATE -Os)
target_link_libraries(parlor_wasm PRIVATE parlor_wasm_cold)
# -O0 is for clang's driver, which else hands the result to whatever wasm-opt it finds; Debian's does not know all that clang 16 writes.
set(wasm_link -O0 -Wl,-O2 -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-all
  -Wl,-z,stack-size=1048576 -Wl,--initial-memory=67108864 -L/usr/lib/llvm-16/lib/wasm32-wasi)
target_link_options(parlor_wasm PRIVATE ${wasm_link})

if(PARLOR_FYAML_SOURCE)
  enable_language(C)
  file(GLOB fyaml_sources ${PARLOR_FYAML_SOURCE}/src/lib/*.c ${PARLOR_FYAML_SOURCE}/src/xxhash/*.c)
  add_library(fyaml STATIC ${fyaml_sources})
  file(WRITE ${CMAKE_BINARY_DIR}/fyaml/config.h "#define VERSION \"debian\"\n")
  target_include_directories(fyaml PRIVATE ${CMAKE_BINARY_DIR}/fyaml ${PARLOR_FYAML_SOURCE}/src/lib
    ${PARLOR_FYAML_SOURCE}/src/xxhash PUBLIC ${PARLOR_FYAML_SOURCE}/include)
  target_compile_definitions(fyaml PRIVATE HAVE_CONFIG_H _GNU_SOURCE _WASI_EMULATED_MMAN)
  target_compile_options(fyaml PRIVATE -Os -w)  # not ours to mend

  add_library(parlor_wasm_spec STATIC ${spec_sources})
  wasm_join(parlor_wasm_spec ${spec_sources})
  target_compile_options(parlor_wasm_spec PRIVATE -Os)
  target_link_libraries(parlor_wasm_spec PRIVATE fyaml)
  target_link_libraries(parlor_wasm PRIVATE parlor_wasm_spec fyaml wasi-emulated-mman)
  target_compile_definitions(parlor_wasm PRIVATE PARLOR_READS_TEXTS)

  # Who only plays needs no compiler: the same objects without it are smaller, and so ready the sooner. What the kernel
  # needs of the compiler (texts of conditions, for people) the linker finds; the rest it leaves out.
  add_executable(parlor_wasm_play src/wasm/engine.cpp src/wasm/runtime.cpp
    $<FILTER:$<TARGET_OBJECTS:parlor_wasm>,EXCLUDE,src_wasm_0>)
  set_target_properties(parlor_wasm_play PROPERTIES OUTPUT_NAME parlor-play SUFFIX .wasm)
  target_compile_options(parlor_wasm_play PRIVATE -O2 -Wall)
  target_link_libraries(parlor_wasm_play PRIVATE parlor_wasm_cold parlor_wasm_spec fyaml wasi-emulated-mman)
  target_link_options(parlor_wasm_play PRIVATE ${wasm_link})
endif()
