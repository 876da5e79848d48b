// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension AuditObservation {
    /// The class of an error. An error that libcrypto should never give is a failure, not a
    /// rejection.
    init(_ error: CryptographyError) {
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
