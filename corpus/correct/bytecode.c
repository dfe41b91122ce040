// A stack machine that evaluates floating-point bytecode: a switch inside a loop.
#include "adj.h"
#include <math.h>
#include <stdio.h>

enum op { PUSH, ADD, SUB, MUL, DIV, SIN, EXP, DUP, SWAP, JUMP_IF_SMALL, STOP };

static double evaluate(const int *code, const double *variables) {
  double stack[16];
  int sp = 0, pc = 0;
  for (;;) {
    switch (code[pc++]) {
    case PUSH: stack[sp++] = variables[code[pc++]]; break;
    case ADD: sp--; stack[sp - 1] += stack[sp]; break;
    case SUB: sp--; stack[sp - 1] -= stack[sp]; break;
    case MUL: sp--; stack[sp - 1] *= stack[sp]; break;
    case DIV: sp--; stack[sp - 1] /= stack[sp]; break;
    case SIN: stack[sp - 1] = sin(stack[sp - 1]); break;
    case EXP: stack[sp - 1] = exp(stack[sp - 1]); break;
    case DUP: stack[sp] = stack[sp - 1]; sp++; break;
    case SWAP: {
      double t = stack[sp - 1];
      stack[sp - 1] = stack[sp - 2];
      stack[sp - 2] = t;
      break;
    }
    case JUMP_IF_SMALL:
      if (stack[sp - 1] < 10.0)
        pc = code[pc];
      else
        pc++;
      break;
    default: return stack[sp - 1];
    }
  }
}

int main(void) {
  const int code[] = {PUSH, 0, PUSH, 1, MUL, SIN, PUSH, 2, EXP, ADD, DUP, PUSH, 1, SWAP, DIV,
                      PUSH, 0, MUL, ADD, JUMP_IF_SMALL, 10, PUSH, 2, SUB, STOP};
  double v[3] = {0.9, 1.7, 0.4}, dv[3] = {0};
  printf("%.17g\n", evaluate(code, v));
  __enzyme_autodiff((void *)evaluate, enzyme_const, code, enzyme_dup, v, dv);
  printf("%.17g %.17g %.17g\n", dv[0], dv[1], dv[2]);
  return 0;
}
