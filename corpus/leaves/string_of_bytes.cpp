// Bytes appended to a string.
#include <cstring>
#include <string>
static void leave(const double *x, double *y, int n) {
  std::string bytes;
  for (int i = 0; i < n; i++)
    bytes.append(reinterpret_cast<const char *>(x + i), 8);
  for (int i = 0; i < n; i++)
    std::memcpy(y + i, bytes.data() + 8 * i, 8);
}
#include "judge.h"
