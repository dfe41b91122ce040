/* Two places of an array, in one iteration. Where branches tell that they are not the same, adjoints of both are at hand; where they may be, and are now and then, each is
 * read after the other was written. */
#include <adj.h>
#include <math.h>
#include <stdlib.h>

double __enzyme_fwddiff(void *, ...);

enum { N = 8 };

/* Numbers that the optimiser does not know. */
static volatile int all = N;

static const int one[12] = {0, 3, 5, 5, 2, 7, 1, 4, 6, 0, 3, 2}, other[12] = {4, 3, 1, 5, 6, 7, 2, 0, 6, 5, 1, 2};

static double sum(const double *x, int n) {
  double total = 0.0;
  for (int i = 0; i < n; i++) total += (i + 1) * x[i] * x[i];
  return total;
}

/* Each pair in the right order, and nothing where it is one place. */
static double ordered(double *x, int n) {
  for (int k = 0; k < 12; k++) {
    int i = one[k], j = other[k];
    if (i < j) {
      double a = x[i], b = x[j];
      x[i] = a * b;
      x[j] = sin(a) - b * b;
    }
  }
  return sum(x, n);
}

/* Not if they are the same: told by the way that the branch does not go. */
static double different(double *x, int n) {
  for (int k = 0; k < 12; k++) {
    unsigned i = (unsigned)one[k], j = (unsigned)other[k];
    if (i == j) continue;
    x[i] += 0.5 * x[j] * x[j];
    x[j] = x[j] * cos(x[i]);
  }
  return sum(x, n);
}

/* The same, and they may be one. */
static double any(double *x, int n) {
  for (int k = 0; k < 12; k++) {
    int i = one[k], j = other[k];
    x[i] += 0.5 * x[j] * x[j];
    x[j] = x[j] * cos(x[i]);
  }
  return sum(x, n);
}

static double not_after(double *x, int n) {
  for (int k = 0; k < 12; k++) {
    int i = one[k], j = other[k];
    if (i <= j) {
      x[i] += 0.5 * x[j] * x[j];
      x[j] = x[j] * cos(x[i]);
    }
  }
  return sum(x, n);
}

/* What was compared is something else, or was compared on one of two ways only. */
static double elsewhere(double *x, int n) {
  for (int k = 0; k < 12; k++) {
    int i = one[k], j = other[k];
    if (i < k) x[k % n] *= 1.1;
    if (i < j) x[0] += 0.1;
    if (k != j) {
      x[i] *= 0.5 + x[j];
      x[j] += sin(x[i]);
    }
  }
  return sum(x, n);
}

/* Different numbers, but one place: the index goes round, or is halved. */
static double round_and_halved(double *x, int n) {
  for (int k = 0; k < 12; k++) {
    int i = one[k], j = i + (k & 1 ? 256 : 128);
    if (i != j) {
      unsigned char a = (unsigned char)i, b = (unsigned char)(j % 256 % n);
      x[a] *= 0.5 + 0.25 * x[b];
      x[b] += sin(x[a]);
    }
    if (k != i) {
      x[k / 2] *= 0.5 + 0.25 * x[i / 2];
      x[i / 2] += cos(x[k / 2]);
    }
  }
  return sum(x, n);
}

/* Half a length apart, as in a transform; pairs of numbers. */
static double butterflies(double *x, int n) {
  for (int length = 2; length <= n / 2; length *= 2) {
    int half = length / 2;
    for (int k = 0; k < half; k++)
      for (int i = k; i < n / 2; i += length) {
        int j = i + half;
        double re = x[2 * j] * x[2 * i + 1], im = x[2 * j + 1] - 0.3 * x[2 * j];
        x[2 * j] = x[2 * i] - re;
        x[2 * j + 1] = x[2 * i + 1] - im;
        x[2 * i] += re;
        x[2 * i + 1] += im;
      }
  }
  return sum(x, n);
}

/* Rows of which the second begins in the first, if it is the next one. */
static double rows(double *x, int n) {
  for (int k = 0; k < 12; k++) {
    int i = one[k] % (n - 1), j = other[k] % (n - 1);
    if (i < j) {
      x[i + 1] += 0.5 * x[j] * x[j];
      x[j] = x[j] * cos(x[i + 1]);
      x[j + 1] *= 1.0 + 0.1 * x[i];
    }
  }
  return sum(x, n);
}

/* One of them is read again after the other was written. */
static double twice(double *x, int n) {
  for (int k = 0; k < 12; k++) {
    int i = one[k], j = other[k];
    if (i < j) {
      double a = x[i];
      x[j] = a * a;
      double b = x[i];
      x[i] = a * sin(b) + x[j];
    }
  }
  return sum(x, n);
}

/* The same, and it may be that; or both ways lead there. */
static double overwritten(double *x, int n) {
  double total = 0.0;
  for (int k = 0; k < 12; k++) {
    int i = one[k], j = other[k];
    if (i == j) total += x[0];
    double a = x[i];
    x[j] = 0.25 * k;
    total += a * x[i] * x[i];
    x[i] += 0.1 * a * x[j];
  }
  return total + sum(x, n);
}

/* Memory of the function's own, and two arrays that are one. */
static double accumulate(const double *x, const double *y, int n) {
  double *own = malloc(sizeof(double) * (size_t)n), total = 0.0;
  for (int i = 0; i < n; i++) own[i] = x[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      own[j] += 0.1 * y[i] * x[j] * own[i];
      own[i] *= 0.9;
    }
  for (int i = 0; i < n; i++) total += own[i] * y[i];
  free(own);
  return total;
}

static double slope(const double *x, int n) {
  double at[N], d[N] = {0}, total = 0.0;
  for (int i = 0; i < n; i++) at[i] = x[i];
  __enzyme_autodiff((void *)ordered, enzyme_dup, at, d, enzyme_const, n);
  for (int i = 0; i < n; i++) total += d[i] * d[i];
  return total;
}

int main(void) {
  double x[N], d[N], total = 0.0;
#define GRADIENT(f, ...) \
  for (int i = 0; i < N; i++) x[i] = 0.4 + 0.1 * i, d[i] = 0.05 * i; \
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, __VA_ARGS__ enzyme_const, all); \
  for (int i = 0; i < N; i++) total += d[i];
  GRADIENT(ordered, )
  GRADIENT(different, )
  GRADIENT(any, )
  GRADIENT(not_after, )
  GRADIENT(elsewhere, )
  GRADIENT(round_and_halved, )
  GRADIENT(butterflies, )
  GRADIENT(rows, )
  GRADIENT(twice, )
  GRADIENT(overwritten, )
  double y[N] = {0.3, -0.2, 0.7, 0.1, 0.9, -0.4, 0.6, 0.2};
  GRADIENT(accumulate, enzyme_const, y, )
  GRADIENT(accumulate, enzyme_dup, x, d, )
  GRADIENT(slope, )
  total += __enzyme_fwddiff((void *)slope, enzyme_dup, x, y, enzyme_const, all);
  return !isfinite(total);
}
