// Forward mode follows the primal's control flow: a switch in a loop, jumps, and a loop with two entries.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double machine(const char *program, double x) {
  double stack[8];
  int top = 0;
  stack[0] = x;
  for (; *program; program++) {
    switch (*program) {
    case 'd':
      stack[top + 1] = stack[top];
      top++;
      break;
    case '+':
      top--;
      stack[top] += stack[top + 1];
      break;
    case '*':
      top--;
      stack[top] *= stack[top + 1];
      break;
    case 's':
      stack[top] = sin(stack[top]);
      break;
    case 'c':
      stack[++top] = 0.75;
      break;
    default:
      return -1.0;
    }
  }
  return stack[top];
}

static double two_entries(double x, int start, int n) {
  double y = x;
  int i = 0;
  if (start)
    goto second;
first:
  y = y * x + 0.5;
second:
  y = sqrt(1.0 + y * y);
  if (++i < n)
    goto first;
  return y;
}

int main(void) {
  printf("%.17g\n", __enzyme_fwddiff((void *)machine, enzyme_const, "dd*sc+*ds*", enzyme_dup, 0.6, 1.0));
  printf("%.17g\n", __enzyme_fwddiff((void *)machine, enzyme_const, "x", enzyme_dup, 0.6, 1.0));
  printf("%.17g\n", __enzyme_fwddiff((void *)two_entries, 0.6, 1.0, 0, 4));
  printf("%.17g\n", __enzyme_fwddiff((void *)two_entries, 0.6, 1.0, 1, 4));
  return 0;
}
