// Bytes appended to a vector, as archives do, and taken from it.
#include <cstring>
#include <vector>
static void leave(const double *x, double *y, int n) {
  std::vector<char> bytes;
  for (int i = 0; i < n; i++) {
    const char *p = reinterpret_cast<const char *>(x + i);
    bytes.insert(bytes.end(), p, p + 8);
  }
  for (int i = 0; i < n; i++)
    std::memcpy(y + i, bytes.data() + 8 * i, 8);
}
#include "judge.h"
