// A double is read from an odd offset of a byte buffer.
// adj-levels: O0
#include <stdio.h>
#include <string.h>

static double at(const unsigned char *bytes, int offset) {
  return *(const double *)(bytes + offset); //~ ub: misaligned
}

int main(void) {
  _Alignas(16) unsigned char bytes[32];
  memset(bytes, 0, sizeof bytes);
  printf("%g\n", at(bytes, 8));
  printf("%g\n", at(bytes, 3));
  return 0;
}
