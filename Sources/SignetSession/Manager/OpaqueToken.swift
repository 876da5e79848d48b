// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// A token of one kind as a client holds it: text that is wiped when the last copy goes, and that
/// neither `print` nor `dump` shows.
///
/// Two are equal when their bytes are, compared in time that depends on their lengths only.
public struct OpaqueToken<Kind: OpaqueTokenKind>: Sendable, Equatable, Redacted {
    /// The longest token that is taken, in bytes.
    public static var maximumByteCount: Int { 16_384 }

    private let bytes: SecretKey

    /// A token from its text: printable ASCII without spaces, 1 to 16 384 bytes.
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

    /// The token itself. It goes to its server, and nowhere else.
    public var exposedText: String {
        bytes.withExposedBytes { span in
            String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
    }
}

/// What a token is for. The types that conform have no values.
public protocol OpaqueTokenKind {}

/// The kind of ``AccessToken``.
public enum AccessTokenKind: OpaqueTokenKind {}

/// The kind of ``RefreshToken``.
public enum RefreshTokenKind: OpaqueTokenKind {}

/// What requests to a server carry.
public typealias AccessToken = OpaqueToken<AccessTokenKind>

/// What gets the next access token; most servers take it once.
public typealias RefreshToken = OpaqueToken<RefreshTokenKind>
