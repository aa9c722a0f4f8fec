// Stopping long work: kernels ask from time to time whether somebody wants them to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

namespace kilter {

// Thrown where work ends before it is done, because its watch said so.
class Stopped : public std::exception {
public:
    const char* what() const noexcept override { return "stopped"; }
};

// What one call of a kernel listens to. The thread that makes the watch asks, as seldom as can be: it may
// have to wait for a lock. Threads that work for it hear of the answer.
class Watch {
public:
    using Ask = bool (*)();  // whether to stop
    static constexpr std::chrono::milliseconds kPause{50};

    explicit Watch(Ask ask) : ask_(ask), outer_(current_), next_(Clock::now() + kPause) {
        current_ = {this, true};
    }
    ~Watch() { current_ = outer_; }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // Asks, whatever the clock says; for the thread that made the watch, while it waits for others.
    void ask() {
        if (!stopped_.load(std::memory_order_relaxed) && ask_()) {
            stopped_.store(true, std::memory_order_relaxed);
        }
        next_ = Clock::now() + kPause;
    }
    void check(bool owner) {
        if (owner && Clock::now() >= next_) {
            ask();
        }
        if (stopped_.load(std::memory_order_relaxed)) {
            throw Stopped();
        }
    }

    // The watch of this thread, and whether it asks for itself.
    struct Current {
        Watch* watch;
        bool owner;
    };
    static Current current() { return current_; }

    // Lets a thread work for the watch of another.
    class Helper {
    public:
        explicit Helper(Watch* watch) : before_(current_) {
            if (current_.watch != watch) {
                current_ = {watch, false};
            }
        }
        ~Helper() { current_ = before_; }
        Helper(const Helper&) = delete;
        Helper& operator=(const Helper&) = delete;

    private:
        Current before_;
    };

private:
    using Clock = std::chrono::steady_clock;
    static inline thread_local constinit Current current_{nullptr, false};

    Ask ask_;
    std::atomic<bool> stopped_{false};
    Current outer_;
    Clock::time_point next_;
};

// Throws `Stopped` if this thread's work is to end. It reads a clock: call it every few microseconds of
// work, not more often, and at least every hundredth of a second.
inline void check_stop() {
    const Watch::Current here = Watch::current();
    if (here.watch != nullptr) {
        here.watch->check(here.owner);
    }
}

// Counts work in steps of about a nanosecond, and looks whether to stop where enough has been done.
class Pace {
public:
    void work(std::int64_t steps) {
        done_ += steps;
        if (done_ >= kEnough) {
            done_ = 0;
            check_stop();
        }
    }

private:
    static constexpr std::int64_t kEnough = std::int64_t{1} << 16;
    std::int64_t done_ = 0;
};

}  // namespace kilter
