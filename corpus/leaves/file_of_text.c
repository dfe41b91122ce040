// Text in a file, by fprintf and fscanf.
#include <stdio.h>
static void leave(const double *x, double *y, int n) {
  FILE *t = tmpfile();
  if (!t)
    return;
  for (int i = 0; i < n; i++)
    fprintf(t, "%.17g\n", x[i]);
  rewind(t);
  for (int i = 0; i < n; i++)
    if (fscanf(t, "%lf", y + i) != 1)
      break;
  fclose(t);
}
#include "judge.h"
