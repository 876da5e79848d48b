// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension AuditObservation {
    /// Runs a check whose errors are rejections.
    static func observing(_ body: () throws(CryptoError) -> AuditObservation) -> AuditObservation {
        do throws(CryptoError) {
            return try body()
        } catch {
            return AuditObservation(error)
        }
    }

    /// The class of an error; one that libcrypto should never give is a failure, not a rejection.
    init(_ error: CryptoError) {
        switch error.code {
        case .authenticationFailure: self = .rejected(.authentication, error.description)
        case .invalidKey, .invalidKeySize: self = .rejected(.key, error.description)
        case .invalidNonceSize, .invalidParameter, .tooLarge:
            self = .rejected(.parameter, error.description)
        case .unsupported: self = .rejected(.algorithm, error.description)
        default: self = .failed(error.description)
        }
    }

    /// The observation of a verification that answers yes or no.
    static func verification(_ isValid: Bool) -> AuditObservation {
        isValid ? .accepted : .rejected(.authentication, "the signature does not verify")
    }
}

extension SecretKey {
    /// Whether the key is exactly these published octets.
    func equals(_ bytes: [UInt8]) -> Bool { self == SecretKey(copying: bytes) }
}

extension [UInt8] {
    /// The same octets with one bit of the last one changed.
    var altered: [UInt8] {
        var copy = self
        if let last = copy.popLast() { copy.append(last ^ 1) }
        return copy
    }
}
