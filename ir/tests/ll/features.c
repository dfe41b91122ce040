#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
typedef float v4 __attribute__((vector_size(16)));
union number {
  double d;
  unsigned long u;
};
struct bits {
  unsigned a : 3, b : 7;
  long double l;
  _Float16 h;
  __int128 wide;
};
static _Atomic int counter;
static const char *const names[] = {"one", "two\n", "\xc3\xa9"};
static double (*const table[])(double) = {sin, cos, exp};
jmp_buf env;
static double sum(int n, ...) {
  va_list list;
  va_start(list, n);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += va_arg(list, double);
  va_end(list);
  return s;
}
static struct bits make(struct bits b, double complex z) {
  b.a = (unsigned)creal(z * z / (1 + I));
  b.l += powl(b.l, 2);
  b.h *= 2;
  b.wide <<= 70;
  return b;
}
__attribute__((noinline)) static int choose(const char *s, int n) {
  switch (n) {
  case 1: return (int)strlen(s);
  case 2: return names[n % 3][0];
  case 7: return atomic_fetch_add(&counter, n);
  default: return 3;
  }
}
int main(int argc, char **argv) {
  double vla[argc];
  memset(vla, 0, sizeof vla);
  v4 x = {1, 2, 3, 4}, y = x * x + x;
  union number u = {.d = y[argc & 3]};
  struct bits b = {0};
  b = make(b, 1.0 + argc * I);
  if (setjmp(env))
    abort();
  int expected = 0;
  atomic_compare_exchange_strong(&counter, &expected, 1);
  for (int i = 0; i < argc; i++)
    vla[i] = table[i % 3](sum(2, 1.0, (double)i)) + fabs(vla[0]) + fma(1, 2, i);
  return choose(argv[0], argc) + (int)u.u + b.a + (int)b.wide + (int)vla[argc - 1] + __builtin_popcountl(u.u);
}
