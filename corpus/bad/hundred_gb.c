// Allocates and touches memory until a hundred gigabytes are in use.
// adj-exit: 3
// adj-message: memory
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

static double square(double x) {
  return x * x;
}

int main(void) {
  const size_t block = (size_t)64 << 20;
  const int blocks = 1600;
  char **kept = malloc((size_t)blocks * sizeof *kept);
  if (!kept)
    return 1;
  for (int i = 0; i < blocks; i++) {
    kept[i] = malloc(block);
    if (!kept[i])
      return 1;
    for (size_t page = 0; page < block; page += 4096)
      kept[i][page] = (char)i;
  }
  printf("%g %d\n", __enzyme_autodiff((void *)square, 3.0), kept[blocks - 1][0]);
  for (int i = 0; i < blocks; i++)
    free(kept[i]);
  free(kept);
  return 0;
}
