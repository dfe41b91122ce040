// Bytes joined to a string one by one.
#include <string>
static void leave(const double *x, double *y, int n) {
  std::string bytes;
  for (int k = 0; k < 8 * n; k++)
    bytes += reinterpret_cast<const char *>(x)[k];
  for (int k = 0; k < 8 * n; k++)
    reinterpret_cast<char *>(y)[k] = bytes[k];
}
#include "judge.h"
