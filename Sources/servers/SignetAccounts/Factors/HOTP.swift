// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// One-time passwords by counter (RFC 4226), from a key that the server shares with a device. With
/// the key `12345678901234567890` (RFC 4226, appendix D), counter 0 has the code 755224, and
/// counter 1 has 287082. The device counts the codes that it has shown, and the server keeps the
/// first unused counter:
///
///     guard let counter = try device.counter(of: "287082", from: next) else { return }  // wrong
///     next = counter + 1
///
/// **Not** done here: counting attempts, which ``SecondFactors`` does. Printing shows nothing.
public struct HOTP: Sendable, Redacted {
    /// The hash under the HMAC. Many apps ignore the address's parameter and use SHA-1, which is
    /// safe here: HMAC does not rely on what is broken in it (RFC 6194, section 3.3).
    public enum Hash: String, Sendable, CaseIterable {
        /// Supported by every app.
        case sha1 = "SHA1"
        /// SHA-256.
        case sha256 = "SHA256"
        /// SHA-512.
        case sha512 = "SHA512"

        /// The length of a new key: that of the hash (RFC 6238, section 5.1).
        var keyByteCount: Int {
            switch self {
            case .sha1: 20
            case .sha256: 32
            case .sha512: 64
            }
        }

        /// The same hash in SignetCrypto's terms.
        fileprivate var cryptoHash: OneTimePasswordHash {
            switch self {
            case .sha1: .sha1
            case .sha256: .sha256
            case .sha512: .sha512
            }
        }
    }

    /// The shared key.
    public let key: SecretKey
    /// The hash under the HMAC.
    public let hash: Hash
    /// The number of digits in a code.
    public let digitCount: Int

    /// Makes a device with this key.
    ///
    /// - Parameters:
    ///   - key: 16 to 128 bytes (RFC 4226, section 4, R6); nil makes a new key, as long as the
    ///     hash.
    ///   - hash: the hash under the HMAC.
    ///   - digitCount: 6 to 8.
    /// - Throws: `invalidParameter`; `unavailable` without randomness.
    public init(
        key: SecretKey? = nil, hash: Hash = .sha1, digitCount: Int = 6
    ) throws(AccountError) {
        if let fault = ParameterRange("digitCount", value: digitCount, in: 6...8).fault {
            throw AccountError(.invalidParameter, fault)
        }
        if let key {
            guard (16...128).contains(key.byteCount) else {
                throw AccountError(
                    .invalidParameter, "The key of one-time passwords has 16 to 128 bytes.")
            }
            self.key = key
        } else {
            self.key = try .random(byteCount: hash.keyByteCount)
        }
        self.hash = hash
        self.digitCount = digitCount
    }

    /// The code for a counter.
    ///
    /// - Throws: `unavailable` if libcrypto lacks the hash.
    public func code(at counter: UInt64) throws(AccountError) -> String {
        String(decoding: try digits(at: counter), as: UTF8.self)
    }

    /// The counter of this code, the smallest that matches; nil for a wrong or malformed code.
    /// Store the next counter before letting the person in: a code works once.
    ///
    /// - Parameters:
    ///   - text: what a person typed, ASCII digits only. All comparisons take the same time.
    ///   - counter: the first unused counter.
    ///   - window: how many counters to try, 1 to 100. A device gets ahead when its button is
    ///     pressed without signing in. Each further counter makes guessing easier.
    /// - Throws: `invalidParameter` for a window out of this range, `unavailable` without the hash.
    public func counter(
        of text: String, from counter: UInt64, window: Int = 10
    ) throws(AccountError) -> UInt64? {
        if let fault = ParameterRange("window", value: window, in: 1...100).fault {
            throw AccountError(.invalidParameter, fault)
        }
        guard isCode(text) else { return nil }
        // No comparison is left out after a match, so that the time does not tell the counter.
        var found: UInt64?
        for step in 0..<UInt64(window) {
            let (candidate, overflow) = counter.addingReportingOverflow(step)
            guard !overflow else { break }
            let isEqual = ConstantTime.areEqual(try digits(at: candidate), text.utf8)
            if isEqual, found == nil { found = candidate }
        }
        return found
    }

    func isCode(_ text: String) -> Bool {
        text.utf8.count == digitCount && text.utf8.allSatisfy(\.isASCIIDigit)
    }

    /// The code for a counter, as ASCII digits: the last decimal digits of a number of 31 bits that
    /// the HMAC gives (RFC 4226, section 5.3).
    func digits(at counter: UInt64) throws(AccountError) -> [UInt8] {
        var rest: UInt32
        do {
            rest = try key.oneTimePasswordNumber(counter: counter, hash: hash.cryptoHash)
        } catch { throw .crypto(error) }
        var digits = [UInt8](repeating: 0, count: digitCount)
        for place in digits.indices.reversed() {
            digits[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        return digits
    }
}
