// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Waits for a child on a thread of its own, from its start.
final class Reaper: @unchecked Sendable {
    private let identifier: Int32
    private let changed = NSCondition()
    // Under `changed`.
    private var end: ChildProgram.End?

    init(_ identifier: Int32) {
        self.identifier = identifier
        Thread { [self] in reap() }.start()
    }

    var isRunning: Bool { changed.withLock { end == nil } }

    func signal(_ number: Int32) {
        changed.withLock { if end == nil { kill(identifier, number) } }
    }

    func stop() {
        signal(SIGSTOP)
        var information = unsafe siginfo_t()
        let number = id_t(identifier)
        let ends = WSTOPPED | WEXITED | WNOWAIT
        while unsafe waitid(P_PID, number, &information, ends) < 0, errno == EINTR {}
    }

    func wait() -> ChildProgram.End {
        changed.withLock {
            while true {
                if let end { return end }
                changed.wait()
            }
        }
    }

    private func reap() {
        var information = unsafe siginfo_t()
        let number = id_t(identifier)
        // It stays a zombie, whose number no other program gets, until no signal can be pending.
        while unsafe waitid(P_PID, number, &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        changed.withLock {
            var status: Int32 = 0
            unsafe waitpid(identifier, &status, 0)
            let signal = status & 0x7f
            end = ChildProgram.End(
                status: signal == 0 ? status >> 8 & 0xff : signal, wasKilled: signal != 0)
            changed.broadcast()
        }
    }
}
