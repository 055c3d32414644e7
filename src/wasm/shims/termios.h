// libfyaml can ask a terminal for its colours; there is none here.
#pragma once
#define TCSANOW 0
struct termios {
  int nothing;
};
static inline int tcgetattr(int fd, struct termios* out) {
  (void)fd;
  (void)out;
  return -1;
}
static inline int tcsetattr(int fd, int when, const struct termios* in) {
  (void)fd;
  (void)when;
  (void)in;
  return -1;
}
static inline void cfmakeraw(struct termios* out) {
  (void)out;
}
