# Run by `cmake --install`, with `source`, `layers` and `includes` set: copies the headers of the layers and turns
# "game/game.h" in their includes into "parlor/game/game.h", so that no folder called `base` or `game` comes into
# others' way. Headers that need a library of somebody else's to compile are private.
cmake_minimum_required(VERSION 3.25)
set(private table/sqlite_files.h)
list(JOIN layers "|" any_layer)
foreach(layer ${layers})
  file(GLOB_RECURSE headers RELATIVE ${source} ${source}/${layer}/*.h ${source}/${layer}/*.def)
  foreach(header ${headers})
    if(NOT header IN_LIST private)
      file(READ ${source}/${header} text)
      string(REGEX REPLACE "#include \"(${any_layer})/" "#include \"parlor/\\1/" text "${text}")
      file(WRITE $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${includes}/parlor/${header} "${text}")
    endif()
  endforeach()
endforeach()
