/* Arrays of a length that is a variable, which the optimiser finds to be a number: they end with their block, and the reverse pass comes later. */
#include <adj.h>
#include <math.h>

double fmaximum(double, double);

static double f(const double *x) {
  double end;
  {
    int many = 9;
    double field[many + 4], smooth[many + 4];
    for (int c = 0; c < many + 4; c++) field[c] = 0.25 + 0.03 * c * x[1], smooth[c] = 0.1;
    for (int c = 1; c < many; c++) smooth[c] = 0.3 * field[c - 1] + 0.1 * field[c] * field[c + 1];
    for (int c = 1; c < many; c++) smooth[c] = 0.3 * smooth[c - 1] + 0.1 * smooth[c] * smooth[c + 1];
    end = 0.4 * (smooth[many / 2] - 0.2 * smooth[many - 1]);
  }
  return fmaximum(0.5, x[0]) * end;
}

int main(void) {
  double x[2] = {1.2406, 0.4619}, d[2] = {0.0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  return !isfinite(d[0] + d[1]);
}
