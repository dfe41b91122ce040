// Text in wide characters.
#include <wchar.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    wchar_t text[40];
    swprintf(text, 40, L"%.17g", x[i]);
    y[i] = wcstod(text, 0);
  }
}
#include "judge.h"
