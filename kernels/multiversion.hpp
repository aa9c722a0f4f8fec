// Function multiversioning: one portable binary, the fast instructions where the machine has them.
#pragma once

#include <climits>  // says whether the library is glibc: no other loader resolves clones

// The sanitizers start after the resolvers of cloned functions run, so their build has no clones. clang
// asks for a processor of that name where g++ asks for its instructions; hence a single set of them there.
#if !defined(__x86_64__) || !defined(__GLIBC__) || defined(KILTER_SANITIZE)
#define KILTER_MULTIVERSION
#elif !defined(__clang__)
#define KILTER_MULTIVERSION __attribute__((target_clones("arch=x86-64-v3", "popcnt", "default")))
#elif __has_attribute(target_clones)
#define KILTER_MULTIVERSION __attribute__((target_clones("avx2", "popcnt", "default")))
#else
#define KILTER_MULTIVERSION
#endif

// For wide loops over numbers, which masks and 32 registers help. clang makes clones for one set of instructions
// each, and AVX-512 is several: it has the clones of all other kernels. The bits are the same.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(KILTER_SANITIZE) && !defined(__clang__)
#define KILTER_WIDE_MULTIVERSION \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define KILTER_WIDE_MULTIVERSION KILTER_MULTIVERSION
#endif

#define KILTER_INLINE inline __attribute__((always_inline))
