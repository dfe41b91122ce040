// Text written by a function that takes variable arguments.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static __attribute__((noinline)) void write_text(char *to, unsigned long size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(to, size, format, list);
  va_end(list);
}
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    write_text(text, sizeof text, "%.17g", x[i]);
    y[i] = atof(text);
  }
}
#include "judge.h"
