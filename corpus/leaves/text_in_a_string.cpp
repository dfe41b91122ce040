// Text in a string that is cut and joined.
#include <cstdio>
#include <string>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x[i]);
    std::string s = "value: " + std::string(text) + ";";
    y[i] = std::stod(s.substr(7, s.find(';') - 7));
  }
}
#include "judge.h"
