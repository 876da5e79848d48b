// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// How the content of an encrypted token is encrypted and authenticated: `enc` of a JWE (RFC 7518,
/// section 5).
public enum ContentEncryptionAlgorithm: String, Sendable, Hashable, CaseIterable,
    CustomStringConvertible
{
    /// AES-GCM.
    case a128GCM = "A128GCM"
    case a192GCM = "A192GCM"
    case a256GCM = "A256GCM"
    /// AES-CBC, then HMAC over all of it.
    case a128CBCHS256 = "A128CBC-HS256"
    case a192CBCHS384 = "A192CBC-HS384"
    case a256CBCHS512 = "A256CBC-HS512"

    /// The algorithm that a header calls `name`, compared exactly; nil for an unknown name.
    public init?(name: String) { self.init(utf8: name.utf8.span) }

    init?(utf8 name: Span<UInt8>) {
        guard let found = Self.allCases.first(where: { bytesAreEqual($0.rawValue.utf8.span, name) })
        else { return nil }
        self = found
    }

    /// The registered name, as it stands in `enc`.
    public var name: String { rawValue }

    /// The registered name.
    public var description: String { name }

    /// The length of a key of the content, in bytes.
    public var keyByteCount: Int { cipher.keyByteCount }

    var cipher: ContentEncryption {
        switch self {
        case .a128GCM: .a128GCM
        case .a192GCM: .a192GCM
        case .a256GCM: .a256GCM
        case .a128CBCHS256: .a128CBCHS256
        case .a192CBCHS384: .a192CBCHS384
        case .a256CBCHS512: .a256CBCHS512
        }
    }
}
