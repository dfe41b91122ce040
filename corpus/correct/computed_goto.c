// A stack machine dispatched by computed goto (labels as values).
#include "adj.h"
#include <math.h>
#include <stdio.h>

enum { PUSH, ADD, MUL, SIN, DUP, DONE };

static double run(const double *x, const unsigned char *code) {
  static void *const labels[] = {&&push, &&add, &&mul, &&sine, &&dup, &&done};
  double stack[8];
  int top = -1;
  const unsigned char *pc = code;
#define NEXT goto *labels[*pc++]
  NEXT;
push:
  stack[++top] = x[*pc++];
  NEXT;
add:
  top--;
  stack[top] += stack[top + 1];
  NEXT;
mul:
  top--;
  stack[top] *= stack[top + 1];
  NEXT;
sine:
  stack[top] = sin(stack[top]);
  NEXT;
dup:
  stack[top + 1] = stack[top];
  top++;
  NEXT;
done:
  return stack[top];
}

int main(void) {
  static const unsigned char code[] = {PUSH, 0, PUSH, 1, MUL, DUP, SIN, ADD, PUSH, 2, DUP, MUL, MUL, DONE};
  double x[3] = {0.9, -0.4, 1.3}, dx[3] = {0.0, 0.0, 0.0};
  __enzyme_autodiff((void *)run, enzyme_dup, x, dx, enzyme_const, code);
  for (int i = 0; i < 3; i++)
    printf("%.17g\n", dx[i]);
  return 0;
}
