// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

/// A key for HMAC with SHA-2 (RFC 2104, FIPS 198-1), which makes an authentication code of a
/// message: whoever has the key can make the code and check it, and nobody else. libcrypto prepares
/// the key once, for all messages. Any number of threads may use it.
///
/// ```swift
/// let codes = try MACKey(forCookies, hash: .sha256)
/// let code = try codes.authenticationCode(for: "user-1093".utf8)
/// print(try codes.isValid(code, for: "user-1093".utf8))
/// ```
///
/// Any key of at least 1 byte is accepted. SignetJOSE requires at least the hash's length, as RFC
/// 7518 does. Printing shows nothing of the key.
public struct MACKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// The prepared key of libcrypto.
    private let state: MACState
    /// The hash that the code is made with.
    public let hash: HashAlgorithm

    /// Prepares `key` for `hash`.
    ///
    /// - Throws: `invalidKeySize` for an empty key, `unsupported` when the loaded libcrypto lacks
    ///   the hash.
    public init(_ key: SecretKey, hash: HashAlgorithm) throws(CryptographyError) {
        // OpenSSL 3.5 and newer accept an empty key without an error.
        guard key.byteCount > 0 else {
            throw CryptographyError(.invalidKeySize, "An HMAC key has at least 1 byte.")
        }
        self.hash = hash
        // `refused:` is what it means if libcrypto refuses: with any key here, its own failure.
        state = try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try key.storage.withBytes { (bytes) throws(OpenSSLFailure) in
                try MACState(key: bytes, algorithm: hash.bridged)
            }
        }
    }

    /// The whole authentication code of `message`: as many bytes as the hash has.
    public func authenticationCode(for message: some Collection<UInt8>) throws(CryptographyError)
        -> [UInt8]
    {
        try withSpan(of: message) { (message) throws(CryptographyError) in
            try authenticationCode(for: message)
        }
    }

    /// The code of bytes in a row, without a copy.
    package func authenticationCode(for message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try state.tag(for: message)
        }
    }

    /// The code of HMAC-SHA-256 as a value, without an allocation: four numbers of eight octets
    /// each, the first octet highest.
    package func code256(for message: Span<UInt8>) throws(CryptographyError) -> SIMD4<UInt64> {
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try state.code256(for: message)
        }
    }

    /// Whether `code` is the whole authentication code of `message`, compared in constant time. A
    /// truncated code is never valid.
    ///
    /// - Throws: `libraryFailure` if libcrypto cannot compute. No code or message causes it.
    public func isValid(
        _ code: some Collection<UInt8>, for message: some Collection<UInt8>
    ) throws(CryptographyError) -> Bool {
        try withSpan(of: code) { (code) throws(CryptographyError) in
            try withSpan(of: message) { (message) throws(CryptographyError) in
                try isValid(code, for: message)
            }
        }
    }

    /// The check of bytes in a row, without a copy.
    package func isValid(_ code: Span<UInt8>, for message: Span<UInt8>) throws(CryptographyError)
        -> Bool
    {
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try state.isValid(code, for: message)
        }
    }

    /// The type, the hash and "redacted".
    public var description: String { "MACKey(\(hash.rawValue), redacted)" }

    /// Shows the hash only.
    public var customMirror: Mirror { Mirror(self, children: ["hash": hash.rawValue]) }
}
