// Great-circle distance along a route by the haversine formula, with a unit conversion by pointer.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static void to_radians(double degrees, double *radians) {
  *radians = degrees * (3.14159265358979323846 / 180.0);
}

static double leg(double lat1, double lon1, double lat2, double lon2) {
  double a[4];
  to_radians(lat1, &a[0]);
  to_radians(lon1, &a[1]);
  to_radians(lat2, &a[2]);
  to_radians(lon2, &a[3]);
  double u = sin(0.5 * (a[2] - a[0])), v = sin(0.5 * (a[3] - a[1]));
  double h = u * u + cos(a[0]) * cos(a[2]) * v * v;
  return 2.0 * 6371.0 * asin(sqrt(h));
}

static double route(const double (*stop)[2], int n) {
  double length = 0.0;
  for (int i = 1; i < n; i++)
    length += leg(stop[i - 1][0], stop[i - 1][1], stop[i][0], stop[i][1]);
  return length;
}

int main(void) {
  double stop[4][2] = {{52.5, 13.4}, {48.9, 2.35}, {51.5, -0.13}, {40.7, -74.0}}, d[4][2] = {{0}};
  printf("%.15g\n", route((const double(*)[2])stop, 4));
  __enzyme_autodiff((void *)route, enzyme_dup, stop, d, enzyme_const, 4);
  for (int i = 0; i < 4; i++)
    printf("%.15g %.15g\n", d[i][0], d[i][1]);
  return 0;
}
