// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// A code that replaces a lost second factor, once: 120 random bits as six groups of four
/// characters, `k3xq-7mzp-…`.
///
/// It is too long to guess, even if each guess is compared with millions of hashes, so its hash
/// needs no salt and no cost (NIST SP 800-63B: from 112 bits on). Printing does not show it.
public struct RecoveryCode: Sendable, Redacted {
    private static let byteCount = 15
    /// The longest text that is read: a code of 24 characters, with hyphens and spaces.
    private static let maximumTextByteCount = 64
    private let code: SecretKey

    /// Generates codes, ten by default.
    ///
    /// - Parameter count: 1 to 100.
    /// - Throws: `invalidParameter` for a count out of this range, `unavailable` without
    ///   randomness.
    public static func generate(count: Int = 10) throws(AccountError) -> [RecoveryCode] {
        if let fault = ParameterRange("count", value: count, in: 1...100).fault {
            throw AccountError(.invalidParameter, fault)
        }
        var codes: [RecoveryCode] = []
        for _ in 0..<count { codes.append(RecoveryCode(code: try .random(byteCount: byteCount))) }
        return codes
    }

    /// A code that a person typed, in either case, ignoring hyphens and spaces. Nil for any other
    /// text.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumTextByteCount else { return nil }
        let characters = text.utf8.filter { !$0.isSpaceOrTab && $0 != UInt8(ascii: "-") }
        guard let bytes = Base32.bytes(of: characters), bytes.count == Self.byteCount else {
            return nil
        }
        code = SecretKey(copying: bytes)
    }

    private init(code: SecretKey) { self.code = code }

    /// The code, to show once.
    public var exposedText: String {
        let characters = code.withExposedBytes { bytes in
            Base32.text(of: bytes.indices.map { bytes[$0] }).map(\.inLowerCase)
        }
        return stride(from: 0, to: characters.count, by: 4).map {
            String(decoding: characters[$0..<min($0 + 4, characters.count)], as: UTF8.self)
        }.joined(separator: "-")
    }

    /// The hash to store: 32 bytes, which reveal nothing of the code.
    ///
    /// - Throws: `unavailable` if libcrypto cannot compute.
    public func hash() throws(AccountError) -> [UInt8] {
        var message = Array("signet recovery code 1".utf8)
        code.withExposedBytes { bytes in message += bytes.indices.map { bytes[$0] } }
        do {
            return try MessageDigest.digest(message, using: .sha256)
        } catch { throw .crypto(error) }
    }
}
