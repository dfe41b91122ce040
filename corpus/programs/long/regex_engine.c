// A regular expression engine: a parser to syntax trees, Thompson's construction, Pike's simulation with captures, a lazily built DFA
// for yes-or-no questions, and a backtracking matcher that all three are compared with.
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory that is freed together ---- */

typedef struct piece {
  struct piece *next;
  size_t used;
  max_align_t data[64];
} piece;

typedef struct {
  piece *pieces;
} arena;

static void *arena_get(arena *a, size_t bytes) {
  bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  if (!a->pieces || a->pieces->used + bytes > sizeof a->pieces->data) {
    piece *fresh = malloc(sizeof *fresh);
    if (!fresh || bytes > sizeof fresh->data) {
      fputs("out of memory\n", stderr);
      exit(2);
    }
    fresh->next = a->pieces;
    fresh->used = 0;
    a->pieces = fresh;
  }
  void *p = (char *)a->pieces->data + a->pieces->used;
  a->pieces->used += bytes;
  memset(p, 0, bytes);
  return p;
}

static void arena_free(arena *a) {
  while (a->pieces) {
    piece *next = a->pieces->next;
    free(a->pieces);
    a->pieces = next;
  }
}

/* ---- syntax ---- */

typedef enum { EMPTY, SET, CONCAT, ALTERNATE, STAR, PLUS, OPTIONAL, GROUP, START, END } shape;

typedef struct tree {
  shape kind;
  struct tree *left, *right;
  uint32_t set[8]; /* of characters */
  int group;
  bool lazy;
} tree;

enum { MAX_GROUPS = 10 };

typedef struct {
  const char *pattern, *at;
  const char *error;
  int groups;
  arena *memory;
} parser;

static tree *leaf(parser *p, shape kind) {
  tree *t = arena_get(p->memory, sizeof *t);
  t->kind = kind;
  return t;
}

static tree *join(parser *p, shape kind, tree *left, tree *right) {
  tree *t = leaf(p, kind);
  t->left = left;
  t->right = right;
  return t;
}

static void set_add(uint32_t *set, unsigned char c) { set[c >> 5] |= 1u << (c & 31); }
static bool set_has(const uint32_t *set, unsigned char c) { return set[c >> 5] >> (c & 31) & 1; }

static tree *fail(parser *p, const char *why) {
  if (!p->error)
    p->error = why;
  return leaf(p, EMPTY);
}

/* \d \w \s and their complements, or the character itself. */
static void add_escape(uint32_t *set, char c) {
  for (int k = 0; k < 256; k++) {
    bool in;
    switch (tolower((unsigned char)c)) {
    case 'd': in = k < 128 && isdigit(k); break;
    case 'w': in = k < 128 && (isalnum(k) || k == '_'); break;
    case 's': in = k < 128 && isspace(k); break;
    default: in = k == (c == 'n' ? '\n' : c == 't' ? '\t' : (unsigned char)c);
    }
    if (strchr("DWS", c) ? !in : in)
      set_add(set, (unsigned char)k);
  }
}

static tree *parse_set(parser *p) {
  tree *t = leaf(p, SET);
  bool negated = *p->at == '^';
  p->at += negated;
  for (bool first = true; *p->at && (*p->at != ']' || first); first = false) {
    unsigned char low = (unsigned char)*p->at++;
    if (low == '\\' && *p->at) {
      add_escape(t->set, *p->at++);
      continue;
    }
    unsigned char high = low;
    if (*p->at == '-' && p->at[1] && p->at[1] != ']') {
      high = (unsigned char)p->at[1];
      p->at += 2;
    }
    if (high < low)
      return fail(p, "a range is reversed");
    for (int c = low; c <= high; c++)
      set_add(t->set, (unsigned char)c);
  }
  if (*p->at++ != ']') {
    p->at--;
    return fail(p, "a set is not closed");
  }
  for (int i = 0; i < 8 && negated; i++)
    t->set[i] = ~t->set[i];
  return t;
}

static tree *parse_alternatives(parser *p);

static tree *parse_atom(parser *p) {
  tree *t;
  char c = *p->at++;
  switch (c) {
  case '(':
    t = leaf(p, GROUP);
    if (p->at[0] == '?' && p->at[1] == ':') {
      p->at += 2;
      t->group = -1;
    } else if ((t->group = ++p->groups) >= MAX_GROUPS) {
      return fail(p, "too many groups");
    }
    t->left = parse_alternatives(p);
    if (*p->at != ')')
      return fail(p, "a group is not closed");
    p->at++;
    return t->group < 0 ? t->left : t;
  case '[':
    return parse_set(p);
  case '^':
    return leaf(p, START);
  case '$':
    return leaf(p, END);
  case '*':
  case '+':
  case '?':
    return fail(p, "nothing to repeat");
  case '.':
    t = leaf(p, SET);
    for (int k = 0; k < 256; k++)
      if (k != '\n')
        set_add(t->set, (unsigned char)k);
    return t;
  case '\\':
    if (!*p->at)
      return fail(p, "a trailing backslash");
    t = leaf(p, SET);
    add_escape(t->set, *p->at++);
    return t;
  default:
    t = leaf(p, SET);
    set_add(t->set, (unsigned char)c);
    return t;
  }
}

static tree *copy(parser *p, const tree *t) {
  if (!t)
    return NULL;
  tree *c = leaf(p, t->kind);
  *c = *t;
  c->left = copy(p, t->left);
  c->right = copy(p, t->right);
  return c;
}

/* x{m,n} is written out: m copies, then optional ones. */
static tree *parse_count(parser *p, tree *t) {
  char *end;
  long least = strtol(p->at, &end, 10), most = least;
  if (*end == ',') {
    most = end[1] == '}' ? -1 : strtol(end + 1, &end, 10);
    end += most < 0;
  }
  if (*end != '}' || least < 0 || least > 50 || most > 50 || (most >= 0 && most < least))
    return fail(p, "a malformed count");
  p->at = end + 1;
  tree *result = leaf(p, EMPTY);
  for (long i = 0; i < least; i++)
    result = join(p, CONCAT, result, copy(p, t));
  if (most < 0)
    return join(p, CONCAT, result, join(p, STAR, copy(p, t), NULL));
  tree *rest = leaf(p, EMPTY);
  for (long i = least; i < most; i++)
    rest = join(p, OPTIONAL, join(p, CONCAT, copy(p, t), rest), NULL);
  return join(p, CONCAT, result, rest);
}

static tree *parse_repeat(parser *p) {
  tree *t = parse_atom(p);
  while (!p->error && *p->at && strchr("*+?{", *p->at)) {
    char c = *p->at++;
    if (c == '{') {
      t = parse_count(p, t);
      continue;
    }
    t = join(p, c == '*' ? STAR : c == '+' ? PLUS : OPTIONAL, t, NULL);
    if (*p->at == '?') {
      t->lazy = true;
      p->at++;
    }
  }
  return t;
}

static tree *parse_sequence(parser *p) {
  tree *t = leaf(p, EMPTY);
  while (!p->error && *p->at && *p->at != '|' && *p->at != ')')
    t = join(p, CONCAT, t, parse_repeat(p));
  return t;
}

static tree *parse_alternatives(parser *p) {
  tree *t = parse_sequence(p);
  while (!p->error && *p->at == '|') {
    p->at++;
    t = join(p, ALTERNATE, t, parse_sequence(p));
  }
  return t;
}

/* ---- the program for the simulated machine ---- */

typedef enum { I_SET, I_SPLIT, I_JUMP, I_SAVE, I_START, I_END, I_MATCH } opcode;

typedef struct {
  opcode op;
  int x, y; /* targets, or the slot */
  const uint32_t *set;
} instruction;

enum { MAX_CODE = 700, MAX_STATES = 64 };

typedef struct {
  arena memory;
  tree *syntax;
  instruction code[MAX_CODE];
  int size, groups;
  const char *error;
  int states_built; /* of the last DFA run */
} regex;

static int emit(regex *r, instruction i) {
  if (r->size == MAX_CODE) {
    r->error = "the program is too long";
    return 0;
  }
  r->code[r->size] = i;
  return r->size++;
}

static void compile(regex *r, const tree *t) {
  int split = 0, jump;
  switch (t->kind) {
  case EMPTY:
    return;
  case SET:
    emit(r, (instruction){.op = I_SET, .set = t->set});
    return;
  case START:
  case END:
    emit(r, (instruction){.op = t->kind == START ? I_START : I_END});
    return;
  case CONCAT:
    compile(r, t->left);
    compile(r, t->right);
    return;
  case GROUP:
    emit(r, (instruction){.op = I_SAVE, .x = 2 * t->group});
    compile(r, t->left);
    emit(r, (instruction){.op = I_SAVE, .x = 2 * t->group + 1});
    return;
  case ALTERNATE:
    split = emit(r, (instruction){.op = I_SPLIT});
    r->code[split].x = r->size;
    compile(r, t->left);
    jump = emit(r, (instruction){.op = I_JUMP});
    r->code[split].y = r->size;
    compile(r, t->right);
    r->code[jump].x = r->size;
    return;
  case OPTIONAL:
  case STAR:
    split = emit(r, (instruction){.op = I_SPLIT});
    r->code[split].x = r->size;
    compile(r, t->left);
    if (t->kind == STAR)
      emit(r, (instruction){.op = I_JUMP, .x = split});
    r->code[split].y = r->size;
    break;
  case PLUS:
    jump = r->size;
    compile(r, t->left);
    split = emit(r, (instruction){.op = I_SPLIT, .x = jump});
    r->code[split].y = r->size;
    break;
  }
  if (t->lazy) {
    int x = r->code[split].x;
    r->code[split].x = r->code[split].y;
    r->code[split].y = x;
  }
}

static regex *regex_new(const char *pattern) {
  regex *r = calloc(1, sizeof *r);
  if (!r)
    exit(2);
  parser p = {pattern, pattern, NULL, 0, &r->memory};
  r->syntax = parse_alternatives(&p);
  if (!p.error && *p.at)
    p.error = "unexpected )";
  r->error = p.error;
  r->groups = p.groups;
  if (!r->error) {
    emit(r, (instruction){.op = I_SAVE, .x = 0});
    compile(r, r->syntax);
    emit(r, (instruction){.op = I_SAVE, .x = 1});
    emit(r, (instruction){.op = I_MATCH});
  }
  return r;
}

static void regex_free(regex *r) {
  arena_free(&r->memory);
  free(r);
}

/* ---- Pike's simulation: threads in order of priority, each with its captures ---- */

typedef struct {
  int slot[2 * MAX_GROUPS];
} captures;

typedef struct {
  int count;
  int pc[MAX_CODE];
  captures saved[MAX_CODE];
  unsigned stamp[MAX_CODE], now;
} threads;

static void add_thread(const regex *r, threads *list, int pc, captures c, int at, int length) {
  if (list->stamp[pc] == list->now)
    return;
  list->stamp[pc] = list->now;
  const instruction *i = &r->code[pc];
  switch (i->op) {
  case I_JUMP:
    add_thread(r, list, i->x, c, at, length);
    break;
  case I_SPLIT:
    add_thread(r, list, i->x, c, at, length);
    add_thread(r, list, i->y, c, at, length);
    break;
  case I_SAVE:
    c.slot[i->x] = at;
    add_thread(r, list, pc + 1, c, at, length);
    break;
  case I_START:
    if (at == 0)
      add_thread(r, list, pc + 1, c, at, length);
    break;
  case I_END:
    if (at == length)
      add_thread(r, list, pc + 1, c, at, length);
    break;
  case I_SET:
  case I_MATCH:
    list->pc[list->count] = pc;
    list->saved[list->count++] = c;
  }
}

static bool pike(const regex *r, const char *text, captures *found) {
  int length = (int)strlen(text);
  threads *now = calloc(1, sizeof *now), *next = calloc(1, sizeof *next);
  if (!now || !next)
    exit(2);
  bool matched = false;
  captures none;
  memset(&none, -1, sizeof none);
  now->now = next->now = 1;
  for (int at = 0; at <= length; at++) {
    if (!matched)
      add_thread(r, now, 0, none, at, length);
    next->count = 0;
    next->now++;
    for (int t = 0; t < now->count; t++) {
      const instruction *i = &r->code[now->pc[t]];
      if (i->op == I_MATCH) {
        matched = true;
        *found = now->saved[t];
        break; /* threads of lower priority are cut off */
      }
      if (at < length && set_has(i->set, (unsigned char)text[at]))
        add_thread(r, next, now->pc[t] + 1, now->saved[t], at + 1, length);
    }
    threads *swap = now;
    now = next;
    next = swap;
    if (!now->count && matched)
      break;
  }
  free(now);
  free(next);
  return matched;
}

/* ---- a lazy DFA: sets of program counters become states when they are met ---- */

typedef struct {
  uint8_t member[MAX_CODE];
  int16_t next[256]; /* -1 unknown */
  bool accepts, accepts_at_end;
} state;

typedef struct {
  const regex *r;
  state *states;
  int count;
} automaton;

static void close_over(const regex *r, uint8_t *member, int pc, bool at_start, bool at_end) {
  if (member[pc])
    return;
  member[pc] = 1;
  const instruction *i = &r->code[pc];
  if (i->op == I_JUMP || i->op == I_SPLIT)
    close_over(r, member, i->x, at_start, at_end);
  if (i->op == I_SPLIT)
    close_over(r, member, i->y, at_start, at_end);
  if (i->op == I_SAVE || (i->op == I_START && at_start) || (i->op == I_END && at_end))
    close_over(r, member, pc + 1, at_start, at_end);
}

static int find_state(automaton *a, const uint8_t *member) {
  for (int s = 0; s < a->count; s++)
    if (!memcmp(a->states[s].member, member, (size_t)a->r->size))
      return s;
  if (a->count == MAX_STATES)
    return -1;
  state *s = &a->states[a->count];
  memset(s, 0, sizeof *s);
  memcpy(s->member, member, (size_t)a->r->size);
  memset(s->next, -1, sizeof s->next);
  s->accepts = member[a->r->size - 1];
  uint8_t ended[MAX_CODE] = {0};
  for (int pc = 0; pc < a->r->size; pc++)
    if (member[pc]) {
      ended[pc] = 0;
      close_over(a->r, ended, pc, false, true);
    }
  s->accepts_at_end = ended[a->r->size - 1];
  return a->count++;
}

/* 1 if it occurs, 0 if not, -1 if there are too many states. */
static int dfa(regex *r, const char *text) {
  automaton a = {r, malloc(MAX_STATES * sizeof(state)), 0};
  if (!a.states)
    exit(2);
  uint8_t member[MAX_CODE] = {0};
  close_over(r, member, 0, true, text[0] == '\0');
  int now = find_state(&a, member), result = 0;
  for (const char *c = text; now >= 0; c++) {
    if (a.states[now].accepts || (!*c && a.states[now].accepts_at_end))
      result = 1;
    if (result || !*c)
      break;
    int16_t *edge = &a.states[now].next[(unsigned char)*c];
    if (*edge < 0) {
      memset(member, 0, sizeof member);
      for (int pc = 0; pc < r->size; pc++)
        if (a.states[now].member[pc] && r->code[pc].op == I_SET && set_has(r->code[pc].set, (unsigned char)*c))
          close_over(r, member, pc + 1, false, false);
      close_over(r, member, 0, false, false);
      *edge = (int16_t)find_state(&a, member);
    }
    now = *edge;
  }
  r->states_built = a.count;
  if (now < 0)
    result = -1;
  free(a.states);
  return result;
}

/* ---- the reference: backtracking over the syntax tree, with a continuation ---- */

typedef struct next {
  const tree *t;
  const struct next *then;
  const char *began; /* where a repetition began, to stop empty ones */
} next;

static const char *text_start;

static bool back(const tree *t, const char *at, const next *then);

static bool go_on(const next *then, const char *at) {
  if (!then)
    return true;
  if (then->began && then->began == at)
    return go_on(then->then, at);
  return back(then->t, at, then->then);
}

static bool back(const tree *t, const char *at, const next *then) {
  switch (t->kind) {
  case EMPTY:
    return go_on(then, at);
  case SET:
    return *at && set_has(t->set, (unsigned char)*at) && go_on(then, at + 1);
  case START:
    return at == text_start && go_on(then, at);
  case END:
    return !*at && go_on(then, at);
  case GROUP:
    return back(t->left, at, then);
  case CONCAT: {
    next rest = {t->right, then, NULL};
    return back(t->left, at, &rest);
  }
  case ALTERNATE:
    return back(t->left, at, then) || back(t->right, at, then);
  case OPTIONAL:
    return back(t->left, at, then) || go_on(then, at);
  case STAR: {
    next again = {t, then, at};
    return back(t->left, at, &again) || go_on(then, at);
  }
  case PLUS: {
    tree star = {.kind = STAR, .left = t->left};
    next rest = {&star, then, NULL};
    return back(t->left, at, &rest);
  }
  }
  return false;
}

static bool backtrack(const regex *r, const char *text) {
  text_start = text;
  for (const char *at = text;; at++) {
    if (back(r->syntax, at, NULL))
      return true;
    if (!*at)
      return false;
  }
}

/* ---- the program ---- */

static const struct {
  const char *pattern, *text, *expected; /* captures, separated by |, or NULL */
} cases[] = {
    {"abc", "xxabcx", "abc"},
    {"a*b", "aaab", "aaab"},
    {"a*?b", "aaab", "aaab"},
    {"<.+>", "<a><b>", "<a><b>"},
    {"<.+?>", "<a><b>", "<a>"},
    {"(a|ab)(c|bcd)(d*)", "abcd", "abcd|a|bcd|"},
    {"^(\\w+)\\s*=\\s*(\\d+)$", "width = 42", "width = 42|width|42"},
    {"^(\\w+)\\s*=\\s*(\\d+)$", "width = 4x2", NULL},
    {"[^aeiou\\s]{3,}", "queue rhythm", "rhythm"},
    {"(\\d{4})-(\\d{2})-(\\d{2})", "on 2024-02-29 it", "2024-02-29|2024|02|29"},
    {"x?y?z?", "", ""},
    {"(a*)*b", "aaaaaaaaaaaaaaaaaaaaaac", NULL},
    {"(?:ab)+", "xababaab", "abab"},
    {"[]x]+", "a]x]b", "]x]"},
    {"[a-fA-F0-9]+$", "0xBeef", "Beef"},
    {"a{2}b{0,1}c{1,}", "aaccc", "aaccc"},
    {"(foo|foobar)$", "foobar", "foobar|foobar"},
    {"colou?r", "the color", "color"},
    {"\\.\\*\\[", "a.*[", ".*["},
    {"^$", "", ""},
    {"^a|b$", "cb", "b"},
    {"\\D\\W\\S", "1a ! ", "a !"},
    {"(((a)))", "ba", "a|a|a|a"},
};

static const char *const malformed[] = {"(a", "a)", "[a", "*a", "a{3,1}", "[z-a]", "a\\", "a{2", "(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)"};

static int failures = 0;

static void show(const regex *r, const char *text, const captures *c, char *out, size_t size) {
  size_t n = 0;
  for (int g = 0; g <= r->groups; g++) {
    int from = c->slot[2 * g], to = c->slot[2 * g + 1];
    n += (size_t)snprintf(out + n, size - n, "%s%.*s", g ? "|" : "", from < 0 ? 0 : to - from, from < 0 ? "" : text + from);
  }
}

static void generated(void) {
  /* Short patterns over a small alphabet, against all texts of up to four letters. */
  static const char pieces[] = "ab|*(?)a.b+";
  uint32_t state = 12345;
  int tried = 0, compared = 0, differences = 0;
  while (tried < 14) {
    char pattern[8];
    int length = 0;
    for (; length < 6; length++) {
      state = state * 1103515245u + 12345u;
      pattern[length] = pieces[(state >> 16) % (sizeof pieces - 1)];
    }
    pattern[length] = '\0';
    regex *r = regex_new(pattern);
    if (!r->error) {
      tried++;
      for (int code = 0; code < 31; code++) {
        char text[6];
        int n = 0;
        for (int rest = code + 1; rest > 1; rest >>= 1)
          text[n++] = rest & 1 ? 'b' : 'a';
        text[n] = '\0';
        captures c;
        bool a = pike(r, text, &c), b = backtrack(r, text);
        int d = code % 3 ? a : dfa(r, text);
        compared++;
        if (a != b || d != (int)a) {
          differences++;
          printf("/%s/ on \"%s\": pike %d, backtracking %d, dfa %d\n", pattern, text, a, b, d);
        }
      }
    }
    regex_free(r);
  }
  printf("%d generated patterns, %d comparisons, %d differences\n", tried, compared, differences);
  failures += differences;
}

int main(void) {
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    regex *r = regex_new(cases[k].pattern);
    captures c;
    char got[80] = "";
    bool matched = !r->error && pike(r, cases[k].text, &c);
    if (matched)
      show(r, cases[k].text, &c, got, sizeof got);
    int automatic = r->error ? -1 : dfa(r, cases[k].text);
    bool right = matched == (cases[k].expected != NULL) && (!matched || !strcmp(got, cases[k].expected)) && automatic == (int)matched;
    if (strcmp(cases[k].pattern, "(a*)*b"))
      right = right && backtrack(r, cases[k].text) == matched;
    printf("%-8s /%s/ on \"%s\": %s (%d instructions, %d states)\n", right ? "ok" : "FAILED", cases[k].pattern, cases[k].text,
           matched ? got : "no match", r->size, r->states_built);
    failures += !right;
    regex_free(r);
  }
  for (size_t k = 0; k < sizeof malformed / sizeof *malformed; k++) {
    regex *r = regex_new(malformed[k]);
    printf("%-8s /%s/: %s\n", r->error ? "refused" : "FAILED", malformed[k], r->error ? r->error : "accepted");
    failures += !r->error;
    regex_free(r);
  }
  generated();
  printf("%d failures\n", failures);
  return failures != 0;
}
