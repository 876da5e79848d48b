// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SystemBridge

/// Reads a passphrase from a descriptor, a file or the terminal.
enum Passphrase {
    /// The longest, in bytes.
    private static let maximumByteCount = 4096

    static func read(_ options: SealingKeyOptions, confirming: Bool) throws -> SecretBytes {
        if let descriptor = options.passphraseFd {
            return try firstLine(
                failing {
                    try PrivateFile.read(descriptor: descriptor, maximumByteCount: maximumByteCount).bytes
                })
        }
        if let file = options.passphraseFile { return try firstLine(contents(file)) }
        let secret = try ask("Passphrase: ")
        guard secret.count > 0 else { throw empty }
        if confirming {
            guard secret.isEqual(to: try ask("The same again: ")) else {
                throw CommandFailure.refused(
                    "passphraseMismatch", "The two passphrases are not the same.", advice: "Try once more.")
            }
        }
        return secret
    }

    private static func contents(_ file: String) throws -> [UInt8] {
        let contents: PrivateFile.Contents
        do throws(SystemFailure) {
            contents = try PrivateFile.read(path: file, maximumByteCount: maximumByteCount)
        } catch {
            // The name is not shown: it may be the passphrase itself.
            throw CommandFailure.unavailable(
                "system", "The file that --passphrase-file names cannot be read.",
                advice: "It takes the name of a file, not the passphrase; --passphrase asks for that.")
        }
        if contents.isOpenToOthers { Input.warn(about: file) }
        return contents.bytes
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

    /// Up to the first line end, which may be that of Windows; whatever else is in the line belongs to it.
    private static func firstLine(_ bytes: [UInt8]) throws -> SecretBytes {
        var line = bytes.prefix { $0 != 0x0a }
        if line.count < bytes.count, line.last == 0x0d { line.removeLast() }
        guard !line.isEmpty else { throw empty }
        return SecretBytes(copying: line)
    }

    private static var empty: CommandFailure {
        .refused("passphraseEmpty", "The passphrase is empty.", advice: "Give one that nobody can guess.")
    }
}
