// Functions without arguments, which work on variables of the program, are called through pointers that are in
// variables: nothing but the call says that there is more to look into.
#include "adj.h"

static double number, result;

static void square(void) { result = number * number; }
static void cube(void) { result = number * number * number; }
static void halve(void) { result *= 0.5 * number; }

static double by_variable(double x) {
  number = x;
  void (*step)(void) = square;
  step();
  return result;
}

static void call(void (*step)(void)) { step(); }

static double by_parameter(double x) {
  number = x;
  call(cube);
  return result;
}

static void repeat(int times, void (*step)(void)) {
  for (int i = 0; i < times; i++)
    step();
}

static double in_a_loop(double x) {
  number = x;
  result = 1;
  repeat(3, halve);
  return result;
}

int main(void) {
  double sum = __enzyme_autodiff((void *)by_variable, 2.0);
  sum += __enzyme_autodiff((void *)by_parameter, 2.0);
  sum += __enzyme_autodiff((void *)in_a_loop, 2.0);
  // 4, 12 and 12 / 8.
  return sum == 17.5 ? 0 : 1;
}
