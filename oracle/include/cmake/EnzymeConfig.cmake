# The targets of Enzyme's CMake package, for projects that are compiled with `adj cc` and `adj c++`:
#
#   CC="adj cc" CXX="adj c++" cmake -S . -B build -DEnzyme_DIR="$(adj include)/cmake"
#
# Linking with a target adds no flags: derivatives are in what these compilers make.
foreach(Enzyme_language C CXX)
  set(Enzyme_compiler "${CMAKE_${Enzyme_language}_COMPILER}${CMAKE_${Enzyme_language}_COMPILER_ARG1}")
  if(CMAKE_${Enzyme_language}_COMPILER AND NOT Enzyme_compiler MATCHES "adj")
    message(WARNING "${Enzyme_compiler} makes no derivatives: configure with CC=\"adj cc\" CXX=\"adj c++\"")
  endif()
endforeach()

foreach(Enzyme_target ClangEnzymeFlags LLVMEnzymeFlags LLDEnzymeFlags LLDEnzymeLTOFlags)
  if(NOT TARGET ${Enzyme_target})
    add_library(${Enzyme_target} INTERFACE IMPORTED)
  endif()
endforeach()
