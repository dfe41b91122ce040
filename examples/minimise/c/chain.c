// The energy of a chain: n points of weight 1 on n + 1 springs of length 1, which hangs between two nails, `width` apart.
#include <math.h>

static double spring(double dx, double dy) {
  double stretch = sqrt(dx * dx + dy * dy) - 1.0;
  return 50.0 * stretch * stretch;
}

// points: x and y of each.
double energy(const double *points, int n, double width) {
  double sum = 0.0, x = 0.0, y = 0.0;
  for (int i = 0; i < n; i++) {
    sum += spring(points[2 * i] - x, points[2 * i + 1] - y) + points[2 * i + 1];
    x = points[2 * i];
    y = points[2 * i + 1];
  }
  return sum + spring(width - x, -y);
}
