// The bytes of a number, kept in a string beside which lies another number.
#include <cstring>
#include <string>
struct Record { std::string bytes; double beside; };
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    Record r{"", x[i]};
    r.bytes.assign((const char *)&x[i], sizeof(double));
    std::memcpy(&y[i], r.bytes.data(), sizeof(double));
    y[i] += 0.0 * r.beside;
  }
}
#include "judge.h"
