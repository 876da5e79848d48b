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
        self = try text.withExposedBytes { (text) throws(AccountError) in try Self(in: text) }
    }

    /// Reads the secrets of a setting of GoTrue's: `v1,whsec_…|v1,whsec_…`. Each may lack its
    /// `v1,`. Empty parts count as none.
    static func list(_ text: borrowing SecretBytes) throws(AccountError) -> [WebhookSecret] {
        let version = Array("v1,".utf8)
        return try text.withExposedBytes { (text) throws(AccountError) in
            var secrets: [WebhookSecret] = []
            var start = 0
            for end in 0...text.count
            where end == text.count || text[end] == UInt8(ascii: "|") {
                let part = text.extracting(start..<end)
                start = end + 1
                guard !part.isEmpty else { continue }
                let isVersioned = begins(part, with: version)
                secrets.append(try Self(in: isVersioned ? part.extracting(version.count...) : part))
            }
            return secrets
        }
    }

    /// Reads a secret in place: a copy of the text would stay in freed memory.
    private init(in text: Span<UInt8>) throws(AccountError) {
        let head = Array(Self.prefix.utf8)
        var bytes =
            Self.begins(text, with: head)
            ? Base64Text.decode(text.extracting(head.count...)) ?? [] : []
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

    private static func begins(_ text: Span<UInt8>, with head: [UInt8]) -> Bool {
        text.count >= head.count && head.indices.allSatisfy { text[$0] == head[$0] }
    }

    /// Whether this secret signed a hook that arrives now. Ask each secret that may be in use.
    ///
    /// **Not** checked: that the hook has not come before. Keep each `webhook-id` for ten minutes.
    ///
    /// - Parameters:
    ///   - body: the request's bytes, as they came.
    ///   - id: the field `webhook-id`.
    ///   - timestamp: the field `webhook-timestamp`.
    ///   - signatures: the field `webhook-signature`: signatures with blanks between them, or with
    ///     a comma and a blank, which GoTrue writes. At most 16 count.
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
            // A signature has a comma of its own, `v1,…`; one after it ends it.
            let hasComma = signature.last == UInt8(ascii: ",")
            let text = Array(signature.dropFirst(3).dropLast(hasComma ? 1 : 0))
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

    /// A key for something else, from this secret. No hook is signed over `label`, which must have
    /// no full stop.
    func derivedKey(label: StaticString) throws(AccountError) -> SecretKey {
        do {
            var bytes = try key.authenticationCode(for: Array(label.description.utf8))
            defer { SecretBytes.wipe(&bytes) }
            return SecretKey(copying: bytes)
        } catch { throw .crypto(error) }
    }

    private func code(
        of body: [UInt8], id: String, timestamp: String
    ) throws(AccountError) -> [UInt8] {
        do {
            return try key.authenticationCode(for: Array("\(id).\(timestamp).".utf8) + body)
        } catch { throw .crypto(error) }
    }
}
