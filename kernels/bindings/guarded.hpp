// Objects that several threads may use: one call at a time, the others wait.
#pragma once

#include "bindings/arrays.hpp"

#include <unistd.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace kilter {

template <class T>
class Guarded {
public:
    template <class... Arguments>
        requires std::constructible_from<T, Arguments...>
    explicit Guarded(Arguments&&... arguments) : value_(std::forward<Arguments>(arguments)...) {}
    ~Guarded() { leave_behind_gate(); }

    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    // Work that was stopped half-way leaves the object in no state that means anything.
    template <class Use>
    auto use(Use use) {
        if (leave_behind_gate()) {
            gate_ = std::make_unique<Gate>();
        }
        return unlocked([&] {
            const Turn turn(*gate_);
            if (broken_) {
                refuse("an earlier call was interrupted; make a new object");
            }
            broken_ = true;
            auto result = use(value_);
            broken_ = false;
            return result;
        });
    }

private:
    struct Gate {
        std::mutex mutex;
        std::condition_variable free;
        bool busy = false;
        std::thread::id user;
        pid_t process = getpid();
    };

    class Turn {
    public:
        explicit Turn(Gate& gate) : gate_(gate) {
            std::unique_lock lock(gate_.mutex);
            // A handler of signals may call the object that it has interrupted.
            if (gate_.busy && gate_.user == std::this_thread::get_id()) {
                refuse("the object is at work in this very thread");
            }
            while (!gate_.free.wait_for(lock, Watch::kPause, [&] { return !gate_.busy; })) {
                lock.unlock();
                check_stop();
                lock.lock();
            }
            gate_.busy = true;
            gate_.user = std::this_thread::get_id();
        }
        ~Turn() {
            const std::lock_guard lock(gate_.mutex);
            gate_.busy = false;
            gate_.free.notify_one();
        }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

    private:
        Gate& gate_;
    };

    // In a process that was forked, threads of its parent may hold the gate, which do not exist here and would never let
    // go; not even its destructor may run, which waits for them. Called with the interpreter lock. Returns whether the
    // gate is gone. If one of those threads was at work, the object is broken here.
    bool leave_behind_gate() {
        if (gate_->process == getpid()) {
            return false;
        }
        static_cast<void>(gate_.release());
        return true;
    }

    T value_;
    bool broken_ = false;
    std::unique_ptr<Gate> gate_ = std::make_unique<Gate>();
};

}  // namespace kilter
