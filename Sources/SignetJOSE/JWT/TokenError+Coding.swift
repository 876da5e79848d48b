// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension TokenError {
    /// Claims that do not decode as a type of the caller's.
    package init(decoding error: JSONError) {
        self.init(
            error.code == .unsupportedType ? .unsupportedType : .claimInvalid, claim: error.path,
            error.remedy ?? "The claims do not fit the type (\(error.code.rawValue)).")
    }

    /// Claims of a caller's that do not encode.
    package init(encoding error: JSONError) {
        self.init(
            error.code == .unsupportedType ? .unsupportedType : .signingFailed, claim: error.path,
            error.remedy ?? "The claims do not encode (\(error.code.rawValue)).")
    }
}
