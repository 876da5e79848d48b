// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// A client's token, access or refresh: text that is wiped when the last copy is freed, and that
/// neither `print` nor `dump` shows.
///
/// Two tokens are equal when their bytes are, compared in time that depends only on their lengths.
public struct OpaqueToken<Kind: OpaqueTokenKind>: Sendable, Equatable, Redacted {
    /// The longest token, in bytes.
    public static var maximumByteCount: Int { 16_384 }

    private let bytes: SecretKey

    /// A token from its text: printable ASCII without spaces, 1 to 16,384 bytes.
    ///
    /// - Throws: ``SessionError`` `invalidToken`, which does not quote it.
    public init(_ text: String) throws(SessionError) {
        let octets = text.utf8
        guard (1...Self.maximumByteCount).contains(octets.count),
            octets.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw SessionError(
                .invalidToken,
                "A token is printable ASCII without spaces, 1 to \(Self.maximumByteCount) bytes.")
        }
        bytes = SecretKey(copying: octets)
    }

    /// The token itself. Send it only to its server.
    public var exposedText: String {
        bytes.withExposedBytes { span in
            String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
    }
}

/// The kind of a token. Conforming types have no values.
public protocol OpaqueTokenKind {}

/// The kind of ``AccessToken``.
public enum AccessTokenKind: OpaqueTokenKind {}

/// The kind of ``RefreshToken``.
public enum RefreshTokenKind: OpaqueTokenKind {}

/// The token in requests to a server.
public typealias AccessToken = OpaqueToken<AccessTokenKind>

/// The token that gets the next access token; most servers accept it once.
public typealias RefreshToken = OpaqueToken<RefreshTokenKind>
