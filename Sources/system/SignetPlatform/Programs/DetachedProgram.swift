// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetSystem
internal import SignetCLibrary

/// A program that is started and left alone.
package enum DetachedProgram {
    /// Starts a program found by `PATH`, without a shell: an argument stays one argument, whatever
    /// it holds.
    ///
    /// It reads nothing and its output is dropped. Ctrl-C at the terminal does not reach it. It
    /// does not inherit which signals this process ignores or blocks, and has the limit of core
    /// dumps from before ``ProcessPrivacy/begin()``.
    package static func start(_ name: String, arguments: [String]) throws(SystemFailure) {
        let operation = "start \(SystemFailure.quoted(name))"
        for text in [name] + arguments { try FileDescriptor.checkPath(text, operation: operation) }
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { throw .last(operation) }
        defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
        for stream: Int32 in 0...2 {
            _ = unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        // Libraries open descriptors too, and not all of them are closed on exec.
        _ = unsafe csystem_close_from(&actions, 3)
        var attributes = posix_spawnattr_t()
        guard unsafe posix_spawnattr_init(&attributes) == 0 else { throw .last(operation) }
        defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
        // Blocks no signal, and ignores none.
        var none = sigset_t()
        _ = unsafe sigemptyset(&none)
        var all = sigset_t()
        _ = unsafe sigfillset(&all)
        _ = unsafe posix_spawnattr_setsigmask(&attributes, &none)
        _ = unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        _ = unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

        var words = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var process = pid_t()
        let code = ProcessPrivacy.startingProgram {
            unsafe posix_spawnp(
                &process, name, &actions, &attributes, &words, environment())
        }
        guard code == 0 else { throw SystemFailure(operation: operation, errno: code) }
        // Reaps it, so it leaves no zombie if it ends before this process.
        let child = process
        _ = SystemThread.start { _ = retrying { waitpid(child, nil, 0) } }
    }

    /// The environment of this process as C has it, up to a nil.
    @unsafe
    static func environment() -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        unsafe csystem_environment()
    }
}
