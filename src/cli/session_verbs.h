// What `parlor session` can do, each as a command of its own.
#pragma once

#include "cli/command.h"

namespace parlor::cli {

// session_keeping.cpp: making, finding and checking sessions.
Run declare_new(CLI::App& app);
Run declare_list(CLI::App& app);
Run declare_replay(CLI::App& app);
Run declare_remove(CLI::App& app);

// session_deeds.cpp: doing something.
Run declare_act(CLI::App& app);
Run declare_undo(CLI::App& app);
Run declare_redo(CLI::App& app);
Run declare_resign(CLI::App& app);
Run declare_timeout(CLI::App& app);
Run declare_draw(CLI::App& app);
Run declare_abandon(CLI::App& app);
Run declare_adjudicate(CLI::App& app);

// session_looking.cpp
Run declare_show(CLI::App& app);
Run declare_log(CLI::App& app);

}  // namespace parlor::cli
