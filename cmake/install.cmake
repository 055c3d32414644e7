# `cmake --install build --prefix P`: the program, the games and docs, the libraries with their headers, a CMake
# package and pkg-config files. Everything is found relative to where it lies, so P may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(PARLOR_GAMES_DIR ${CMAKE_INSTALL_DATADIR}/parlor/games)
set(PARLOR_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/parlor)

# What others may build on.
set(libraries base game spec kernel rules chess open table play)
foreach(name ${libraries})
  set_target_properties(parlor_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(parlor_${name} PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS parlor_${name} EXPORT parlorTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
install(EXPORT parlorTargets NAMESPACE parlor:: DESTINATION ${PARLOR_CMAKE_DIR})

# Inside the tree a header is called game/game.h, for everybody else parlor/game/game.h.
install(CODE "set(source \"${CMAKE_SOURCE_DIR}/src\")\nset(layers ${libraries})\nset(includes ${CMAKE_INSTALL_INCLUDEDIR})")
install(SCRIPT cmake/install_headers.cmake)

configure_package_config_file(cmake/parlorConfig.cmake.in ${CMAKE_BINARY_DIR}/parlorConfig.cmake
  INSTALL_DESTINATION ${PARLOR_CMAKE_DIR} PATH_VARS PARLOR_GAMES_DIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/parlorConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/parlorConfig.cmake ${CMAKE_BINARY_DIR}/parlorConfigVersion.cmake
  DESTINATION ${PARLOR_CMAKE_DIR})

# From where the file lies back to the prefix.
file(RELATIVE_PATH PARLOR_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(needs "libfyaml libcmark sqlite3")
set(links "-lSQLiteCpp -ldl -pthread")
if(BUILD_SHARED_LIBS)  # which know what they need themselves
  set(PARLOR_PC_REQUIRES "nlohmann_json fmt\nRequires.private: ${needs}")
  set(PARLOR_PC_LIBS "\nLibs.private: ${links}")
else()
  set(PARLOR_PC_REQUIRES "nlohmann_json fmt ${needs}")
  set(PARLOR_PC_LIBS " ${links}")
endif()
configure_file(cmake/parlor.pc.in ${CMAKE_BINARY_DIR}/parlor.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/parlor.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

file(RELATIVE_PATH PARLOR_LIBRARIES /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set_target_properties(parlor PROPERTIES INSTALL_RPATH $ORIGIN/${PARLOR_LIBRARIES})
install(TARGETS parlor RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY games/ DESTINATION ${PARLOR_GAMES_DIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "*.schema.json" EXCLUDE)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/parlor/schemas FILES_MATCHING PATTERN "*.schema.json" PATTERN pictures EXCLUDE)
# The page, where it was built (`make web`); `parlor serve` finds it beside the games.
install(DIRECTORY web/dist/ DESTINATION ${CMAKE_INSTALL_DATADIR}/parlor/web OPTIONAL)

# Pages the program writes about itself.
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/pages/parlor.1 ${CMAKE_BINARY_DIR}/pages/parlor
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/pages
  COMMAND parlor manual > ${CMAKE_BINARY_DIR}/pages/parlor.1
  COMMAND parlor completion bash > ${CMAKE_BINARY_DIR}/pages/parlor
  DEPENDS parlor VERBATIM)
add_custom_target(pages ALL DEPENDS ${CMAKE_BINARY_DIR}/pages/parlor.1)
install(FILES ${CMAKE_BINARY_DIR}/pages/parlor.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/pages/parlor DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
