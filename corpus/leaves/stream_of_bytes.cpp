// Bytes written to a stream and read from it.
#include <sstream>
static void leave(const double *x, double *y, int n) {
  std::stringstream both(std::ios::in | std::ios::out | std::ios::binary);
  both.write(reinterpret_cast<const char *>(x), 8 * n);
  both.read(reinterpret_cast<char *>(y), 8 * n);
}
#include "judge.h"
