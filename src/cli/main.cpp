// Compiled without the precompiled headers, so it includes nothing: what happens is in process.cpp.
namespace parlor::cli {
int run_process(int argc, char** argv);
}

int main(int argc, char** argv) {
  return parlor::cli::run_process(argc, argv);
}
