// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory
internal import SignetPlatform

/// An HMAC secret in a file of its own, read through memory that is wiped. The caller says whether
/// the file holds the secret's bytes or their base64url: no file is guessed at.
enum TextSecret {
    case bytes(path: String)
    case base64URL(path: String)

    /// As much as the longest key file, so that one of those is refused for what it is.
    private static let maximumByteCount = 65_536

    var path: String {
        switch self {
        case .bytes(let path), .base64URL(let path): path
        }
    }

    /// Only for a file that could be read.
    var shownPath: String { path == "-" ? "standard input" : path }

    private var option: String {
        switch self {
        case .bytes: "--secret-text"
        case .base64URL: "--secret-base64url"
        }
    }

    /// Reads the file once. Of text, it drops one final line end, which editors and `echo` add, and
    /// says so on standard error: another program may count it as part of the secret.
    func read() throws -> SecretKey {
        let contents = try contents()
        if contents.isOpenToOthers { Input.warn(about: path) }
        return try contents.bytes.withBytes { (bytes: Span<UInt8>) throws -> SecretKey in
            let text = bytes.extracting(first: bytes.count - Self.lineEndByteCount(bytes))
            switch self {
            case .bytes:
                if text.count < bytes.count {
                    Output.errorLine(
                        "signet: the line end after the secret in \(shownPath) is not part of it; "
                            + "\(text.count) bytes are.")
                }
                return SecretKey(copying: text)
            case .base64URL:
                guard
                    let decoded = Base64.url.decodeSecret(
                        text.extracting(first: Self.unpadded(text)))
                else {
                    throw CommandFailure.refused(
                        "malformed", "\(shownPath): this is not base64url on one line.",
                        advice: "For a secret whose text is the key: --secret-text FILE")
                }
                return SecretKey(storage: decoded)
            }
        }
    }

    private func contents() throws -> PrivateFile.SecretContents {
        do throws(SystemFailure) {
            return try PrivateFile.readSecret(
                path: path == "-" ? "/dev/stdin" : path, maximumByteCount: Self.maximumByteCount)
        } catch  where error.number.isTooLarge {
            throw CommandFailure.refused(
                "tooLarge",
                "The file that \(option) names has more than \(Self.maximumByteCount) bytes.",
                advice: "A secret has tens of bytes. For a key file: --key FILE")
        } catch {
            // The name is not shown: it may be the secret itself.
            throw CommandFailure.unavailable(
                "system", "The file that \(option) names cannot be read.",
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
