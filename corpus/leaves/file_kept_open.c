// A file that is a global variable: one function writes, another one reads.
#include <stdio.h>
static FILE *store;
static __attribute__((noinline)) void put(const double *x, int n) { fwrite(x, sizeof *x, (size_t)n, store); }
static __attribute__((noinline)) double get(int i) {
  double v = 0;
  fseek(store, (long)sizeof v * i, SEEK_SET);
  if (fread(&v, sizeof v, 1, store) != 1)
    return 0;
  return v;
}
static void leave(const double *x, double *y, int n) {
  store = tmpfile();
  if (!store)
    return;
  put(x, n);
  for (int i = 0; i < n; i++)
    y[i] = get(i);
  fclose(store);
}
#include "judge.h"
