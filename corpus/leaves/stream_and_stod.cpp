// A line of a stream, converted by std::stod.
#include <iomanip>
#include <sstream>
#include <string>
static void leave(const double *x, double *y, int n) {
  std::stringstream both;
  for (int i = 0; i < n; i++)
    both << std::setprecision(17) << x[i] << '\n';
  std::string line;
  for (int i = 0; i < n && std::getline(both, line); i++)
    y[i] = std::stod(line);
}
#include "judge.h"
