// The run-time library of flang, as far as programs for numbers call it: what arrays are reduced, multiplied and assigned
// by, list-directed output, beginning and end of a program. Written from the Fortran standard (2018) and the layout of
// descriptors (18.5.3, `CFI_cdesc_t`).

struct adj_dim {
  long lower, extent, stride;
};

struct adj_array {
  char *base;
  unsigned long size;
  int version;
  unsigned char rank;
  signed char type;
  unsigned char attribute, extra;
  struct adj_dim dim[15];
};

// Codes of types. Logical values are the integers "of at least" so many bits.
enum { ADJ_LEAST = 12, ADJ_HALF = 25, ADJ_FLOAT = 27, ADJ_DOUBLE = 28, ADJ_LOGICAL = 39, ADJ_CHAR = 40 };
enum { ADJ_ALLOCATABLE = 2 };

// What is not done here ends the program with a word, and no number.
static __attribute__((noreturn)) void adj_refuse(const char *what) {
  fprintf(stderr, "adj: unsupported: %s, in a derivative or in the interpreter\n", what);
  abort();
}

// The elements of an array in its order (9.5.3.2), by their addresses.
struct adj_walk {
  char *at;
  long index[15];
};

static long adj_count(const struct adj_array *a) {
  long n = 1;
  for (int r = 0; r < a->rank; r++)
    n *= a->dim[r].extent;
  return n;
}

static void adj_begin(struct adj_walk *w, const struct adj_array *a) {
  w->at = a->base;
  for (int r = 0; r < a->rank; r++)
    w->index[r] = 0;
}

static void adj_next(struct adj_walk *w, const struct adj_array *a) {
  for (int r = 0; r < a->rank; r++) {
    w->at += a->dim[r].stride;
    if (++w->index[r] < a->dim[r].extent)
      return;
    w->at -= a->dim[r].stride * a->dim[r].extent;
    w->index[r] = 0;
  }
}

static _Bool adj_true(const char *at, unsigned long size) {
  return size == 1 ? *at != 0 : size == 2 ? *(const short *)at != 0 : size == 8 ? *(const long *)at != 0 : *(const int *)at != 0;
}

#define ADJ_REDUCTION(NAME, TYPE, FIRST, STEP)                                                                           \
  TYPE NAME(const struct adj_array *a, const char *source, int line, int dim, const struct adj_array *mask) {            \
    long n = adj_count(a);                                                                                               \
    TYPE result = FIRST;                                                                                                 \
    struct adj_walk w, m;                                                                                                \
    adj_begin(&w, a);                                                                                                    \
    _Bool masked = mask && mask->rank;                                                                                   \
    if (mask && !masked && !adj_true(mask->base, mask->size))                                                            \
      return result;                                                                                                     \
    if (masked)                                                                                                          \
      adj_begin(&m, mask);                                                                                               \
    for (long i = 0; i < n; i++) {                                                                                       \
      if (!masked || adj_true(m.at, mask->size)) {                                                                       \
        TYPE value = *(const TYPE *)w.at;                                                                                \
        STEP;                                                                                                            \
      }                                                                                                                  \
      adj_next(&w, a);                                                                                                   \
      if (masked)                                                                                                        \
        adj_next(&m, mask);                                                                                              \
    }                                                                                                                    \
    return result;                                                                                                       \
  }

ADJ_REDUCTION(_FortranASumReal8, double, 0, result += value)
ADJ_REDUCTION(_FortranASumReal4, float, 0, result += value)
ADJ_REDUCTION(_FortranASumInteger4, int, 0, result += value)
ADJ_REDUCTION(_FortranASumInteger8, long, 0, result += value)
ADJ_REDUCTION(_FortranAProductReal8, double, 1, result *= value)
ADJ_REDUCTION(_FortranAProductReal4, float, 1, result *= value)
ADJ_REDUCTION(_FortranAProductInteger4, int, 1, result *= value)
ADJ_REDUCTION(_FortranAMaxvalReal8, double, -1.7976931348623157e308, if (value > result) result = value)
ADJ_REDUCTION(_FortranAMaxvalReal4, float, -3.4028234663852886e38f, if (value > result) result = value)
ADJ_REDUCTION(_FortranAMaxvalInteger4, int, -2147483647 - 1, if (value > result) result = value)
ADJ_REDUCTION(_FortranAMinvalReal8, double, 1.7976931348623157e308, if (value < result) result = value)
ADJ_REDUCTION(_FortranAMinvalReal4, float, 3.4028234663852886e38f, if (value < result) result = value)
ADJ_REDUCTION(_FortranAMinvalInteger4, int, 2147483647, if (value < result) result = value)

#define ADJ_NORM(NAME, TYPE, ROOT)                                                                                       \
  TYPE NAME(const struct adj_array *a, const char *source, int line, int dim) {                                          \
    long n = adj_count(a);                                                                                               \
    TYPE sum = 0;                                                                                                        \
    struct adj_walk w;                                                                                                   \
    adj_begin(&w, a);                                                                                                    \
    for (long i = 0; i < n; i++) {                                                                                       \
      TYPE value = *(const TYPE *)w.at;                                                                                  \
      sum += value * value;                                                                                              \
      adj_next(&w, a);                                                                                                   \
    }                                                                                                                    \
    return ROOT(sum);                                                                                                    \
  }

ADJ_NORM(_FortranANorm2_8, double, __builtin_sqrt)
ADJ_NORM(_FortranANorm2_4, float, __builtin_sqrtf)

#define ADJ_DOT(NAME, TYPE)                                                                                              \
  TYPE NAME(const struct adj_array *a, const struct adj_array *b, const char *source, int line) {                        \
    TYPE sum = 0;                                                                                                        \
    for (long i = 0; i < a->dim[0].extent; i++)                                                                          \
      sum += *(const TYPE *)(a->base + i * a->dim[0].stride) * *(const TYPE *)(b->base + i * b->dim[0].stride);          \
    return sum;                                                                                                          \
  }

ADJ_DOT(_FortranADotProductReal8, double)
ADJ_DOT(_FortranADotProductReal4, float)

_Bool _FortranAAny(const struct adj_array *a, const char *source, int line, int dim) {
  struct adj_walk w;
  adj_begin(&w, a);
  for (long i = 0, n = adj_count(a); i < n; i++, adj_next(&w, a))
    if (adj_true(w.at, a->size))
      return 1;
  return 0;
}

_Bool _FortranAAll(const struct adj_array *a, const char *source, int line, int dim) {
  struct adj_walk w;
  adj_begin(&w, a);
  for (long i = 0, n = adj_count(a); i < n; i++, adj_next(&w, a))
    if (!adj_true(w.at, a->size))
      return 0;
  return 1;
}

long _FortranACount(const struct adj_array *a, const char *source, int line, int dim) {
  struct adj_walk w;
  long count = 0;
  adj_begin(&w, a);
  for (long i = 0, n = adj_count(a); i < n; i++, adj_next(&w, a))
    count += adj_true(w.at, a->size);
  return count;
}

// A new array for a result: its elements are next to each other.
static void adj_make(struct adj_array *a, unsigned long size, int type, int rank, const long *extents) {
  unsigned long bytes = size;
  a->size = size;
  a->rank = rank;
  a->type = type;
  a->attribute = ADJ_ALLOCATABLE;
  for (int r = 0; r < rank; r++) {
    a->dim[r].lower = 1;
    a->dim[r].extent = extents[r];
    a->dim[r].stride = bytes;
    bytes *= extents[r];
  }
  a->base = malloc(bytes ? bytes : 1);
}

// Sums along one dimension (16.9.199), in a new array with the others.
void _FortranASumDim(struct adj_array *to, const struct adj_array *a, int dim, const char *source, int line,
                     const struct adj_array *mask) {
  if (mask || a->type != ADJ_DOUBLE)
    adj_refuse("`sum` along a dimension with a mask, or of what is not `real(8)`");
  struct adj_array rest;
  const struct adj_dim *along = &a->dim[dim - 1];
  long extents[15];
  rest.base = a->base;
  rest.rank = a->rank - 1;
  for (int r = 0; r < rest.rank; r++) {
    rest.dim[r] = a->dim[r < dim - 1 ? r : r + 1];
    extents[r] = rest.dim[r].extent;
  }
  adj_make(to, a->size, a->type, rest.rank, extents);
  struct adj_walk w;
  adj_begin(&w, &rest);
  for (long i = 0, n = adj_count(&rest); i < n; i++) {
    double sum = 0;
    for (long k = 0; k < along->extent; k++)
      sum += *(const double *)(w.at + k * along->stride);
    ((double *)to->base)[i] = sum;
    adj_next(&w, &rest);
  }
}

#define ADJ_MATMUL(NAME, TYPE, CODE)                                                                                     \
  void NAME(struct adj_array *c, const struct adj_array *a, const struct adj_array *b, const char *source, int line) {   \
    long rows = a->rank == 2 ? a->dim[0].extent : 1, columns = b->rank == 2 ? b->dim[1].extent : 1;                      \
    long inner = b->dim[0].extent;                                                                                       \
    long extents[2] = {a->rank == 2 ? rows : columns, columns};                                                          \
    adj_make(c, sizeof(TYPE), CODE, a->rank + b->rank - 2, extents);                                                     \
    long across = a->rank == 2 ? a->dim[1].stride : a->dim[0].stride, down = a->rank == 2 ? a->dim[0].stride : 0;        \
    long next = b->rank == 2 ? b->dim[1].stride : 0;                                                                     \
    for (long j = 0; j < columns; j++)                                                                                   \
      for (long i = 0; i < rows; i++) {                                                                                  \
        TYPE sum = 0;                                                                                                    \
        for (long k = 0; k < inner; k++)                                                                                 \
          sum += *(const TYPE *)(a->base + i * down + k * across) *                                                      \
                 *(const TYPE *)(b->base + k * b->dim[0].stride + j * next);                                             \
        ((TYPE *)c->base)[i + j * rows] = sum;                                                                           \
      }                                                                                                                  \
  }

ADJ_MATMUL(_FortranAMatmulReal8Real8, double, ADJ_DOUBLE)
ADJ_MATMUL(_FortranAMatmulReal4Real4, float, ADJ_FLOAT)

// What is no number to differentiate: integers, logical values, characters.
__attribute__((noinline)) void adj_move(char *to, const char *from, unsigned long size) {
  for (unsigned long i = 0; i < size; i++)
    to[i] = from[i];
}

// An element from one place to another.
static void adj_put(char *to, const char *from, unsigned long size, int type) {
  if (type == ADJ_DOUBLE)
    *(double *)to = *(const double *)from;
  else if ((type > 0 && type < ADJ_HALF) || type == ADJ_LOGICAL || type == ADJ_CHAR)
    adj_move(to, from, size);
  else
    adj_refuse("assignment of arrays of derived types, complex numbers or numbers that are not `real(8)`");
}

void _FortranATranspose(struct adj_array *to, const struct adj_array *from, const char *source, int line) {
  long rows = from->dim[0].extent, columns = from->dim[1].extent, extents[2] = {columns, rows};
  adj_make(to, from->size, from->type, 2, extents);
  for (long j = 0; j < rows; j++)
    for (long i = 0; i < columns; i++)
      adj_put(to->base + (i + j * columns) * to->size, from->base + j * from->dim[0].stride + i * from->dim[1].stride,
              from->size, from->type);
}

// The addresses between which an array lies.
static void adj_bounds(const struct adj_array *a, const char **from, const char **to) {
  *from = *to = a->base;
  for (int r = 0; r < a->rank; r++) {
    long last = a->dim[r].stride * (a->dim[r].extent - 1);
    *(last < 0 ? from : to) += last;
  }
  *to += a->size;
}

static _Bool adj_overlap(const struct adj_array *a, const struct adj_array *b) {
  const char *a_from, *a_to, *b_from, *b_to;
  adj_bounds(a, &a_from, &a_to);
  adj_bounds(b, &b_from, &b_to);
  return a_from < b_to && b_from < a_to;
}

// Are they one array, or part of it?
static _Bool adj_same(const struct adj_array *a, const struct adj_array *b) {
  _Bool same = a->base == b->base;
  for (int r = 0; r < b->rank; r++)
    same = same && a->dim[r].stride == b->dim[r].stride;
  return same;
}

static void adj_copy(struct adj_array *to, const struct adj_array *from) {
  struct adj_walk w, v;
  adj_begin(&w, to);
  adj_begin(&v, from);
  for (long i = 0, n = adj_count(to); i < n; i++) {
    adj_put(w.at, v.at, to->size, to->type);
    adj_next(&w, to);
    if (from->rank)
      adj_next(&v, from);
  }
}

// Intrinsic assignment (10.2.1): an allocatable variable takes the shape of the value, and the value is there before
// the variable changes (10.2.1.3, 2 and 3).
void _FortranAAssign(struct adj_array *to, const struct adj_array *from, const char *source, int line) {
  _Bool same = to->base != 0 && (from->rank == 0 || to->rank == from->rank);
  long extents[15];
  for (int r = 0; r < from->rank; r++) {
    extents[r] = from->dim[r].extent;
    same = same && to->dim[r].extent == extents[r];
  }
  if (to->attribute == ADJ_ALLOCATABLE && !same) {
    char *old = to->base;
    adj_make(to, from->size, from->type, from->rank, extents);
    adj_copy(to, from);
    free(old);
  } else if (from->rank && !adj_same(to, from) && adj_overlap(to, from)) {
    struct adj_array value;
    adj_make(&value, from->size, from->type, from->rank, extents);
    adj_copy(&value, from);
    adj_copy(to, &value);
    free(value.base);
  } else {
    adj_copy(to, from);
  }
}

void _FortranAProgramStart(int argc, const char **argv, const char **environment, void *defaults) {}

void _FortranAProgramEndStatement(void) {}

void _FortranAStopStatement(int code, _Bool is_error, _Bool quiet) {
  if (!quiet)
    fputs(is_error ? "Fortran ERROR STOP" : "Fortran STOP", stderr);
  if (!quiet && code)
    fprintf(stderr, ": code %d", code);
  if (!quiet)
    fputs("\n", stderr);
  exit(code);
}

void _FortranAStopStatementText(const char *text, unsigned long length, _Bool is_error, _Bool quiet) {
  if (!quiet)
    fprintf(stderr, "Fortran %s: %.*s\n", is_error ? "ERROR STOP" : "STOP", (int)length, text);
  exit(is_error);
}

// List-directed output (13.10.4): items behind blanks, in lines of 79 characters.
struct adj_record {
  int column;
  _Bool text;
};

static struct adj_record adj_record;

void *_FortranAioBeginExternalListOutput(int unit, const char *source, int line) {
  if (unit != 6)
    adj_refuse("output to another unit than 6");
  adj_record.column = 0;
  adj_record.text = 0;
  return &adj_record;
}

static void adj_item(const char *text, int length, _Bool is_text) {
  if (!is_text || !adj_record.text || adj_record.column == 0) {
    if (adj_record.column && adj_record.column + 1 + length > 79) {
      putchar('\n');
      adj_record.column = 0;
    }
    putchar(' ');
    adj_record.column++;
  }
  for (int i = 0; i < length; i++)
    putchar(text[i]);
  adj_record.column += length;
  adj_record.text = is_text;
}

_Bool _FortranAioOutputAscii(void *record, const char *text, unsigned long length) {
  adj_item(text, (int)length, 1);
  return 1;
}

_Bool _FortranAioOutputInteger64(void *record, long value) {
  char text[32];
  adj_item(text, snprintf(text, sizeof text, "%ld", value), 0);
  return 1;
}

_Bool _FortranAioOutputInteger32(void *record, int value) { return _FortranAioOutputInteger64(record, value); }
_Bool _FortranAioOutputInteger16(void *record, short value) { return _FortranAioOutputInteger64(record, value); }
_Bool _FortranAioOutputInteger8(void *record, signed char value) { return _FortranAioOutputInteger64(record, value); }

_Bool _FortranAioOutputLogical(void *record, _Bool value) {
  adj_item(value ? "T" : "F", 1, 0);
  return 1;
}

// The shortest digits that give the number back; with an exponent outside of 0.1 to 10 to the number of digits that all
// decimal numbers keep.
static int adj_real(char *out, double value, _Bool single) {
  if (value != value)
    return sprintf(out, "NaN");
  if (value == 0)
    return sprintf(out, "%s", __builtin_signbit(value) ? "-0." : "0.");
  if (value > 1.7976931348623157e308 || value < -1.7976931348623157e308)
    return sprintf(out, "%s", value < 0 ? "-Inf" : "Inf");
  char digits[40];
  for (int n = 0; n < 17; n++) {
    sprintf(digits, "%.*e", n, value);
    if (single ? strtof(digits, 0) == (float)value : strtod(digits, 0) == value)
      break;
  }
  char rough[40];
  sprintf(rough, "%.0e", value);
  int power = (int)strtol(strchr(rough, 'e') + 1, 0, 10) + 1, exponent = (int)strtol(strchr(digits, 'e') + 1, 0, 10);
  char *from = digits, *to = out, mantissa[24];
  if (*from == '-')
    *to++ = *from++;
  int count = 0;
  for (; *from != 'e'; from++)
    if (*from != '.')
      mantissa[count++] = *from;
  if (power < 0 || power > (single ? 6 : 15)) {
    *to++ = mantissa[0];
    *to++ = '.';
    for (int i = 1; i < count; i++)
      *to++ = mantissa[i];
    return (int)(to - out) + sprintf(to, "E%c%02d", exponent < 0 ? '-' : '+', exponent < 0 ? -exponent : exponent);
  }
  int ahead = exponent + 1;
  for (int i = 0; i < ahead; i++)
    *to++ = i < count ? mantissa[i] : '0';
  *to++ = '.';
  for (int i = ahead; i < 0; i++)
    *to++ = '0';
  for (int i = ahead < 0 ? 0 : ahead; i < count; i++)
    *to++ = mantissa[i];
  *to = 0;
  return (int)(to - out);
}

_Bool _FortranAioOutputReal64(void *record, double value) {
  char text[64];
  adj_item(text, adj_real(text, value, 0), 0);
  return 1;
}

_Bool _FortranAioOutputReal32(void *record, float value) {
  char text[64];
  adj_item(text, adj_real(text, value, 1), 0);
  return 1;
}

_Bool _FortranAioOutputComplex64(void *record, double re, double im) {
  char text[128];
  int length = 1 + adj_real(text + 1, re, 0);
  text[0] = '(';
  text[length++] = ',';
  length += adj_real(text + length, im, 0);
  text[length++] = ')';
  adj_item(text, length, 0);
  return 1;
}

_Bool _FortranAioOutputDescriptor(void *record, const struct adj_array *a) {
  struct adj_walk w;
  adj_begin(&w, a);
  for (long i = 0, n = adj_count(a); i < n; i++, adj_next(&w, a)) {
    if (a->type == ADJ_DOUBLE)
      _FortranAioOutputReal64(record, *(const double *)w.at);
    else if (a->type == ADJ_FLOAT)
      _FortranAioOutputReal32(record, *(const float *)w.at);
    else if (a->type == ADJ_CHAR)
      adj_item(w.at, (int)a->size, 1);
    else if (a->type == ADJ_LOGICAL || (a->type >= ADJ_LEAST && a->type < ADJ_LEAST + 4))
      _FortranAioOutputLogical(record, adj_true(w.at, a->size));
    else if (a->size == 8)
      _FortranAioOutputInteger64(record, *(const long *)w.at);
    else if (a->size == 4)
      _FortranAioOutputInteger64(record, *(const int *)w.at);
    else if (a->size == 2)
      _FortranAioOutputInteger64(record, *(const short *)w.at);
    else
      _FortranAioOutputInteger64(record, *w.at);
  }
  return 1;
}

int _FortranAioEndIoStatement(void *record) {
  putchar('\n');
  return 0;
}
