// The buffer that a stream is given is read, whose contents are indeterminate at any time (C11 7.21.5.6).
// adj-levels: O0
#include <stdio.h>

int main(void) {
  static char buffer[4096];
  FILE *file = tmpfile();
  if (!file)
    return 1;
  setvbuf(file, buffer, _IOFBF, sizeof buffer);
  fprintf(file, "%d", 17);
  if (buffer[0] == '1') //~ ub: uninitialised
    printf("17\n");
  fclose(file);
  return 0;
}
