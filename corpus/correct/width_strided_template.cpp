// One pointer to the shadows of all directions in a C++ template, where the call has exactly the parameters that it is given, beside an
// argument with separate shadows.
#define ADJ_NO_AUTODIFF
#include "adj.h"
#include <array>
#include <cmath>
#include <cstdio>

extern int enzyme_dupv;
template <typename R, typename... A> R __enzyme_fwddiff(void *, A...);

struct pair {
  double a, b;
};

static double distance(const double *p, const double *q) {
  double sum = 0.0;
  for (int k = 0; k < 3; k++)
    sum += (p[k] - q[k]) * (p[k] - q[k]) * (1.0 + 0.1 * p[0] * q[2]);
  return std::sqrt(sum);
}

int main() {
  std::array<double, 3> p{1.0, 2.0, 0.5}, q{-0.5, 0.25, 1.0};
  double dp[2][3] = {{1, 0, 0}, {0, 1, 0.5}}, dq0[3] = {0, 0, 1}, dq1[3] = {0.5, 0, 0};
  pair t = __enzyme_fwddiff<pair>((void *)distance, enzyme_width, 2, enzyme_dupv, sizeof dp[0], p.data(), &dp[0][0], enzyme_dup,
                                  q.data(), dq0, dq1);
  std::printf("%.12g %.12g\n", t.a, t.b);
  return 0;
}
