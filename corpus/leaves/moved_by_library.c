// Bytes moved by mempcpy and bcopy through a buffer of characters.
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>
static void leave(const double *x, double *y, int n) {
  char wire[65];
  char *end = mempcpy(wire + 1, x, 8 * (unsigned long)n);
  bcopy(end - 8 * n, y, 8 * (unsigned long)n);
}
#include "judge.h"
