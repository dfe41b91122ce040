// A std::ostringstream, and a std::istringstream of its text.
#include <iomanip>
#include <sstream>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    std::ostringstream out;
    out << std::setprecision(17) << x[i];
    std::istringstream in(out.str());
    in >> y[i];
  }
}
#include "judge.h"
