// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSignIn

extension StoreError {
    /// A sentence to show to the person whom the app asked for a finger or a face to unlock the
    /// store (`SignInText`): there is no biometry here, it did not unlock the store, or the person
    /// gave up. Nil for an error of the store itself.
    public var biometryMessage: String? {
        switch code {
        case .unsupported, .missingKeyFile: SignInText.biometryUnavailable
        case .authenticationFailure, .locked, .timedOut: SignInText.biometryFailed
        case .cancelled: SignInText.authenticationCancelled
        default: nil
        }
    }
}
