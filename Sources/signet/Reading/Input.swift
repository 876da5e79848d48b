// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetCrypto
internal import SystemBridge

/// Reads what commands work on, each with a limit.
enum Input {
    /// The longest file that is sealed, in bytes: everything is held in memory.
    static let maximumByteCount = 1 << 30
    /// The longest compact token, in bytes.
    static let maximumTokenByteCount = 1 << 26

    /// A file's content; `-` and nil mean standard input.
    static func bytes(_ path: String?, maximumByteCount: Int = maximumByteCount) throws -> [UInt8] {
        if path ?? "-" == "-", let captured = CapturedStreams.current { return captured.input }
        return try contents(path, maximumByteCount: maximumByteCount).bytes
    }

    /// A file's content and who else can read it.
    static func contents(_ path: String?, maximumByteCount: Int) throws -> PrivateFile.Contents {
        try failing {
            guard let path, path != "-" else {
                return try PrivateFile.read(descriptor: 0, maximumByteCount: maximumByteCount)
            }
            return try PrivateFile.read(path: path, maximumByteCount: maximumByteCount)
        }
    }

    /// Says that a file with a secret is not for its owner alone. A descriptor has no name that could be mended.
    static func warn(about path: String) {
        guard path != "-", !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/") else { return }
        Output.errorLine(
            "signet: warning: other users can read \(path); mend it with: chmod 600 \(quoted(path))"
        )
    }

    /// A path as a shell reads it.
    static func quoted(_ path: String) -> String {
        "'" + path.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }

    /// A token from the argument or, without one, from standard input, without the line end behind it.
    ///
    /// - Parameter maximumByteCount: what more is on standard input is not held in memory.
    static func token(
        _ argument: String?, maximumByteCount: Int = maximumTokenByteCount
    ) throws -> [UInt8] {
        if let argument, argument != "-" { return Array(argument.utf8) }
        // Some room for line ends; the verifier has the last word.
        var bytes = try Input.bytes(nil, maximumByteCount: maximumByteCount + 1024)
        while let last = bytes.last, last == 0x0a || last == 0x0d || last == 0x20 {
            bytes.removeLast()
        }
        guard !bytes.isEmpty else {
            throw CommandFailure.refused(
                "malformed", "There is no token.",
                advice: "Give it as an argument or on standard input.")
        }
        return bytes
    }

    /// Refuses two things that are to be read from standard input: the second would find nothing.
    ///
    /// - Parameter paths: nil is something that is not read from there; `-` and the names of descriptor 0 are.
    static func checkStandardInput(_ paths: String?...) throws {
        try checkStandardInput(all: paths.compactMap(\.self))
    }

    /// The same of a list.
    static func checkStandardInput(all paths: [String]) throws {
        let readers = paths.count { standardInput.contains($0) }
        guard readers <= 1 else {
            throw CommandFailure.usage(
                "Standard input cannot be two things at once.",
                advice: "Name a file for one of them, or a descriptor: --key /dev/fd/3 3< key.json")
        }
    }

    private static let standardInput = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]
}
