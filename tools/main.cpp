// SPDX-License-Identifier: MIT
//
// The command-line program. Every command adds itself to the parser. main() turns each error into a message and an exit
// code.

#include <fcntl.h>
#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <lanefold/version.hpp>

#include "commands/commands.hpp"
#include "console/failure.hpp"
#include "console/printable.hpp"

namespace {

// The reason in CLI11's words, except where they do not help a user.
std::string reason(const CLI::Error& error) {
    constexpr std::string_view kNoNumber = "Could not convert: ";
    std::string what = error.what();
    if (!what.starts_with(kNoNumber)) return what;
    return what.substr(kNoNumber.size()) + " is not a number that this option takes";
}

// The message for a wrong command line: the command, what is wrong, and how to get help.
std::string explain(const CLI::App& app, const CLI::Error& error, int argc, char** argv) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    if (!chosen.empty()) {
        const std::string command = "lanefold " + chosen.front()->get_name();
        return command + ": " + lanefold::tools::printable(reason(error)) + "; see " + command + " --help\n";
    }
    std::string names;
    for (const CLI::App* command : app.get_subcommands(nullptr))
        names += (names.empty() ? "" : ", ") + command->get_name();
    std::string what = error.what();
    if (argc < 2) what = "a command is missing";
    if (argc >= 2)
        what = fmt::format("there is no {} '{}'", argv[1][0] == '-' ? "option" : "command",
                           lanefold::tools::printable(argv[1]));
    return "lanefold: " + what + "; the commands are " + names + "; see lanefold --help\n";
}

// Opens missing standard streams. Without one, the next file that the program opens would get its descriptor, and
// messages would go into the user's data. Windows keeps them apart, but would change the ends of lines.
void prepare_standard_streams() {
#ifdef _WIN32
    for (std::FILE* const stream : {stdin, stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
#else
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
            // open() returns the lowest free descriptor, which is this one, because those below are open.
            if (::open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY) != stream) ::_exit(3);
        }
    }
    // A write beyond the limit of file size then fails with an error that the program reports.
    std::signal(SIGXFSZ, SIG_IGN);
#endif
}

// A script passes "" when a variable is not set. It is neither a file name nor a number.
void refuse_empty_arguments(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        const bool value_is_empty = argument.starts_with("--") && argument.ends_with('=');
        if (!argument.empty() && !value_is_empty) continue;
        throw lanefold::tools::bad_input("argument {}{} is empty", i,
                                         value_is_empty ? fmt::format(", {},", argument)
                                         : i > 1        ? fmt::format(", after {},", argv[i - 1])
                                                        : "");
    }
}

int run(int argc, char** argv) {
    using namespace lanefold::tools;
    refuse_empty_arguments(argc, argv);
    CLI::App app("Contact manifolds of convex hulls, in batches.", "lanefold");
    app.require_subcommand(1);
    app.allow_windows_style_options(false);  // on Windows, too, /name is a file
    app.set_version_flag("--version", std::string("lanefold ") + lanefold::version());
    app.footer(
        "Exit codes: 0 all right; 1 a result breaks the contract (verify, replay), or a stored frame is damaged or\n"
        "missing (info, merge, picture, view, export); 2 a file or an option is wrong, nothing was written;\n"
        "3 interrupted, or reading or writing failed (frames already finished are whole).");
    add_generate(app);
    add_import(app);
    add_simulate(app);
    add_collide(app);
    add_verify(app);
    add_view(app);
    add_export(app);
    add_info(app);
    add_merge(app);
    add_unpack(app);
    add_picture(app);
    add_show(app);
    add_replay(app);
    add_respond(app);
    add_figures(app);
    app.failure_message([&](const CLI::App*, const CLI::Error& error) { return explain(app, error, argc, argv); });
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::bad_input);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    using lanefold::tools::ExitCode;
    prepare_standard_streams();
    try {
        const int code = run(argc, argv);
        // If standard output cannot be written, the result is lost: that is an error.
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
        std::fprintf(stderr, "lanefold: standard output: cannot write: %s\n", std::strerror(errno));
    } catch (const lanefold::tools::Failure& failure) {
        std::fprintf(stderr, "lanefold: %s\n", lanefold::tools::printable(failure.what()).c_str());
        return static_cast<int>(failure.code());
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "lanefold: out of memory\n");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lanefold: %s\n", lanefold::tools::printable(error.what()).c_str());
    }
    return static_cast<int>(ExitCode::interrupted);
}
