// Characters put into the buffer of a stream and taken from it.
#include <sstream>
static void leave(const double *x, double *y, int n) {
  std::stringbuf both;
  both.sputn(reinterpret_cast<const char *>(x), 8 * n);
  both.sgetn(reinterpret_cast<char *>(y), 8 * n);
}
#include "judge.h"
