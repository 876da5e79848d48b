// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The fault in a person's input. The message is for that person, and quotes nothing.
public typealias SignInInputError = CodedError<SignInInputErrorDomain>

/// The domain of ``SignInInputError``.
public enum SignInInputErrorDomain: ErrorDomain {}

extension SignInInputError.Code {
    /// Not a phone number in the form of E.164.
    public static var invalidPhoneNumber: Self { Self(rawValue: "invalidPhoneNumber") }
    /// Not so many digits of ASCII.
    public static var invalidCode: Self { Self(rawValue: "invalidCode") }
    /// The program asks for codes of fewer than 6 or more than 10 digits.
    public static var invalidLength: Self { Self(rawValue: "invalidLength") }
}
