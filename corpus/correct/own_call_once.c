// A function of the program's own that has the name of one of the library's, and does something else.
#include "adj.h"

static double number, sum;

static void add(void) { sum += number * number; }

static void call_once(int *times, void (*what)(void)) {
  for (int i = 0; i < *times; i++)
    what();
}

static double f(double x) {
  int three = 3;
  number = x;
  sum = 0;
  call_once(&three, add);
  return sum;
}

int main(void) { return __enzyme_autodiff((void *)f, 2.0) == 12.0 ? 0 : 1; }
