// A store into a string literal.
// adj-levels: O0
#include <stdio.h>

static void capitalise(char *s) {
  if (s[0] >= 'a' && s[0] <= 'z')
    s[0] = (char)(s[0] - 'a' + 'A'); //~ ub: read-only
}

int main(void) {
  char word[] = "alpha";
  capitalise(word);
  puts(word);
  capitalise((char *)"beta");
  return 0;
}
