// Objects that several threads may use: one call at a time, the others wait.
#pragma once

#include "bindings/arrays.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace kilter {

template <class T>
class Guarded {
public:
    template <class... Arguments>
        requires std::constructible_from<T, Arguments...>
    explicit Guarded(Arguments&&... arguments) : value_(std::forward<Arguments>(arguments)...) {}

    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    // Work that was stopped half-way leaves the object in no state that means anything.
    template <class Use>
    auto use(Use use) {
        return unlocked([&] {
            const Turn turn(*this);
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
    class Turn {
    public:
        explicit Turn(Guarded& guarded) : guarded_(guarded) {
            std::unique_lock lock(guarded_.mutex_);
            // A handler of signals may call the object that it has interrupted.
            if (guarded_.busy_ && guarded_.user_ == std::this_thread::get_id()) {
                refuse("the object is at work in this very thread");
            }
            while (!guarded_.free_.wait_for(lock, Watch::kPause, [&] { return !guarded_.busy_; })) {
                lock.unlock();
                check_stop();
                lock.lock();
            }
            guarded_.busy_ = true;
            guarded_.user_ = std::this_thread::get_id();
        }
        ~Turn() {
            const std::lock_guard lock(guarded_.mutex_);
            guarded_.busy_ = false;
            guarded_.free_.notify_one();
        }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

    private:
        Guarded& guarded_;
    };

    T value_;
    bool broken_ = false;
    std::mutex mutex_;
    std::condition_variable free_;
    bool busy_ = false;
    std::thread::id user_;
};

}  // namespace kilter
