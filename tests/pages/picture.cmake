# Draws docs/pictures/pile.svg again and compares it:
#   cmake -D PROGRAM=lanefold -D SOURCES=DIR [-D WRITE=1] -P picture.cmake
set(pile ${SOURCES}/tests/data/scenes/debris_pile)
set(kept ${SOURCES}/docs/pictures/pile.svg)
string(RANDOM folder)
set(folder /tmp/lanefold-picture-${folder})
file(MAKE_DIRECTORY ${folder})
execute_process(COMMAND ${PROGRAM} collide ${pile} -o ${folder}/contacts --find-pairs --margin 0.02 OUTPUT_QUIET
                        COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} picture ${pile} ${folder}/contacts -o ${folder}/pile.svg --width 1200 --height 620
                        --elevation 24 OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
if(WRITE)
  file(COPY_FILE ${folder}/pile.svg ${kept})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${folder}/pile.svg ${kept} RESULT_VARIABLE differs)
file(REMOVE_RECURSE ${folder})
if(differs)
  message(FATAL_ERROR "docs/pictures/pile.svg is not what lanefold draws today; -D WRITE=1 writes it anew")
endif()
