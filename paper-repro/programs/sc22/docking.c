/* Docking, with the poses shared out among threads; without -fopenmp, in series. The size is the number of poses. */
#include "docking.h"

static void dock(const struct molecules *m, const double *poses, double *energies, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) energies[i] = pose_energy(m, poses + COORDINATES * i);
}

THREADS_MAIN
