// One function, three sets of arguments that vary: each gradient is of its own set, and all agree where the sets overlap.
#include "adj.h"
#include <math.h>

static double misfit(const double *model, const double *data, double scale, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) {
    double r = scale * model[i] - data[i];
    s += log1p(r * r);
  }
  return s;
}

int main(void) {
  double model[3] = {1.0, 2.0, -1.0}, data[3] = {0.5, 2.5, -0.75};
  double dm[3] = {0}, dd[3] = {0}, both_m[3] = {0}, both_d[3] = {0};
  __enzyme_autodiff((void *)misfit, enzyme_dup, model, dm, enzyme_const, data, enzyme_const, 1.25, enzyme_const, 3);
  __enzyme_autodiff((void *)misfit, enzyme_const, model, enzyme_dup, data, dd, enzyme_const, 1.25, enzyme_const, 3);
  double ds = __enzyme_autodiff((void *)misfit, enzyme_dup, model, both_m, enzyme_dup, data, both_d, enzyme_out, 1.25,
                                enzyme_const, 3);
  for (int i = 0; i < 3; i++)
    if (dm[i] != both_m[i] || dd[i] != both_d[i]) return 1;
  return ds != 0.0 ? 0 : 1;
}
