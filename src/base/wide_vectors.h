// A function marked with this is compiled twice, and when the program starts the one is chosen that
// fits the processor: some multiply eight words at once, which is what loops over many seeds and
// hashes do all the time. Both give the same.
#pragma once

// Clang's versions are no faster, and the thread sanitizer is not there yet when it is chosen.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__)
#define PARLOR_WIDE_VECTORS [[gnu::target_clones("arch=x86-64-v4", "default")]]
#else
#define PARLOR_WIDE_VECTORS
#endif
