// Strings, numbers from text, sorting, random numbers, characters, errno, exit handlers, against glibc.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static int calls;

static int by_int(const void *a, const void *b) {
  calls++;
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

struct pair {
  int key;
  double value;
  char name[40];
};

static int by_key(const void *a, const void *b) {
  calls++;
  return ((const struct pair *)a)->key - ((const struct pair *)b)->key;
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static void last(void) { puts("last words"); }
static void before(void) { puts("before that"); }

static void text(void) {
  char a[64] = "hello", b[64];
  printf("%zu %zu %zu\n", strlen(a), strnlen(a, 3), strlen(""));
  printf("%d %d %d %d\n", strcmp("abc", "abd"), strcmp("b", "a"), strcmp("a", "a"), strcmp("ab", "a"));
  printf("%d %d %d\n", strncmp("abc", "abd", 2), strncmp("abc", "abd", 3), strcasecmp("ABC", "abd"));
  strcpy(b, a);
  strcat(b, ", world");
  strncat(b, "!!!!", 2);
  puts(b);
  memset(a, 'x', sizeof a);
  strncpy(a, "short", 10);
  printf("%s %d %c\n", a, a[9], a[10]);
  puts(strchr(b, 'w'));
  printf("%s %s %d\n", strrchr(b, 'o'), strstr(b, "wor"), strstr(b, "none") == NULL);
  printf("%d %d\n", strchr(b, 0) == b + strlen(b), memchr(b, 'z', 5) == NULL);
  printf("%zu %zu %s\n", strspn("aabbc", "ab"), strcspn("hello", "lo"), strpbrk("key=value", "=:"));
  char *copy = strdup(b), *part = strndup(b, 4);
  printf("%s %s %d\n", copy, part, memcmp(copy, part, 4));
  free(copy);
  free(part);
  char list[] = "a, b,,c ;d";
  for (char *t = strtok(list, ", ;"); t; t = strtok(NULL, ", ;")) printf("<%s>", t);
  char list2[] = "1:2:3", *state;
  for (char *t = strtok_r(list2, ":", &state); t; t = strtok_r(NULL, ":", &state)) printf("(%s)", t);
  puts("");
  memmove(b + 2, b, 8);
  printf("%.10s %d\n", b, memcmp("abc", "abd", 3) < 0);
}

static void numbers(void) {
  const char *const floats[] = {"1.5",  "  -2e3x", "0x1.8p3", "1e400", "-1e400", "1e-400", "inf",  "nan",
                                "junk", "1.",      ".5e",     "12e+",  "0x",     "4.9e-324", "0.1", "179769313486231580793e289"};
  for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++) {
    char *end;
    errno = 0;
    double x = strtod(floats[i], &end);
    printf("%s -> %.17g rest '%s' errno %d; %.9g %.21Lg\n", floats[i], x, end, errno, strtof(floats[i], NULL),
           strtold(floats[i], NULL));
  }
  const char *const ints[] = {"42", " -17abc", "0x1F", "077", "9223372036854775808", "-9223372036854775809", "zz", "", "-"};
  const int bases[] = {10, 0, 16, 8, 36};
  for (unsigned i = 0; i < sizeof ints / sizeof *ints; i++)
    for (unsigned j = 0; j < sizeof bases / sizeof *bases; j++) {
      char *end;
      errno = 0;
      long n = strtol(ints[i], &end, bases[j]);
      printf("%ld '%s' %d ", n, end, errno);
      errno = 0;
      printf("%lu %d\n", strtoul(ints[i], NULL, bases[j]), errno);
    }
  printf("%d %ld %g %d %ld\n", atoi("  12x"), atol("-99"), atof("2.5e1z"), abs(-3), labs(-4L));
  div_t d = div(-7, 2);
  ldiv_t l = ldiv(7, -2);
  printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
}

static void sorting(void) {
  int n[100];
  unsigned s = 12345;
  for (int i = 0; i < 100; i++) n[i] = (int)((s = s * 1103515245 + 12345) >> 16) % 50;
  qsort(n, 100, sizeof *n, by_int);
  for (int i = 0; i < 100; i++) printf("%d ", n[i]);
  printf("\n%d comparisons\n", calls);
  int key = n[60], none = 51;
  printf("%d %d\n", *(int *)bsearch(&key, n, 100, sizeof *n, by_int),
         bsearch(&none, n, 100, sizeof *n, by_int) == NULL);
  struct pair p[20];
  for (int i = 0; i < 20; i++) {
    p[i].key = i * 7 % 5;
    p[i].value = i;
    sprintf(p[i].name, "item %d", i);
  }
  calls = 0;
  qsort(p, 20, sizeof *p, by_key);
  for (int i = 0; i < 20; i++) printf("%d:%g:%s ", p[i].key, p[i].value, p[i].name);
  printf("\n%d comparisons\n", calls);
  const char *words[] = {"pear", "fig", "apple", "quince", "date"};
  qsort(words, 5, sizeof *words, by_name);
  for (int i = 0; i < 5; i++) printf("%s ", words[i]);
  puts("");
}

static void random_numbers(void) {
  printf("%d %d %ld\n", rand(), rand(), random());
  srand(42);
  for (int i = 0; i < 40; i++) printf("%d ", rand() % 1000);
  srandom(0);
  printf("%ld\n", random());
  unsigned state = 7;
  printf("%d %d %u\n", rand_r(&state), rand_r(&state), state);
  printf("%.17g %.17g\n", drand48(), drand48());
  srand48(99);
  printf("%.17g %ld %ld\n", drand48(), lrand48(), mrand48());
  unsigned short x[3] = {1, 2, 3};
  printf("%.17g %ld %ld %d\n", erand48(x), nrand48(x), jrand48(x), x[0]);
}

static void characters(void) {
  for (int c = -1; c < 256; c++) {
    int mask = !!isupper(c) | !!islower(c) << 1 | !!isalpha(c) << 2 | !!isdigit(c) << 3 | !!isxdigit(c) << 4 |
               !!isspace(c) << 5 | !!isprint(c) << 6 | !!isgraph(c) << 7 | !!isblank(c) << 8 | !!iscntrl(c) << 9 |
               !!ispunct(c) << 10 | !!isalnum(c) << 11;
    printf("%x %d %d,", mask, toupper(c), tolower(c));
  }
  int (*volatile test)(int) = isalpha;
  int (*volatile change)(int) = toupper;
  printf("\n%d %d %c\n", test('x'), test('1'), change('q'));
}

int main(int argc, char **argv) {
  printf("%d %d\n", argc, argv[argc] == NULL);
  text();
  numbers();
  sorting();
  random_numbers();
  characters();
  printf("%d\n", getenv("SURELY_NOT_SET") == NULL);
  printf("%d %d\n", clock() >= 0, time(NULL) > 0);
  atexit(last);
  atexit(before);
  exit(300);
}
