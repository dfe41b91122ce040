// The message of an exception of the program, which keeps it as a string.
#include <cstdlib>
#include <exception>
#include <string>
struct Error : std::exception {
  std::string text;
  explicit Error(double v) : text(std::to_string(v)) {}
  const char *what() const noexcept override { return text.c_str(); }
};
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    try {
      throw Error(x[i]);
    } catch (const std::exception &e) {
      y[i] = std::strtod(e.what(), nullptr);
    }
  }
}
#include "judge.h"
