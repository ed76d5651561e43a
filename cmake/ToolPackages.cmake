# Packages that only the command-line program uses, each wrapped in an INTERFACE target.

include_guard(GLOBAL)

# Bullet lets the bodies of generated scenes fall and settle. Debian's package sets variables only, with paths relative
# to its root; one of them is the precision of its libraries.
find_package(Bullet REQUIRED)
find_path(LANEFOLD_BULLET_INCLUDE_DIR btBulletDynamicsCommon.h PATH_SUFFIXES bullet REQUIRED)
add_library(lanefold_bullet INTERFACE)
target_include_directories(lanefold_bullet SYSTEM INTERFACE ${LANEFOLD_BULLET_INCLUDE_DIR})
foreach(library BulletDynamics BulletCollision LinearMath)
  find_library(LANEFOLD_BULLET_${library} ${library} REQUIRED)
  target_link_libraries(lanefold_bullet INTERFACE ${LANEFOLD_BULLET_${library}})
endforeach()
separate_arguments(bullet_definitions UNIX_COMMAND "${BULLET_DEFINITIONS}")
target_compile_options(lanefold_bullet INTERFACE ${bullet_definitions})

# tinyobjloader reads OBJ files.
find_path(LANEFOLD_TINYOBJ_INCLUDE_DIR tiny_obj_loader.h REQUIRED)
find_library(LANEFOLD_TINYOBJ_LIBRARY tinyobjloader REQUIRED)
add_library(lanefold_tinyobj INTERFACE)
target_include_directories(lanefold_tinyobj SYSTEM INTERFACE ${LANEFOLD_TINYOBJ_INCLUDE_DIR})
target_link_libraries(lanefold_tinyobj INTERFACE ${LANEFOLD_TINYOBJ_LIBRARY})
