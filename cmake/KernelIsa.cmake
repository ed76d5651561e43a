# One kernel object per instruction set, all from the single source simd/src/chunk/kernels.cpp.
#
# Two traps of compiling one source with different instruction sets into one program are closed here:
#
# 1. One definition, many bodies. An inline function or template instance that the compiler emits out of
#    line (std::min, a header's accessor, anything at -Og) is a weak symbol of the same name in every object,
#    and the linker keeps ONE body: perhaps the AVX-512 one, for a caller on a machine without AVX-512. So
#    each object is linked on its own (ld -r, COMDAT groups dissolved) and every symbol but its kernel table
#    is made local. CheckKernel.cmake then proves it with nm.
# 2. Fused or approximate operations. AVX-512F contains FMA, and rcp/rsqrt estimates differ between vendors:
#    one such instruction and results depend on the machine. CheckKernel.cmake disassembles every object and
#    fails the build on any. For the same reason avx2 is compiled without -mfma.
#
# What is enabled per set is exactly what simd/src/isa/detection.cpp asks the machine for; change both together.

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(LANEFOLD_KERNEL_ISAS scalar sse2 sse4_2 avx2 avx512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  set(LANEFOLD_KERNEL_ISAS scalar neon)
else()
  set(LANEFOLD_KERNEL_ISAS scalar)
endif()

set(LANEFOLD_ISAS "" CACHE STRING "Compile only these kernels, and scalar; empty: all of this architecture")
if(LANEFOLD_ISAS)
  foreach(isa IN LISTS LANEFOLD_ISAS)
    if(NOT isa IN_LIST LANEFOLD_KERNEL_ISAS)
      message(FATAL_ERROR "LANEFOLD_ISAS: ${isa} is none of ${LANEFOLD_KERNEL_ISAS}")
    endif()
  endforeach()
  set(LANEFOLD_KERNEL_ISAS ${LANEFOLD_ISAS})
  list(PREPEND LANEFOLD_KERNEL_ISAS scalar)
  list(REMOVE_DUPLICATES LANEFOLD_KERNEL_ISAS)
endif()

set(LANEFOLD_KERNEL_FLAGS_scalar "")
set(LANEFOLD_KERNEL_FLAGS_sse2 "")
set(LANEFOLD_KERNEL_FLAGS_sse4_2 -msse4.2)
set(LANEFOLD_KERNEL_FLAGS_avx2 -mavx2)
set(LANEFOLD_KERNEL_FLAGS_avx512 -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512)
set(LANEFOLD_KERNEL_FLAGS_neon "")

# GNU binutils, also with Clang: lld cannot dissolve COMDAT groups. For another machine, its prefixed tools.
foreach(tool IN ITEMS ld.bfd objcopy objdump nm)
  string(TOUPPER LANEFOLD_${tool} variable)
  string(REPLACE ".BFD" "" variable ${variable})
  find_program(${variable} NAMES ${CMAKE_CXX_LIBRARY_ARCHITECTURE}-${tool} ${tool} REQUIRED)
  mark_as_advanced(${variable})
endforeach()

set(lanefold_kernel_tools -D LINKER=${LANEFOLD_LD} -D OBJCOPY=${LANEFOLD_OBJCOPY} -D OBJDUMP=${LANEFOLD_OBJDUMP}
                          -D NM=${LANEFOLD_NM})
set(lanefold_kernel_self_test ${CMAKE_CURRENT_BINARY_DIR}/kernel_check.stamp)
add_custom_command(
  OUTPUT ${lanefold_kernel_self_test}
  COMMAND
    ${CMAKE_COMMAND} -D STAMP=${lanefold_kernel_self_test} -D COMPILER=${CMAKE_CXX_COMPILER} -D
    PROCESSOR=${CMAKE_SYSTEM_PROCESSOR} ${lanefold_kernel_tools} -P ${PROJECT_SOURCE_DIR}/cmake/CheckKernelSelfTest.cmake
  DEPENDS ${PROJECT_SOURCE_DIR}/cmake/CheckKernelSelfTest.cmake ${PROJECT_SOURCE_DIR}/cmake/CheckKernel.cmake
  COMMENT "Checking the kernel check"
  VERBATIM)

# lanefold_add_kernel(library isa [STAGE_CLOCK] [PREFIX prefix SOURCE file]): compiles simd/src/chunk/kernels.cpp for `isa`
# and adds the object to `library`; its table is kernel_table_<isa>. With STAGE_CLOCK it is the benchmark's build of it
# (detail/stage_clock.hpp), in a namespace of its own. With PREFIX it is another source over the same lanes, whose table is
# <prefix>_table_<isa>, in a namespace of its own.
function(lanefold_add_kernel library isa)
  cmake_parse_arguments(PARSE_ARGV 2 arg "STAGE_CLOCK" "PREFIX;SOURCE" "")
  set(room ${PROJECT_SOURCE_DIR}/simd)
  set(name ${isa})
  set(prefix kernel)
  set(source ${room}/src/chunk/kernels.cpp)
  if(arg_STAGE_CLOCK)
    set(name staged_${isa})
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
  endif()
  # xsimd 8.1 needs immediates to be constants, which -O0 does not give it: -Og at least. Profiling builds
  # get the real kernels. No exceptions: nothing in a kernel throws, and the personality symbol would be weak.
  # No trapping math: every exception is masked while a kernel runs, so that selects may become blends. No
  # unique symbols (GCC's kind for statics of inline functions): objcopy cannot make them local.
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
  # Everything in a kernel is inlined into a few functions; with the sanitizers' checks inlined too, each of them
  # takes GCC minutes. So ASan's checks are calls, and of UBSan's those are left out that ASan makes anyway.
  if(LANEFOLD_SANITIZE)
    target_compile_options(
      ${kernel} PRIVATE -g1 -fno-sanitize=null,object-size,pointer-overflow
                        $<$<CXX_COMPILER_ID:GNU>:--param=asan-instrumentation-with-call-threshold=0>
                        $<$<CXX_COMPILER_ID:Clang>:-fsanitize-address-outline-instrumentation>)
  endif()
  set_target_properties(${kernel} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF
                                             INTERPROCEDURAL_OPTIMIZATION OFF)

  set(object ${CMAKE_CURRENT_BINARY_DIR}/${prefix}_${name}.o)
  set(script ${PROJECT_SOURCE_DIR}/cmake/CheckKernel.cmake)
  add_custom_command(
    OUTPUT ${object}
    COMMAND
      ${CMAKE_COMMAND} -D INPUT=$<TARGET_OBJECTS:${kernel}> -D OUTPUT=${object} -D TABLE=${prefix}_table_${name} ${lanefold_kernel_tools} -P
      ${script}
    DEPENDS ${kernel} $<TARGET_OBJECTS:${kernel}> ${script} ${lanefold_kernel_self_test}
    COMMENT "Isolating and checking ${prefix} ${name}"
    VERBATIM)
  set_source_files_properties(${object} PROPERTIES GENERATED ON EXTERNAL_OBJECT ON)
  target_sources(${library} PRIVATE ${object})
  if(arg_STAGE_CLOCK)
    target_compile_definitions(${library} PRIVATE LANEFOLD_HAVE_STAGED_${upper}=1)
  else()
    target_compile_definitions(${library} PRIVATE LANEFOLD_HAVE_${upper}=1)
  endif()
endfunction()
