// A small neural network library: tensors, dense and convolutional layers described by text, several optimisers, data sets made on the
// spot, training with the gradients of __enzyme_autodiff, and the same gradients by backpropagation written by hand.
#include "adj.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// ---- numbers that are the same everywhere ----

class Random {
public:
    explicit Random(uint32_t seed) : engine(seed) {}
    double uniform() { return engine() / 4294967296.0; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    double normal() {
        double sum = 0;
        for (int i = 0; i < 12; i++)
            sum += uniform();
        return sum - 6;
    }
    int below(int n) { return static_cast<int>(uniform() * n); }

private:
    std::mt19937 engine;
};

// ---- what a network is ----

enum class Activation { Linear, Tanh, Sigmoid, Softplus };

static const std::map<std::string, Activation> activation_names{
    {"linear", Activation::Linear}, {"tanh", Activation::Tanh}, {"sigmoid", Activation::Sigmoid}, {"softplus", Activation::Softplus}};

// Plain data, so that the function that is differentiated needs nothing else.
struct LayerSpec {
    int kind; // 0 dense, 1 convolution in one dimension
    int inputs, outputs;
    int width; // of the kernel
    int activation;
    int offset; // of its parameters
};

struct Network {
    enum { MAX_LAYERS = 6 };
    int layers = 0;
    int parameters = 0;
    LayerSpec layer[MAX_LAYERS];

    int inputs() const { return layer[0].inputs; }
    int outputs() const { return layer[layers - 1].outputs; }
};

// Reads a description such as "input 2; dense 8 tanh; dense 1 sigmoid".
static Network describe(const std::string &text) {
    Network net;
    int size = 0;
    std::istringstream parts(text);
    std::string part;
    while (std::getline(parts, part, ';')) {
        std::istringstream words(part);
        std::string kind, activation = "linear";
        int count = 0;
        if (!(words >> kind >> count) || count <= 0)
            throw std::invalid_argument("malformed layer \"" + part + "\"");
        if (kind == "input") {
            size = count;
            continue;
        }
        if (size == 0)
            throw std::invalid_argument("the input comes first");
        if (net.layers == Network::MAX_LAYERS)
            throw std::length_error("too many layers");
        LayerSpec layer{};
        layer.inputs = size;
        layer.offset = net.parameters;
        if (kind == "dense") {
            layer.kind = 0;
            layer.outputs = count;
            net.parameters += count * (size + 1);
        } else if (kind == "convolve") {
            if (count > size)
                throw std::invalid_argument("a kernel wider than its input");
            layer.kind = 1;
            layer.width = count;
            layer.outputs = size - count + 1;
            net.parameters += count + 1;
        } else {
            throw std::invalid_argument("unknown layer " + kind);
        }
        words >> activation;
        auto found = activation_names.find(activation);
        if (found == activation_names.end())
            throw std::invalid_argument("unknown activation " + activation);
        layer.activation = static_cast<int>(found->second);
        size = layer.outputs;
        net.layer[net.layers++] = layer;
    }
    if (net.layers == 0)
        throw std::invalid_argument("no layers");
    return net;
}

static std::vector<double> initial(const Network &net, Random &random) {
    std::vector<double> w(static_cast<size_t>(net.parameters));
    for (int l = 0; l < net.layers; l++) {
        const LayerSpec &layer = net.layer[l];
        int fan = layer.kind == 0 ? layer.inputs : layer.width;
        int weights = layer.kind == 0 ? layer.inputs * layer.outputs : layer.width;
        for (int i = 0; i < weights; i++)
            w[static_cast<size_t>(layer.offset + i)] = random.normal() / std::sqrt(fan);
    }
    return w;
}

// ---- evaluation ----

static double activate(int kind, double x) {
    switch (static_cast<Activation>(kind)) {
    case Activation::Tanh: return std::tanh(x);
    case Activation::Sigmoid: return 1 / (1 + std::exp(-x));
    case Activation::Softplus: return x > 30 ? x : std::log1p(std::exp(x));
    default: return x;
    }
}

// The derivative, from the input and the output.
static double slope(int kind, double x, double y) {
    switch (static_cast<Activation>(kind)) {
    case Activation::Tanh: return 1 - y * y;
    case Activation::Sigmoid: return y * (1 - y);
    case Activation::Softplus: return 1 / (1 + std::exp(-x));
    default: return 1;
    }
}

static void forward(const LayerSpec &layer, const double *w, const double *in, double *sum, double *out) {
    const double *p = w + layer.offset;
    for (int o = 0; o < layer.outputs; o++) {
        double s;
        if (layer.kind == 0) {
            s = p[layer.inputs * layer.outputs + o];
            for (int i = 0; i < layer.inputs; i++)
                s += p[o * layer.inputs + i] * in[i];
        } else {
            s = p[layer.width];
            for (int k = 0; k < layer.width; k++)
                s += p[k] * in[o + k];
        }
        sum[o] = s;
        out[o] = activate(layer.activation, s);
    }
}

enum { MAX_UNITS = 16 };

// The mean squared error over samples, with weight decay: what is differentiated.
static double loss(const Network *net, const double *w, const double *inputs, const double *targets, int samples, double decay) {
    double total = 0;
    for (int s = 0; s < samples; s++) {
        double units[2][MAX_UNITS], sums[MAX_UNITS];
        for (int i = 0; i < net->inputs(); i++)
            units[0][i] = inputs[s * net->inputs() + i];
        int now = 0;
        for (int l = 0; l < net->layers; l++) {
            forward(net->layer[l], w, units[now], sums, units[1 - now]);
            now = 1 - now;
        }
        for (int o = 0; o < net->outputs(); o++) {
            double error = units[now][o] - targets[s * net->outputs() + o];
            total += error * error;
        }
    }
    double size = 0;
    for (int i = 0; i < net->parameters; i++)
        size += w[i] * w[i];
    return total / samples + decay * size;
}

// The same gradient by the chain rule written out.
static std::vector<double> backpropagation(const Network &net, const std::vector<double> &w, const std::vector<double> &inputs,
                                           const std::vector<double> &targets, double decay) {
    int samples = static_cast<int>(inputs.size()) / net.inputs();
    std::vector<double> gradient(w.size());
    for (size_t i = 0; i < w.size(); i++)
        gradient[i] = 2 * decay * w[i];
    for (int s = 0; s < samples; s++) {
        std::array<std::array<double, MAX_UNITS>, Network::MAX_LAYERS + 1> units{}, sums{};
        std::copy_n(inputs.begin() + s * net.inputs(), net.inputs(), units[0].begin());
        for (int l = 0; l < net.layers; l++) {
            size_t at = static_cast<size_t>(l);
            forward(net.layer[l], w.data(), units[at].data(), sums[at + 1].data(), units[at + 1].data());
        }
        std::array<double, MAX_UNITS> delta{};
        size_t top = static_cast<size_t>(net.layers);
        for (int o = 0; o < net.outputs(); o++)
            delta[static_cast<size_t>(o)] = 2 * (units[top][static_cast<size_t>(o)] - targets[static_cast<size_t>(s * net.outputs() + o)]) / samples;
        for (size_t l = top; l-- > 0;) {
            const LayerSpec &layer = net.layer[l];
            std::array<double, MAX_UNITS> below{};
            for (int o = 0; o < layer.outputs; o++) {
                size_t out = static_cast<size_t>(o);
                double d = delta[out] * slope(layer.activation, sums[l + 1][out], units[l + 1][out]);
                int count = layer.kind == 0 ? layer.inputs : layer.width;
                for (int k = 0; k < count; k++) {
                    size_t in = static_cast<size_t>(layer.kind == 0 ? k : o + k);
                    size_t p = static_cast<size_t>(layer.offset + (layer.kind == 0 ? o * layer.inputs + k : k));
                    gradient[p] += d * units[l][in];
                    below[in] += d * w[p];
                }
                gradient[static_cast<size_t>(layer.offset + (layer.kind == 0 ? layer.inputs * layer.outputs + o : layer.width))] += d;
            }
            delta = below;
        }
    }
    return gradient;
}

// ---- data ----

struct Data {
    std::string name;
    int inputs = 0, outputs = 0;
    std::vector<double> x, y;

    int samples() const { return static_cast<int>(x.size()) / inputs; }
    void add(std::initializer_list<double> in, std::initializer_list<double> out) {
        x.insert(x.end(), in);
        y.insert(y.end(), out);
    }
};

static Data exclusive_or() {
    Data d{"exclusive or", 2, 1, {}, {}};
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            d.add({static_cast<double>(a), static_cast<double>(b)}, {static_cast<double>(a ^ b)});
    return d;
}

static Data rings(int count, Random &random) {
    Data d{"rings", 2, 1, {}, {}};
    for (int i = 0; i < count; i++) {
        double angle = random.uniform(0, 6.283185307179586), radius = i % 2 ? random.uniform(0, 0.5) : random.uniform(0.9, 1.2);
        d.add({radius * std::cos(angle), radius * std::sin(angle)}, {i % 2 ? 1.0 : 0.0});
    }
    return d;
}

// A step hidden in noise at one of several places: where is it?
static Data steps(int count, Random &random) {
    Data d{"steps", 8, 1, {}, {}};
    for (int i = 0; i < count; i++) {
        int at = 2 + random.below(5);
        for (int k = 0; k < 8; k++)
            d.x.push_back((k >= at ? 1.0 : 0.0) + 0.05 * random.normal());
        d.y.push_back(at / 8.0);
    }
    return d;
}

// ---- optimisers ----

class Optimiser {
public:
    virtual ~Optimiser() = default;
    virtual std::string name() const = 0;
    virtual void step(std::vector<double> &w, const std::vector<double> &gradient) = 0;
};

class Momentum : public Optimiser {
public:
    Momentum(double rate, double keep) : rate(rate), keep(keep) {}
    std::string name() const override { return "momentum"; }
    void step(std::vector<double> &w, const std::vector<double> &gradient) override {
        velocity.resize(w.size());
        for (size_t i = 0; i < w.size(); i++) {
            velocity[i] = keep * velocity[i] - rate * gradient[i];
            w[i] += velocity[i];
        }
    }

private:
    double rate, keep;
    std::vector<double> velocity;
};

class Adam : public Optimiser {
public:
    explicit Adam(double rate) : rate(rate) {}
    std::string name() const override { return "adam"; }
    void step(std::vector<double> &w, const std::vector<double> &gradient) override {
        mean.resize(w.size());
        square.resize(w.size());
        first *= 0.9;
        second *= 0.999;
        for (size_t i = 0; i < w.size(); i++) {
            mean[i] = 0.9 * mean[i] + 0.1 * gradient[i];
            square[i] = 0.999 * square[i] + 0.001 * gradient[i] * gradient[i];
            w[i] -= rate * mean[i] / (1 - first) / (std::sqrt(square[i] / (1 - second)) + 1e-8);
        }
    }

private:
    double rate, first = 1, second = 1;
    std::vector<double> mean, square;
};

static std::unique_ptr<Optimiser> make_optimiser(const std::string &name) {
    if (name == "momentum")
        return std::make_unique<Momentum>(0.02, 0.8);
    if (name == "adam")
        return std::make_unique<Adam>(0.05);
    throw std::invalid_argument("unknown optimiser " + name);
}

// ---- training ----

static std::vector<double> gradient_of(const Network &net, const std::vector<double> &w, const double *x, const double *y, int samples,
                                       double decay) {
    std::vector<double> gradient(w.size());
    __enzyme_autodiff<void>((void *)loss, enzyme_const, &net, enzyme_dup, w.data(), gradient.data(), enzyme_const, x, enzyme_const, y,
                            enzyme_const, samples, enzyme_const, decay);
    return gradient;
}

struct Trained {
    std::vector<double> weights;
    double before = 0, after = 0;
};

static Trained train(const Network &net, const Data &data, Optimiser &optimiser, int epochs, int batch, Random &random) {
    if (data.inputs != net.inputs() || data.outputs != net.outputs())
        throw std::invalid_argument("the network does not fit " + data.name);
    Trained result;
    result.weights = initial(net, random);
    auto whole = [&] { return loss(&net, result.weights.data(), data.x.data(), data.y.data(), data.samples(), 0); };
    result.before = whole();
    std::vector<int> order(static_cast<size_t>(data.samples()));
    std::iota(order.begin(), order.end(), 0);
    std::vector<double> x, y;
    for (int epoch = 0; epoch < epochs; epoch++) {
        for (size_t i = order.size(); i > 1; i--)
            std::swap(order[i - 1], order[static_cast<size_t>(random.below(static_cast<int>(i)))]);
        for (size_t start = 0; start < order.size(); start += static_cast<size_t>(batch)) {
            size_t end = std::min(order.size(), start + static_cast<size_t>(batch));
            x.clear();
            y.clear();
            for (size_t k = start; k < end; k++) {
                auto from = data.x.begin() + order[k] * data.inputs;
                x.insert(x.end(), from, from + data.inputs);
                auto target = data.y.begin() + order[k] * data.outputs;
                y.insert(y.end(), target, target + data.outputs);
            }
            optimiser.step(result.weights, gradient_of(net, result.weights, x.data(), y.data(), static_cast<int>(end - start), 1e-5));
        }
    }
    result.after = whole();
    return result;
}

static double accuracy(const Network &net, const std::vector<double> &w, const Data &data) {
    int right = 0;
    for (int s = 0; s < data.samples(); s++) {
        double error = loss(&net, w.data(), &data.x[static_cast<size_t>(s * data.inputs)], &data.y[static_cast<size_t>(s * data.outputs)], 1, 0);
        right += error < 0.25;
    }
    return static_cast<double>(right) / data.samples();
}

// How often the network's answer (rounded) meets each target (rounded).
class Confusion {
public:
    Confusion(const Network &net, const std::vector<double> &w, const Data &data) {
        for (int s = 0; s < data.samples(); s++) {
            const double *x = &data.x[static_cast<size_t>(s * data.inputs)];
            // The loss against zero is the square of the answer.
            double zero = 0;
            double answer = std::sqrt(loss(&net, w.data(), x, &zero, 1, 0));
            counts[{std::lround(data.y[static_cast<size_t>(s)]), std::lround(answer)}]++;
        }
    }
    int at(long target, long answer) const {
        auto found = counts.find({target, answer});
        return found == counts.end() ? 0 : found->second;
    }
    friend std::ostream &operator<<(std::ostream &out, const Confusion &c) {
        for (const auto &[key, count] : c.counts)
            out << "  target " << key.first << ", answer " << key.second << ": " << std::setw(3) << count << '\n';
        return out;
    }

private:
    std::map<std::pair<long, long>, int> counts;
};

// ---- saving and loading ----

static std::string save(const Network &net, const std::vector<double> &w) {
    std::ostringstream out;
    out << net.layers << ' ' << net.parameters << '\n' << std::setprecision(17);
    for (size_t i = 0; i < w.size(); i++)
        out << w[i] << (i % 4 == 3 || i + 1 == w.size() ? '\n' : ' ');
    return out.str();
}

static std::vector<double> load(const Network &net, const std::string &text) {
    std::istringstream in(text);
    int layers = 0, parameters = 0;
    if (!(in >> layers >> parameters) || layers != net.layers || parameters != net.parameters)
        throw std::runtime_error("weights of another network");
    std::vector<double> w;
    for (double value; in >> value;)
        w.push_back(value);
    if (!in.eof() || static_cast<int>(w.size()) != parameters)
        throw std::runtime_error("malformed weights");
    return w;
}

// ---- the program ----

static int failures = 0;
static void expect(bool holds, const std::string &what) {
    std::cout << (holds ? "ok      " : "FAILED  ") << what << std::endl;
    failures += !holds;
}

static void compare_gradients(const char *description, const Data &data, Random &random) {
    Network net = describe(description);
    std::vector<double> w = initial(net, random);
    int samples = std::min(data.samples(), 3);
    std::vector<double> x(data.x.begin(), data.x.begin() + samples * data.inputs), y(data.y.begin(), data.y.begin() + samples * data.outputs);
    std::vector<double> ours = gradient_of(net, w, x.data(), y.data(), samples, 1e-3), theirs = backpropagation(net, w, x, y, 1e-3);
    double worst = 0;
    for (size_t i = 0; i < w.size(); i++)
        worst = std::max(worst, std::abs(ours[i] - theirs[i]) / (1e-6 + std::abs(theirs[i])));
    std::cout << description << ": " << net.parameters << " parameters" << std::endl;
    expect(worst < 1e-9, "gradients agree with backpropagation by hand");
}

static void refusals() {
    const std::array<std::pair<const char *, const char *>, 6> bad{{
        {"dense 3 tanh", "the input comes first"},
        {"input 2; dense x", "malformed layer"},
        {"input 2; pool 2", "unknown layer pool"},
        {"input 2; dense 2 relu6", "unknown activation relu6"},
        {"input 2; convolve 3", "wider"},
        {"input 2", "no layers"},
    }};
    for (const auto &[text, phrase] : bad) {
        try {
            describe(text);
            expect(false, std::string("accepted ") + text);
        } catch (const std::invalid_argument &error) {
            expect(std::string(error.what()).find(phrase) != std::string::npos, error.what());
        }
    }
}

int main() {
    Random random(2024);
    Data logic = exclusive_or(), circle = rings(24, random), edge = steps(16, random);
    compare_gradients("input 2; dense 4 tanh; dense 1 sigmoid", logic, random);
    compare_gradients("input 8; convolve 3 softplus; convolve 2 tanh; dense 1", edge, random);
    refusals();

    Network small = describe("input 2; dense 3 tanh; dense 1 sigmoid");
    auto adam = make_optimiser("adam");
    Trained learned = train(small, logic, *adam, 60, 4, random);
    std::printf("%s by %s: loss %.6f -> %.6f\n", logic.name.c_str(), adam->name().c_str(), learned.before, learned.after);
    expect(learned.after < 0.05, "the network learns to tell apart");
    expect(accuracy(small, learned.weights, logic) == 1, "all four cases are right");

    Network wide = describe("input 2; dense 5 tanh; dense 1 sigmoid");
    Trained ringed = train(wide, circle, *make_optimiser("adam"), 24, 6, random);
    std::printf("rings: loss %.6f -> %.6f, accuracy %.3f\n", ringed.before, ringed.after, accuracy(wide, ringed.weights, circle));
    expect(ringed.after < 0.5 * ringed.before, "the loss falls");
    Confusion confusion(wide, ringed.weights, circle);
    std::cout << confusion;
    expect(confusion.at(0, 0) + confusion.at(0, 1) == 12 && confusion.at(1, 0) + confusion.at(1, 1) == 12, "every sample is counted");

    Network finder = describe("input 8; convolve 2 linear; dense 1");
    Trained found = train(finder, edge, *make_optimiser("momentum"), 8, 8, random);
    std::printf("steps: loss %.6f -> %.6f\n", found.before, found.after);
    expect(found.after < found.before, "momentum goes downhill");

    std::string text = save(small, learned.weights);
    expect(load(small, text) == learned.weights, "weights are saved exactly");
    for (const std::string &broken : {std::string("3 1\n0\n"), text + " x", text.substr(0, text.size() / 2)}) {
        try {
            load(small, broken);
            expect(false, "broken weights are refused");
        } catch (const std::runtime_error &error) {
            expect(true, error.what());
        }
    }
    try {
        train(small, edge, *adam, 1, 1, random);
        expect(false, "a network that does not fit");
    } catch (const std::invalid_argument &error) {
        expect(true, error.what());
    }
    std::cout << failures << " failures" << std::endl;
    return failures ? 1 : 0;
}
