// Every thread has a copy of the gain that outlives the regions (threadprivate, copyin), and the first thread only
// waits for the workers. After the reverse pass the adjoint of the first thread's copy is taken, and that of no
// other.
// adj-flags: -fopenmp
#include "adj.h"
#include <omp.h>
#include <stdio.h>

static double gain, dgain;
#pragma omp threadprivate(gain, dgain)

static void amplify(const double *volume, const double *x, double *y) {
  gain = *volume * *volume;
#pragma omp parallel num_threads(3) copyin(gain)
  {
    int worker = omp_get_thread_num() - 1;
    if (worker >= 0)
      y[worker] = gain * x[worker];
    gain = 0.0;
  }
}

static void amplify_reverse(const double *volume, double *dvolume, const double *x, double *y, double *dy) {
  amplify(volume, x, y);
#pragma omp parallel num_threads(3)
  {
    int worker = omp_get_thread_num() - 1;
    dgain = 0.0;
    if (worker >= 0) {
      dgain += x[worker] * dy[worker];
      dy[worker] = 0.0;
    }
  }
  *dvolume += 2.0 * *volume * dgain; //~ wrong: activity
#pragma omp parallel num_threads(3)
  dgain = 0.0;
}

int main(void) {
  double volume = 1.5, dvolume = 0.0, x[2] = {1.0, -3.0}, y[2], dy[2] = {1.0, 0.5};
  __adj_check_gradient((void *)amplify, (void *)amplify_reverse, enzyme_dup, &volume, &dvolume, enzyme_const, x,
                       enzyme_dup, y, dy);
  printf("%g %g\n", y[0], y[1]);
  return 0;
}
