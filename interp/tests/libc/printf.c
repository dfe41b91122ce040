// The format language of printf, every conversion with flags, widths and precisions, against glibc.
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const double values[] = {
    0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 1.5, 2.5, 9.5, 99.5, 999999.5, 0.00001, 0.0001, 123456.0, 1234567.0, 1e15, 1e16, 1e21,
    3.141592653589793, 2.718281828459045e-5, 1e100, 1e-100, DBL_MAX, DBL_MIN, 4.9e-324, 1.0 / 3, 2.0 / 3e5, 0.9999995,
    9.9999995, 1.9999999999999998, 8.5, 0x1.8p0, 0x1.08p0, 0x1.18p0, 0x1.fffp3, INFINITY, -INFINITY, 5e-320, 1e23, 100.0,
};
static const char *const formats[] = {
    "%f", "%e", "%g", "%a", "%F", "%E", "%G", "%A", "%.0f", "%.0e", "%.0g", "%.0a", "%#.0f", "%#.0e", "%#g", "%#.0a",
    "%.1f", "%.2e", "%.3g", "%.1a", "%.3a", "%.13a", "%.20a", "%.15g", "%.17g", "%.17e", "%.25f", "%.30e", "%+f", "% f",
    "%12.3f", "%-12.3f", "%012.3f", "%+012.3e", "% -12g", "%020a", "%-20a", "%+.4g", "%#.3g", "%015g", "%'f", "%.40g",
};

static int via(char *buffer, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(buffer, size, format, list);
  va_end(list);
  return n;
}

static void log_to(FILE *file, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  vfprintf(file, format, list);
  va_end(list);
  vprintf(format, again);
  va_end(again);
}

int main(void) {
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
    for (unsigned j = 0; j < sizeof formats / sizeof *formats; j++) {
      // glibc 2.36 itself prints 1.e+06 for %#g of 999999.5.
      if (values[i] == 999999.5 && !strcmp(formats[j], "%#g")) continue;
      printf(formats[j], values[i]);
      puts("|");
    }
  printf("[%f] [%10f] [%-10f] [%010F] [%G]\n", NAN, NAN, -NAN, NAN, NAN);
  printf("[%010f] [%+f] [%-8f] [%8F]\n", INFINITY, INFINITY, INFINITY, -INFINITY);
  static const int ints[] = {0, 1, -1, 42, -42, 127, 128, 255, 256, 65535, 65536, 2147483647, -2147483647 - 1};
  for (unsigned i = 0; i < sizeof ints / sizeof *ints; i++) {
    int n = ints[i];
    printf("[%d] [%i] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d] [%08.3d] [%+.0d] [%.0d]\n", n, n, n, n, n,
           n, n, n, n, n, n, n, n);
    printf("[%u] [%o] [%x] [%X] [%#o] [%#x] [%#X] [%#010x] [%-#10x] [%#.5o] [%.0o] [%#.0o] [%#.0x]\n", n, n, n, n, n, n, n,
           n, n, n, n, n, n);
    printf("[%hhd] [%hd] [%hhu] [%hu] [%hhx] [%ld] [%lu] [%lld] [%zx] [%jd] [%td]\n", n, n, n, n, n, (long)n,
           (unsigned long)n, (long long)n, (size_t)n, (intmax_t)n, (ptrdiff_t)n);
  }
  printf("[%" PRId64 "] [%" PRIu64 "] [%" PRIx64 "]\n", INT64_MIN, UINT64_MAX, UINT64_MAX);
  printf("[%s] [%10s] [%-10s] [%.2s] [%10.2s] [%.0s] [%s]\n", "text", "text", "text", "text", "text", "text", "");
  printf("[%c] [%5c] [%-5c] [%%] [%5d%%]\n", 'a', 'b', 'c', 50);
  printf("[%*d] [%-*d] [%*d] [%.*f] [%.*f] [%*.*e]\n", 6, 1, 6, 2, -6, 3, 2, 3.14159, -1, 3.14159, 12, 3, 3.14159);
  printf("[%p] [%10p] [%-10p] [%.3s]\n", (void *)0, (void *)0, (void *)0, (char *)"null?");
  printf("[%p] [%20p] [%-20p]\n", (void *)0x1234, (void *)0x1234, (void *)0xdeadbeef);
  long double x = 3.14159265358979323846264338327950288L, tiny = 3.6e-4951L;
  printf("[%Lf] [%Le] [%Lg] [%.25Lf] [%30.20Le] [%La] [%.3La] [%LA]\n", x, x, x, x, x, x, x, x);
  printf("[%La] [%Le] [%.0Lf] [%Lg] [%La] [%La]\n", tiny, tiny, LDBL_MAX / 1e4900L, LDBL_MAX, 0.0L, 1.0L);
  printf("[%.0La] [%.1La] [%.2La] [%Lf]\n", 1.96875L, 0x1.f8p0L, -0x1.ffcp10L, (long double)INFINITY);
  char buffer[32];
  memset(buffer, '#', sizeof buffer);
  printf("%d [%s]\n", snprintf(buffer, 8, "%d-%s", 12345, "cut here"), buffer);
  printf("%d [%c]\n", snprintf(buffer, 0, "%d", 7), buffer[0]);
  printf("%d\n", snprintf(NULL, 0, "%100s", ""));
  printf("%d [%s]\n", sprintf(buffer, "%s %g", "pi is", 3.25), buffer);
  printf("%d [%s]\n", via(buffer, sizeof buffer, "%d %f %s %c %d %d %d %d", 1, 2.5, "x", 'y', 4, 5, 6, 7), buffer);
  via(buffer, sizeof buffer, "%g %g %g %g %g %g %g %g %g %g %d", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11);
  puts(buffer);
  via(buffer, sizeof buffer, "%d %Lf %d %.1Lf", 1, 2.0L, 3, 4.0L);
  puts(buffer);
  log_to(stdout, "%s %d %g\n", "twice", 2, 2.0);
  fprintf(stderr, "to standard error %d\n", 1);
  fputs("fputs ", stdout);
  fputc('f', stdout);
  putchar('p');
  putc('\n', stdout);
  fwrite("fwrite\n", 1, 7, stdout);
  int n = printf("count\n");
  printf("%d\n", n);
  fflush(stdout);
  return n;
}
