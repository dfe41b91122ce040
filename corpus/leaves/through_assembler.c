// The bits pass an instruction of the assembler that nobody looks into.
#include "bits.h"
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    uint64_t u = bits_of(x[i]);
    __asm__ volatile("" : "+r"(u));
    y[i] = number_of(u);
  }
}
#include "judge.h"
