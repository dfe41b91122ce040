// A call of something that is no function: a table entry beyond the functions is data.
// adj-levels: O0
#include <stdio.h>

static int one(void) {
  return 1;
}

union entry {
  int (*function)(void);
  double *data;
};

int main(void) {
  double value = 1.0;
  union entry table[2];
  table[0].function = one;
  table[1].data = &value;
  for (int i = 0; i < 2; i++)
    printf("%d\n", table[i].function()); //~ ub: bad-call
  return 0;
}
