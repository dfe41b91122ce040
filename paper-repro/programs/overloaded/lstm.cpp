// Long short-term memory for a tool with its own number type: the formulas of ../lstm.c.
#include "tool.hpp"

template <typename T>
static T sigmoid(const T &x) {
  return 1.0 / (1.0 + exp(-x));
}

template <typename T>
static void layer(int n, const T *weight, const T *bias, T *hidden, T *cell, const T *input) {
  for (int i = 0; i < n; i++) {
    T forget = sigmoid<T>(input[i] * weight[i] + bias[i]);
    T ingate = sigmoid<T>(hidden[i] * weight[n + i] + bias[n + i]);
    T outgate = sigmoid<T>(input[i] * weight[2 * n + i] + bias[2 * n + i]);
    T change = tanh(hidden[i] * weight[3 * n + i] + bias[3 * n + i]);
    cell[i] = cell[i] * forget + ingate * change;
    hidden[i] = outgate * tanh(cell[i]);
  }
}

template <typename T>
static void predict(int l, int b, const T *w, const T *w2, T *s, const double *x, T *x2) {
  for (int i = 0; i < b; i++) x2[i] = x[i] * w2[i];
  T *input = x2;
  for (int i = 0; i < l; i++) {
    layer(b, w + i * 8 * b, w + i * 8 * b + 4 * b, s + i * 2 * b, s + i * 2 * b + b, input);
    input = s + i * 2 * b;
  }
  for (int i = 0; i < b; i++) x2[i] = input[i] * w2[b + i] + w2[2 * b + i];
}

template <typename T>
static T lstm(int l, int c, int b, const T *main_params, const T *extra_params, T *s, const double *seq) {
  T total = 0.0;
  int count = 0;
  std::vector<T> prediction(b);
  for (int t = 0; t + 1 < c; t++) {
    const double *next = seq + (t + 1) * b;
    predict(l, b, main_params, extra_params, s, seq + t * b, prediction.data());
    T sum = 0.0;
    for (int i = 0; i < b; i++) sum += exp(prediction[i]);
    T norm = log(sum + 2.0);
    for (int i = 0; i < b; i++) total += next[i] * (prediction[i] - norm);
    count += b;
  }
  return -total / double(count);
}

// The start is active, too: the gradient has the weights, the extra weights and the state, one after the other.
extern "C" void overloaded_gradient(int l, int c, int b, const double *main_params, const double *extra_params,
                                    const double *state, const double *seq, double *dmain, double *dextra,
                                    double *dstate) {
  Recording recording;
  std::vector<Real> w(l * 8 * b), w2(3 * b), s(2 * l * b), start(2 * l * b);
  for (std::size_t i = 0; i < w.size(); i++) recording.input(w[i], main_params[i]);
  for (std::size_t i = 0; i < w2.size(); i++) recording.input(w2[i], extra_params[i]);
  for (std::size_t i = 0; i < start.size(); i++) recording.input(start[i], state[i]);
  for (std::size_t i = 0; i < start.size(); i++) s[i] = start[i];
  Real result = lstm(l, c, b, w.data(), w2.data(), s.data(), seq);
  std::vector<double> gradient(w.size() + w2.size() + start.size());
  gradient_of(recording, result, gradient.data());
  const double *from = gradient.data();
  for (std::size_t i = 0; i < w.size(); i++) dmain[i] = *from++;
  for (std::size_t i = 0; i < w2.size(); i++) dextra[i] = *from++;
  for (std::size_t i = 0; i < start.size(); i++) dstate[i] = *from++;
}
