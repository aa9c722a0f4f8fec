// KILTER_ASSERT(condition): checked in sanitizer builds, and nothing in a release.
#pragma once

#ifdef KILTER_SANITIZE
#include <cstdio>
#include <cstdlib>

#define KILTER_ASSERT(condition)                                                                      \
    do {                                                                                              \
        if (!(condition)) {                                                                           \
            std::fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition);    \
            std::abort();                                                                             \
        }                                                                                             \
    } while (false)
#else
#define KILTER_ASSERT(condition) static_cast<void>(0)
#endif
