// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE
internal import SignetMemory
internal import SignetPlatform

/// An HMAC secret in a file of its own, read through memory that is wiped. The caller says whether
/// the file holds the secret's bytes or their base64url: no file is guessed at.
struct TextSecret {
    enum Form { case bytes, base64URL }

    /// The limit of key files, so that a key file is refused for what it is, not for its length.
    private static let maximumByteCount = 65_536

    let form: Form
    let path: String
    /// The command's option for a file with a key.
    let keyOption: String

    /// The path for messages, used only for a file that could be read.
    private var shownPath: String { path == "-" ? "standard input" : path.onOneLine }

    private var option: String {
        switch form {
        case .bytes: "--secret-text"
        case .base64URL: "--secret-base64url"
        }
    }

    /// The key for an algorithm.
    ///
    /// - Parameter allowsShort: whether the secret may be shorter than the algorithm's hash.
    func hmacKey(_ algorithm: HMACAlgorithm, allowsShort: Bool = false) throws -> HMACKey {
        let bytes = try read()
        do {
            return allowsShort
                ? try HMACKey(weakSecret: bytes, algorithm: algorithm)
                : try HMACKey(secret: bytes, algorithm: algorithm)
        } catch {
            var failure = CommandFailure(error, in: shownPath)
            failure.advice = advice(error.code, algorithm: algorithm, allowsShort: allowsShort)
            throw failure
        }
    }

    private func advice(
        _ code: KeyError.Code, algorithm: HMACAlgorithm, allowsShort: Bool
    ) -> String? {
        switch code {
        case .keyTooShort where !allowsShort:
            "Make a longer one: signet jwk generate --algorithm \(algorithm.name). To verify tokens "
                + "of the short one: signet jwt verify --allow-short-secret"
        case .keyTooShort: "A shorter secret can be guessed: replace it."
        case .notASecret: "Name it as what it is: \(keyOption) FILE"
        default: nil
        }
    }

    /// Reads the file once. A text loses its last line end, which editors and `echo` add. A warning
    /// on standard error says so: another program may count the line end as part of the secret.
    private func read() throws -> SecretKey {
        let contents = try contents()
        if contents.isOpenToOthers { Input.warn(about: path) }
        return try contents.bytes.withBytes { (bytes: Span<UInt8>) throws -> SecretKey in
            let text = bytes.extracting(first: bytes.count - Self.lineEndByteCount(bytes))
            switch form {
            case .bytes:
                if text.count < bytes.count {
                    Output.errorLine(
                        "signet: the line end after the secret in \(shownPath) is not part of it.")
                }
                return SecretKey(copying: text)
            case .base64URL:
                guard
                    let decoded = Base64.url.decodeSecret(
                        text.extracting(first: Self.unpadded(text)))
                else {
                    throw notBase64URL(text)
                }
                return SecretKey(storage: decoded)
            }
        }
    }

    /// The failure for a text that is not base64url. A text in a known format is named by the
    /// format: standard base64, for example, spells the same bytes, and used as a text it would be
    /// a different key.
    private func notBase64URL(_ text: Span<UInt8>) -> CommandFailure {
        let shape = InputShape(of: text)
        let found: ErrorMessage = shape.map { " \($0.sentence(about: "It"))" } ?? ""
        let mayBeText = shape == nil || shape == .whiteSpace || shape == .padding
        return .refused(
            "malformed", "\(typed: shownPath): this is not base64url on one line.\(found)",
            advice: mayBeText
                ? "For a secret whose text is the key: --secret-text FILE" : nil)
    }

    private func contents() throws -> PrivateFile.SecretContents {
        do throws(SystemFailure) {
            return try PrivateFile.readSecret(
                path: path == "-" ? "/dev/stdin" : path, maximumByteCount: Self.maximumByteCount)
        } catch  where error.number.isTooLarge {
            throw CommandFailure.refused(
                "tooLarge",
                "The file that \(shown: option) names has more than \(Self.maximumByteCount) bytes.",
                advice: "A secret has tens of bytes. For a key file: \(keyOption) FILE")
        } catch {
            guard PrivatePlace.identity(ofFileBehind: path) == nil else { throw error }
            // The name is not shown: it may be the secret itself.
            throw CommandFailure.unavailable(
                "system", "The file that \(shown: option) names cannot be read.",
                advice:
                    "It takes the name of a file, not the secret: other users can read arguments."
            )
        }
    }

    private static func lineEndByteCount(_ bytes: Span<UInt8>) -> Int {
        guard let last = bytes.indices.last, bytes[last] == 0x0a else { return 0 }
        return last > 0 && bytes[last - 1] == 0x0d ? 2 : 1
    }

    /// The length without the `=` that some writers add. Only complete groups have them.
    private static func unpadded(_ text: Span<UInt8>) -> Int {
        var count = text.count
        guard count.isMultiple(of: 4) else { return count }
        while count > 0, text.count - count < 2, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
        return count
    }
}
