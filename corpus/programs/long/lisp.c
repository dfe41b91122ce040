// A Lisp: reader, printer, lexical closures, macros by quasiquote, tail calls in a loop, errors that propagate, and a
// mark-and-sweep collector over a small heap.
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- objects ---- */

typedef enum { NIL, TRUTH, NUMBER, REAL, SYMBOL, STRING, PAIR, BUILTIN, CLOSURE, MACRO, SCOPE, FREE } kind;

typedef struct object object;
typedef struct lisp lisp;
typedef object *(*builtin)(lisp *, object *args);

struct object {
  uint8_t kind;
  uint8_t marked;
  union {
    long number;
    double real;
    struct {
      char *text;
      size_t length;
    } string;
    struct {
      object *head, *tail;
    } pair;
    struct {
      object *parameters, *body, *scope;
    } closure;
    struct {
      object *bindings, *outer;
    } scope;
    struct {
      builtin run;
      const char *name;
    } builtin;
    object *next_free;
  } as;
};

enum { CHUNK = 256, MAX_CHUNKS = 64, MAX_ROOTS = 4096 };

struct lisp {
  object *chunks[MAX_CHUNKS];
  int chunk_count;
  object *free;
  size_t live, collections, reclaimed, allocated;
  object **roots[MAX_ROOTS];
  int root_count;
  object *symbols; /* a list of all symbols */
  object *global;
  object nil, truth;
  char error[160];
  bool failed;
  char *out; /* what the program has printed */
  size_t out_length, out_size;
};

static object *quote_s, *quasi_s, *unquote_s, *splice_s, *if_s, *define_s, *set_s, *lambda_s, *let_s, *begin_s, *while_s, *macro_s,
    *and_s, *or_s;

static void die(const char *why) {
  fprintf(stderr, "lisp: %s\n", why);
  exit(2);
}

/* ---- the collector ---- */

static void mark(object *o) {
  while (o && !o->marked) {
    o->marked = 1;
    switch (o->kind) {
    case PAIR:
      mark(o->as.pair.head);
      o = o->as.pair.tail;
      break;
    case CLOSURE:
    case MACRO:
      mark(o->as.closure.parameters);
      mark(o->as.closure.scope);
      o = o->as.closure.body;
      break;
    case SCOPE:
      mark(o->as.scope.bindings);
      o = o->as.scope.outer;
      break;
    default:
      return;
    }
  }
}

static void release(lisp *l, object *o) {
  if (o->kind == STRING || o->kind == SYMBOL)
    free(o->as.string.text);
  o->kind = FREE;
  o->as.next_free = l->free;
  l->free = o;
}

static void collect(lisp *l) {
  for (int i = 0; i < l->root_count; i++)
    mark(*l->roots[i]);
  mark(l->symbols);
  mark(l->global);
  l->collections++;
  l->live = 0;
  for (int c = 0; c < l->chunk_count; c++)
    for (int i = 0; i < CHUNK; i++) {
      object *o = &l->chunks[c][i];
      if (o->marked) {
        o->marked = 0;
        l->live++;
      } else if (o->kind != FREE) {
        release(l, o);
        l->reclaimed++;
      }
    }
  l->nil.marked = l->truth.marked = 0;
}

static object *allocate(lisp *l, kind k) {
  if (!l->free)
    collect(l);
  /* Grow when less than a quarter is free after a collection. */
  if (!l->free || l->live * 4 > (size_t)l->chunk_count * CHUNK * 3) {
    if (l->chunk_count == MAX_CHUNKS)
      die("heap exhausted");
    object *fresh = calloc(CHUNK, sizeof *fresh);
    if (!fresh)
      die("out of memory");
    l->chunks[l->chunk_count++] = fresh;
    for (int i = CHUNK - 1; i >= 0; i--) {
      fresh[i].kind = FREE;
      fresh[i].as.next_free = l->free;
      l->free = &fresh[i];
    }
    l->live = 0; /* judged again at the next collection */
  }
  object *o = l->free;
  l->free = o->as.next_free;
  memset(&o->as, 0, sizeof o->as);
  o->kind = (uint8_t)k;
  l->allocated++;
  return o;
}

static void protect(lisp *l, object **place) {
  if (l->root_count == MAX_ROOTS)
    die("recursion too deep");
  l->roots[l->root_count++] = place;
}
#define KEEP(l, variable) protect(l, &(variable))
#define DROP(l, n) ((l)->root_count -= (n))

/* ---- constructors ---- */

static object *fail(lisp *l, const char *format, ...) {
  if (!l->failed) {
    va_list args;
    va_start(args, format);
    vsnprintf(l->error, sizeof l->error, format, args);
    va_end(args);
    l->failed = true;
  }
  return &l->nil;
}

static object *number(lisp *l, long value) {
  object *o = allocate(l, NUMBER);
  o->as.number = value;
  return o;
}

static object *real(lisp *l, double value) {
  object *o = allocate(l, REAL);
  o->as.real = value;
  return o;
}

static object *cons(lisp *l, object *head, object *tail) {
  KEEP(l, head);
  KEEP(l, tail);
  object *o = allocate(l, PAIR);
  o->as.pair.head = head;
  o->as.pair.tail = tail;
  DROP(l, 2);
  return o;
}

static object *text(lisp *l, kind k, const char *s, size_t length) {
  object *o = allocate(l, k);
  o->as.string.text = malloc(length + 1);
  if (!o->as.string.text)
    die("out of memory");
  memcpy(o->as.string.text, s, length);
  o->as.string.text[length] = '\0';
  o->as.string.length = length;
  return o;
}

static object *symbol(lisp *l, const char *s, size_t length) {
  for (object *p = l->symbols; p->kind == PAIR; p = p->as.pair.tail) {
    object *known = p->as.pair.head;
    if (known->as.string.length == length && !memcmp(known->as.string.text, s, length))
      return known;
  }
  object *fresh = text(l, SYMBOL, s, length);
  l->symbols = cons(l, fresh, l->symbols);
  return fresh;
}
static object *name(lisp *l, const char *s) { return symbol(l, s, strlen(s)); }

static object *head(object *o) { return o->as.pair.head; }
static object *tail(object *o) { return o->as.pair.tail; }
static bool is_list(const object *o) { return o->kind == PAIR || o->kind == NIL; }
static int count(object *list) {
  int n = 0;
  for (; list->kind == PAIR; list = tail(list))
    n++;
  return n;
}

/* ---- scopes ---- */

static object *scope_new(lisp *l, object *outer) {
  KEEP(l, outer);
  object *s = allocate(l, SCOPE);
  s->as.scope.bindings = &l->nil;
  s->as.scope.outer = outer;
  DROP(l, 1);
  return s;
}

static object *find_binding(object *scope, const object *who) {
  for (; scope; scope = scope->as.scope.outer)
    for (object *p = scope->as.scope.bindings; p->kind == PAIR; p = tail(p))
      if (head(head(p)) == who)
        return head(p);
  return NULL;
}

static void bind(lisp *l, object *scope, object *who, object *value) {
  KEEP(l, scope);
  for (object *p = scope->as.scope.bindings; p->kind == PAIR; p = tail(p))
    if (head(head(p)) == who) {
      head(p)->as.pair.tail = value;
      DROP(l, 1);
      return;
    }
  object *pair = cons(l, who, value);
  KEEP(l, pair);
  scope->as.scope.bindings = cons(l, pair, scope->as.scope.bindings);
  DROP(l, 2);
}

/* ---- reading ---- */

static void skip(const char **s) {
  for (;;) {
    while (isspace((unsigned char)**s))
      ++*s;
    if (**s != ';')
      return;
    while (**s && **s != '\n')
      ++*s;
  }
}

static object *read(lisp *l, const char **s);

static object *read_list(lisp *l, const char **s) {
  skip(s);
  if (!**s)
    return fail(l, "a list is not closed");
  if (**s == ')') {
    ++*s;
    return &l->nil;
  }
  object *first = read(l, s), *rest = &l->nil;
  if (l->failed)
    return &l->nil;
  KEEP(l, first);
  skip(s);
  if (**s == '.' && isspace((unsigned char)(*s)[1])) {
    ++*s;
    rest = read(l, s);
    skip(s);
    if (*(*s)++ != ')')
      fail(l, "more than one object after a dot");
  } else {
    rest = read_list(l, s);
  }
  DROP(l, 1);
  return cons(l, first, rest);
}

static object *wrap(lisp *l, object *who, const char **s) {
  object *inner = read(l, s);
  return l->failed ? inner : cons(l, who, cons(l, inner, &l->nil));
}

static object *read(lisp *l, const char **s) {
  skip(s);
  char c = **s;
  if (!c)
    return fail(l, "unexpected end");
  ++*s;
  switch (c) {
  case '(':
    return read_list(l, s);
  case ')':
    return fail(l, "unexpected )");
  case '\'':
    return wrap(l, quote_s, s);
  case '`':
    return wrap(l, quasi_s, s);
  case ',':
    if (**s == '@') {
      ++*s;
      return wrap(l, splice_s, s);
    }
    return wrap(l, unquote_s, s);
  case '"': {
    char buffer[200];
    size_t n = 0;
    while (**s && **s != '"' && n < sizeof buffer) {
      char d = *(*s)++;
      if (d == '\\' && **s)
        d = *(*s)++ == 'n' ? '\n' : (*s)[-1];
      buffer[n++] = d;
    }
    if (**s != '"')
      return fail(l, "a string is not closed");
    ++*s;
    return text(l, STRING, buffer, n);
  }
  default: {
    const char *start = *s - 1;
    while (**s && !isspace((unsigned char)**s) && !strchr("()'`,\";", **s))
      ++*s;
    size_t n = (size_t)(*s - start);
    char word[64], *end;
    if (n >= sizeof word)
      return fail(l, "a word is too long");
    memcpy(word, start, n);
    word[n] = '\0';
    long whole = strtol(word, &end, 10);
    if (!*end)
      return number(l, whole);
    double value = strtod(word, &end);
    if (!*end && (isdigit((unsigned char)word[0]) || word[0] == '-' || word[0] == '.'))
      return real(l, value);
    if (!strcmp(word, "#t"))
      return &l->truth;
    if (!strcmp(word, "nil"))
      return &l->nil;
    return symbol(l, word, n);
  }
  }
}

/* ---- printing ---- */

static void emit(lisp *l, const char *format, ...) {
  char piece[256];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(piece, sizeof piece, format, args);
  va_end(args);
  size_t length = (size_t)n < sizeof piece ? (size_t)n : sizeof piece - 1;
  if (l->out_length + length + 1 > l->out_size) {
    l->out_size = 2 * (l->out_size + length + 1);
    l->out = realloc(l->out, l->out_size);
    if (!l->out)
      die("out of memory");
  }
  memcpy(l->out + l->out_length, piece, length + 1);
  l->out_length += length;
}

static void print(lisp *l, const object *o, bool quoted) {
  switch ((kind)o->kind) {
  case NIL: emit(l, "nil"); break;
  case TRUTH: emit(l, "#t"); break;
  case NUMBER: emit(l, "%ld", o->as.number); break;
  case REAL: emit(l, "%.10g", o->as.real); break;
  case SYMBOL: emit(l, "%s", o->as.string.text); break;
  case STRING: emit(l, quoted ? "\"%s\"" : "%s", o->as.string.text); break;
  case BUILTIN: emit(l, "<%s>", o->as.builtin.name); break;
  case CLOSURE: emit(l, "<lambda>"); break;
  case MACRO: emit(l, "<macro>"); break;
  case SCOPE: emit(l, "<scope>"); break;
  case FREE: die("a freed object is printed");
  case PAIR:
    emit(l, "(");
    for (;;) {
      print(l, o->as.pair.head, quoted);
      o = o->as.pair.tail;
      if (o->kind != PAIR)
        break;
      emit(l, " ");
    }
    if (o->kind != NIL) {
      emit(l, " . ");
      print(l, o, quoted);
    }
    emit(l, ")");
  }
}

/* ---- evaluation ---- */

static object *eval(lisp *l, object *form, object *scope);

static object *eval_all(lisp *l, object *list, object *scope) {
  if (list->kind != PAIR || l->failed)
    return &l->nil;
  object *value = eval(l, head(list), scope);
  KEEP(l, value);
  object *rest = eval_all(l, tail(list), scope);
  DROP(l, 1);
  return cons(l, value, rest);
}

static object *bind_parameters(lisp *l, object *callee, object *args) {
  object *scope = scope_new(l, callee->as.closure.scope);
  KEEP(l, scope);
  object *p = callee->as.closure.parameters;
  for (; p->kind == PAIR; p = tail(p), args = tail(args)) {
    if (args->kind != PAIR) {
      fail(l, "too few arguments");
      break;
    }
    bind(l, scope, head(p), head(args));
  }
  if (p->kind == SYMBOL)
    bind(l, scope, p, args);
  else if (!l->failed && args->kind == PAIR)
    fail(l, "too many arguments");
  DROP(l, 1);
  return scope;
}

static object *append(lisp *l, object *a, object *b) {
  if (a->kind != PAIR)
    return b;
  KEEP(l, a);
  object *rest = append(l, tail(a), b);
  DROP(l, 1);
  return cons(l, head(a), rest);
}

static object *quasi(lisp *l, object *form, object *scope) {
  if (form->kind != PAIR)
    return form;
  if (head(form) == unquote_s)
    return eval(l, head(tail(form)), scope);
  object *first = head(form), *result;
  if (first->kind == PAIR && head(first) == splice_s) {
    object *list = eval(l, head(tail(first)), scope);
    KEEP(l, list);
    object *rest = quasi(l, tail(form), scope);
    KEEP(l, rest);
    result = append(l, list, rest);
    DROP(l, 2);
    return result;
  }
  object *value = quasi(l, first, scope);
  KEEP(l, value);
  result = quasi(l, tail(form), scope);
  DROP(l, 1);
  return cons(l, value, result);
}

static object *make_closure(lisp *l, kind k, object *parameters, object *body, object *scope) {
  object *c = allocate(l, k);
  c->as.closure.parameters = parameters;
  c->as.closure.body = body;
  c->as.closure.scope = scope;
  return c;
}

static object *define(lisp *l, object *rest, object *scope) {
  object *who = head(rest), *value;
  if (who->kind == PAIR) { /* (define (f x) body...) */
    value = make_closure(l, CLOSURE, tail(who), tail(rest), scope);
    who = head(who);
  } else {
    value = eval(l, head(tail(rest)), scope);
  }
  KEEP(l, value);
  bind(l, scope, who, value);
  DROP(l, 1);
  return who;
}

static object *let_scope(lisp *l, object *bindings, object *scope) {
  object *inner = scope_new(l, scope);
  KEEP(l, inner);
  for (; bindings->kind == PAIR && !l->failed; bindings = tail(bindings)) {
    object *value = eval(l, head(tail(head(bindings))), scope);
    KEEP(l, value);
    bind(l, inner, head(head(bindings)), value);
    DROP(l, 1);
  }
  DROP(l, 1);
  return inner;
}

/* All but the last form of a body; the last is left to the caller's loop. */
static object *all_but_last(lisp *l, object *body, object *scope) {
  if (body->kind != PAIR)
    return &l->nil;
  for (; tail(body)->kind == PAIR && !l->failed; body = tail(body))
    eval(l, head(body), scope);
  return head(body);
}

static object *eval(lisp *l, object *form, object *scope) {
  object *result = &l->nil, *callee = &l->nil, *args = &l->nil;
  KEEP(l, form);
  KEEP(l, scope);
  KEEP(l, callee);
  KEEP(l, args);
  while (!l->failed) {
    if (form->kind == SYMBOL) {
      object *binding = find_binding(scope, form);
      result = binding ? tail(binding) : fail(l, "%s has no value", form->as.string.text);
      break;
    }
    if (form->kind != PAIR) {
      result = form;
      break;
    }
    object *what = head(form), *rest = tail(form);
    int n = count(rest);
    if ((what == quote_s || what == quasi_s || what == if_s || what == define_s || what == set_s || what == lambda_s ||
         what == let_s || what == while_s || what == macro_s) && n < 1) {
      fail(l, "%s is incomplete", what->as.string.text);
      break;
    }
    if (what == quote_s) {
      result = head(rest);
      break;
    }
    if (what == quasi_s) {
      result = quasi(l, head(rest), scope);
      break;
    }
    if (what == if_s) {
      object *chosen = eval(l, head(rest), scope)->kind != NIL ? tail(rest) : n > 2 ? tail(tail(rest)) : &l->nil;
      form = chosen->kind == PAIR ? head(chosen) : &l->nil;
      continue;
    }
    if (what == define_s) {
      result = define(l, rest, scope);
      break;
    }
    if (what == macro_s) {
      callee = make_closure(l, MACRO, tail(head(rest)), tail(rest), scope);
      bind(l, scope, head(head(rest)), callee);
      result = head(head(rest));
      break;
    }
    if (what == set_s) {
      object *binding = find_binding(scope, head(rest));
      if (!binding)
        fail(l, "set! of an unknown name");
      result = eval(l, head(tail(rest)), scope);
      if (binding)
        binding->as.pair.tail = result;
      break;
    }
    if (what == lambda_s) {
      result = make_closure(l, CLOSURE, head(rest), tail(rest), scope);
      break;
    }
    if (what == let_s) {
      scope = let_scope(l, head(rest), scope);
      form = all_but_last(l, tail(rest), scope);
      continue;
    }
    if (what == begin_s) {
      form = all_but_last(l, rest, scope);
      continue;
    }
    if (what == while_s) {
      while (!l->failed && eval(l, head(rest), scope)->kind != NIL)
        for (object *p = tail(rest); p->kind == PAIR; p = tail(p))
          eval(l, head(p), scope);
      break;
    }
    if (what == and_s || what == or_s) {
      result = what == and_s ? &l->truth : &l->nil;
      for (; rest->kind == PAIR && !l->failed; rest = tail(rest)) {
        result = eval(l, head(rest), scope);
        if ((result->kind == NIL) == (what == and_s))
          break;
      }
      break;
    }
    callee = eval(l, what, scope);
    if (l->failed)
      break;
    if (callee->kind == MACRO) {
      object *inner = bind_parameters(l, callee, rest);
      KEEP(l, inner);
      object *last = all_but_last(l, callee->as.closure.body, inner);
      form = eval(l, last, inner);
      DROP(l, 1);
      continue;
    }
    args = eval_all(l, rest, scope);
    if (l->failed)
      break;
    if (callee->kind == BUILTIN) {
      result = callee->as.builtin.run(l, args);
      break;
    }
    if (callee->kind != CLOSURE) {
      fail(l, "an object of kind %d is called", callee->kind);
      break;
    }
    scope = bind_parameters(l, callee, args);
    form = all_but_last(l, callee->as.closure.body, scope);
  }
  DROP(l, 4);
  return l->failed ? &l->nil : result;
}

/* ---- builtins ---- */

static bool numeric(const object *o) { return o->kind == NUMBER || o->kind == REAL; }
static double as_real(const object *o) { return o->kind == REAL ? o->as.real : (double)o->as.number; }

static object *arithmetic(lisp *l, object *args, char op) {
  if (args->kind != PAIR || !numeric(head(args)))
    return fail(l, "%c needs numbers", op);
  object *total = head(args);
  if (tail(args)->kind != PAIR && op == '-')
    return total->kind == REAL ? real(l, -total->as.real) : number(l, -total->as.number);
  bool exact = total->kind == NUMBER;
  long whole = exact ? total->as.number : 0;
  double value = as_real(total);
  for (args = tail(args); args->kind == PAIR; args = tail(args)) {
    object *o = head(args);
    if (!numeric(o))
      return fail(l, "%c needs numbers", op);
    if (exact && (o->kind == REAL)) {
      exact = false;
      value = (double)whole;
    }
    if (exact) {
      long n = o->as.number;
      if (op == '/' && n == 0)
        return fail(l, "division by zero");
      whole = op == '+' ? whole + n : op == '-' ? whole - n : op == '*' ? whole * n : whole / n;
    } else {
      double x = as_real(o);
      value = op == '+' ? value + x : op == '-' ? value - x : op == '*' ? value * x : value / x;
    }
  }
  return exact ? number(l, whole) : real(l, value);
}

static object *plus(lisp *l, object *a) { return arithmetic(l, a, '+'); }
static object *minus(lisp *l, object *a) { return arithmetic(l, a, '-'); }
static object *times(lisp *l, object *a) { return arithmetic(l, a, '*'); }
static object *divide(lisp *l, object *a) { return arithmetic(l, a, '/'); }
static object *truth(lisp *l, bool holds) { return holds ? &l->truth : &l->nil; }

static object *less(lisp *l, object *a) {
  if (count(a) != 2 || !numeric(head(a)) || !numeric(head(tail(a))))
    return fail(l, "< needs two numbers");
  return truth(l, as_real(head(a)) < as_real(head(tail(a))));
}

static object *equals(lisp *l, object *a) {
  if (count(a) != 2)
    return fail(l, "= needs two arguments");
  object *x = head(a), *y = head(tail(a));
  if (numeric(x) && numeric(y))
    return truth(l, as_real(x) == as_real(y));
  if (x->kind == STRING && y->kind == STRING)
    return truth(l, !strcmp(x->as.string.text, y->as.string.text));
  return truth(l, x == y);
}

static object *first(lisp *l, object *a) { return count(a) == 1 && head(a)->kind == PAIR ? head(head(a)) : fail(l, "car of no pair"); }
static object *rest(lisp *l, object *a) { return count(a) == 1 && head(a)->kind == PAIR ? tail(head(a)) : fail(l, "cdr of no pair"); }
static object *pair(lisp *l, object *a) { return count(a) == 2 ? cons(l, head(a), head(tail(a))) : fail(l, "cons needs two"); }
static object *list(lisp *l, object *a) { (void)l; return a; }
static object *is_null(lisp *l, object *a) { return truth(l, count(a) == 1 && head(a)->kind == NIL); }
static object *is_pair(lisp *l, object *a) { return truth(l, count(a) == 1 && head(a)->kind == PAIR); }
static object *modulo(lisp *l, object *a) {
  if (count(a) != 2 || head(a)->kind != NUMBER || head(tail(a))->kind != NUMBER || head(tail(a))->as.number == 0)
    return fail(l, "mod needs two whole numbers");
  return number(l, head(a)->as.number % head(tail(a))->as.number);
}
static object *display(lisp *l, object *a) {
  for (; a->kind == PAIR; a = tail(a))
    print(l, head(a), false);
  return &l->nil;
}
static object *concat(lisp *l, object *a) {
  char buffer[256];
  size_t n = 0;
  for (; a->kind == PAIR; a = tail(a)) {
    if (head(a)->kind != STRING || n + head(a)->as.string.length >= sizeof buffer)
      return fail(l, "concat needs short strings");
    memcpy(buffer + n, head(a)->as.string.text, head(a)->as.string.length);
    n += head(a)->as.string.length;
  }
  return text(l, STRING, buffer, n);
}
static object *apply(lisp *l, object *a) {
  if (count(a) != 2 || !is_list(head(tail(a))))
    return fail(l, "apply needs a function and a list");
  object *callee = head(a);
  if (callee->kind == BUILTIN)
    return callee->as.builtin.run(l, head(tail(a)));
  if (callee->kind != CLOSURE)
    return fail(l, "apply of no function");
  KEEP(l, a);
  object *scope = bind_parameters(l, callee, head(tail(a)));
  KEEP(l, scope);
  object *form = all_but_last(l, callee->as.closure.body, scope);
  object *result = eval(l, form, scope);
  DROP(l, 2);
  return result;
}

static const struct {
  const char *name;
  builtin run;
} builtins[] = {{"+", plus},      {"-", minus},        {"*", times},     {"/", divide},   {"<", less},         {"=", equals},
                {"car", first},   {"cdr", rest},       {"cons", pair},   {"list", list},  {"null?", is_null},  {"pair?", is_pair},
                {"mod", modulo},  {"display", display}, {"concat", concat}, {"apply", apply}};

static lisp *lisp_new(void) {
  lisp *l = calloc(1, sizeof *l);
  if (!l)
    die("out of memory");
  l->nil.kind = NIL;
  l->truth.kind = TRUTH;
  l->symbols = &l->nil;
  static const struct {
    object **place;
    const char *name;
  } special[] = {{&quote_s, "quote"}, {&quasi_s, "quasiquote"}, {&unquote_s, "unquote"}, {&splice_s, "splice"}, {&if_s, "if"},
                 {&define_s, "define"}, {&set_s, "set!"}, {&lambda_s, "lambda"}, {&let_s, "let"}, {&begin_s, "begin"},
                 {&while_s, "while"}, {&macro_s, "macro"}, {&and_s, "and"}, {&or_s, "or"}};
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    *special[i].place = name(l, special[i].name);
  l->global = scope_new(l, NULL);
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
    object *b = allocate(l, BUILTIN);
    b->as.builtin.run = builtins[i].run;
    b->as.builtin.name = builtins[i].name;
    KEEP(l, b);
    bind(l, l->global, name(l, builtins[i].name), b);
    DROP(l, 1);
  }
  return l;
}

static void lisp_free(lisp *l) {
  for (int c = 0; c < l->chunk_count; c++) {
    for (int i = 0; i < CHUNK; i++)
      if (l->chunks[c][i].kind == STRING || l->chunks[c][i].kind == SYMBOL)
        free(l->chunks[c][i].as.string.text);
    free(l->chunks[c]);
  }
  free(l->out);
  free(l);
}

/* Evaluates all forms of a text; what it prints, or the last value, or the error, is left in `out`. */
static const char *run(lisp *l, const char *program) {
  l->failed = false;
  l->out_length = 0;
  object *value = &l->nil;
  KEEP(l, value);
  const char *s = program;
  for (skip(&s); *s && !l->failed; skip(&s)) {
    object *form = read(l, &s);
    if (!l->failed)
      value = eval(l, form, l->global);
  }
  DROP(l, 1);
  if (l->root_count != 0)
    die("roots are left");
  if (l->failed)
    emit(l, "error: %s", l->error);
  else
    print(l, value, true);
  return l->out;
}

static const struct {
  const char *program, *answer;
} cases[] = {
    {"(+ 1 2 (* 3 4) (- 5))", "10"},
    {"(/ 7 2) (/ 7 2.0)", "3.5"},
    {"'(1 (two . 3) \"four\" 5.25)", "(1 (two . 3) \"four\" 5.25)"},
    {"(define (fact n) (if (< n 2) 1 (* n (fact (- n 1))))) (fact 20)", "2432902008176640000"},
    {"(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 12)", "144"},
    {"(define (loop n total) (if (= n 0) total (loop (- n 1) (+ total n)))) (loop 1500 0)", "1125750"},
    {"(define (map f xs) (if (null? xs) nil (cons (f (car xs)) (map f (cdr xs))))) (map (lambda (x) (* x x)) '(1 2 3 4 5))",
     "(1 4 9 16 25)"},
    {"(define (fold f a xs) (if (null? xs) a (fold f (f a (car xs)) (cdr xs)))) (fold + 0 '(1 2 3 4))", "10"},
    {"(define (counter) (let ((n 0)) (lambda () (set! n (+ n 1)) n))) (define c (counter)) (c) (c) (list (c) ((counter)))",
     "(3 1)"},
    {"(macro (unless c . body) `(if ,c nil (begin ,@body))) (unless (< 2 1) (display \"seen \") 'yes)", "seen yes"},
    {"(macro (swap a b) `(let ((t ,a)) (set! ,a ,b) (set! ,b t))) (define x 1) (define y 2) (swap x y) (list x y)", "(2 1)"},
    {"(define (range a b) (if (< a b) (cons a (range (+ a 1) b)) nil))"
     "(define (filter p xs) (if (null? xs) nil (if (p (car xs)) (cons (car xs) (filter p (cdr xs))) (filter p (cdr xs)))))"
     "(define (sieve xs) (if (null? xs) nil (cons (car xs) (sieve (filter (lambda (n) (if (= 0 (mod n (car xs))) nil #t)) (cdr xs))))))"
     "(sieve (range 2 40))",
     "(2 3 5 7 11 13 17 19 23 29 31 37)"},
    {"(define (sort xs) (if (null? xs) nil (let ((p (car xs)) (r (cdr xs)))"
     "(append (sort (filter (lambda (x) (< x p)) r)) (cons p (sort (filter (lambda (x) (if (< x p) nil #t)) r)))))))"
     "(define (append a b) (if (null? a) b (cons (car a) (append (cdr a) b)))) (sort '(3 1 4 1 5 9 2 6 5 3 5))",
     "(1 1 2 3 3 4 5 5 5 6 9)"},
    {"(define i 0) (define s \"\") (while (< i 3) (set! s (concat s \"ab\")) (set! i (+ i 1))) s", "\"ababab\""},
    {"(define (newton x n) (if (= n 0) x (newton (/ (+ x (/ 2.0 x)) 2) (- n 1)))) (newton 1.0 6)", "1.414213562"},
    {"(apply (lambda (a . rest) (list a rest)) '(1 2 3))", "(1 (2 3))"},
    {"(or nil (and 1 2 'three) 4)", "three"},
    {"(car 5)", "error: car of no pair"},
    {"(list 1 2", "error: a list is not closed"},
    {"((lambda (x) x))", "error: too few arguments"},
    {"(undefined 1)", "error: undefined has no value"},
    {"(/ 1 0)", "error: division by zero"},
    {"(\"text\" 1)", "error: an object of kind 5 is called"},
};

int main(void) {
  lisp *l = lisp_new();
  int failures = 0, total = (int)(sizeof cases / sizeof *cases);
  for (int i = 0; i < total; i++) {
    const char *got = run(l, cases[i].program);
    int right = !strcmp(got, cases[i].answer);
    printf("%2d %s %s\n", i, right ? "ok" : "FAILED", got);
    failures += !right;
  }
  size_t before = l->allocated;
  collect(l);
  printf("%zu objects made, %zu reclaimed in %zu collections, %zu live, %d chunks\n", before, l->reclaimed, l->collections,
         l->live, l->chunk_count);
  failures += l->collections < 3 || l->live > before;
  /* A cycle does not keep itself alive. */
  size_t live = l->live;
  run(l, "(let ((cell (list 1))) (let ((f (lambda () cell))) (set! cell (list f)) nil))");
  collect(l);
  printf("after a cycle: %zu more live\n", l->live - live);
  failures += l->live > live + 8;
  lisp_free(l);
  printf("%d of %d cases failed\n", failures, total);
  return failures != 0;
}
