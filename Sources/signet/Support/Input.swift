// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetCrypto
internal import SystemBridge

/// Reads what commands work on, each with a limit.
enum Input {
    /// The longest payload or file, in bytes: everything is held in memory.
    static let maximumByteCount = 1 << 30

    /// A file's content; `-` and nil mean standard input.
    static func bytes(_ path: String?, maximumByteCount: Int = maximumByteCount) throws -> [UInt8] {
        try failing {
            if let path, path != "-" {
                return try PrivateFile.read(path: path, maximumByteCount: maximumByteCount).bytes
            }
            return try PrivateFile.read(descriptor: 0, maximumByteCount: maximumByteCount).bytes
        }
    }

    /// The content of a file that holds a secret; says so on standard error when others can read it.
    static func secretBytes(_ path: String, maximumByteCount: Int) throws -> [UInt8] {
        try failing {
            let contents = try PrivateFile.read(path: path, maximumByteCount: maximumByteCount)
            if contents.isOpenToOthers {
                Output.errorLine(
                    "signet: warning: other users can read \(path); mend it with: chmod 600 \(path)")
            }
            return contents.bytes
        }
    }

    /// A token from the argument or, without one, from standard input, without the line end around it.
    static func token(_ argument: String?) throws -> String {
        if let argument, argument != "-" { return argument }
        var bytes = try Input.bytes(nil, maximumByteCount: 1 << 26)
        while let last = bytes.last, last == 0x0a || last == 0x0d || last == 0x20 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A passphrase from a descriptor, a file or the terminal.
    static func passphrase(descriptor: Int32?, file: String?, confirming: Bool) throws -> SecretBytes {
        if let descriptor {
            let read = try failing { try PrivateFile.read(descriptor: descriptor, maximumByteCount: 4096) }
            return try firstLine(read.bytes)
        }
        if let file { return try firstLine(secretBytes(file, maximumByteCount: 4096)) }
        let secret = try ask("Passphrase: ")
        if confirming {
            guard secret.isEqual(to: try ask("The same again: ")) else {
                throw CommandFailure.usage("The two passphrases are not the same.", advice: "Try once more.")
            }
        }
        guard secret.count > 0 else { throw CommandFailure.usage("The passphrase is empty.") }
        return secret
    }

    private static func ask(_ prompt: String) throws -> SecretBytes {
        do throws(SystemFailure) {
            let line = try Terminal.readPassphrase(prompt: prompt)
            // A noncopyable value cannot leave the closure, hence the key, which shares its storage.
            return SecretBytes(storage: line.withBytes { SecretKey(copying: $0).storage })
        } catch {
            var failure = CommandFailure(error)
            failure.advice = "Without a terminal use --passphrase-fd or --passphrase-file."
            throw failure
        }
    }

    private static func firstLine(_ bytes: [UInt8]) throws -> SecretBytes {
        let line = bytes.prefix { $0 != 0x0a && $0 != 0x0d }
        guard !line.isEmpty else { throw CommandFailure.usage("The passphrase is empty.") }
        return SecretBytes(copying: line)
    }
}
