// A case that the program promises will never happen, and which does.
// adj-levels: O0
#include <stdio.h>

static int weekday_length(int day) {
  switch (day % 7) {
  case 0: return 6;
  case 1: return 6;
  case 2: return 7;
  case 3: return 9;
  case 4: return 8;
  case 5: return 6;
  case 6: return 8;
  default: __builtin_unreachable(); //~ ub: unreachable
  }
}

int main(void) {
  printf("%d\n", weekday_length(9));
  printf("%d\n", weekday_length(-1));
  return 0;
}
