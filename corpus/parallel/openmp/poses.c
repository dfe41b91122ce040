// Energies of poses of a ligand, each of which is turned and moved, with cut-offs.
// adj-flags: -fopenmp
#include "differences.h"

enum { POSES = 3, NUMBERS = 4, LIGAND = 3, PROTEIN = 5 };

static double pair_energy(double distance, double charge) {
  const double contact = 1.1, cutoff = 3.0;
  double energy = 0.0;
  if (distance < contact) energy += 10.0 * (1.0 - distance / contact);
  if (distance < cutoff) energy += charge * (1.0 - distance / cutoff) / distance;
  return energy;
}

static double pose_energy(const double *pose) {
  const double c = cos(pose[0]), s = sin(pose[0]);
  double energy = 0.0;
  for (int l = 0; l < LIGAND; l++) {
    const double a = 0.6 * l, b = 0.3 * l * l;
    const double x = c * a - s * b + pose[1], y = s * a + c * b + pose[2], z = 0.2 * l + pose[3];
    for (int p = 0; p < PROTEIN; p++) {
      const double dx = x - 0.9 * p, dy = y - 0.5 * (p % 2), dz = z + 0.4 * (p % 3);
      energy += pair_energy(sqrt(dx * dx + dy * dy + dz * dz), p % 2 ? 0.5 : -0.4);
    }
  }
  return energy;
}

static double f(const double *x, int n) {
  double energies[POSES], sum = 0.0;
  (void)n;
#pragma omp parallel for
  for (int i = 0; i < POSES; i++) energies[i] = pose_energy(x + NUMBERS * i);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < POSES; i++) {
#pragma omp task firstprivate(i)
    energies[i] = exp(-0.1 * energies[i]) + 0.01 * pose_energy(x + NUMBERS * (POSES - 1 - i));
  }
  for (int i = 0; i < POSES; i++) sum += energies[i];
  return sum;
}

int main(void) {
  double x[POSES * NUMBERS], dx[POSES * NUMBERS];
  start(x, dx, POSES * NUMBERS);
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, POSES * NUMBERS);
  return differing(f, x, dx, POSES * NUMBERS);
}
