// The message of an exception, which writes it when it is asked for it.
#include <cstdio>
#include <cstdlib>
#include <exception>
struct Error : std::exception {
  double v;
  mutable char text[40];
  explicit Error(double v) : v(v) {}
  const char *what() const noexcept override {
    std::snprintf(text, sizeof text, "%.17g", v);
    return text;
  }
};
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    try {
      throw Error(x[i]);
    } catch (const std::exception &e) {
      y[i] = std::atof(e.what());
    }
  }
}
#include "judge.h"
