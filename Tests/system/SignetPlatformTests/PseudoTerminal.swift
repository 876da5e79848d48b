// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A terminal without a person: what is written to `master` is typed, and what is read from it is
/// shown.
final class PseudoTerminal {
    let master: Int32
    let path: String

    init() throws {
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard master >= 0 else { throw TestError("open /dev/ptmx: errno \(errno)") }
        // TIOCSPTLCK and TIOCGPTN, macros with a cast; what unlockpt and ptsname call.
        var unlocked: Int32 = 0
        var number: UInt32 = 0
        guard unsafe ioctl(master, 0x4004_5431, &unlocked) == 0,
            unsafe ioctl(master, 0x8004_5430, &number) == 0
        else { throw TestError("ioctl: errno \(errno)") }
        path = "/dev/pts/\(number)"
    }

    deinit { close(master) }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(master, bytes, bytes.count)
    }

    /// What the terminal shows up to the expected text; without one, what it shows so far.
    func shown(until expected: String? = nil) -> String {
        var shown: [UInt8] = []
        // Ten minutes, because other tests keep the machine busy, or a tenth of a second if nothing
        // is expected.
        for _ in 0..<(expected == nil ? 10 : 60_000) {
            var source = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&source, 1, 10)
            if source.revents & Int16(POLLIN) != 0 {
                var part = [UInt8](repeating: 0, count: 4096)
                let count = unsafe read(master, &part, part.count)
                shown += part.prefix(max(count, 0))
            } else if source.revents != 0 {
                // No process has the terminal open, which poll does not wait for.
                usleep(10_000)
            }
            let text = String(decoding: shown, as: UTF8.self)
            if let expected, text.contains(expected) { return text }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Whether the terminal shows what is typed.
    func hasEcho() throws -> Bool {
        var settings = termios()
        guard unsafe tcgetattr(master, &settings) == 0 else {
            throw TestError("tcgetattr: errno \(errno)")
        }
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }
}
