/* adj.h: what a C or C++ program needs in order to have its gradients made and judged.
 *
 * A differentiated call is a call of any function whose name contains `__enzyme_autodiff`:
 *
 *     double g = __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, n);
 *
 * Each argument of `f` may be preceded by a marker; a duplicated pointer is followed by its shadow.
 * Without a marker a floating-point value is `enzyme_out`, a pointer `enzyme_dup`, an integer
 * `enzyme_const`. The call returns the components of the `enzyme_out` arguments: a scalar, or a
 * structure of them in order. The seed of an active scalar return is 1.
 *
 * Forward mode is a call of any function whose name contains `__enzyme_fwddiff`:
 *
 *     double t = __enzyme_fwddiff((void *)f, enzyme_dup, x, dx, y, dy, enzyme_const, n);
 *
 * It runs `f` and its tangent: every duplicated pointer is followed by its shadow, which holds the
 * tangents of what it points to on entry and on exit, and every duplicated floating-point value by its
 * tangent. Without a marker a floating-point value is duplicated here, too. The call returns the
 * tangent of the result. After `enzyme_width, n` (a constant) n shadows or tangents follow each
 * duplicated argument, one for each direction, and the call returns a structure or array of n tangents.
 *
 * A gradient written by hand, or by another tool, is judged by
 *
 *     __adj_check_gradient((void *)f, (void *)df, enzyme_dup, x, dx, enzyme_const, n, 1.0);
 *
 * where `df` has the parameters of `f`, a shadow after each duplicated pointer, and then the seed
 * when `f` returns an active scalar. `df` returns the components of the `enzyme_out` arguments.
 * The arguments after `df` are those of the differentiated call, then the seed (1 where it is left out). A tangent is
 * judged by `__adj_check_tangent((void *)f, (void *)df, ...)`; its `df` has the parameters of `f` with shadows and
 * tangents after those that are duplicated, and returns the tangent of the result.
 *
 * A loop whose step is a function may be executed by `__enzyme_checkpoint_for` (define ADJ_CHECKPOINTS before the
 * inclusion). Its gradient keeps only snapshots of the state, and executes steps again from them:
 *
 *     void step(long i, void *state, const void *parameters);
 *     __enzyme_checkpoint_for(step, from, to, ADJ_REVOLVE, 8, u, sizeof u, &p, sizeof p);
 *
 * is `for (long i = from; i < to; i++) step(i, u, &p);`. A step changes nothing but the state, and reads nothing but
 * the state, the parameters and constants; neither holds pointers. ADJ_REVOLVE keeps at most the given number of
 * snapshots, and executes as few steps again as that allows; ADJ_PERIODIC keeps one every so many steps; ADJ_STORE_ALL
 * keeps all.
 *
 * Tasks that fork and join (define ADJ_TASKS before the inclusion):
 *
 *     struct adj_region region;
 *     __adj_detach(&region, task, &data);    task(&data) may run beside what follows,
 *     __adj_sync(&region);                   until here.
 *
 * A compiled program runs its serial projection: a detach is a call. `adj run` runs each task as a thread and finds
 * races between them; a gradient is that of the serial projection.
 *
 * C has no overloads: a program that needs another return type declares its own function, such as
 * `struct pair __enzyme_autodiff_pair(void *, ...);`. Declare a prototype without `...` when a
 * `float` is passed, because variable arguments promote it. Define ADJ_NO_AUTODIFF before the
 * inclusion to leave `__enzyme_autodiff` itself undeclared. */
#ifndef ADJ_H
#define ADJ_H

/* Activity markers. They have no value: only the name is read. */
extern int enzyme_const;
extern int enzyme_dup;
extern int enzyme_dupnoneed;
extern int enzyme_out;
extern int enzyme_width;

#ifdef __cplusplus
extern "C" {
#endif

/* Judge `df` as the reverse-mode gradient of `f` at this point, on this memory. */
void __adj_check_gradient(void *f, void *df, ...);

/* Judge `df` as the forward-mode tangent of `f`. */
void __adj_check_tangent(void *f, void *df, ...);

/* A function that is known by its name. Compilers must not make copies of it for single arguments: calls of it would
 * not be found in the program any more. */
#ifdef __clang__
#define ADJ_KNOWN __attribute__((weak, noinline, optnone))
#else
#define ADJ_KNOWN __attribute__((weak, noinline))
#endif

#ifdef ADJ_CHECKPOINTS
/* Schedules of checkpoints. */
enum { ADJ_STORE_ALL, ADJ_PERIODIC, ADJ_REVOLVE };

/* The loop. */
ADJ_KNOWN
void __enzyme_checkpoint_for(void (*step)(long, void *, const void *), long from, long to, int schedule, long number,
                             void *state, unsigned long bytes, const void *parameters, unsigned long parameter_bytes) {
  (void)schedule, (void)number, (void)bytes, (void)parameter_bytes;
  for (long i = from; i < to; i++)
    step(i, state, parameters);
}
#endif

#ifdef ADJ_TASKS
/* A region of tasks: a variable for the functions to tell regions by. */
struct adj_region {
  void *tasks;
};

/* Starts `task(data)`, which may run beside what follows until the region is synced. */
ADJ_KNOWN void __adj_detach(struct adj_region *region, void (*task)(void *), void *data) {
  (void)region;
  task(data);
}

/* Waits for all tasks of the region. */
ADJ_KNOWN void __adj_sync(struct adj_region *region) { region->tasks = 0; }
#endif

#if !defined(__cplusplus) && !defined(ADJ_NO_AUTODIFF)
double __enzyme_autodiff(void *f, ...);
double __enzyme_fwddiff(void *f, ...);
#endif

#ifdef __cplusplus
}

#ifndef ADJ_NO_AUTODIFF
/* `__enzyme_autodiff<double>((void *)f, x)`: the result type is the first template argument. */
template <typename Result, typename... Arguments>
Result __enzyme_autodiff(void *f, Arguments... arguments);
template <typename Result, typename... Arguments>
Result __enzyme_fwddiff(void *f, Arguments... arguments);
#endif
#endif

#endif
