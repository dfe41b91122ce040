// Two sections compute one coordinate each from the same numbers. Their reverse sections both add to the shadows of
// these.
// adj-flags: -fopenmp
#include "adj.h"
#include <math.h>
#include <stdio.h>

static void polar(const double *radius, const double *angle, double *xy) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    xy[0] = *radius * cos(*angle);
#pragma omp section
    xy[1] = *radius * sin(*angle);
  }
}

static void add(double *shadow, double increment) {
  *shadow += increment; //~ race
}

static void polar_reverse(const double *radius, double *dradius, const double *angle, double *dangle, double *xy,
                          double *dxy) {
  polar(radius, angle, xy);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      add(dradius, cos(*angle) * dxy[0]);
      add(dangle, -*radius * sin(*angle) * dxy[0]);
    }
#pragma omp section
    {
      add(dradius, sin(*angle) * dxy[1]);
      add(dangle, *radius * cos(*angle) * dxy[1]);
    }
  }
  dxy[0] = dxy[1] = 0.0;
}

int main(void) {
  double radius = 2.0, dradius = 0.0, angle = 0.75, dangle = 0.0, xy[2], dxy[2] = {1.0, -1.0};
  __adj_check_gradient((void *)polar, (void *)polar_reverse, &radius, &dradius, &angle, &dangle, xy, dxy);
  printf("%g %g\n", xy[0], xy[1]);
  return 0;
}
