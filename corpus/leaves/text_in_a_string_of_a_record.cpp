// Text of a number, kept in a string beside which the number itself lies.
#include <string>
struct Record { std::string text; double beside; };
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    Record r{std::to_string(x[i]), x[i]};
    y[i] = std::stod(r.text) + 0.0 * r.beside;
  }
}
#include "judge.h"
