// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// The checks that cases of several sources share. Each function returns the body of a case.
enum Check {
    typealias Body = AuditCase.Body

    /// A body whose errors are rejections.
    static func crypto(_ body: @escaping @Sendable () throws(CryptographyError) -> AuditObservation)
        -> Body
    {
        {
            do throws(CryptographyError) {
                return try body()
            } catch {
                return AuditObservation(error)
            }
        }
    }

    /// The observation of the second if the first accepts, otherwise that of the first.
    static func both(_ first: @escaping Body, then second: @escaping Body) -> Body {
        {
            let observation = first()
            return observation == .accepted ? second() : observation
        }
    }
}

extension SecretKey {
    /// Whether the key is exactly these octets, which are published.
    func equals(_ bytes: [UInt8]) -> Bool { self == SecretKey(copying: bytes) }
}

extension [UInt8] {
    /// The same octets with one bit of the last octet changed.
    var altered: [UInt8] {
        var copy = self
        if let last = copy.popLast() { copy.append(last ^ 1) }
        return copy
    }
}
