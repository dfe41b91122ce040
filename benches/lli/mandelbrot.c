// Iterations until points of the plane escape.
#include <stdio.h>
#include <stdlib.h>
static int escape(double cr, double ci) {
  double zr = 0, zi = 0;
  for (int n = 0; n < 100; n++) {
    double r2 = zr * zr, i2 = zi * zi;
    if (r2 + i2 > 4)
      return n;
    zi = 2 * zr * zi + ci;
    zr = r2 - i2 + cr;
  }
  return 100;
}
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  long total = 0;
  for (int r = 0; r < rounds; r++)
    for (int i = 0; i < 24; i++)
      for (int j = 0; j < 24; j++)
        total += escape(-2.0 + i * 0.125 + r * 1e-4, -1.5 + j * 0.125);
  printf("%ld\n", total);
  return 0;
}
