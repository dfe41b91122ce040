// Threads of C++ reverse one row each. The lambda has captured the adjoint of the scale by reference, so that all add
// to one variable, and not each to a copy of its own.
// adj-flags: -pthread
#include "adj.h"
#include <cstdio>
#include <thread>

constexpr int rows = 3, columns = 2;

static double quadratic(const double *scale, const double *x) {
  double parts[rows] = {};
  std::thread team[rows];
  for (int r = 0; r < rows; r++)
    team[r] = std::thread([=, &parts] {
      for (int c = 0; c < columns; c++)
        parts[r] += *scale * x[r * columns + c] * x[r * columns + c];
    });
  double sum = 0.0;
  for (int r = 0; r < rows; r++) {
    team[r].join();
    sum += parts[r];
  }
  return sum;
}

static void quadratic_reverse(const double *scale, double *dscale, const double *x, double *dx, double seed) {
  double adjoint = 0.0;
  std::thread team[rows];
  for (int r = 0; r < rows; r++)
    team[r] = std::thread([=, &adjoint] {
      for (int i = r * columns; i < (r + 1) * columns; i++) {
        adjoint += x[i] * x[i] * seed; //~ race
        dx[i] += 2.0 * *scale * x[i] * seed;
      }
    });
  for (std::thread &thread : team)
    thread.join();
  *dscale += adjoint;
}

int main() {
  double scale = 0.5, dscale = 0.0, x[rows * columns] = {1, 2, 3, 4, 5, 6}, dx[rows * columns] = {};
  __adj_check_gradient((void *)quadratic, (void *)quadratic_reverse, &scale, &dscale, x, dx, 1.0);
  std::printf("%g\n", quadratic(&scale, x));
  return 0;
}
