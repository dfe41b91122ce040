/* Docking, with a task for each block of poses. The size is the number of poses. */
#include "docking.h"

enum { BLOCK = 16 };

static void dock(const struct molecules *m, const double *poses, double *energies, int n) {
#pragma omp parallel
#pragma omp single
  for (int first = 0; first < n; first += BLOCK) {
#pragma omp task firstprivate(first)
    {
      const int end = first + BLOCK < n ? first + BLOCK : n;
      for (int i = first; i < end; i++) energies[i] = pose_energy(m, poses + COORDINATES * i);
    }
  }
}

THREADS_MAIN
