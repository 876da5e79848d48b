// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetIdentity

/// Seals bytes together with the time at which they expire, for one context: the form of a
/// ``SealedCookie``, and of a sign-in that waits for its callback.
struct ExpiringSeal: Sendable {
    /// Why sealed bytes give no contents.
    enum Refusal: Error {
        /// They were changed, or sealed with another key or for another context.
        case notAuthentic
        /// Sealed with the key and for the context, but by another program.
        case otherForm
        /// The deadline has come.
        case expired
        /// libcrypto failed.
        case libraryFailure(CryptographyError)
    }

    static let keyByteCount = XAES256GCM.keyByteCount
    /// The latest time of a `NumericDate`, which a broken clock shows.
    private static let latest: Int64 = 1 << 53

    /// Seals and opens.
    private let key: SecretKey
    /// Only open.
    private let previous: [SecretKey]
    /// What is authenticated with the contents and must be the same to open them.
    private let context: [UInt8]

    /// - Parameters:
    ///   - key: seals and opens; has `keyByteCount` bytes.
    ///   - previous: only open, in this order.
    ///   - context: no other use of these keys may have the same one.
    init(_ key: SecretKey, previous: [SecretKey] = [], context: [UInt8]) {
        self.key = key
        self.previous = previous
        self.context = context
    }

    /// Seals contents that expire.
    ///
    /// - Parameters:
    ///   - contents: any bytes.
    ///   - seconds: how long they can be opened.
    ///   - now: seconds since 1970.
    func seal(
        _ contents: [UInt8], forSeconds seconds: Int64, now: Int64
    ) throws(CryptographyError) -> [UInt8] {
        // With a clock at its end the contents have expired at once.
        let (sum, overflows) = now.addingReportingOverflow(seconds)
        let deadline = overflows ? Self.latest : min(sum, Self.latest)
        return try XAES256GCM.seal(
            Array("\(deadline)\n".utf8) + contents, using: key, authenticating: context)
    }

    /// Opens contents that have not expired.
    ///
    /// - Parameters:
    ///   - sealed: what ``seal(_:forSeconds:now:)`` returned.
    ///   - now: seconds since 1970.
    func open(_ sealed: [UInt8], now: Int64) throws(Refusal) -> [UInt8] {
        // offset  size  field
        //      0    24  nonce
        //     24        sealed: the deadline in seconds since 1970, in decimal; a line feed; the
        //               contents
        // end-16    16  tag
        let opened = try authenticated(sealed)
        guard let end = opened.firstIndex(of: UInt8(ascii: "\n")),
            let deadline = Int64(String(decoding: opened[..<end], as: UTF8.self))
        else { throw .otherForm }
        guard now < deadline else { throw .expired }
        return Array(opened[(end + 1)...])
    }

    private func authenticated(_ sealed: [UInt8]) throws(Refusal) -> [UInt8] {
        for key in [key] + previous {
            do throws(CryptographyError) {
                return try XAES256GCM.open(sealed, using: key, authenticating: context)
            } catch {
                guard error.code == .authenticationFailure else { throw .libraryFailure(error) }
            }
        }
        throw .notAuthentic
    }

    /// The seconds since 1970, rounded down.
    static func secondsSince1970(by clock: TimeSource) -> Int64 {
        Int64(exactly: clock.now().secondsSince1970.rounded(.down)) ?? latest
    }
}
