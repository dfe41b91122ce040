/* Long short-term memory, the objective of ADBench (lstm): layers with the gates of Gers, Schmidhuber and Cummins without full
 * recurrent matrices: forget = sigmoid(x w_f + b_f), ingate = sigmoid(h w_i + b_i), outgate = sigmoid(x w_o + b_o),
 * change = tanh(h w_c + b_c); c' = c forget + ingate change; h' = outgate tanh(c'). The input of the first layer is scaled, the
 * output of the last one scaled and shifted; the loss is the mean of the negative logarithm of the softmax at the next
 * symbol. The gradient is with respect to all weights. The size is 100000 * layers + sequence; the width is 14. */
#include "adj.h"
#include "bench.h"

static int L, C, B = 14;
static double *mainp, *extra, *start, *state, *sequence, *dmain, *dextra, *dstate;

static double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

static void layer(int n, const double *weight, const double *bias, double *hidden, double *cell, const double *input) {
  for (int i = 0; i < n; i++) {
    double forget = sigmoid(input[i] * weight[i] + bias[i]);
    double ingate = sigmoid(hidden[i] * weight[n + i] + bias[n + i]);
    double outgate = sigmoid(input[i] * weight[2 * n + i] + bias[2 * n + i]);
    double change = tanh(hidden[i] * weight[3 * n + i] + bias[3 * n + i]);
    cell[i] = cell[i] * forget + ingate * change;
    hidden[i] = outgate * tanh(cell[i]);
  }
}

static void predict(int l, int b, const double *w, const double *w2, double *s, const double *x, double *x2) {
  for (int i = 0; i < b; i++) x2[i] = x[i] * w2[i];
  double *input = x2;
  for (int i = 0; i < l; i++) {
    layer(b, w + i * 8 * b, w + i * 8 * b + 4 * b, s + i * 2 * b, s + i * 2 * b + b, input);
    input = s + i * 2 * b;
  }
  for (int i = 0; i < b; i++) x2[i] = input[i] * w2[b + i] + w2[2 * b + i];
}

/* The state is no other array's memory: what the adjoint by hand relies on as well. */
static double lstm(int l, int c, int b, const double *main_params, const double *extra_params, double *restrict s,
                   const double *seq) {
  double total = 0.0;
  int count = 0;
  double *prediction = malloc(sizeof(double) * (size_t)b);
  for (int t = 0; t + 1 < c; t++) {
    const double *next = seq + (t + 1) * b;
    predict(l, b, main_params, extra_params, s, seq + t * b, prediction);
    double sum = 0.0;
    for (int i = 0; i < b; i++) sum += exp(prediction[i]);
    double norm = log(sum + 2.0);
    for (int i = 0; i < b; i++) total += next[i] * (prediction[i] - norm);
    count += b;
  }
  free(prediction);
  return -total / count;
}

/* The adjoint by hand: backpropagation through time. For each step and layer the gates, the old cell and hidden value and
 * tanh of the new cell are kept; everything that is needed is a product of these. */
static void lstm_adjoint(int l, int c, int b, const double *w, double *dw, const double *w2, double *dw2, double *s,
                         const double *seq) {
  enum { FORGET, INGATE, OUTGATE, CHANGE, CELL, HIDDEN, TANH, KEPT };
  long per_layer = (long)KEPT * b, per_step = per_layer * l + b;
  double *tape = malloc(sizeof(double) * (size_t)(per_step * (c - 1)));
  double *x = malloc(sizeof(double) * (size_t)(b * 2)), *dx = x + b;
  double *ds = calloc((size_t)(2 * l * b), sizeof(double));
  for (int t = 0; t + 1 < c; t++) {
    double *kept = tape + per_step * t;
    for (int i = 0; i < b; i++) x[i] = seq[t * b + i] * w2[i];
    const double *input = x;
    for (int j = 0; j < l; j++, kept += per_layer) {
      const double *weight = w + j * 8 * b, *bias = weight + 4 * b;
      double *hidden = s + j * 2 * b, *cell = hidden + b;
      for (int i = 0; i < b; i++) {
        double forget = sigmoid(input[i] * weight[i] + bias[i]);
        double ingate = sigmoid(hidden[i] * weight[b + i] + bias[b + i]);
        double outgate = sigmoid(input[i] * weight[2 * b + i] + bias[2 * b + i]);
        double change = tanh(hidden[i] * weight[3 * b + i] + bias[3 * b + i]);
        kept[FORGET * b + i] = forget;
        kept[INGATE * b + i] = ingate;
        kept[OUTGATE * b + i] = outgate;
        kept[CHANGE * b + i] = change;
        kept[CELL * b + i] = cell[i];
        kept[HIDDEN * b + i] = hidden[i];
        cell[i] = cell[i] * forget + ingate * change;
        kept[TANH * b + i] = tanh(cell[i]);
        hidden[i] = outgate * kept[TANH * b + i];
      }
      input = hidden;
    }
    for (int i = 0; i < b; i++) kept[i] = input[i];
  }
  double scale = -1.0 / ((double)(c - 1) * b);
  for (int t = c - 2; t >= 0; t--) {
    double *last = tape + per_step * t + per_layer * l;
    const double *next = seq + (t + 1) * b;
    double sum = 2.0, ones = 0.0;
    for (int i = 0; i < b; i++) {
      x[i] = exp(last[i] * w2[b + i] + w2[2 * b + i]);
      sum += x[i];
      ones += next[i];
    }
    double *top = ds + (l - 1) * 2 * b;
    for (int i = 0; i < b; i++) {
      double dy = scale * (next[i] - ones * x[i] / sum);
      dw2[2 * b + i] += dy;
      dw2[b + i] += dy * last[i];
      top[i] += dy * w2[b + i];
    }
    for (int j = l - 1; j >= 0; j--) {
      const double *kept = tape + per_step * t + per_layer * j;
      const double *weight = w + j * 8 * b;
      double *dweight = dw + j * 8 * b, *dbias = dweight + 4 * b;
      double *dhidden = ds + j * 2 * b, *dcell = dhidden + b;
      const double *below = kept - per_layer;
      for (int i = 0; i < b; i++) {
        double input = j == 0 ? seq[t * b + i] * w2[i] : below[OUTGATE * b + i] * below[TANH * b + i];
        double forget = kept[FORGET * b + i], ingate = kept[INGATE * b + i], outgate = kept[OUTGATE * b + i];
        double change = kept[CHANGE * b + i], tangent = kept[TANH * b + i], hidden = kept[HIDDEN * b + i];
        double dh = dhidden[i];
        double dc = dcell[i] + dh * outgate * (1.0 - tangent * tangent);
        double doutgate = dh * tangent * outgate * (1.0 - outgate);
        double dforget = dc * kept[CELL * b + i] * forget * (1.0 - forget);
        double dingate = dc * change * ingate * (1.0 - ingate);
        double dchange = dc * ingate * (1.0 - change * change);
        dweight[i] += dforget * input;
        dbias[i] += dforget;
        dweight[b + i] += dingate * hidden;
        dbias[b + i] += dingate;
        dweight[2 * b + i] += doutgate * input;
        dbias[2 * b + i] += doutgate;
        dweight[3 * b + i] += dchange * hidden;
        dbias[3 * b + i] += dchange;
        dx[i] = dforget * weight[i] + doutgate * weight[2 * b + i];
        dhidden[i] = dingate * weight[b + i] + dchange * weight[3 * b + i];
        dcell[i] = dc * forget;
      }
      if (j > 0) {
        for (int i = 0; i < b; i++) dhidden[i - 2 * b] += dx[i];
      } else {
        for (int i = 0; i < b; i++) dw2[i] += dx[i] * seq[t * b + i];
      }
    }
  }
  free(tape);
  free(x);
  free(ds);
}

static long main_length(void) { return (long)L * 8 * B; }

static void allocate(void) {
  mainp = bench_array(main_length());
  extra = bench_array(3 * B);
  start = bench_array(2L * L * B);
  state = bench_array(2L * L * B);
  sequence = bench_array((long)C * B);
  dmain = bench_array(main_length());
  dextra = bench_array(3 * B);
  dstate = bench_array(2L * L * B);
}

static void bench_setup(long size) {
  L = (int)(size / 100000);
  C = (int)(size % 100000);
  allocate();
  bench_fill(mainp, main_length(), 1.0);
  bench_fill(extra, 3 * B, 1.0);
  bench_fill(start, 2L * L * B, 0.5);
  for (int t = 0; t < C; t++) sequence[t * B + (int)((bench_uniform() + 1.0) * 0.4999 * B)] = 1.0;
}

/* Weights and biases of the layers, scales and shift, the state, and the sequence. */
static void bench_read(const char *path) {
  bench_open(path);
  L = (int)bench_count(1, 1e4);
  C = (int)bench_count(2, 1e8);
  B = (int)bench_count(1, 1e4);
  allocate();
  bench_numbers(mainp, main_length());
  bench_numbers(extra, 3L * B);
  bench_numbers(start, 2L * L * B);
  bench_numbers(sequence, (long)C * B);
  bench_close();
}

static void reset(void) { memcpy(state, start, sizeof(double) * 2 * (size_t)(L * B)); }

static void clear(void) {
  memset(dmain, 0, sizeof(double) * (size_t)main_length());
  memset(dextra, 0, sizeof(double) * 3 * (size_t)B);
  memset(dstate, 0, sizeof(double) * 2 * (size_t)(L * B));
}

static double bench_primal(void) {
  reset();
  return lstm(L, C, B, mainp, extra, state, sequence);
}

#ifdef BENCH_OVERLOADED
/* In overloaded/lstm.cpp. */
void overloaded_gradient(int l, int c, int b, const double *main_params, const double *extra_params, const double *state,
                         const double *seq, double *dmain, double *dextra, double *dstate);

static void bench_gradient(void) {
  reset();
  overloaded_gradient(L, C, B, mainp, extra, state, sequence, dmain, dextra, dstate);
}
#else
static void bench_gradient(void) {
  reset();
  clear();
  __enzyme_autodiff((void *)lstm, enzyme_const, L, enzyme_const, C, enzyme_const, B, enzyme_dup, mainp, dmain,
                    enzyme_dup, extra, dextra, enzyme_dup, state, dstate, enzyme_const, sequence);
}
#endif

static void bench_hand(void) {
  reset();
  clear();
  lstm_adjoint(L, C, B, mainp, dmain, extra, dextra, state, sequence);
}

static const double *bench_result(long *n) {
  *n = main_length() + 3 * B;
  double *all = bench_array(*n);
  memcpy(all, dmain, sizeof(double) * (size_t)main_length());
  memcpy(all + main_length(), dextra, sizeof(double) * 3 * (size_t)B);
  return all;
}

BENCH_MAIN_READING
