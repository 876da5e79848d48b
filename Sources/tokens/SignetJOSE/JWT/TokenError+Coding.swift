// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension TokenError {
    /// The claims do not decode as the caller's type.
    package init(decoding error: JSONError) {
        self.init(
            error.code == .unsupportedType ? .unsupportedType : .claimInvalid, claim: error.path,
            underlying: error,
            error.remedy ?? "The claims do not fit the type (\(error.code)).")
    }

    /// The caller's claims do not encode.
    package init(encoding error: JSONError) {
        self.init(
            error.code == .unsupportedType ? .unsupportedType : .signingFailed, claim: error.path,
            underlying: error, error.remedy ?? "The claims do not encode (\(error.code)).")
    }
}
