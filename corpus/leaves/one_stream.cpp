// One stream, written and read.
#include <iomanip>
#include <sstream>
static void leave(const double *x, double *y, int n) {
  std::stringstream both;
  both << std::setprecision(17);
  for (int i = 0; i < n; i++)
    both << x[i] << ' ';
  for (int i = 0; i < n; i++)
    both >> y[i];
}
#include "judge.h"
