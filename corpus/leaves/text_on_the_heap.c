// Text in allocated memory, copied and joined by the functions for strings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char *text = malloc(40), *copy, all[60] = "x=";
    if (!text)
      return;
    snprintf(text, 40, "%.17g", x[i]);
    copy = strdup(text);
    free(text);
    if (!copy)
      return;
    strcat(all, copy);
    free(copy);
    y[i] = atof(strchr(all, '=') + 1);
  }
}
#include "judge.h"
