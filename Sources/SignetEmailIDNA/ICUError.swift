// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why there is no converter. It carries no domain.
public typealias ICUError = CodedError<ICUErrorDomain>

/// The domain of ``ICUError``.
public enum ICUErrorDomain: ErrorDomain {}

extension ICUError.Code {
    /// ICU cannot be used in this process.
    public static var unavailable: Self { Self(rawValue: "unavailable") }
}
