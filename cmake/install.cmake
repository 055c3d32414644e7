# `cmake --install build --prefix P`: the program, the games and docs, the libraries with their headers, a CMake
# package and a pkg-config file. Everything is found relative to where it lies, so P may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(PARLOR_GAMES_DIR ${CMAKE_INSTALL_DATADIR}/parlor/games)
set(PARLOR_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/parlor)

# What others may build on; `table` needs SQLite and is left to the program.
set(libraries base game spec kernel rules chess open play)
foreach(name ${libraries})
  set_target_properties(parlor_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(parlor_${name} PUBLIC
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/parlor>)
  install(TARGETS parlor_${name} EXPORT parlorTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY src/${name} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/parlor
    FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
endforeach()
install(EXPORT parlorTargets NAMESPACE parlor:: DESTINATION ${PARLOR_CMAKE_DIR})

configure_package_config_file(cmake/parlorConfig.cmake.in ${CMAKE_BINARY_DIR}/parlorConfig.cmake
  INSTALL_DESTINATION ${PARLOR_CMAKE_DIR} PATH_VARS PARLOR_GAMES_DIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/parlorConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/parlorConfig.cmake ${CMAKE_BINARY_DIR}/parlorConfigVersion.cmake
  DESTINATION ${PARLOR_CMAKE_DIR})

# From where the file lies back to the prefix.
file(RELATIVE_PATH PARLOR_PC_UP /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/parlor.pc.in ${CMAKE_BINARY_DIR}/parlor.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/parlor.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS parlor RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY games/ DESTINATION ${PARLOR_GAMES_DIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
