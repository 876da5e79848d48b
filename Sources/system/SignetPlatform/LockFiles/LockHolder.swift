// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A process that has a lock on a file, as the kernel lists it in `/proc/locks`.
///
/// Not every system tells: a container hides the processes outside, and some file systems list a
/// device that differs from `stat`'s. No holder is known then.
package struct LockHolder: Sendable, Equatable {
    /// The process's number.
    package let process: Int32
    /// The program's name: printable ASCII, anything else as `?`. A process may call itself
    /// anything.
    package let name: String
    /// Whether it was stopped, by SIGSTOP or a terminal's Ctrl-Z, or by a debugger.
    package let isStopped: Bool

    /// The processes that hold a lock of any kind on a file now. Processes that wait for a lock are
    /// left out.
    package static func holders(of file: PrivatePlace.Identity) -> [LockHolder] {
        guard
            let list = try? PrivateFile.read(path: "/proc/locks", maximumByteCount: 1 << 20)
        else { return [] }
        return processes(holding: file, in: list.bytes).compactMap(LockHolder.init)
    }

    /// The numbers of the processes that a list like `/proc/locks` names for a file, each once.
    package static func processes(
        holding file: PrivatePlace.Identity, in list: [UInt8]
    ) -> [Int32] {
        let wanted = "\(hexadecimal(file.major)):\(hexadecimal(file.minor)):\(file.inode)"
        var found: [Int32] = []
        for line in list.split(separator: UInt8(ascii: "\n")) {
            // `1: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF`; a waiting process has `->` second.
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count >= 6, words[5].elementsEqual(wanted.utf8),
                let process = Int32(String(decoding: words[4], as: UTF8.self)), process > 0,
                !found.contains(process)
            else { continue }
            found.append(process)
        }
        return found
    }

    /// What `/proc` says of a process; nil if it is gone.
    private init?(_ process: Int32) {
        guard
            let stat = try? PrivateFile.read(
                path: "/proc/\(process)/stat", maximumByteCount: 65_536),
            let (name, state) = Self.parse(stat: stat.bytes)
        else { return nil }
        self.process = process
        self.name = name
        isStopped = state == UInt8(ascii: "T") || state == UInt8(ascii: "t")
    }

    /// The name and the state in `/proc/PID/stat`: `4711 (name) S …`. The name may itself hold
    /// parentheses and blanks.
    package static func parse(stat: [UInt8]) -> (name: String, state: UInt8)? {
        guard let open = stat.firstIndex(of: UInt8(ascii: "(")),
            let close = stat.lastIndex(of: UInt8(ascii: ")")), open < close,
            let state = stat[close...].dropFirst(2).first
        else { return nil }
        let name = stat[(open + 1)..<close].prefix(64).map { octet in
            (0x20...0x7e).contains(octet) ? octet : UInt8(ascii: "?")
        }
        return (String(decoding: name, as: UTF8.self), state)
    }

    /// At least two digits, as the kernel writes the numbers of devices.
    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return digits.utf8.count < 2 ? "0" + digits : digits
    }
}

extension PrivatePlace.Identity {
    // The parts of a device's number, as glibc takes it apart (gnu_dev_major, gnu_dev_minor).
    fileprivate var major: UInt64 { (device >> 8) & 0xfff | (device >> 32) & 0xffff_f000 }
    fileprivate var minor: UInt64 { device & 0xff | (device >> 12) & 0xffff_ff00 }
}
