# Compiles one source into one object per instruction set: simd/src/chunk/kernels.cpp, and the solver's kernels.
#
# One program then contains code for several instruction sets, which has two dangers:
#
# 1. One definition, many bodies. An inline function or template instance that the compiler emits out of line
#    (std::min, a header's accessor, anything at -Og) is a weak symbol of the same name in every object. The linker
#    keeps ONE body, perhaps the AVX-512 one, also for a caller on a machine without AVX-512. So each object is linked
#    separately (ld -r, COMDAT groups dissolved), and every symbol except its kernel table is made local.
#    CheckKernel.cmake checks it with nm.
# 2. Fused or approximate operations. AVX-512F contains FMA, and rcp/rsqrt estimates differ between vendors: with one
#    such instruction results depend on the machine. CheckKernel.cmake disassembles every object and fails the build if
#    there is one. For the same reason avx2 is compiled without -mfma.
#
# The flags of a set enable exactly the features for which simd/src/isa/detection.cpp tests. Change both together.

set(LANEFOLD_KERNEL_FLAGS_scalar "")
set(LANEFOLD_KERNEL_FLAGS_sse2 "")
set(LANEFOLD_KERNEL_FLAGS_sse4_2 -msse4.2)
set(LANEFOLD_KERNEL_FLAGS_avx2 -mavx2)
set(LANEFOLD_KERNEL_FLAGS_avx512 -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512)
set(LANEFOLD_KERNEL_FLAGS_neon "")
if(WIN32)
  # GCC puts wide variables on a stack that Windows aligns to 16 bytes only, and moves them as if it were aligned (GCC's
  # bug 54412): a fault. The assembler makes the moves those that need no alignment.
  list(APPEND LANEFOLD_KERNEL_FLAGS_avx2 -Wa,-muse-unaligned-vector-move)
  list(APPEND LANEFOLD_KERNEL_FLAGS_avx512 -Wa,-muse-unaligned-vector-move)
endif()

# GNU binutils are needed with Clang, too: lld cannot dissolve COMDAT groups. A cross build takes the prefixed tools.
# They do not know macOS. All kernels of its one processor have the same flags, so they need not be isolated there.
set(tools ld.bfd objcopy objdump nm)
if(APPLE)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(arm64|aarch64)$")
    message(FATAL_ERROR "lanefold on macOS is for ARM64: kernels of several x86 sets could not be isolated there")
  endif()
  set(tools llvm-objdump llvm-nm)
endif()
foreach(tool IN LISTS tools)
  string(TOUPPER LANEFOLD_${tool} variable)
  string(REGEX REPLACE "[.]BFD|LLVM-" "" variable ${variable})
  find_program(${variable} NAMES ${CMAKE_CXX_LIBRARY_ARCHITECTURE}-${tool} ${CMAKE_LIBRARY_ARCHITECTURE}-${tool}
                                 ${tool} REQUIRED)
  mark_as_advanced(${variable})
endforeach()

set(lanefold_kernel_tools -D LINKER=${LANEFOLD_LD} -D OBJCOPY=${LANEFOLD_OBJCOPY} -D OBJDUMP=${LANEFOLD_OBJDUMP}
                          -D NM=${LANEFOLD_NM})
set(lanefold_kernel_self_test ${CMAKE_CURRENT_BINARY_DIR}/kernel_check.stamp)
add_custom_command(
  OUTPUT ${lanefold_kernel_self_test}
  COMMAND
    ${CMAKE_COMMAND} -D STAMP=${lanefold_kernel_self_test} -D COMPILER=${CMAKE_CXX_COMPILER}
    -D PROCESSOR=${CMAKE_SYSTEM_PROCESSOR} ${lanefold_kernel_tools}
    -P ${PROJECT_SOURCE_DIR}/cmake/CheckKernelSelfTest.cmake
  DEPENDS ${PROJECT_SOURCE_DIR}/cmake/CheckKernelSelfTest.cmake ${PROJECT_SOURCE_DIR}/cmake/CheckKernel.cmake
  COMMENT "Checking the kernel check"
  VERBATIM)

# lanefold_add_kernel(library isa [STAGE_CLOCK | EXHAUSTIVE] [PREFIX prefix SOURCE file]) compiles
# simd/src/chunk/kernels.cpp for `isa` and adds the object to `library`; its table is kernel_table_<isa>. STAGE_CLOCK
# gives the benchmark's build with a clock at each stage (detail/stage_clock.hpp), with the table
# kernel_table_staged_<isa>; EXHAUSTIVE the tests' build that searches everything (search/exhaustive.hpp),
# kernel_table_exhaustive_<isa>. PREFIX gives another source over the same lanes, with the table <prefix>_table_<isa>.
# All have their own namespace.
function(lanefold_add_kernel library isa)
  cmake_parse_arguments(PARSE_ARGV 2 arg "STAGE_CLOCK;EXHAUSTIVE" "PREFIX;SOURCE" "")
  set(room ${PROJECT_SOURCE_DIR}/simd)
  set(name ${isa})
  set(prefix kernel)
  set(source ${room}/src/chunk/kernels.cpp)
  if(arg_STAGE_CLOCK)
    set(name staged_${isa})
  elseif(arg_EXHAUSTIVE)
    set(name exhaustive_${isa})
  endif()
  set(namespace ${name})
  if(arg_PREFIX)
    set(prefix ${arg_PREFIX})
    set(source ${arg_SOURCE})
    set(namespace ${prefix}_${name})
  endif()
  set(kernel lanefold_${prefix}_${name})
  add_library(${kernel} OBJECT ${source})
  target_link_libraries(${kernel} PRIVATE lanefold_defaults lanefold_xsimd)
  if(arg_PREFIX)
    target_include_directories(${kernel} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR}/include)
  endif()
  target_include_directories(${kernel} PRIVATE ${room}/src ${room}/include
                                               $<TARGET_PROPERTY:lanefold_core,INTERFACE_INCLUDE_DIRECTORIES>)
  string(TOUPPER ${isa} upper)
  target_compile_definitions(${kernel} PRIVATE LANEFOLD_KERNEL_ISA=${isa} LANEFOLD_KERNEL_NAMESPACE=${namespace}
                                               LANEFOLD_KERNEL_${upper}=1)
  if(arg_STAGE_CLOCK)
    target_compile_definitions(${kernel} PRIVATE LANEFOLD_STAGE_CLOCK=1)
  elseif(arg_EXHAUSTIVE)
    target_compile_definitions(${kernel} PRIVATE LANEFOLD_EXHAUSTIVE=1)
  endif()
  # Why these options:
  # - -Og in Debug: xsimd 8.1 needs immediates to be constants, which they are not at -O0. RelWithDebInfo has -O3, so
  #   that a profile shows the real kernels.
  # - no exceptions: nothing in a kernel throws, and the personality symbol would be weak.
  # - no trapping math: every exception is masked while a kernel runs, so selects may become blends.
  # - no unique symbols (GCC's kind for statics of inline functions): objcopy cannot make them local.
  target_compile_options(
    ${kernel}
    PRIVATE ${LANEFOLD_KERNEL_FLAGS_${isa}}
            $<$<CONFIG:Debug>:-Og>
            $<$<AND:$<CONFIG:Release,RelWithDebInfo>,$<NOT:$<BOOL:${LANEFOLD_SANITIZE}>>>:-O3>
            -fvisibility=hidden
            -fvisibility-inlines-hidden
            # g++ 12 reports its own AVX-512 intrinsics (_mm512_undefined_ps) as uninitialized.
            $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized>
            $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
            $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
            -fno-exceptions
            -fno-rtti
            -fno-trapping-math)
  # Everything in a kernel is inlined into a few functions. With inlined checks of the sanitizers GCC needs minutes for
  # each of them. So ASan's checks are calls, and UBSan leaves out the checks that ASan makes anyway. The marks of
  # scopes take GCC ten minutes for a solver, and kernels keep no pointers to variables of inner scopes. Clang's check
  # of called functions would give the kernel weak type information.
  # Options of a source come behind those of lanefold_defaults, which they take back.
  if(LANEFOLD_SANITIZE)
    set(options -g1 -fno-sanitize=null,object-size,pointer-overflow)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      list(APPEND options --param=asan-instrumentation-with-call-threshold=0 -fno-sanitize-address-use-after-scope)
    else()
      list(APPEND options -fsanitize-address-outline-instrumentation -fno-sanitize=function)
    endif()
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${options}")
  endif()
  set_target_properties(${kernel} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF
                                             INTERPROCEDURAL_OPTIMIZATION OFF)

  set(object ${CMAKE_CURRENT_BINARY_DIR}/${prefix}_${name}.o)
  set(script ${PROJECT_SOURCE_DIR}/cmake/CheckKernel.cmake)
  add_custom_command(
    OUTPUT ${object}
    COMMAND
      ${CMAKE_COMMAND} -D INPUT=$<TARGET_OBJECTS:${kernel}> -D OUTPUT=${object} -D TABLE=${prefix}_table_${name}
      ${lanefold_kernel_tools} -P ${script}
    DEPENDS ${kernel} $<TARGET_OBJECTS:${kernel}> ${script} ${lanefold_kernel_self_test}
    COMMENT "Isolating and checking ${prefix} ${name}"
    VERBATIM)
  set_source_files_properties(${object} PROPERTIES GENERATED ON EXTERNAL_OBJECT ON)
  target_sources(${library} PRIVATE ${object})
  if(arg_STAGE_CLOCK)
    target_compile_definitions(${library} PRIVATE LANEFOLD_HAVE_STAGED_${upper}=1)
  elseif(NOT arg_EXHAUSTIVE)
    target_compile_definitions(${library} PRIVATE LANEFOLD_HAVE_${upper}=1)
  endif()
endfunction()
