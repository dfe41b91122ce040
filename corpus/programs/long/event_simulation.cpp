// A discrete event simulation: an event queue with cancellation, processes as state machines, servers, queues and routing described by text,
// random streams, statistics with confidence intervals, and the theory of queues as a check.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

// ---- random streams: each part of the model has its own ----

class Stream {
public:
    explicit Stream(uint64_t seed) : engine(static_cast<uint32_t>(seed * 2654435761u + 12345u)) {}
    double uniform() { return (engine() + 0.5) / 4294967296.0; }

private:
    std::mt19937 engine;
};

class Distribution {
public:
    virtual ~Distribution() = default;
    virtual double sample(Stream &s) const = 0;
    virtual double mean() const = 0;
    // The squared coefficient of variation.
    virtual double variability() const = 0;
};

class Constant final : public Distribution {
public:
    explicit Constant(double value) : value(value) {}
    double sample(Stream &) const override { return value; }
    double mean() const override { return value; }
    double variability() const override { return 0; }

private:
    double value;
};

class Exponential final : public Distribution {
public:
    explicit Exponential(double average) : average(average) {}
    double sample(Stream &s) const override { return -average * std::log(s.uniform()); }
    double mean() const override { return average; }
    double variability() const override { return 1; }

private:
    double average;
};

class Erlang final : public Distribution {
public:
    Erlang(int stages, double average) : stages(stages), average(average) {}
    double sample(Stream &s) const override {
        double product = 1;
        for (int k = 0; k < stages; k++)
            product *= s.uniform();
        return -average / stages * std::log(product);
    }
    double mean() const override { return average; }
    double variability() const override { return 1.0 / stages; }

private:
    int stages;
    double average;
};

class Range final : public Distribution {
public:
    Range(double low, double high) : low(low), high(high) {}
    double sample(Stream &s) const override { return low + (high - low) * s.uniform(); }
    double mean() const override { return 0.5 * (low + high); }
    double variability() const override { return (high - low) * (high - low) / (12 * mean() * mean()); }

private:
    double low, high;
};

static std::unique_ptr<Distribution> read_distribution(std::istream &in) {
    std::string kind;
    double a = 0, b = 0;
    if (!(in >> kind >> a))
        throw std::invalid_argument("a distribution is missing");
    if (a < 0)
        throw std::invalid_argument("a negative time");
    if (kind == "constant")
        return std::make_unique<Constant>(a);
    if (kind == "exponential")
        return std::make_unique<Exponential>(a);
    if (!(in >> b))
        throw std::invalid_argument(kind + " needs two numbers");
    if (kind == "erlang")
        return std::make_unique<Erlang>(static_cast<int>(a), b);
    if (kind == "uniform")
        return std::make_unique<Range>(a, b);
    throw std::invalid_argument("unknown distribution " + kind);
}

// ---- the event queue ----

using Time = double;
using EventId = uint64_t;

class Calendar {
public:
    EventId schedule(Time at, std::function<void()> action) {
        if (at < clock)
            throw std::logic_error("an event in the past");
        heap.push({at, next, std::move(action)});
        return next++;
    }
    EventId after(Time delay, std::function<void()> action) { return schedule(clock + delay, std::move(action)); }
    void cancel(EventId id) { cancelled.insert(id); }
    Time now() const { return clock; }
    long executed() const { return count; }
    // Runs until a time, or until nothing is left.
    void run(Time until) {
        while (!heap.empty() && heap.top().at <= until) {
            Event event = heap.top();
            heap.pop();
            if (cancelled.erase(event.id))
                continue;
            clock = event.at;
            count++;
            event.action();
        }
        if (until < std::numeric_limits<double>::infinity())
            clock = until;
    }

private:
    struct Event {
        Time at;
        EventId id;
        std::function<void()> action;
        // The earliest on top, and of those at one time the first scheduled.
        bool operator<(const Event &o) const { return at != o.at ? at > o.at : id > o.id; }
    };
    std::priority_queue<Event> heap;
    std::unordered_set<EventId> cancelled;
    Time clock = 0;
    EventId next = 0;
    long count = 0;
};

// ---- statistics ----

class Tally {
public:
    void add(double x) {
        n++;
        double delta = x - average;
        average += delta / static_cast<double>(n);
        squares += delta * (x - average);
        low = std::min(low, x);
        high = std::max(high, x);
    }
    long count() const { return n; }
    double mean() const { return average; }
    double deviation() const { return n > 1 ? std::sqrt(squares / static_cast<double>(n - 1)) : 0; }
    double least() const { return low; }
    double most() const { return high; }
    // Half the width of the interval in which the mean lies with 95 %.
    double half_width() const { return 1.96 * deviation() / std::sqrt(static_cast<double>(n)); }

private:
    long n = 0;
    double average = 0, squares = 0, low = std::numeric_limits<double>::infinity(), high = -low;
};

// A quantity that is constant between events.
class Level {
public:
    void set(Time now, double value) {
        area += current * (now - since);
        since = now;
        current = value;
    }
    double average(Time now) const { return now > 0 ? (area + current * (now - since)) / now : 0; }
    double value() const { return current; }

private:
    double area = 0, current = 0;
    Time since = 0;
};

class Histogram {
public:
    Histogram(double width, size_t bins) : width(width), counts(bins + 1) {}
    void add(double x) { counts[std::min(static_cast<size_t>(x / width), counts.size() - 1)]++; }
    friend std::ostream &operator<<(std::ostream &out, const Histogram &h) {
        long most = *std::max_element(h.counts.begin(), h.counts.end());
        for (size_t k = 0; k < h.counts.size(); k++) {
            out << std::setw(8) << std::fixed << std::setprecision(2) << static_cast<double>(k) * h.width << (k + 1 == h.counts.size() ? "+ " : "  ");
            out << std::string(most ? static_cast<size_t>(30 * h.counts[k] / most) : 0, '*') << ' ' << h.counts[k] << '\n';
        }
        return out;
    }

private:
    double width;
    std::vector<long> counts;
};

// ---- the model: sources, stations with servers and limited room, exits ----

struct Customer {
    int id;
    Time born, arrived = 0;
    int visits = 0;
    double patience = std::numeric_limits<double>::infinity();
};
using CustomerPtr = std::shared_ptr<Customer>;

class Model;

class Station {
public:
    Station(Model &model, std::string name) : model(model), name(std::move(name)) {}
    void arrive(CustomerPtr customer);

    Model &model;
    std::string name;
    int servers = 1;
    size_t room = std::numeric_limits<size_t>::max();
    std::unique_ptr<Distribution> service;
    std::vector<std::pair<double, std::string>> routes; // with probabilities; "exit" leaves
    double patience = 0;                                // mean, or none

    Tally waits;
    Level busy, waiting;
    long lost = 0, reneged = 0, served = 0;

private:
    struct Waiting {
        CustomerPtr customer;
        std::optional<EventId> renege;
    };
    std::deque<Waiting> queue;
    int working = 0;

    void start(const CustomerPtr &customer);
    void finish(const CustomerPtr &customer);
};

class Model {
public:
    explicit Model(uint64_t seed) : arrivals(seed), services(seed + 1), choices(seed + 2) {}
    Calendar calendar;
    Stream arrivals, services, choices;
    std::map<std::string, std::unique_ptr<Station>> stations;
    Tally stay;
    Histogram stays{1.0, 8};
    Level present;
    long created = 0, left = 0;

    // Lines such as "source exponential 1.25 desk" and "station desk servers 2 service erlang 2 1 room 5 patience 3 to shop 0.5 exit 0.5".
    void read(const std::string &text) {
        std::istringstream lines(text);
        std::string line;
        for (int number = 1; std::getline(lines, line); number++) {
            std::istringstream words(line);
            std::string word;
            if (!(words >> word))
                continue;
            try {
                if (word == "source")
                    read_source(words);
                else if (word == "station")
                    read_station(words);
                else
                    throw std::invalid_argument("unknown item " + word);
            } catch (const std::invalid_argument &error) {
                throw std::invalid_argument("line " + std::to_string(number) + ": " + error.what());
            }
        }
        for (const auto &[name, station] : stations)
            for (const auto &[p, target] : station->routes)
                find(target);
        for (const auto &source : sources)
            find(source.target);
    }
    void run(Time until) {
        for (size_t k = 0; k < sources.size(); k++)
            next_arrival(k);
        calendar.run(until);
    }
    void leave(const CustomerPtr &customer) {
        left++;
        double time = calendar.now() - customer->born;
        stay.add(time);
        stays.add(time);
        present.set(calendar.now(), present.value() - 1);
    }
    void route(const Station &from, CustomerPtr customer) {
        double u = choices.uniform();
        for (const auto &[p, target] : from.routes) {
            if ((u -= p) < 0) {
                send(target, std::move(customer));
                return;
            }
        }
        leave(customer);
    }

private:
    struct Source {
        std::unique_ptr<Distribution> gap;
        std::string target;
    };
    std::vector<Source> sources;

    Station *find(const std::string &name) {
        if (name == "exit")
            return nullptr;
        auto found = stations.find(name);
        if (found == stations.end())
            throw std::invalid_argument("no station is called " + name);
        return found->second.get();
    }
    void send(const std::string &target, CustomerPtr customer) {
        if (Station *station = find(target))
            station->arrive(std::move(customer));
        else
            leave(customer);
    }
    void next_arrival(size_t k) {
        calendar.after(sources[k].gap->sample(arrivals), [this, k] {
            auto customer = std::make_shared<Customer>(Customer{static_cast<int>(created++), calendar.now()});
            present.set(calendar.now(), present.value() + 1);
            send(sources[k].target, customer);
            next_arrival(k);
        });
    }
    void read_source(std::istream &words) {
        Source source;
        source.gap = read_distribution(words);
        if (!(words >> source.target))
            throw std::invalid_argument("a source needs a target");
        sources.push_back(std::move(source));
    }
    void read_station(std::istream &words) {
        std::string name, word;
        words >> name;
        auto station = std::make_unique<Station>(*this, name);
        while (words >> word) {
            if (word == "servers") {
                words >> station->servers;
            } else if (word == "service") {
                station->service = read_distribution(words);
            } else if (word == "room") {
                words >> station->room;
            } else if (word == "patience") {
                words >> station->patience;
            } else if (word == "to") {
                double p = 0, total = 0;
                while (words >> word >> p) {
                    station->routes.emplace_back(p, word);
                    total += p;
                }
                if (std::abs(total - 1) > 1e-12)
                    throw std::invalid_argument("probabilities add up to " + std::to_string(total));
            } else {
                throw std::invalid_argument("unknown property " + word);
            }
        }
        if (!station->service || station->servers < 1)
            throw std::invalid_argument(name + " serves nobody");
        if (!stations.emplace(name, std::move(station)).second)
            throw std::invalid_argument(name + " twice");
    }
};

void Station::arrive(CustomerPtr customer) {
    customer->arrived = model.calendar.now();
    customer->visits++;
    if (working < servers) {
        start(customer);
        return;
    }
    if (queue.size() >= room) {
        lost++;
        model.leave(customer);
        return;
    }
    Waiting entry{customer, std::nullopt};
    if (patience > 0) {
        double limit = Exponential(patience).sample(model.choices);
        entry.renege = model.calendar.after(limit, [this, customer] {
            auto place = std::find_if(queue.begin(), queue.end(), [&](const Waiting &w) { return w.customer == customer; });
            queue.erase(place);
            waiting.set(model.calendar.now(), static_cast<double>(queue.size()));
            reneged++;
            model.leave(customer);
        });
    }
    queue.push_back(std::move(entry));
    waiting.set(model.calendar.now(), static_cast<double>(queue.size()));
}

void Station::start(const CustomerPtr &customer) {
    working++;
    busy.set(model.calendar.now(), working);
    waits.add(model.calendar.now() - customer->arrived);
    model.calendar.after(service->sample(model.services), [this, customer] { finish(customer); });
}

void Station::finish(const CustomerPtr &customer) {
    working--;
    served++;
    busy.set(model.calendar.now(), working);
    if (!queue.empty()) {
        Waiting next = std::move(queue.front());
        queue.pop_front();
        waiting.set(model.calendar.now(), static_cast<double>(queue.size()));
        if (next.renege)
            model.calendar.cancel(*next.renege);
        start(next.customer);
    }
    model.route(*this, customer);
}

// ---- theory ----

// The mean wait of Pollaczek and Khinchine for one server.
static double one_server_wait(double rate, const Distribution &service) {
    double load = rate * service.mean();
    return load * service.mean() * (1 + service.variability()) / (2 * (1 - load));
}

// Erlang's formula: the fraction lost by c servers without room to wait.
static double erlang_loss(int servers, double load) {
    double b = 1;
    for (int k = 1; k <= servers; k++)
        b = load * b / (k + load * b);
    return b;
}

// ---- the program ----

static int failures = 0;
static void expect(bool holds, const std::string &what) {
    std::cout << (holds ? "  ok      " : "  FAILED  ") << what << '\n';
    failures += !holds;
}

static bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::abs(b); }

static void report(const Model &model) {
    Time now = model.calendar.now();
    std::cout << "  " << model.created << " came, " << model.left << " left, " << model.calendar.executed() << " events, stay " << std::fixed
              << std::setprecision(4) << model.stay.mean() << " +- " << model.stay.half_width() << '\n';
    for (const auto &[name, s] : model.stations)
        std::cout << "  " << std::left << std::setw(8) << name << std::right << " busy " << s->busy.average(now) / s->servers << ", waiting "
                  << s->waiting.average(now) << ", wait " << s->waits.mean() << ", lost " << s->lost << ", gave up " << s->reneged << '\n';
}

static void single(const std::string &service, double least_room) {
    Model model(17);
    model.read("source exponential 2 desk\nstation desk service " + service + " to exit 1\n");
    model.run(1600);
    std::cout << "one server, " << service << '\n';
    report(model);
    const Station &desk = *model.stations.at("desk");
    double theory = one_server_wait(0.5, *desk.service);
    std::printf("  wait by theory %.4f\n", theory);
    expect(near(desk.waits.mean(), theory, least_room), "the wait is near theory");
    expect(near(desk.busy.average(1600), 0.5 * desk.service->mean(), 0.15), "so is the load");
    // Little: customers present = rate * stay.
    double rate = static_cast<double>(model.left) / 1600;
    expect(near(model.present.average(1600), rate * model.stay.mean(), 0.03), "Little's law");
}

static void losses() {
    Model model(5);
    model.read("source exponential 0.5 lines\nstation lines servers 3 service exponential 1 room 0 to exit 1\n");
    model.run(500);
    std::cout << "three lines without waiting\n";
    report(model);
    double fraction = static_cast<double>(model.stations.at("lines")->lost) / static_cast<double>(model.created), theory = erlang_loss(3, 2);
    std::printf("  lost %.4f, by theory %.4f\n", fraction, theory);
    expect(near(fraction, theory, 0.2), "losses are near Erlang's formula");
}

static void network() {
    Model model(99);
    model.read("source exponential 1 triage\nsource constant 5 doctor\n\n"
               "station triage service uniform 0.2 0.8 to doctor 0.6 exit 0.4\n"
               "station doctor servers 2 service erlang 3 1.5 room 6 patience 4 to xray 0.3 exit 0.7\n"
               "station xray service exponential 0.8 to doctor 0.5 exit 0.5\n");
    model.run(250);
    std::cout << "a clinic\n";
    report(model);
    std::cout << model.stays;
    long inside = model.created - model.left;
    expect(inside >= 0 && inside == std::lround(model.present.value()), "nobody gets lost");
    const Station &triage = *model.stations.at("triage");
    expect(triage.served <= model.created && triage.lost == 0, "triage turns nobody away");
    expect(model.stay.least() > 0 && model.stay.most() < 60, "stays are reasonable");
}

int main() {
    Calendar calendar;
    std::string order;
    EventId dropped = calendar.schedule(2, [&] { order += 'x'; });
    calendar.schedule(3, [&] { order += 'c'; });
    calendar.schedule(1, [&] {
        order += 'a';
        calendar.after(1, [&] { order += 'b'; });
        calendar.cancel(dropped);
    });
    calendar.schedule(3, [&] { order += 'd'; });
    calendar.run(10);
    expect(order == "abcd" && calendar.now() == 10, "events come in order: " + order);
    try {
        calendar.schedule(5, [] {});
        expect(false, "an event in the past");
    } catch (const std::logic_error &error) {
        expect(true, std::string("refused: ") + error.what());
    }
    // Waits of customers that follow one another go together: over this time the mean has a standard error of about a quarter, less
    // where service is constant.
    single("exponential 1", 0.5);
    single("constant 1.2", 0.35);
    losses();
    network();
    const std::array<std::pair<const char *, const char *>, 7> bad{{
        {"source exponential 1 nowhere\n", "no station is called nowhere"},
        {"station a to exit 1\n", "line 1: a serves nobody"},
        {"\nstation a service gamma 1 2\n", "line 2: unknown distribution gamma"},
        {"station a service constant 1 to exit 0.5\n", "add up to 0.5"},
        {"station a service constant 1\nstation a service constant 1\n", "line 2: a twice"},
        {"queue a\n", "unknown item queue"},
        {"station a service uniform 1\n", "uniform needs two numbers"},
    }};
    for (const auto &[text, phrase] : bad) {
        try {
            Model model(1);
            model.read(text);
            expect(false, "a bad description");
        } catch (const std::invalid_argument &error) {
            expect(std::string(error.what()).find(phrase) != std::string::npos, std::string("refused: ") + error.what());
        }
    }
    std::cout << failures << " failures\n";
    return failures != 0;
}
