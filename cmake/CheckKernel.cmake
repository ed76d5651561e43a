# Isolates one kernel object and checks what KernelIsa.cmake promises of it. The build runs it:
#   cmake -D INPUT=in.o -D OUTPUT=out.o -D TABLE=kernel_table_avx2
#         -D LINKER=.. -D OBJCOPY=.. -D OBJDUMP=.. -D NM=.. -P CheckKernel.cmake
# OUTPUT exists only if every check passed. Without LINKER (macOS) the object is checked and not isolated.

string(LENGTH "${TABLE}" length)
set(table "_ZN8lanefold6detail${length}${TABLE}E")
set(candidate ${OUTPUT}.unchecked)

function(run output)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE problem RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${TABLE}: ${ARGN}\nfailed: ${problem}")
  endif()
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

# CMake lists split at semicolons and misread brackets. The checks need neither.
function(to_lines text output)
  string(REGEX REPLACE "[][;]" " " text "${text}")
  string(REPLACE "\n" ";" text "${text}")
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

function(isolate)
  run(ignored ${LINKER} -r --force-group-allocation -o ${candidate} ${INPUT})
  # Windows has no groups: a flag of the section tells the linker to keep one of each name, even of local symbols.
  set(once "")
  foreach(section IN ITEMS text:code rdata:data xdata:data pdata:data)
    string(REGEX MATCH "(.*):(.*)" ignored ${section})
    list(APPEND once --set-section-flags ".${CMAKE_MATCH_1}$*=alloc,load,readonly,${CMAKE_MATCH_2}")
  endforeach()
  run(ignored ${OBJCOPY} --keep-global-symbol=${table} ${once} ${candidate})
  run(text ${OBJDUMP} -h ${candidate})
  if(text MATCHES "LINK_ONCE[^\n]*")
    message(FATAL_ERROR "${TABLE} has sections of which the linker keeps one for all kernels: ${CMAKE_MATCH_0}")
  endif()
endfunction()

file(REMOVE ${OUTPUT})
if(LINKER)
  isolate()
  set(underscore "")
  set(memory "mem(cpy|move|set|cmp)")
else()
  file(COPY_FILE ${INPUT} ${candidate})
  set(underscore "_?") # in front of every symbol
  set(memory "mem(cpy|move|set|cmp|set_pattern(4|8|16))|bzero")
endif()

# Symbols. Only the table may be defined and visible. Undefined symbols may be lanefold's baseline functions, the
# memory functions, the compiler's own functions that count bits (where the processor has no instruction for it) or
# reach the pages of a large stack frame one by one (Windows), and functions of sanitizers, coverage and stack
# protection; not std::, not libm.
run(text ${NM} ${candidate})
to_lines("${text}" lines)
set(found_table FALSE)
set(needs "_GLOBAL_OFFSET_TABLE_|__stack_chk_(fail|guard)|abort|_ZNK?8lanefold.*")
set(bits "__(clz|ctz|ffs|popcount)[sdt]i2|___chkstk_ms")
set(tooling "_*(start___|stop___)?(asan|ubsan|tsan|sancov|sanitizer|gcov|llvm_profile|odr_asan).*")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^[0-9a-f ]* ([A-Za-z?]) ${underscore}(.+)$")
    continue()
  endif()
  set(type ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  if(type STREQUAL "U")
    if(NOT name MATCHES "^(${memory}|${needs}|${bits}|${tooling})$")
      message(FATAL_ERROR "${TABLE} needs ${name}. Keep std:: and libm out of the kernels: another object's "
                          "copy may be compiled for another instruction set, and libm's bits differ by machine.")
    endif()
  elseif(type STREQUAL "w" AND name MATCHES "^${tooling}$")
    # an undefined weak symbol
  elseif(type MATCHES "^[A-Zuvw]$")
    if(name STREQUAL table)
      set(found_table TRUE)
    elseif(LINKER)
      message(FATAL_ERROR "${TABLE} shows ${name} (${type}) to the linker: only its table may be visible")
    endif()
  endif()
endforeach()
if(NOT found_table)
  message(FATAL_ERROR "${TABLE} does not define lanefold::detail::${TABLE}")
endif()

# Instructions. Fused multiply-add and estimates of 1/x and 1/sqrt(x) are refused, by their x86, AArch64 and RISC-V
# mnemonics.
run(text ${OBJDUMP} -d --no-show-raw-insn ${candidate})
set(fused "vf(n?m)(add|sub)[a-z0-9]*|vfmaddsub[a-z0-9]*|vfmsubadd[a-z0-9]*|fn?m(add|sub)([.][hsdq])?|fml[as]l?2?")
string(APPEND fused "|vfn?m(acc|sac|add|sub)[.]v[vf]")
set(estimate "v?rcp(14|28)?[ps][sd]|v?rsqrt(14|28)?[ps][sd]|frecp[esx]|frsqrt[es]|vfrsqrt7[.]v|vfrec7[.]v")
string(REGEX MATCH "\n[^\n]*\t(${fused}|${estimate})([.][0-9]*[bhsd])?[ \t][^\n]*" bad "${text}")
if(bad)
  message(FATAL_ERROR "${TABLE} contains a fused or approximate operation:${bad}\n"
                      "Results would depend on the instruction set. See -ffp-contract=off in Defaults.cmake.")
endif()
string(REGEX MATCHALL "\n +[0-9a-f]+:" instructions "${text}")
list(LENGTH instructions count)
if(count LESS 20)
  message(FATAL_ERROR "${TABLE}: only ${count} instructions disassembled: the check saw nothing")
endif()

file(RENAME ${candidate} ${OUTPUT})
