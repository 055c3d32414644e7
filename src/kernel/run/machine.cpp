#include "kernel/run/machine.h"

namespace parlor::kernel {

constinit thread_local Workspace* unused_workspaces = nullptr;

Workspace* new_workspace() {
  thread_local std::vector<std::unique_ptr<Workspace>> all;
  all.push_back(std::make_unique<Workspace>());
  return all.back().get();
}

}  // namespace parlor::kernel
