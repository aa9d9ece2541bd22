# What every target of ours is built with: warnings, sanitizers, the include roots.
add_library(sluice_flags INTERFACE)
target_compile_options(sluice_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(SLUICE_WERROR)
  target_compile_options(sluice_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of g++ 12 in Boost's and the standard library's inlined code.
  target_compile_options(sluice_flags INTERFACE -Wno-maybe-uninitialized -Wno-mismatched-new-delete)
endif()
if(SLUICE_SANITIZE)
  target_compile_options(sluice_flags INTERFACE -fsanitize=${SLUICE_SANITIZE} -fno-omit-frame-pointer
                                                -fno-sanitize-recover=undefined)
  target_link_options(sluice_flags INTERFACE -fsanitize=${SLUICE_SANITIZE})
  if(SLUICE_SANITIZE MATCHES "thread")
    # Tests that count allocations define operator new, as clang's runtime does; theirs comes first and is taken.
    target_link_options(sluice_flags INTERFACE LINKER:--allow-multiple-definition)
  endif()
endif()

if(SLUICE_FUZZ)
  # A fuzzer sees only what is instrumented, so the libraries are too; its main() comes with the fuzzers alone.
  target_compile_options(sluice_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(sluice_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Asio and Beast are compiled once, in sluice_boost; everybody else sees declarations.
add_library(sluice_boost_flags INTERFACE)
target_include_directories(sluice_boost_flags SYSTEM INTERFACE ${Boost_INCLUDE_DIRS})
target_compile_definitions(
  sluice_boost_flags
  INTERFACE BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
            BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE=64)
target_link_libraries(sluice_boost_flags INTERFACE Threads::Threads OpenSSL::SSL OpenSSL::Crypto)

target_include_directories(sluice_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(sluice_flags INTERFACE sluice_boost_flags)

# One precompiled header for the heavy third-party headers, shared by the libraries and the tests.
add_library(sluice_pch STATIC ${PROJECT_SOURCE_DIR}/src/cmake/pch.cpp)
target_link_libraries(sluice_pch PUBLIC sluice_flags)
target_precompile_headers(sluice_pch PRIVATE ${PROJECT_SOURCE_DIR}/src/cmake/pch.hpp)

if(SLUICE_TESTS)
  # The same and GoogleTest, for test programs.
  add_library(sluice_test_pch STATIC ${PROJECT_SOURCE_DIR}/src/cmake/pch.cpp)
  target_link_libraries(sluice_test_pch PUBLIC sluice_flags GTest::gtest)
  target_precompile_headers(sluice_test_pch PRIVATE ${PROJECT_SOURCE_DIR}/src/cmake/pch.hpp <gtest/gtest.h>)
endif()

# sluice_library(<folder> SOURCES ... DEPENDS ... [PCH])
function(sluice_library folder)
  cmake_parse_arguments(ARG "PCH" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(sluice_${folder} STATIC ${ARG_SOURCES})
  target_link_libraries(sluice_${folder} PUBLIC sluice_flags ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE_DEPENDS})
  if(ARG_PCH)
    target_precompile_headers(sluice_${folder} REUSE_FROM sluice_pch)
  endif()
endfunction()

# sluice_exports(<program>): for a program that loads plug-ins. They take Asio and the contract in include/sluice from
# it, so it gets all of both, whether or not it uses them itself.
function(sluice_exports program)
  set_target_properties(${program} PROPERTIES ENABLE_EXPORTS ON)
  target_link_options(
    ${program} PRIVATE LINKER:--whole-archive $<TARGET_FILE:sluice_boost> $<TARGET_FILE:sluice_base>
    $<TARGET_FILE:sluice_json> $<TARGET_FILE:sluice_mcp> LINKER:--no-whole-archive)
endfunction()

# sluice_plugin(<name> SOURCES ...): a shared object with tools, <name>.so. It links nothing of ours.
function(sluice_plugin name)
  cmake_parse_arguments(ARG "" "" "SOURCES" ${ARGN})
  add_library(${name} MODULE ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE sluice_flags)
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET default)
endfunction()

# sluice_test(<name> SOURCES ... DEPENDS ... [APART <suite>[.<test>] ...]): one GoogleTest program, and one CTest test
# for all that is in it but what stands under APART: each of these is the test <name>.<suite>[.<test>], so that ctest tells
# that it was skipped, or can leave it out. The caller finds all of them in <name>_entries.
function(sluice_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;APART" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} sluice_flags GTest::gtest_main)
  # The header is compiled as for libraries, so the program has to be too.
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM sluice_test_pch)
  set(entries ${name})
  set(others "")
  foreach(apart IN LISTS ARG_APART)
    set(filter ${apart})
    if(NOT apart MATCHES "[.]")
      string(APPEND filter ".*")
    endif()
    add_test(NAME ${name}.${apart} COMMAND ${name} --gtest_filter=${filter})
    set_tests_properties(${name}.${apart} PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
    list(APPEND entries ${name}.${apart})
    list(APPEND others ${filter})
  endforeach()
  list(JOIN others ":" others)
  if(others)
    add_test(NAME ${name} COMMAND ${name} --gtest_filter=-${others})
  else()
    add_test(NAME ${name} COMMAND ${name})
  endif()
  set(${name}_entries ${entries} PARENT_SCOPE)
endfunction()
