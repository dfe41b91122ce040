// std::to_string and std::stod.
#include <string>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = std::stod(std::to_string(x[i]));
}
#include "judge.h"
