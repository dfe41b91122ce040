// What the overloaded programs need of a tool that records a tape of every operation: a number type, and a recording. Compile with
// `-DTOOL_ADOLC` (ADOL-C: Griewank, Juedes, Utke 1996; Walther, Griewank 2012) or `-DTOOL_SACADO` (Sacado's reverse mode: Bartlett,
// Gay, Phipps 2006).
//
// A recording lasts for one gradient: users of such tools record again whenever a branch may have gone another way.
#ifndef TOOL_HPP
#define TOOL_HPP

#include <cmath>
#include <cstddef>
#include <vector>

#if defined(TOOL_ADOLC)

#include <adolc/adolc.h>

typedef adouble Real;

class Recording {
  int inputs = 0, outputs = 0;
  std::vector<double> values;

 public:
  // Values are kept for one reverse sweep. The buffers are those the tool comes with; what does not fit into them goes through files
  // in the current folder.
  Recording() { trace_on(0, 1); }

  void input(Real &x, double value) {
    x <<= value;
    inputs++;
  }
  void output(Real &y) {
    double value;
    y >>= value;
    outputs++;
  }
  // The products of the vectors `seeds` with the Jacobian.
  void reverse(int rows, const double *const *seeds, double *const *gradients) {
    trace_off();
    if (rows == 1) {
      fos_reverse(0, outputs, inputs, const_cast<double *>(seeds[0]), gradients[0]);
    } else {
      fov_reverse(0, outputs, inputs, rows, const_cast<double **>(seeds), const_cast<double **>(gradients));
    }
  }
};

#elif defined(TOOL_SACADO)

#include <Sacado_trad.hpp>

typedef Sacado::Rad::ADvar<double> Real;

class Recording {
  std::vector<Real *> inputs, outputs;

 public:
  void input(Real &x, double value) {
    x = value;
    inputs.push_back(&x);
  }
  void output(Real &y) { outputs.push_back(&y); }
  void reverse(int rows, const double *const *seeds, double *const *gradients) {
    for (int r = 0; r < rows; r++) {
      Sacado::Rad::ADcontext<double>::Weighted_Gradcomp(outputs.size(), outputs.data(), const_cast<double *>(seeds[r]));
      for (std::size_t i = 0; i < inputs.size(); i++) gradients[r][i] = inputs[i]->adj();
    }
  }
};

#else
#error "name a tool: -DTOOL_ADOLC or -DTOOL_SACADO"
#endif

// The gradient of one result.
inline void gradient_of(Recording &recording, Real &result, double *gradient) {
  const double one = 1.0, *seeds[1] = {&one};
  double *gradients[1] = {gradient};
  recording.output(result);
  recording.reverse(1, seeds, gradients);
}

#endif
