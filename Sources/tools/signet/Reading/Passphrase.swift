// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetPlatform

/// Reads a passphrase from a descriptor, a file or the terminal.
enum Passphrase {
    /// Where the passphrase comes from.
    enum Source: Equatable {
        case terminal
        case descriptor(Int32)
        case file(String)
    }

    /// How the terminal asks for it, and which options give it without a terminal.
    struct Wording {
        var prompt = "Passphrase: "
        /// A word before the options' names, as in `--new-passphrase-fd`.
        var prefix = ""
        /// The options for use without a terminal.
        var advice: String {
            "Without a terminal use --\(prefix)passphrase-fd or --\(prefix)passphrase-file."
        }
    }

    /// The longest passphrase, in bytes.
    private static let maximumByteCount = 4096
    /// A new passphrase with fewer bytes causes a warning.
    private static let weakByteCount = 12

    /// - Parameter confirming: whether to ask a person twice. A file or a descriptor is read once.
    static func read(_ source: Source, confirming: Bool, wording: Wording = Wording()) throws
        -> SecretBytes
    {
        let secret = try Self.secret(source, confirming: confirming, wording: wording)
        if confirming { warn(aboutEncodingOf: secret) }
        if confirming, secret.count < weakByteCount {
            Output.errorLine(
                "signet: warning: the passphrase is short: anyone with a copy of the file could guess it."
                    + " Use \(weakByteCount) characters or more, for example five random words.")
        }
        return secret
    }

    /// An editor may have saved a file with a mark in front, or in UTF-16. A keyboard gives
    /// neither, and the next editor may leave it out.
    private static func warn(aboutEncodingOf secret: borrowing SecretBytes) {
        let isMarked = secret.withExposedBytes { bytes in
            let shape = InputShape(of: bytes)
            return shape == .byteOrderMark || shape == .utf16
        }
        guard isMarked else { return }
        Output.errorLine(
            "signet: warning: the passphrase begins with a byte-order mark or is UTF-16, and all "
                + "its bytes count: typed at a terminal it is another one. Save it as UTF-8 "
                + "without a mark.")
    }

    private static func secret(_ source: Source, confirming: Bool, wording: Wording) throws
        -> SecretBytes
    {
        switch source {
        case .descriptor(let number):
            return try firstLine(of: "/dev/fd/\(number)") { CommandFailure($0) }
        case .file(let file):
            let option = "--\(wording.prefix)passphrase"
            return try firstLine(of: file == "-" ? "/dev/stdin" : file) { error in
                guard PrivatePlace.identity(ofFileBehind: file) == nil else {
                    return CommandFailure(error)
                }
                // The name is not shown: it may be the passphrase itself.
                return .unavailable(
                    "system", "The file that \(shown: option)-file names cannot be read.",
                    advice:
                        "It takes the name of a file, not the passphrase; \(option) asks for that.")
            }
        case .terminal:
            let secret = try ask(wording.prompt, advice: wording.advice)
            guard secret.count > 0 else { throw empty }
            guard
                try !confirming
                    || secret.isEqual(to: ask("The same again: ", advice: wording.advice))
            else {
                throw CommandFailure.refused(
                    "passphraseMismatch", "The two passphrases are not the same.",
                    advice: "Try once more.")
            }
            return secret
        }
    }

    /// Asks for a secret of any other kind, twice, without showing it.
    static func askTwice(_ prompt: String, advice: String) throws -> SecretBytes {
        let secret = try ask(prompt, advice: advice)
        guard secret.isEqual(to: try ask("The same again: ", advice: advice)) else {
            throw CommandFailure.refused(
                "valueMismatch", "The two entries are not the same.", advice: "Try once more.")
        }
        return secret
    }

    private static func firstLine(
        of path: String, _ failure: (SystemFailure) -> CommandFailure
    ) throws -> SecretBytes {
        let contents: PrivateFile.SecretContents
        do {
            contents = try PrivateFile.readSecret(path: path, maximumByteCount: maximumByteCount)
        } catch {
            throw failure(error)
        }
        if contents.isOpenToOthers { Input.warn(about: path) }
        return try firstLine(contents.bytes)
    }

    private static func ask(_ prompt: String, advice: String) throws -> SecretBytes {
        do {
            let line = try Terminal.readPassphrase(prompt: prompt)
            return copy(line)
        } catch {
            var failure = CommandFailure(error)
            failure.advice = advice
            throw failure
        }
    }

    /// The bytes up to the first line end, which may be that of Windows. Everything else in the
    /// line belongs to the passphrase.
    private static func firstLine(_ bytes: borrowing CleansedBuffer) throws -> SecretBytes {
        let line = SecretBytes(
            storage: bytes.withBytes { bytes in
                var count = bytes.indices.first { bytes[$0] == 0x0a } ?? bytes.count
                if count < bytes.count, count > 0, bytes[count - 1] == 0x0d { count -= 1 }
                return SecretKey(copying: bytes.extracting(first: count)).storage
            })
        guard line.count > 0 else { throw empty }
        return line
    }

    // A noncopyable value cannot leave the closure, but a key can, and its storage is shared.
    private static func copy(_ line: borrowing CleansedBuffer) -> SecretBytes {
        SecretBytes(storage: line.withBytes { SecretKey(copying: $0).storage })
    }

    private static var empty: CommandFailure {
        .refused(
            "passphraseEmpty", "The passphrase is empty.",
            advice: "Choose one that is hard to guess."
        )
    }
}
