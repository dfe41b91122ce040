// The Rosenbrock function of n variables.
double rosenbrock(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i + 1 < n; i++) {
    double a = x[i + 1] - x[i] * x[i];
    double b = 1.0 - x[i];
    sum += 100.0 * a * a + b * b;
  }
  return sum;
}
