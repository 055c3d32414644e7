// Which Parlor this is. The formats it reads and writes have numbers of their own
// (docs/library.md).
#pragma once

// "0.1.0": of the library that is running, which a shared one need not share with its headers.
extern "C" [[gnu::visibility("default")]] const char* parlor_version();
