// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// A program that takes the place of this process (`execve`), so that nothing of this process is
/// left between it and its parent.
package struct ReplacingProgram: Sendable {
    /// Why a program does not run.
    package struct Failure: Error {
        /// Whether there is no such program, and not one that cannot be executed.
        package let isMissing: Bool
        package let reason: SystemFailure
    }

    private let words: [String]
    private let paths: [String]
    /// The descriptors that this process was given; nil if they cannot be listed.
    private let given: Set<Int32>?

    /// - Parameter words: the program's name and its arguments, each as ``PathText``. A name
    ///   without a slash is looked for in the folders of `PATH`.
    ///
    /// Make it first: descriptors that are opened later are closed in the program.
    package init(_ words: [String]) {
        self.words = words
        paths = Self.paths(of: words.first ?? "")
        given = Self.descriptors()
    }

    /// Finds out whether the program is there and may be executed, and starts nothing.
    package func check() throws(Failure) {
        let failure = firstFailure { path in
            guard unsafe faccessat(AT_FDCWD, path.cPath, X_OK, AT_EACCESS) == 0 else {
                return errno
            }
            return PrivatePlace.isFolder(at: path) ? EACCES : nil
        }
        if let failure { throw failure }
    }

    /// Ends this process and begins the program in its place, with the signals, the mask, the limit
    /// of core dumps and the standard streams that this process had found. Returns only by an
    /// error, as this process goes on.
    ///
    /// No shell is asked: a file that has no `#!` line and is no program is not executed.
    ///
    /// - Parameters:
    ///   - variables: replace variables of the same names.
    ///   - source: the file that this process has read a secret from; nil for none. If it names a
    ///     descriptor, that is closed, and a standard stream is replaced by `/dev/null`.
    package func replaceProcess(
        setting variables: [SecretVariable], closing source: String?
    ) throws(Failure) -> Never {
        let arguments = unsafe words.map { unsafe strdup($0.cPath) } + [nil]
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        let environment = unsafe Self.environment(setting: variables)
        closeOwnDescriptors(reading: source)
        // Nothing of this process gets into a core dump while the limit is the old one.
        ProcessPrivacy.hideProgram()
        let failure = ProcessPrivacy.startingProgram {
            ProcessStart.puttingBack {
                firstFailure(missing: "there is no such file, or none that its #! line names") {
                    path in
                    _ = unsafe execve(path.cPath, arguments, environment)
                    return errno
                }
            }
        }
        withExtendedLifetime(variables) {}
        throw failure ?? self.failure(ENOENT, isMissing: true)
    }

    // MARK: The program's file

    /// Tries the paths in turn, as `execvp` does: a file that may not be executed does not hide one
    /// in a later folder.
    ///
    /// - Parameters:
    ///   - missing: the reason if there is no such file.
    ///   - action: returns an error number; nil if the path is taken.
    private func firstFailure(
        missing: String = "there is no such program", _ action: (String) -> Int32?
    ) -> Failure? {
        var isDenied = false
        for path in paths {
            guard let number = action(path) else { return nil }
            switch number {
            case EACCES: isDenied = true
            case ENOENT, ENOTDIR, ESTALE, ENODEV, ETIMEDOUT: break
            default: return failure(number)
            }
        }
        return isDenied ? failure(EACCES) : failure(ENOENT, isMissing: true, reason: missing)
    }

    private func failure(
        _ number: Int32, isMissing: Bool = false, reason: String? = nil
    ) -> Failure {
        let operation = "execute \(SystemFailure.quoted(words.first ?? ""))"
        return Failure(
            isMissing: isMissing,
            reason: SystemFailure(operation: operation, errno: number, reason: reason))
    }

    private static func paths(of name: String) -> [String] {
        guard !name.isEmpty, !name.utf8.contains(0) else { return [] }
        guard !name.utf8.contains(UInt8(ascii: "/")) else { return [name] }
        // What the C library looks through where the variable is not set.
        let list = ProcessEnvironment.path("PATH") ?? "/bin:/usr/bin"
        let folders = list.utf8.split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return folders.map { folder in
            // An empty name is the current folder.
            folder.isEmpty ? name : String(decoding: folder, as: UTF8.self) + "/" + name
        }
    }

    // MARK: What the program gets

    /// This process's environment with the variables, and nil behind them.
    @unsafe
    private static func environment(
        setting variables: [SecretVariable]
    ) -> [UnsafeMutablePointer<CChar>?] {
        var all: [UnsafeMutablePointer<CChar>?] = unsafe []
        var next = unsafe DetachedProgram.environment()
        while let entry = unsafe next?.pointee {
            let isReplaced = variables.contains { variable in
                variable.start.indices.allSatisfy { index in
                    // A shorter entry ends with a zero byte, which is in no name.
                    unsafe UInt8(bitPattern: entry[index]) == variable.start[index]
                }
            }
            if !isReplaced { unsafe all.append(entry) }
            unsafe next = next.map { unsafe $0 + 1 }
        }
        for variable in variables { unsafe all.append(variable.text) }
        unsafe all.append(nil)
        return unsafe all
    }

    /// Has the descriptors closed that this process has opened, and the one that a secret came from.
    private func closeOwnDescriptors(reading source: String?) {
        if let given {
            for number in Self.descriptors() ?? [] where !given.contains(number) {
                _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            }
        }
        guard let number = source.flatMap(PrivateFile.descriptorNumber) else { return }
        guard number <= STDERR_FILENO else {
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            return
        }
        // A file that the program opens must not become a standard stream.
        let empty = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        guard empty >= 0 else { return }
        _ = dup2(empty, number)
        _ = close(empty)
    }

    private static func descriptors() -> Set<Int32>? {
        guard let names = PrivateFile.names(in: "/proc/self/fd") else { return nil }
        // Without the descriptor that the list was read from.
        return Set(names.compactMap { Int32($0) }.filter { fcntl($0, F_GETFD) != -1 })
    }
}
