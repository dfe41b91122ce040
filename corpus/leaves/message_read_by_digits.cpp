// The message of an exception, read digit by digit.
#include <exception>
#include <stdexcept>
#include <string>
static double read(const char *text) {
  double value = 0, scale = 1;
  bool negative = *text == '-';
  for (text += negative; *text >= '0' && *text <= '9'; text++) value = 10 * value + (*text - '0');
  if (*text == '.')
    for (text++; *text >= '0' && *text <= '9'; text++) {
      value = 10 * value + (*text - '0');
      scale *= 10;
    }
  return (negative ? -value : value) / scale;
}
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    try {
      throw std::runtime_error(std::to_string(x[i]));
    } catch (const std::exception &e) {
      y[i] = read(e.what());
    }
  }
}
#include "judge.h"
