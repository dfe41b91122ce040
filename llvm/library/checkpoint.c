/* Checkpointing of a loop whose step is a function: the passes of its gradient.
 *
 * The forward pass keeps snapshots of the state only. The reverse pass has the state before a step from the nearest snapshot, by
 * executing the steps in between once more, on memory of its own. Which states it keeps on the way is decided by
 *
 *   revolve(s)  A. Griewank, A. Walther: Algorithm 799: revolve. ACM TOMS 26(1), 2000. With s snapshots alive at a time and r
 *               repetitions, at most beta(s, r) = (s + r)! / (s! r!) steps can be reversed (Prop. 1). A stretch of n steps, r being
 *               the least number that suffices, is divided such that neither part needs more than its share: behind the new
 *               snapshot at most beta(s - 1, r) steps and at least beta(s - 1, r - 1), before it at most beta(s, r - 1) and at least
 *               beta(s, r - 2). Each such division is optimal: r n - beta(s + 1, r - 1) steps are executed in all (Prop. 1).
 *   periodic(p) a snapshot every p steps, and in the reverse of such a stretch one for each of its steps;
 *   store all   that with p = 1: nothing is executed again.
 *
 * What a step is, and its gradient, come as pointers. */

typedef void adj_step(long, void *, const void *);
typedef void adj_step_reverse(long, void *, void *, const void *, void *);

/* A state before some step. The data follow. */
struct adj_snapshot {
  struct adj_snapshot *below;
  long at;
  /* Snapshots that may be alive for the stretch from here to the next one above, with this. */
  long budget;
  long unused;
};

/* What the forward pass leaves: snapshots, the last on top. A copy of the parameters follows. */
struct adj_tape {
  struct adj_snapshot *top;
  long unused;
};

void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);

enum { ADJ_STORE_ALL, ADJ_PERIODIC, ADJ_REVOLVE };

/* The binomial coefficient; 2^60 if that is less. */
static long adj_beta(long s, long r) {
  if (s < 0 || r < 0)
    return 0;
  long few = s < r ? s : r, many = s < r ? r : s, product = 1;
  for (long k = 1; k <= few; k++) {
    if (product > (1L << 60) / (many + k))
      return 1L << 60;
    product = product * (many + k) / k;
  }
  return product;
}

/* How many of n steps (two at least) lie before the next snapshot, when s may be alive with the one at their start (two at least). */
static long adj_advance(long n, long s) {
  long r = 1;
  while (adj_beta(s, r) < n)
    r++;
  long most = adj_beta(s, r - 1), rest = n - adj_beta(s - 1, r - 1);
  long advance = most < rest ? most : rest;
  return advance < 1 ? 1 : advance;
}

/* How many of the n steps that are left lie before the next snapshot of the forward pass. */
static long adj_stride(int schedule, long n, long budget) {
  if (schedule != ADJ_REVOLVE)
    return budget;
  return n > 1 && budget > 1 ? adj_advance(n, budget) : n;
}

static struct adj_snapshot *adj_push(struct adj_snapshot *below, long at, long budget, const void *state, unsigned long bytes) {
  struct adj_snapshot *made = malloc(sizeof *made + bytes);
  made->below = below;
  made->at = at;
  made->budget = budget;
  __builtin_memcpy(made + 1, state, bytes);
  return made;
}

__attribute__((weak)) void *__adj_checkpoint_forward(adj_step *step, long from, long to, int schedule, long number, void *state,
                                                     unsigned long bytes, const void *parameters,
                                                     unsigned long parameter_bytes) {
  struct adj_tape *tape = malloc(sizeof *tape + parameter_bytes);
  tape->top = 0;
  if (parameter_bytes)
    __builtin_memcpy(tape + 1, parameters, parameter_bytes);
  long budget = number < 1 || schedule == ADJ_STORE_ALL ? 1 : number;
  for (long at = from; at < to;) {
    long left = to - at, advance = adj_stride(schedule, left, budget);
    long next = advance < left ? at + advance : to;
    tape->top = adj_push(tape->top, at, budget, state, bytes);
    for (; at < next; at++)
      step(at, state, parameters);
    budget -= schedule == ADJ_REVOLVE;
  }
  return tape;
}

__attribute__((weak)) void __adj_checkpoint_reverse(adj_step *step, adj_step_reverse *reverse, long to, void *state, void *shadow,
                                                    unsigned long bytes, const void *parameters, void *parameter_shadow,
                                                    unsigned long parameter_bytes, struct adj_tape *tape) {
  void *work = malloc(bytes);
  /* What is constant has itself as its shadow. */
  void *scratch = shadow == state ? calloc(1, bytes) : 0;
  void *parameter_scratch = parameter_shadow == parameters ? calloc(1, parameter_bytes) : 0;
  void *adjoint = scratch ? scratch : shadow;
  void *parameter_adjoint = parameter_scratch ? parameter_scratch : parameter_shadow;
  const void *kept = tape + 1;
  struct adj_snapshot *top = tape->top;
  while (top) {
    long steps = to - top->at, at = top->at;
    __builtin_memcpy(work, top + 1, bytes);
    if (steps > 1 && top->budget > 1) {
      long next = at + adj_advance(steps, top->budget);
      for (; at < next; at++)
        step(at, work, kept);
      top = adj_push(top, at, top->budget - 1, work, bytes);
      continue;
    }
    for (; at < to - 1; at++)
      step(at, work, kept);
    reverse(at, work, adjoint, kept, parameter_adjoint);
    to = at;
    if (to == top->at) {
      struct adj_snapshot *below = top->below;
      free(top);
      top = below;
    }
  }
  free(work);
  free(scratch);
  free(parameter_scratch);
  free(tape);
}
