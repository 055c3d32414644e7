// What the C++ runtime asks for and wasm32-wasi does not have. There is one thread, and it lives as
// long as the engine: what belongs to it is never taken down.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) {
  return 0;
}
