# The engine as WebAssembly: everything but what needs files, threads or the text of games.
set(wasm_include ${CMAKE_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${wasm_include})
foreach(library nlohmann fmt tl)  # headers only; the rest of /usr/include belongs to another machine
  file(CREATE_LINK /usr/include/${library} ${wasm_include}/${library} SYMBOLIC)
endforeach()

file(GLOB wasm_sources CONFIGURE_DEPENDS
  src/base/*.cpp src/game/*.cpp src/spec/gamedef/*.cpp src/kernel/*.cpp src/kernel/*/*.cpp src/rules/rules.cpp
  src/chess/*.cpp src/chess/presets/*.cpp src/play/agent.cpp src/play/simple_agents.cpp
  src/play/tree.cpp src/play/tree_agents.cpp src/play/alphabeta.cpp src/play/cfr.cpp src/wasm/*.cpp)
list(FILTER wasm_sources EXCLUDE REGEX "base/files|game/conformance|game/secrecy|spec/gamedef/schema|chess/(uci|pgn|trial)")

find_program(PARLOR_CCACHE ccache)
if(PARLOR_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PARLOR_CCACHE})
endif()
add_executable(parlor_wasm ${wasm_sources})
set_target_properties(parlor_wasm PROPERTIES OUTPUT_NAME parlor SUFFIX .wasm
  UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
target_include_directories(parlor_wasm PRIVATE src/wasm/shims src ${wasm_include})
set_property(TARGET parlor_wasm PROPERTY CXX_STANDARD 20)
target_compile_definitions(parlor_wasm PRIVATE FMT_HEADER_ONLY=1 JSON_HAS_FILESYSTEM=0 PARLOR_ONE_BOARD=1)
set_source_files_properties(src/base/version.cpp PROPERTIES
  COMPILE_DEFINITIONS PARLOR_VERSION="${PROJECT_VERSION}")
target_compile_options(parlor_wasm PRIVATE -O1 -Wall -ffunction-sections)
target_link_options(parlor_wasm PRIVATE -mexec-model=reactor -Wl,--gc-sections -Wl,--strip-all
  -Wl,-z,stack-size=1048576 -Wl,--initial-memory=67108864 -L/usr/lib/llvm-16/lib/wasm32-wasi)
