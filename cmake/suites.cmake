# Read by ctest, with `program`, `folder` and `environment` set: one entry for each suite of a test program, so that a
# process runs all tests of a suite. Suites whose name starts with Slow get the label.
if(NOT EXISTS ${program})
  add_test(${folder}.NOT_BUILT ${program})
  return()
endif()
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${program} does not list its tests: ${failed}")
endif()
string(REGEX MATCHALL "\n[A-Za-z0-9_/]+\\." suites "\n${listed}")
foreach(suite ${suites})
  string(REGEX REPLACE "[\n.]" "" suite "${suite}")
  set(name ${folder}.${suite})
  add_test(${name} ${program} --gtest_brief=1 --gtest_filter=${suite}.*)
  set(label "")
  if(suite MATCHES "^([A-Za-z0-9_]+/)?Slow")
    set(label slow)
  endif()
  # Those that take long begin first, or the last of them runs on alone: in seconds, roughly. (ctest measures for itself from
  # the second run on.)
  string(REGEX REPLACE "^.*/" "" plain ${suite})
  set(cost 0)
  foreach(long ShippedConformance:60 Nodes:40 NativeGames:30 Secrecy:25 ViewersOfTheProgram:20 SessionSecrecy:20
      NativeProgram:15 SqliteStore:15 SideBySide:15 DifferentialShipped:15 Differential:10 Leaks:10 DealtWorlds:10)
    if(long MATCHES "^${plain}:([0-9]+)$")
      set(cost ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set_tests_properties(${name} PROPERTIES COST ${cost} TIMEOUT 1200 LABELS "${label}" ENVIRONMENT "${environment}"
    # Whoever runs ctest may ask for fewer or more cases: RC_PARAMS=max_success=50.
    ENVIRONMENT_MODIFICATION "RC_PARAMS=string_prepend:${rapidcheck} ")
endforeach()
