// Strings of libstdc++ whose functions are compiled with the program, at every level and for every standard, as they
// are for C++20 anyway: what an object that holds a string beside numbers does with it can then be followed. The
// library's own are declared only where this is positive (its documentation: "-1 disallows extern templates only in
// basic_string").
#pragma GCC system_header
#include <bits/c++config.h>
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#if _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
#include_next <bits/basic_string.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
