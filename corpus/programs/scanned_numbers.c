// Numbers as scanf takes them: decimal, hexadecimal, infinite, with widths, and texts that only begin like one.
#include <stdio.h>

static void scanned(const char *text, const char *format) {
  double a = -1, b = -1;
  int found = sscanf(text, format, &a, &b);
  printf("%s|%s|%d %g %g\n", text, format, found, a, b);
}

int main(void) {
  char text[40];
  double d = -1;
  snprintf(text, sizeof text, "%a %A", 0.1, -3.75);
  scanned(text, "%lf %lf");
  scanned(text, "%la %lG");
  scanned("0x1.8p+1 0X.8P-2", "%lf %lf");
  scanned("inf -Infinity", "%lf %lf");
  scanned("nan 1e5", "%lf %lf");
  scanned("12345.678 9", "%4lf%lf");
  scanned("1.5.5", "%lf%lf");
  scanned("+.5e-3x", "%lf%lf");
  scanned("apple", "%lf");
  scanned("in the end", "%lf");
  float f = -1;
  long double l = -1;
  printf("%d %g %Lg\n", sscanf("0x1p-3 0x1.8p1", "%f %Lf", &f, &l), f, l);
  printf("%d %g\n", sscanf("ff 2.5", "%*x %lf", &d), d);
  return 0;
}
