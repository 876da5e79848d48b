// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
public import SignetCrypto

/// A secret that the sender and the receiver of a hook share, by Standard Webhooks 1.0.0.
///
/// ```swift
/// let secret = try WebhookSecret(SecretBytes(copying: hookSecret))
/// ```
///
/// A signature is HMAC-SHA-256 over the hook's name, its time and its body, with a full stop
/// between.
public struct WebhookSecret: Sendable, Redacted {
    /// How far the time of a hook may be from the receiver's.
    public static let tolerance = Duration.seconds(300)

    private static let prefix = "whsec_"
    private static let byteCounts = 24...64
    private static let maximumSignatureCount = 16
    /// Digits of a time; 12 last for 30,000 years.
    private static let timeDigitCounts = 1...12

    private let key: MACKey

    /// Reads a secret.
    ///
    /// - Parameter text: `whsec_`, and base64 of 24 to 64 random bytes.
    /// - Throws: `invalidParameter` for anything else.
    public init(_ text: borrowing SecretBytes) throws(AccountError) {
        let head = Array(Self.prefix.utf8)
        // In place: a copy of the text would stay in freed memory.
        var bytes = text.withExposedBytes { text -> [UInt8] in
            guard text.count > head.count, head.indices.allSatisfy({ text[$0] == head[$0] })
            else { return [] }
            return Base64Text.decode(text.extracting(head.count..<text.count)) ?? []
        }
        defer { SecretBytes.wipe(&bytes) }
        guard Self.byteCounts.contains(bytes.count) else {
            throw AccountError(
                .invalidParameter,
                "A hook's secret is whsec_ and base64 of 24 to 64 bytes: take 32 random ones.")
        }
        do {
            key = try MACKey(SecretKey(copying: bytes), hash: .sha256)
        } catch { throw .crypto(error) }
    }

    /// Whether this secret signed a hook that arrives now. Ask each secret that may be in use.
    ///
    /// **Not** checked: that the hook has not come before. Keep each `webhook-id` for ten minutes.
    ///
    /// - Parameters:
    ///   - body: the request's bytes, as they came.
    ///   - id: the field `webhook-id`.
    ///   - timestamp: the field `webhook-timestamp`.
    ///   - signatures: the field `webhook-signature`.
    ///   - now: the receiver's time.
    /// - Throws: `unavailable` if libcrypto fails.
    public func isSigned(
        _ body: [UInt8], id: String, timestamp: String, signatures: String, at now: NumericDate
    ) throws(AccountError) -> Bool {
        let digits = timestamp.utf8
        // A full stop in the name could move the border between name and time.
        guard Self.timeDigitCounts.contains(digits.count), digits.allSatisfy(\.isASCIIDigit),
            let seconds = Double(timestamp), !id.utf8.contains(UInt8(ascii: ".")),
            abs(seconds - now.secondsSince1970) <= Double(Self.tolerance.seconds)
        else { return false }
        let code = try code(of: body, id: id, timestamp: timestamp)
        let all = signatures.utf8.split(separator: UInt8(ascii: " "))
        return all.prefix(Self.maximumSignatureCount).contains { signature in
            let text = Array(signature.dropFirst(3))
            return signature.starts(with: "v1,".utf8)
                && ConstantTime.areEqual(Base64Text.decode(text.span) ?? [], code)
        }
    }

    /// The text that a sender puts into `webhook-signature`.
    func signature(
        of body: [UInt8], id: String, timestamp: String
    ) throws(AccountError) -> String {
        "v1," + Base64Text.encode(try code(of: body, id: id, timestamp: timestamp))
    }

    private func code(
        of body: [UInt8], id: String, timestamp: String
    ) throws(AccountError) -> [UInt8] {
        do {
            return try key.authenticationCode(for: Array("\(id).\(timestamp).".utf8) + body)
        } catch { throw .crypto(error) }
    }
}
