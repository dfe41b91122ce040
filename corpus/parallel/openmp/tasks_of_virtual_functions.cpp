// What a virtual function executes makes tasks, which it awaits itself or leaves to the barrier of its caller.
// adj-flags: -fopenmp
#include "differences.h"

struct Part {
  virtual void start(const double *x, double *y, int n) const = 0;
  virtual ~Part() {}
};

struct Squares : Part {
  void start(const double *x, double *y, int n) const override {
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
      y[i] = x[i] * x[i];
    }
  }
};

struct Waves : Part {
  void start(const double *x, double *y, int n) const override {
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
      y[i] = sin(x[i]) + x[0];
    }
#pragma omp taskwait
    for (int i = 0; i < n; i++) y[i] *= 2;
  }
};

static double f(const double *x, int n) {
  Squares squares;
  Waves waves;
  const Part *parts[2] = {&squares, &waves};
  double y[8], sum = 0;
  for (int k = 0; k < 4; k++) {
    const Part *part = parts[(k + (x[0] > 0)) % 2];
#pragma omp parallel
    {
#pragma omp single
      part->start(x, y, n);
#pragma omp single
      for (int i = 0; i < n; i++) sum += y[i] * (i + 1) * (k + 1);
    }
  }
  return sum;
}

int main() {
  const int n = 5;
  double x[n], dx[n];
  start(x, dx, n);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, n);
  return differing(f, x, dx, n);
}
