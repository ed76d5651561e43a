# Shows, with this compiler and these tools, that CheckKernel.cmake refuses bad kernels: a check that cannot fail proves
# nothing. The build runs it before it checks any kernel:
#   cmake -D STAMP=file -D COMPILER=c++ -D PROCESSOR=..
#         -D LINKER=.. -D OBJCOPY=.. -D OBJDUMP=.. -D NM=.. -P CheckKernelSelfTest.cmake

set(folder ${STAMP}.dir)
file(REMOVE ${STAMP})
file(MAKE_DIRECTORY ${folder})

# try_kernel(name verdict body FLAGS..) compiles a kernel whose loop adds `body`, and checks it. `verdict` is a pattern
# that the message must match, or "good".
function(try_kernel name verdict body)
  set(source ${folder}/${name}.cpp)
  set(object ${folder}/${name}.o)
  file(
    WRITE ${source}
    "namespace lanefold::detail {
template <class T> __attribute__((noinline)) T twice(T x) { return x + x; }
struct Table { float (*run)(const float*, const float*, int); };
extern const Table kernel_table_test;
static float run(const float* a, const float* b, int n) {
  float s = twice(n) > 9 ? 1.0F : 0.0F;
  for (int i = 0; i < n; ++i) s += ${body};
  return s;
}
const Table kernel_table_test = {run};
}
")
  execute_process(COMMAND ${COMPILER} -std=c++20 -O2 -fPIC -ffp-contract=off ${ARGN} -c ${source} -o ${object}
                  RESULT_VARIABLE code ERROR_VARIABLE problem)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "kernel check: ${source} does not compile: ${problem}")
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -D INPUT=${object} -D OUTPUT=${folder}/${name}_checked.o -D TABLE=kernel_table_test
            -D LINKER=${LINKER} -D OBJCOPY=${OBJCOPY} -D OBJDUMP=${OBJDUMP} -D NM=${NM}
            -P ${CMAKE_CURRENT_LIST_DIR}/CheckKernel.cmake
    RESULT_VARIABLE code ERROR_VARIABLE problem)
  if(verdict STREQUAL "good")
    if(NOT code EQUAL 0)
      message(FATAL_ERROR "kernel check refuses a good kernel (${name}): ${problem}")
    endif()
  elseif(code EQUAL 0 OR NOT problem MATCHES "${verdict}" OR EXISTS ${folder}/${name}_checked.o)
    message(FATAL_ERROR "kernel check lets a bad kernel pass (${name}): ${problem}")
  endif()
endfunction()

if(PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(x86 TRUE)
  set(fused_flags -mfma)
endif()
# The template instance `twice` is weak in the object: `good` shows that it was made local.
try_kernel(good good "a[i] * b[i]")
try_kernel(fused "fused or approximate" "__builtin_fmaf(a[i], b[i], s)" ${fused_flags})
try_kernel(libm "needs expf" "__builtin_expf(a[i])")
if(x86)
  try_kernel(estimate "fused or approximate"
             "__builtin_ia32_rcpss((__attribute__((vector_size(16))) float){a[i], 1, 1, 1})[0]")
endif()

file(WRITE ${STAMP} "")
