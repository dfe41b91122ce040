// A file written by std::ofstream and read by std::ifstream.
#include <cstdio>
#include <fstream>
#include <iomanip>
static void leave(const double *x, double *y, int n) {
  {
    std::ofstream out("leaves_file_streams.tmp");
    out << std::setprecision(17);
    for (int i = 0; i < n; i++)
      out << x[i] << '\n';
  }
  {
    std::ifstream in("leaves_file_streams.tmp");
    for (int i = 0; i < n; i++)
      in >> y[i];
  }
  std::remove("leaves_file_streams.tmp");
}
#include "judge.h"
