// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetSystem
internal import SignetCLibrary

/// Who may see the memory of this process.
///
/// It is for a program, not for a library: both settings concern the whole process.
package enum ProcessPrivacy {
    /// One byte: no core file is as short, and the kernel takes it for a wish that a collector gets
    /// none either. With 0 a collector (`core_pattern` with a pipe) would get all.
    private static let noCoreDump: Int64 = 1
    /// The soft limit of core dumps from before ``begin()``; nil where it has not begun.
    private static let limit = Locked<Int64?>(nil)

    /// From now on no core dump is written, and no other process of this user attaches to this one
    /// or reads its memory. Root can. SIGQUIT ends the process: Swift's runtime may have a handler
    /// that shows registers and memory, and lets it go on.
    ///
    /// This process still opens its own descriptors by name (`/dev/fd/3`), which the kernel leaves
    /// to it. LeakSanitizer, which attaches to its own process, allows that to itself.
    package static func begin() {
        csystem_set_dumpable(0)
        if !ProcessStart.isIgnored(SIGQUIT) { _ = signal(SIGQUIT, SIG_DFL) }
        limit.withLock { before in
            if before == nil { before = csystem_set_core_limit(noCoreDump) }
        }
    }

    /// Lets other processes of this user see which program this is, as a keyring does to tell the
    /// person who asks (KeePassXC reads `/proc/PID/exe`). They may attach to it, too. There are
    /// still no core dumps.
    package static func showProgram() { csystem_set_dumpable(1) }

    /// Takes back ``showProgram()``.
    static func hideProgram() { csystem_set_dumpable(0) }

    /// Runs `start`, which starts a program, with the limit of core dumps from before, because a
    /// program inherits it. One at a time. That it may be attached to, a program does not inherit.
    package static func startingProgram<R, E: Error>(_ start: () throws(E) -> R) throws(E) -> R {
        try limit.withLock { (before) throws(E) -> R in
            guard let before else { return try start() }
            _ = csystem_set_core_limit(before)
            defer { _ = csystem_set_core_limit(noCoreDump) }
            return try start()
        }
    }
}
