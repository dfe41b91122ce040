// Whole numbers of any size: schoolbook and Karatsuba products, Knuth's division, powers modulo a number, Miller-Rabin, RSA, digits of
// pi and e, factorials, and input and output in any base.
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- representation: sign and magnitude, least significant limb first, no leading zero limb ---- */

typedef uint32_t limb;
typedef uint64_t wide;

typedef struct {
  int negative;
  size_t size, room;
  limb *limbs;
} big;

static void *need(void *p) {
  if (!p) {
    fputs("out of memory\n", stderr);
    exit(2);
  }
  return p;
}

static big big_make(size_t room) {
  big b = {0, 0, room ? room : 1, NULL};
  b.limbs = need(calloc(b.room, sizeof(limb)));
  return b;
}

static void big_free(big *b) {
  free(b->limbs);
  b->limbs = NULL;
}

static void trim(big *b) {
  while (b->size && b->limbs[b->size - 1] == 0)
    b->size--;
  if (!b->size)
    b->negative = 0;
}

static big big_from(int64_t value) {
  big b = big_make(2);
  uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
  b.negative = value < 0;
  b.limbs[0] = (limb)magnitude;
  b.limbs[1] = (limb)(magnitude >> 32);
  b.size = 2;
  trim(&b);
  return b;
}

static big big_copy(const big *a) {
  big b = big_make(a->size);
  memcpy(b.limbs, a->limbs, a->size * sizeof(limb));
  b.size = a->size;
  b.negative = a->negative;
  return b;
}

/* Replaces a number by another, whose limbs it takes. */
static void replace(big *a, big b) {
  big_free(a);
  *a = b;
}

static int is_zero(const big *a) { return a->size == 0; }
static int is_odd(const big *a) { return a->size && (a->limbs[0] & 1); }

static int compare_magnitude(const big *a, const big *b) {
  if (a->size != b->size)
    return a->size < b->size ? -1 : 1;
  for (size_t i = a->size; i-- > 0;)
    if (a->limbs[i] != b->limbs[i])
      return a->limbs[i] < b->limbs[i] ? -1 : 1;
  return 0;
}

static int big_compare(const big *a, const big *b) {
  if (a->negative != b->negative)
    return a->negative ? -1 : 1;
  int c = compare_magnitude(a, b);
  return a->negative ? -c : c;
}

/* ---- sums ---- */

static big add_magnitude(const big *a, const big *b) {
  if (a->size < b->size) {
    const big *t = a;
    a = b;
    b = t;
  }
  big sum = big_make(a->size + 1);
  wide carry = 0;
  for (size_t i = 0; i < a->size; i++) {
    carry += (wide)a->limbs[i] + (i < b->size ? b->limbs[i] : 0);
    sum.limbs[i] = (limb)carry;
    carry >>= 32;
  }
  sum.limbs[a->size] = (limb)carry;
  sum.size = a->size + 1;
  trim(&sum);
  return sum;
}

/* |a| - |b| for |a| >= |b| */
static big subtract_magnitude(const big *a, const big *b) {
  big difference = big_make(a->size);
  wide borrow = 0;
  for (size_t i = 0; i < a->size; i++) {
    wide taken = (wide)a->limbs[i] - (i < b->size ? b->limbs[i] : 0) - borrow;
    difference.limbs[i] = (limb)taken;
    borrow = taken >> 63;
  }
  difference.size = a->size;
  trim(&difference);
  return difference;
}

static big add_signed(const big *a, const big *b, int b_negative) {
  big result;
  if (a->negative == b_negative) {
    result = add_magnitude(a, b);
    result.negative = a->negative;
  } else if (compare_magnitude(a, b) >= 0) {
    result = subtract_magnitude(a, b);
    result.negative = a->negative;
  } else {
    result = subtract_magnitude(b, a);
    result.negative = b_negative;
  }
  trim(&result);
  return result;
}

static big big_add(const big *a, const big *b) { return add_signed(a, b, b->negative); }
static big big_subtract(const big *a, const big *b) { return add_signed(a, b, !b->negative); }

/* ---- products ---- */

enum { KARATSUBA = 24 };

static void multiply_school(limb *out, const limb *a, size_t n, const limb *b, size_t m) {
  memset(out, 0, (n + m) * sizeof(limb));
  for (size_t i = 0; i < n; i++) {
    wide carry = 0;
    for (size_t j = 0; j < m; j++) {
      carry += (wide)a[i] * b[j] + out[i + j];
      out[i + j] = (limb)carry;
      carry >>= 32;
    }
    out[i + m] = (limb)carry;
  }
}

/* A view of some limbs of another number. */
static big part(const big *a, size_t from, size_t to) {
  big view = {0, 0, 0, a->limbs + (from < a->size ? from : a->size)};
  if (from < a->size)
    view.size = (to < a->size ? to : a->size) - from;
  trim(&view);
  return view;
}

static void add_shifted(big *sum, const big *term, size_t limbs) {
  wide carry = 0;
  for (size_t i = 0; i < term->size || carry; i++) {
    carry += (wide)sum->limbs[limbs + i] + (i < term->size ? term->limbs[i] : 0);
    sum->limbs[limbs + i] = (limb)carry;
    carry >>= 32;
  }
}

static big big_multiply(const big *a, const big *b) {
  big product = big_make(a->size + b->size + 1);
  product.size = a->size + b->size + 1;
  if (a->size < KARATSUBA || b->size < KARATSUBA) {
    multiply_school(product.limbs, a->limbs, a->size, b->limbs, b->size);
  } else {
    size_t half = (a->size > b->size ? a->size : b->size) / 2;
    big a0 = part(a, 0, half), a1 = part(a, half, a->size), b0 = part(b, 0, half), b1 = part(b, half, b->size);
    big low = big_multiply(&a0, &b0), high = big_multiply(&a1, &b1);
    big as = add_magnitude(&a0, &a1), bs = add_magnitude(&b0, &b1);
    big middle = big_multiply(&as, &bs);
    replace(&middle, subtract_magnitude(&middle, &low));
    replace(&middle, subtract_magnitude(&middle, &high));
    add_shifted(&product, &low, 0);
    add_shifted(&product, &middle, half);
    add_shifted(&product, &high, 2 * half);
    big_free(&low), big_free(&high), big_free(&as), big_free(&bs), big_free(&middle);
  }
  product.negative = a->negative != b->negative;
  trim(&product);
  return product;
}

static void scale_add(big *a, limb factor, limb addend) {
  wide carry = addend;
  for (size_t i = 0; i < a->size; i++) {
    carry += (wide)a->limbs[i] * factor;
    a->limbs[i] = (limb)carry;
    carry >>= 32;
  }
  if (carry) {
    if (a->size == a->room) {
      a->room = 2 * a->room + 1;
      a->limbs = need(realloc(a->limbs, a->room * sizeof(limb)));
    }
    a->limbs[a->size++] = (limb)carry;
  }
}

static limb divide_small(big *a, limb divisor) {
  wide rest = 0;
  for (size_t i = a->size; i-- > 0;) {
    rest = rest << 32 | a->limbs[i];
    a->limbs[i] = (limb)(rest / divisor);
    rest %= divisor;
  }
  trim(a);
  return (limb)rest;
}

/* ---- division: Knuth's algorithm D; the quotient is rounded to zero ---- */

static big shift_left(const big *a, unsigned bits, size_t limbs) {
  big shifted = big_make(a->size + limbs + 1);
  wide carry = 0;
  for (size_t i = 0; i < a->size; i++) {
    carry |= (wide)a->limbs[i] << bits;
    shifted.limbs[i + limbs] = (limb)carry;
    carry >>= 32;
  }
  shifted.limbs[a->size + limbs] = (limb)carry;
  shifted.size = a->size + limbs + 1;
  shifted.negative = a->negative;
  return shifted;
}

static void shift_right(big *a, unsigned bits) {
  for (size_t i = 0; i < a->size; i++) {
    wide pair = a->limbs[i] | (i + 1 < a->size ? (wide)a->limbs[i + 1] << 32 : 0);
    a->limbs[i] = (limb)(pair >> bits);
  }
  trim(a);
}

static big big_divide(const big *a, const big *b, big *remainder) {
  if (is_zero(b)) {
    fputs("division by zero\n", stderr);
    exit(2);
  }
  big quotient;
  if (compare_magnitude(a, b) < 0) {
    quotient = big_from(0);
    if (remainder)
      *remainder = big_copy(a);
    return quotient;
  }
  if (b->size == 1) {
    quotient = big_copy(a);
    limb rest = divide_small(&quotient, b->limbs[0]);
    quotient.negative = quotient.size && a->negative != b->negative;
    if (remainder) {
      *remainder = big_from(rest);
      remainder->negative = rest && a->negative;
    }
    return quotient;
  }
  unsigned shift = 0;
  while (!(b->limbs[b->size - 1] << shift & 0x80000000u))
    shift++;
  big u = shift_left(a, shift, 0), v = shift_left(b, shift, 0);
  size_t n = b->size, m = a->size - n;
  quotient = big_make(m + 1);
  for (size_t j = m + 1; j-- > 0;) {
    wide top = (wide)u.limbs[j + n] << 32 | u.limbs[j + n - 1];
    wide guess = top / v.limbs[n - 1], rest = top % v.limbs[n - 1];
    while (guess >> 32 || guess * v.limbs[n - 2] > (rest << 32 | u.limbs[j + n - 2])) {
      guess--;
      rest += v.limbs[n - 1];
      if (rest >> 32)
        break;
    }
    int64_t borrow = 0;
    wide carry = 0;
    for (size_t i = 0; i < n; i++) {
      carry += guess * v.limbs[i];
      int64_t t = (int64_t)u.limbs[i + j] - (int64_t)(limb)carry + borrow;
      u.limbs[i + j] = (limb)t;
      borrow = t >> 32;
      carry >>= 32;
    }
    int64_t t = (int64_t)u.limbs[j + n] - (int64_t)carry + borrow;
    u.limbs[j + n] = (limb)t;
    if (t < 0) { /* the guess was one too large */
      guess--;
      wide back = 0;
      for (size_t i = 0; i < n; i++) {
        back += (wide)u.limbs[i + j] + v.limbs[i];
        u.limbs[i + j] = (limb)back;
        back >>= 32;
      }
      u.limbs[j + n] += (limb)back;
    }
    quotient.limbs[j] = (limb)guess;
  }
  quotient.size = m + 1;
  quotient.negative = a->negative != b->negative;
  trim(&quotient);
  if (remainder) {
    u.size = n;
    trim(&u);
    if (shift)
      shift_right(&u, shift);
    u.negative = u.size && a->negative;
    *remainder = u;
  } else {
    big_free(&u);
  }
  big_free(&v);
  return quotient;
}

static big big_modulo(const big *a, const big *m) {
  big rest, quotient = big_divide(a, m, &rest);
  big_free(&quotient);
  if (rest.negative)
    replace(&rest, big_add(&rest, m));
  return rest;
}

/* ---- text ---- */

static big big_parse(const char *s, unsigned base) {
  int negative = *s == '-';
  big value = big_from(0);
  for (s += negative; *s; s++) {
    unsigned digit = isdigit((unsigned char)*s) ? (unsigned)(*s - '0') : (unsigned)(tolower((unsigned char)*s) - 'a' + 10);
    if (digit >= base) {
      fprintf(stderr, "bad digit %c\n", *s);
      exit(2);
    }
    if (!value.size && digit) {
      value.limbs[0] = digit;
      value.size = 1;
    } else {
      scale_add(&value, base, digit);
    }
  }
  value.negative = value.size && negative;
  return value;
}

static char *big_text(const big *a, unsigned base) {
  size_t room = a->size * 32 + 3, n = room;
  char *text = need(malloc(room));
  text[--n] = '\0';
  big rest = big_copy(a);
  do
    text[--n] = "0123456789abcdefghijklmnopqrstuvwxyz"[divide_small(&rest, base)];
  while (rest.size);
  if (a->negative)
    text[--n] = '-';
  memmove(text, text + n, room - n);
  big_free(&rest);
  return text;
}

static void show(const char *label, const big *a) {
  char *text = big_text(a, 10);
  size_t n = strlen(text);
  if (n > 60)
    printf("%s = %.25s...%s (%zu digits)\n", label, text, text + n - 25, n);
  else
    printf("%s = %s\n", label, text);
  free(text);
}

/* ---- number theory ---- */

static big power_modulo(const big *base, const big *exponent, const big *m) {
  big result = big_from(1), square = big_modulo(base, m);
  for (size_t i = 0; i < exponent->size * 32; i++) {
    if (exponent->limbs[i / 32] >> (i % 32) & 1) {
      big product = big_multiply(&result, &square);
      replace(&result, big_modulo(&product, m));
      big_free(&product);
    }
    big product = big_multiply(&square, &square);
    replace(&square, big_modulo(&product, m));
    big_free(&product);
  }
  big_free(&square);
  return result;
}

static big greatest_divisor(const big *a, const big *b) {
  big x = big_copy(a), y = big_copy(b);
  while (!is_zero(&y)) {
    big rest = big_modulo(&x, &y);
    replace(&x, y);
    y = rest;
  }
  big_free(&y);
  return x;
}

/* The inverse of a modulo m by the extended Euclidean algorithm; zero if there is none. */
static big inverse(const big *a, const big *m) {
  big r0 = big_copy(m), r1 = big_modulo(a, m), t0 = big_from(0), t1 = big_from(1);
  while (!is_zero(&r1)) {
    big rest, q = big_divide(&r0, &r1, &rest);
    big product = big_multiply(&q, &t1), next = big_subtract(&t0, &product);
    replace(&r0, r1);
    r1 = rest;
    replace(&t0, t1);
    t1 = next;
    big_free(&q), big_free(&product);
  }
  int unit = r0.size == 1 && r0.limbs[0] == 1;
  big result = unit ? big_modulo(&t0, m) : big_from(0);
  big_free(&r0), big_free(&r1), big_free(&t0), big_free(&t1);
  return result;
}

static int passes_miller_rabin(const big *n, limb witness) {
  big one = big_from(1), less = big_subtract(n, &one), odd = big_copy(&less), base = big_from(witness);
  int twos = 0;
  while (!is_odd(&odd)) {
    shift_right(&odd, 1);
    twos++;
  }
  big x = power_modulo(&base, &odd, n);
  int passes = big_compare(&x, &one) == 0 || big_compare(&x, &less) == 0;
  for (int i = 1; i < twos && !passes; i++) {
    big square = big_multiply(&x, &x);
    replace(&x, big_modulo(&square, n));
    big_free(&square);
    passes = big_compare(&x, &less) == 0;
  }
  big_free(&one), big_free(&less), big_free(&odd), big_free(&base), big_free(&x);
  return passes;
}

static int is_prime(const big *n) {
  static const limb small[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
    if (n->size == 1 && n->limbs[0] == small[i])
      return 1;
    big copy = big_copy(n);
    limb rest = divide_small(&copy, small[i]);
    big_free(&copy);
    if (rest == 0)
      return 0;
  }
  for (size_t i = 0; i < 3; i++)
    if (!passes_miller_rabin(n, small[i]))
      return 0;
  return 1;
}

static uint64_t seed = 0x9e3779b97f4a7c15u;
static limb random_limb(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (limb)(seed >> 16);
}

static big random_big(size_t limbs) {
  big b = big_make(limbs);
  b.size = limbs;
  for (size_t i = 0; i < limbs; i++)
    b.limbs[i] = random_limb();
  b.limbs[limbs - 1] |= 0x80000000u;
  return b;
}

static big next_prime(big n) {
  big two = big_from(2);
  n.limbs[0] |= 1;
  while (!is_prime(&n))
    replace(&n, big_add(&n, &two));
  big_free(&two);
  return n;
}

/* ---- the program ---- */

static int failures = 0;
static void expect(int holds, const char *what) {
  printf("%-50s %s\n", what, holds ? "ok" : "FAILED");
  failures += !holds;
}

static int text_is(const big *a, unsigned base, const char *expected) {
  char *text = big_text(a, base);
  int same = strcmp(text, expected) == 0;
  if (!same)
    printf("%s instead of %s\n", text, expected);
  free(text);
  return same;
}

static void identities(void) {
  int division = 1, distribution = 1, squares = 1;
  for (int round = 0; round < 12; round++) {
    big a = random_big(3 + (size_t)round), b = random_big(1 + (size_t)round % 5), c = random_big(4);
    a.negative = round & 1;
    b.negative = round >> 1 & 1;
    big rest, q = big_divide(&a, &b, &rest), back = big_multiply(&q, &b), sum = big_add(&back, &rest);
    division &= big_compare(&sum, &a) == 0 && compare_magnitude(&rest, &b) < 0;
    big bc = big_add(&b, &c), left = big_multiply(&a, &bc), ab = big_multiply(&a, &b), ac = big_multiply(&a, &c);
    big right = big_add(&ab, &ac);
    distribution &= big_compare(&left, &right) == 0;
    big d = big_subtract(&a, &c), s = big_add(&a, &c), ds = big_multiply(&d, &s), aa = big_multiply(&a, &a),
        cc = big_multiply(&c, &c), difference = big_subtract(&aa, &cc);
    squares &= big_compare(&ds, &difference) == 0;
    big *all[] = {&a, &b, &c, &rest, &q, &back, &sum, &bc, &left, &ab, &ac, &right, &d, &s, &ds, &aa, &cc, &difference};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
      big_free(all[i]);
  }
  expect(division, "a = q b + r");
  expect(distribution, "a (b + c) = a b + a c");
  expect(squares, "(a - c)(a + c) = a^2 - c^2");
  big x = random_big(60), y = random_big(57), fast = big_multiply(&x, &y), slow = big_make(118);
  multiply_school(slow.limbs, x.limbs, x.size, y.limbs, y.size);
  slow.size = 117;
  trim(&slow);
  expect(big_compare(&fast, &slow) == 0, "Karatsuba's product is the schoolbook's");
  big_free(&x), big_free(&y), big_free(&fast), big_free(&slow);
}

static void rsa(void) {
  big p = next_prime(random_big(3)), q = next_prime(random_big(3)), one = big_from(1), e = big_from(65537);
  big n = big_multiply(&p, &q), p1 = big_subtract(&p, &one), q1 = big_subtract(&q, &one), phi = big_multiply(&p1, &q1);
  big d = inverse(&e, &phi), g = greatest_divisor(&e, &phi);
  expect(is_prime(&p) && is_prime(&q) && big_compare(&g, &one) == 0, "two primes for a key");
  show("modulus", &n);
  big message = big_parse("attackatdawn", 36), secret = power_modulo(&message, &e, &n), plain = power_modulo(&secret, &d, &n);
  show("secret", &secret);
  expect(text_is(&plain, 36, "attackatdawn"), "the message comes back");
  big *all[] = {&p, &q, &one, &e, &n, &p1, &q1, &phi, &d, &g, &message, &secret, &plain};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    big_free(all[i]);
}

/* Machin's formula in fixed point. */
static big arctan_inverse(limb x, const big *unity) {
  big term = big_copy(unity), sum;
  divide_small(&term, x);
  sum = big_copy(&term);
  for (limb k = 3; !is_zero(&term); k += 2) {
    divide_small(&term, x * x);
    big piece = big_copy(&term);
    divide_small(&piece, k);
    replace(&sum, k % 4 == 3 ? big_subtract(&sum, &piece) : big_add(&sum, &piece));
    big_free(&piece);
  }
  big_free(&term);
  return sum;
}

static void constants(void) {
  big unity = big_from(1);
  for (int i = 0; i < 70; i++)
    scale_add(&unity, 10, 0);
  big a = arctan_inverse(5, &unity), b = arctan_inverse(239, &unity);
  scale_add(&a, 4, 0);
  replace(&a, big_subtract(&a, &b));
  scale_add(&a, 4, 0);
  char *digits = big_text(&a, 10);
  printf("pi = %.1s.%.60s\n", digits, digits + 1);
  expect(!strncmp(digits, "3141592653589793238462643383279502884197169399375105820974944", 61), "digits of pi");
  free(digits);
  big term = big_copy(&unity), e = big_copy(&unity);
  for (limb k = 1; !is_zero(&term); k++) {
    divide_small(&term, k);
    replace(&e, big_add(&e, &term));
  }
  digits = big_text(&e, 10);
  expect(!strncmp(digits, "2718281828459045235360287471352662497757247093699959574966967", 61), "digits of e");
  free(digits);
  big_free(&unity), big_free(&a), big_free(&b), big_free(&term), big_free(&e);
}

int main(void) {
  big factorial = big_from(1), small = big_from(-1234567890123456789), power = big_from(1);
  for (limb i = 2; i <= 60; i++)
    scale_add(&factorial, i, 0);
  expect(text_is(&factorial, 10, "8320987112741390144276341183223364380754172606361245952449277696409600000000000000"), "60!");
  for (limb i = 61; i <= 100; i++)
    scale_add(&factorial, i, 0);
  show("100!", &factorial);
  for (int i = 0; i < 127; i++)
    scale_add(&power, 2, 0);
  big one = big_from(1), mersenne = big_subtract(&power, &one);
  expect(text_is(&mersenne, 16, "7fffffffffffffffffffffffffffffff"), "2^127 - 1 in base 16");
  expect(is_prime(&mersenne) && !is_prime(&factorial), "2^127 - 1 is prime");
  expect(text_is(&small, 10, "-1234567890123456789"), "negative numbers are printed");
  big parsed = big_parse("-112210f47de98115", 16);
  expect(big_compare(&parsed, &small) == 0, "and read in base 16");
  identities();
  rsa();
  constants();
  big_free(&factorial), big_free(&small), big_free(&power), big_free(&one), big_free(&mersenne), big_free(&parsed);
  printf("%d failures\n", failures);
  return failures != 0;
}
