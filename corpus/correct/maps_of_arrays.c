/* Loops that only write the caller's arrays: residuals, stencils, maps. Where the arrays are apart, nothing of an iteration need be kept; where they
 * overlap, iterations are not independent of each other. Every function is called with arrays that lie apart, one in the other, and one shifted against the
 * other, and leaves what it leaves without a gradient. */
#include <adj.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 40 };

typedef void map(double *out, const double *in, int n, int step);

static void plain(double *out, const double *in, int n, int step) {
  for (int i = 0; i < n; i++) out[i] = sin(in[i]) * in[i] + step;
}

static void backwards(double *out, const double *in, int n, int step) {
  for (int i = n - 1; i >= 0; i--) out[i] = exp(0.3 * in[i]) * in[n - 1 - i] + step;
}

static void neighbours(double *out, const double *in, int n, int step) {
  for (int i = 1; i + 1 < n; i++) out[i] = in[i - 1] * in[i + 1] - in[i] * in[i] * step;
}

static void updated(double *out, const double *in, int n, int step) {
  for (int i = 0; i < n; i++) out[i] = out[i] * out[i] * 0.5 + cos(in[i] * step);
}

/* Steps of any length, zero and less than it among them. */
static void spread(double *out, const double *in, int n, int step) {
  out += step < 0 ? n : 0;
  for (int i = 0; i < n / 2; i++) out[i * step] = in[i] * in[i] + 0.1 * i;
}

static void pairs(double *out, const double *in, int n, int step) {
  for (int i = 0; i < n / 2; i++) {
    out[2 * i + 1] = in[i] * in[i] * step;
    out[2 * i] = in[i] * sin(in[i]);
  }
}

static void twice(double *out, const double *in, int n, int step) {
  for (int i = 0; i + 1 < n; i++) {
    out[i] = in[i] * in[i + 1];
    out[i + 1] = in[i] * in[i] * step;
  }
}

static void doubled(double *out, const double *in, int n, int step) {
  for (int i = 0; i < n / 2; i++) {
    out[i] = in[i] * in[i] * step;
    out[2 * i] = in[i] * sin(in[i]);
  }
}

/* Two arrays in one. */
static void halves(double *out, const double *in, int n, int step) {
  double *other = out + n / 2 + step - 1;
  for (int i = 0; i < n / 2; i++) {
    out[i] = in[i] * in[i];
    other[i] = in[i] * exp(-in[i]);
  }
}

static void rows(double *out, const double *in, int n, int step) {
  int width = n < 4 ? n : n / 4;
  for (int i = 0; i < 4; i++) {
    int up = i == 3 ? 0 : i + 1;
    for (int j = 0; j < width; j++) {
      int right = j + 1 == width ? 0 : j + 1;
      double x = in[i * width + j];
      out[i * width + j] = x * x * in[up * width + j] - step * sin(x) * in[i * width + right];
    }
  }
}

static void triangle(double *out, const double *in, int n, int step) {
  int side = n < 5 ? n : 5;
  for (int i = 0; i < side; i++)
    for (int j = 0; j <= i; j++) out[i * side + j] = in[i] * in[j] * in[j] + step;
}

/* A matrix times a vector, which lies behind it. */
static void product(double *out, const double *in, int n, int step) {
  int side = n < 4 ? 1 : 4;
  const double *x = in + side * side;
  for (int i = 0; i < side; i++) {
    double sum = 0.0;
    for (int j = 0; j < side; j++) sum += in[i * side + j] * x[j];
    out[i] = sum * exp(-0.1 * sum) + step;
  }
}

static void later_read(double *out, const double *in, int n, int step) {
  for (int i = 0; i < n; i++) out[i] = in[i] * in[i];
  out[0] = out[n / 2] * out[n - 1] * step;
}

static void later_written(double *out, const double *in, int n, int step) {
  for (int i = 0; i < n; i++) out[i] = in[i] * in[i] * in[i];
  out[n / 2] = in[0] * in[1] * step;
}

static void read_before(double *out, const double *in, int n, int step) {
  double kept = out[1] * out[1];
  out[0] = kept * in[0];
  for (int i = 1; i < n; i++) out[i] = in[i] * in[i] + kept * step;
}

static void one_of_two(double *out, const double *in, int n, int step) {
  for (int i = 0; i < n; i++) {
    if (in[i] > 0.5 * step) {
      out[i] = in[i] * in[i];
    } else {
      out[n - 1 - i] = sin(in[i]) * in[i];
    }
  }
}

static void short_counter(double *out, const double *in, int n, int step) {
  for (unsigned char i = 0; i < (unsigned char)n; i++) out[i] = in[i] * in[i] * step;
}

typedef struct {
  double weight;
  double at[2];
} point;

static void points(double *out, const double *in, int n, int step) {
  point *to = (point *)out;
  const point *from = (const point *)in;
  for (int i = 0; i < n / 3; i++) {
    to[i].at[0] = from[i].at[1] * from[i].at[1] * step;
    to[i].at[1] = from[i].at[0] * from[i].at[1];
  }
}

static double memory[3 * ROOM], adjoint[3 * ROOM], beside[3 * ROOM];

static void fill(double *to, double first) {
  for (int i = 0; i < 3 * ROOM; i++) to[i] = first + 0.9 * sin(1.7 * i + first);
}

static int failures;
/* What the gradient leaves in memory is what the function leaves. */
#define RUN(name, OUT, IN, N, STEP)                                                                        \
  do {                                                                                                     \
    fill(beside, 0.4);                                                                                     \
    fill(memory, 0.4);                                                                                     \
    fill(adjoint, 0.1);                                                                                    \
    name(beside + (OUT), beside + (IN), N, STEP);                                                          \
    __enzyme_autodiff((void *)name, enzyme_dup, memory + (OUT), adjoint + (OUT), enzyme_dup, memory + (IN), \
                      adjoint + (IN), enzyme_const, N, enzyme_const, STEP);                                \
    if (memcmp(memory, beside, sizeof(memory)) != 0) {                                                     \
      printf("%s(%d, %d, %d, %d) leaves something else\n", #name, OUT, IN, N, STEP);                       \
      failures++;                                                                                          \
    }                                                                                                      \
    double sum = 0.0;                                                                                      \
    for (int i = 0; i < 3 * ROOM; i++) sum += adjoint[i] * (i + 1);                                        \
    printf("%s %.12g\n", #name, sum);                                                                      \
  } while (0)

#define PLACES(name, N, STEP)          \
  do {                                 \
    RUN(name, 0, ROOM, N, STEP);       \
    RUN(name, ROOM, 0, N, STEP);       \
    RUN(name, ROOM, ROOM, N, STEP);    \
    RUN(name, ROOM + 1, ROOM, N, STEP); \
    RUN(name, ROOM, ROOM + 1, N, STEP); \
    RUN(name, ROOM, ROOM + N, N, STEP); \
  } while (0)

int main(void) {
  PLACES(plain, 12, 1);
  RUN(plain, 0, ROOM, 0, 1);
  RUN(plain, 0, ROOM, 1, 1);
  PLACES(backwards, 9, 2);
  PLACES(neighbours, 11, 1);
  PLACES(updated, 10, 1);
  RUN(spread, 0, ROOM, 10, 0);
  RUN(spread, 0, ROOM, 10, 1);
  RUN(spread, 0, ROOM, 10, 2);
  RUN(spread, 0, ROOM, 10, -2);
  PLACES(pairs, 10, 3);
  PLACES(twice, 8, 2);
  PLACES(doubled, 10, 3);
  PLACES(halves, 12, 1);
  PLACES(halves, 12, 2);
  PLACES(rows, 20, 2);
  RUN(rows, 0, ROOM, 1, 1);
  PLACES(triangle, 25, 1);
  PLACES(product, 20, 1);
  PLACES(later_read, 7, 1);
  PLACES(later_written, 7, 1);
  PLACES(read_before, 7, 1);
  PLACES(one_of_two, 9, 1);
  PLACES(short_counter, 9, 1);
  PLACES(points, 12, 1);
  return failures;
}
