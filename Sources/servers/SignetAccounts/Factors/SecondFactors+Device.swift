// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension SecondFactors {
    /// The source of a user's codes. Other kinds of factors may follow.
    public struct Device: Sendable {
        fileprivate enum Source {
            case totp(TOTP)
            case hotp(HOTP)
        }

        fileprivate let source: Source

        /// An authenticator app.
        public static func totp(_ totp: TOTP) -> Device { Device(source: .totp(totp)) }

        /// A token with a button.
        public static func hotp(_ hotp: HOTP) -> Device { Device(source: .hotp(hotp)) }
    }
}

// A device as it is sealed into the database, and its codes. The sealed data are
//
//     offset  size  field
//          0     1  hash, its storedNumber
//          1     1  digits of a code
//          2     2  seconds of a step, big-endian; 0 for a device that counts its codes
//          4        key
//
// so an app with SHA-1, six digits and steps of 30 s begins with 00 06 00 1e.
extension SecondFactors.Device {
    private var hotp: HOTP {
        switch source {
        case .totp(let totp): totp.hotp
        case .hotp(let hotp): hotp
        }
    }

    /// The stored period of a device that counts codes.
    private static let periodOfCounter = 0

    /// The data to seal.
    var bytes: [UInt8] {
        var period = Self.periodOfCounter
        if case .totp(let totp) = source { period = totp.period }
        let head = [hotp.hash.storedNumber, hotp.digitCount, period >> 8, period & 0xff]
        return head.map { UInt8(truncatingIfNeeded: $0) }
            + hotp.key.withExposedBytes { key in key.indices.map { key[$0] } }
    }

    /// - Throws: `corrupt` for data that no version has sealed.
    init(bytes: [UInt8]) throws(AccountError) {
        guard bytes.count > 4, let hash = HOTP.Hash(storedNumber: Int(bytes[0])) else {
            throw Self.foreign
        }
        let digitCount = Int(bytes[1])
        let period = Int(bytes[2]) << 8 | Int(bytes[3])
        let key = SecretKey(copying: bytes[4...])
        do throws(AccountError) {
            if period == Self.periodOfCounter {
                self = .hotp(try HOTP(key: key, hash: hash, digitCount: digitCount))
            } else {
                self = .totp(
                    try TOTP(key: key, hash: hash, digitCount: digitCount, period: period))
            }
        } catch { throw Self.foreign }
    }

    /// The number of a code, if it is after the last number; nil for a wrong code. A device that
    /// counts its codes gives the counter. An app gives the step: how many periods, of 30 s by
    /// default, have passed since 1970.
    ///
    /// - Parameter last: the last accepted step or counter; -1 for none.
    func step(
        of code: String, at milliseconds: Int64, after last: Int64
    ) throws(AccountError) -> Int64? {
        let lastStep = UInt64(exactly: last)
        let step: UInt64?
        switch source {
        case .totp(let totp):
            let now = NumericDate(secondsSince1970: Double(milliseconds) / 1000)
            step = try totp.step(of: code, at: now, after: lastStep)
        case .hotp(let hotp):
            step = try hotp.counter(of: code, from: lastStep.map { $0 &+ 1 } ?? 0)
        }
        return step.flatMap { Int64(exactly: $0) }
    }

    private static var foreign: AccountError {
        AccountError(.corrupt, "A second factor in the database has an unknown version.")
    }
}

extension HOTP.Hash {
    /// The number in the sealed data of a device.
    fileprivate var storedNumber: Int {
        switch self {
        case .sha1: 0
        case .sha256: 1
        case .sha512: 2
        }
    }

    fileprivate init?(storedNumber: Int) {
        guard let hash = Self.allCases.first(where: { $0.storedNumber == storedNumber }) else {
            return nil
        }
        self = hash
    }
}
