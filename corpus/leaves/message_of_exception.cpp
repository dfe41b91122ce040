// Text in the message of an exception.
#include <stdexcept>
#include <string>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    try {
      throw std::runtime_error(std::to_string(x[i]));
    } catch (const std::exception &e) {
      y[i] = std::stod(e.what());
    }
  }
}
#include "judge.h"
