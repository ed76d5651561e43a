# The engines with which the benchmark compares lanefold. Each is used if it is found; none is required. Debian
# packages: libbullet-dev, libfcl-dev, libccd-dev, libode-dev, libmujoco-dev. Box3D and Jolt have no package: set
# LANEFOLD_BOX3D_DIR and LANEFOLD_JOLT_DIR to the folders where they are installed, or use ./dev bench --peers PREFIX.
#
# Every adapter is a separate library, so that the compile options of one peer (Jolt exports its instruction set) apply
# to nothing else.

option(LANEFOLD_PEERS "Build the benchmark's adapters for other engines, where found" ON)
set(LANEFOLD_BOX3D_DIR "" CACHE PATH "Installation prefix of Box3D")
set(LANEFOLD_JOLT_DIR "" CACHE PATH "Installation prefix of Jolt Physics")

add_library(lanefold_peers INTERFACE)
set(LANEFOLD_PEERS_FOUND "")

# The maker of an engine's build, from the folder where CMake found it. Distributions build for any processor of a kind,
# which is slower than a build for the machine; the pages name that.
function(lanefold_peer_build folder out)
  if(folder MATCHES "^/usr/(lib|share|include)|^/usr$")
    set(${out} "package of the system, for any ${CMAKE_SYSTEM_PROCESSOR}" PARENT_SCOPE)
  else()
    set(${out} "installed in a folder of its own" PARENT_SCOPE)
  endif()
endfunction()

# lanefold_peer(NAME source FOLDER where it was found LIBRARIES...) makes one adapter. Warnings of third-party headers
# are off.
function(lanefold_peer name source)
  cmake_parse_arguments(PEER "" "FOLDER" "LIBRARIES;INCLUDES;DEFINITIONS" ${ARGN})
  lanefold_peer_build("${PEER_FOLDER}" build)
  string(TOLOWER ${name} lower)
  add_library(lanefold_peer_${lower} STATIC ${PROJECT_SOURCE_DIR}/bench/src/peers/${source})
  set_target_properties(lanefold_peer_${lower} PROPERTIES CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  # -O3 without -ffp-contract=off: the adapter is part of the peer, not of lanefold.
  target_compile_options(lanefold_peer_${lower} PRIVATE -O3 -Wall -Wextra)
  target_include_directories(lanefold_peer_${lower} PRIVATE ${PROJECT_SOURCE_DIR}/bench/src)
  target_include_directories(lanefold_peer_${lower} SYSTEM PRIVATE ${PEER_INCLUDES})
  target_compile_definitions(lanefold_peer_${lower} PRIVATE ${PEER_DEFINITIONS} LANEFOLD_PEER_BUILD="${build}")
  target_link_libraries(lanefold_peer_${lower} PRIVATE lanefold::core ${PEER_LIBRARIES})
  target_link_libraries(lanefold_peers INTERFACE lanefold_peer_${lower})
  target_compile_definitions(lanefold_peers INTERFACE LANEFOLD_PEER_${name})
  set(LANEFOLD_PEERS_FOUND ${LANEFOLD_PEERS_FOUND} ${name} PARENT_SCOPE)
endfunction()

# lanefold_adapter(NAME source FUNCTION FOLDER or BUILD text LIBRARIES...) makes such a source an adapter, a shared
# library that `lanefold_bench --adapter` loads. FUNCTION lists its engines, BUILD says who compiled the engine.
function(lanefold_adapter name source function)
  cmake_parse_arguments(PEER "" "FOLDER;BUILD" "LIBRARIES;INCLUDES;DEFINITIONS" ${ARGN})
  lanefold_peer_build("${PEER_FOLDER}" build)
  if(PEER_BUILD)
    set(build ${PEER_BUILD})
  endif()
  add_library(lanefold_adapter_${name} MODULE ${PROJECT_SOURCE_DIR}/bench/src/peers/${source}
                                              ${PROJECT_SOURCE_DIR}/bench/adapters/engine.cpp)
  set_target_properties(lanefold_adapter_${name} PROPERTIES CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/adapters)
  target_compile_options(lanefold_adapter_${name} PRIVATE -O3 -Wall -Wextra)
  target_include_directories(lanefold_adapter_${name} PRIVATE ${PROJECT_SOURCE_DIR}/bench/src
                                                              ${PROJECT_SOURCE_DIR}/bench/adapters)
  target_include_directories(lanefold_adapter_${name} SYSTEM PRIVATE ${PEER_INCLUDES})
  target_compile_definitions(lanefold_adapter_${name} PRIVATE
    ${PEER_DEFINITIONS} LANEFOLD_PEER_BUILD="${build}" LANEFOLD_ADAPTED=${function})
  target_link_libraries(lanefold_adapter_${name} PRIVATE lanefold::core ${PEER_LIBRARIES})
endfunction()

if(LANEFOLD_PEERS)
  # The tools require Bullet, so it is always there.
  if(TARGET lanefold_bullet)
    lanefold_peer(BULLET bullet.cpp FOLDER ${LANEFOLD_BULLET_INCLUDE_DIR} LIBRARIES lanefold_bullet)
  endif()

  find_package(ccd QUIET)
  if(ccd_FOUND)
    lanefold_peer(CCD ccd.cpp FOLDER ${ccd_DIR} LIBRARIES ccd DEFINITIONS LANEFOLD_PEER_CCD_VERSION="${ccd_VERSION}")
  endif()

  find_package(fcl QUIET)
  if(fcl_FOUND)
    lanefold_peer(FCL fcl.cpp FOLDER ${fcl_DIR} LIBRARIES fcl)
  endif()

  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(LANEFOLD_ODE QUIET IMPORTED_TARGET ode)
  endif()
  if(LANEFOLD_ODE_FOUND)
    lanefold_peer(ODE ode.cpp FOLDER ${LANEFOLD_ODE_LIBDIR} LIBRARIES PkgConfig::LANEFOLD_ODE
      DEFINITIONS LANEFOLD_PEER_ODE_VERSION="${LANEFOLD_ODE_VERSION}")
    # The same engine through the protocol, which must give the same results (bench/adapters/test.py).
    lanefold_adapter(ode ode.cpp add_ode FOLDER ${LANEFOLD_ODE_LIBDIR} LIBRARIES PkgConfig::LANEFOLD_ODE
      DEFINITIONS LANEFOLD_PEER_ODE_VERSION="${LANEFOLD_ODE_VERSION}")
  endif()

  find_package(mujoco QUIET)
  if(mujoco_FOUND)
    lanefold_peer(MUJOCO mujoco.cpp FOLDER ${mujoco_DIR} LIBRARIES mujoco::mujoco)
  endif()

  find_package(box3d QUIET HINTS ${LANEFOLD_BOX3D_DIR})
  if(box3d_FOUND)
    lanefold_peer(BOX3D box3d.cpp FOLDER ${box3d_DIR} LIBRARIES box3d::box3d)
  endif()

  find_package(Jolt QUIET HINTS ${LANEFOLD_JOLT_DIR})
  if(Jolt_FOUND)
    # Jolt's definitions change the signatures of its functions and depend on the configuration of its own build, but
    # its package takes the consumer's. So the installed one is passed on.
    get_target_property(jolt_configs Jolt::Jolt IMPORTED_CONFIGURATIONS)
    list(GET jolt_configs 0 jolt_config)
    get_target_property(jolt_definitions Jolt::Jolt INTERFACE_COMPILE_DEFINITIONS)
    while("${jolt_definitions}" MATCHES "\\$<CONFIG:([^>]*)>")
      string(TOUPPER "${CMAKE_MATCH_1}" asked)
      string(REPLACE "," ";" asked "${asked}")
      if(jolt_config IN_LIST asked)
        string(REPLACE "${CMAKE_MATCH_0}" "1" jolt_definitions "${jolt_definitions}")
      else()
        string(REPLACE "${CMAKE_MATCH_0}" "0" jolt_definitions "${jolt_definitions}")
      endif()
    endwhile()
    set_target_properties(Jolt::Jolt PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${jolt_definitions}")
    lanefold_peer(JOLT jolt.cpp FOLDER ${Jolt_DIR} LIBRARIES Jolt::Jolt)
  endif()
endif()

if(LANEFOLD_PEERS_FOUND)
  list(JOIN LANEFOLD_PEERS_FOUND ", " peers_text)
else()
  set(peers_text "none found")
endif()
message(STATUS "Benchmark peers: ${peers_text}")

# Adapters of wheels: the folder where pip installed bench/adapters/requirements.txt. `bench/adapters/build` sets it.
set(LANEFOLD_WHEELS "" CACHE PATH "site-packages with the wheels of MuJoCo and coal")
if(LANEFOLD_WHEELS)
  file(GLOB mujoco_wheel ${LANEFOLD_WHEELS}/mujoco/libmujoco.so.*)
  lanefold_adapter(mujoco mujoco.cpp add_mujoco BUILD "wheel of PyPI, for any ${CMAKE_SYSTEM_PROCESSOR}"
    INCLUDES ${LANEFOLD_WHEELS}/mujoco/include LIBRARIES ${mujoco_wheel})
  set(coal_wheel ${LANEFOLD_WHEELS}/cmeel.prefix)
  find_package(Eigen3 QUIET)
  if(Eigen3_FOUND)
    lanefold_adapter(coal coal.cpp add_coal BUILD "wheel of PyPI, for any ${CMAKE_SYSTEM_PROCESSOR}"
      INCLUDES ${coal_wheel}/include LIBRARIES ${coal_wheel}/lib/libcoal.so Eigen3::Eigen)
  endif()
endif()

# PhysX, installed or built from its sources: the folder with include/PxImmediateMode.h (and source/, which adds its
# functions by separating axes), and its static libraries, in the order of the linker.
set(LANEFOLD_PHYSX_DIR "" CACHE PATH "Folder of PhysX with include/, and source/ if it is there")
set(LANEFOLD_PHYSX_LIBRARIES "" CACHE STRING "Static libraries of PhysX")
set(LANEFOLD_PHYSX_BUILD "built from its sources" CACHE STRING "Who compiled PhysX, with which flags")
if(LANEFOLD_PHYSX_DIR)
  set(physx_includes ${LANEFOLD_PHYSX_DIR}/include ${LANEFOLD_PHYSX_DIR}/../pxshared/include)
  set(physx_definitions PX_PHYSX_STATIC_LIB DISABLE_CUDA_PHYSX NDEBUG)
  if(EXISTS ${LANEFOLD_PHYSX_DIR}/source/geomutils/src/contact/GuContactMethodImpl.h)
    list(APPEND physx_definitions LANEFOLD_PEER_PHYSX_SAT)
    foreach(folder IN ITEMS geomutils/src/contact geomutils/src geomutils/include common/src common/include)
      list(APPEND physx_includes ${LANEFOLD_PHYSX_DIR}/source/${folder})
    endforeach()
  endif()
  find_package(Threads REQUIRED)
  lanefold_adapter(physx physx.cpp add_physx BUILD "${LANEFOLD_PHYSX_BUILD}" INCLUDES ${physx_includes}
    LIBRARIES ${LANEFOLD_PHYSX_LIBRARIES} Threads::Threads ${CMAKE_DL_LIBS} DEFINITIONS ${physx_definitions})
endif()
