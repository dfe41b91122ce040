// A pipe of the system.
#include <unistd.h>
static void leave(const double *x, double *y, int n) {
  int ends[2];
  if (pipe(ends))
    return;
  if (write(ends[1], x, sizeof *x * (size_t)n) < 0 || read(ends[0], y, sizeof *y * (size_t)n) < 0)
    y[0] = 0;
  close(ends[0]);
  close(ends[1]);
}
#include "judge.h"
