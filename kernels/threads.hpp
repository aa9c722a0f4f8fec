// Work over contiguous blocks of segments on several threads.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "watch.hpp"

namespace kilter {

// More threads than this help nobody; the limit keeps a mistyped number from exhausting the machine.
inline constexpr std::int64_t kMostThreads = 256;

// Calls work(first, last) on blocks that cover 0..segments and hold about equally many elements.
// Which block a segment falls into never changes what is computed for it.
template <class Work>
void for_each_block(const std::int64_t* offsets, std::int64_t segments, int jobs, Work work) {
    jobs = static_cast<int>(
        std::clamp<std::int64_t>(jobs, 1, std::clamp<std::int64_t>(segments, 1, kMostThreads)));
    if (jobs == 1) {
        work(std::int64_t{0}, segments);
        return;
    }
    std::vector<std::int64_t> cuts{0};
    const std::int64_t total = offsets[segments] + segments;
    for (int job = 1; job < jobs; ++job) {
        const std::int64_t target = total / jobs * job;
        std::int64_t low = cuts.back();
        std::int64_t high = segments;
        while (low < high) {
            const std::int64_t middle = (low + high) / 2;
            (offsets[middle] + middle < target ? low = middle + 1 : high = middle);
        }
        cuts.push_back(low);
    }
    cuts.push_back(segments);
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(jobs));
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(jobs));
    const Watch::Current here = Watch::current();
    std::mutex mutex;
    std::condition_variable ended;
    std::size_t done = 0;
    const auto run = [&](int job) {
        try {
            const Watch::Helper helper(here.watch);
            work(cuts[static_cast<std::size_t>(job)], cuts[static_cast<std::size_t>(job) + 1]);
        } catch (...) {
            failures[static_cast<std::size_t>(job)] = std::current_exception();
        }
    };
    const auto run_and_tell = [&](int job) {
        run(job);
        const std::lock_guard lock(mutex);
        ++done;
        ended.notify_one();
    };
    for (int job = 0; job < jobs; ++job) {
        bool started = false;
        try {
            threads.emplace_back(run_and_tell, job);
            started = true;
        } catch (const std::system_error&) {  // the machine has no more threads to give
        } catch (const std::bad_alloc&) {     // or no memory for one
        }
        if (!started) {
            run(job);
        }
    }
    if (here.owner) {
        std::unique_lock lock(mutex);
        while (!ended.wait_for(lock, Watch::kPause, [&] { return done == threads.size(); })) {
            lock.unlock();
            here.watch->ask();
            lock.lock();
        }
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    // Whoever asked has raised an exception then, also if the threads were done before they heard of it.
    if (here.watch != nullptr) {
        here.watch->check(false);
    }
    // The first fault in the order of segments, for any number of threads.
    for (const std::exception_ptr& failure : failures) {
        if (failure) {
            std::rethrow_exception(failure);
        }
    }
}

}  // namespace kilter
