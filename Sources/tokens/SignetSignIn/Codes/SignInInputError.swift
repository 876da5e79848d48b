// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An error in a person's input. The message is for that person, and quotes nothing.
public typealias SignInInputError = CodedError<SignInInputErrorDomain>

/// The domain of ``SignInInputError``.
public enum SignInInputErrorDomain: ErrorDomain {}

extension SignInInputError.Code {
    /// Not a phone number in E.164 form.
    public static var invalidPhoneNumber: Self { Self(rawValue: "invalidPhoneNumber") }
    /// Not the right number of ASCII digits.
    public static var invalidCode: Self { Self(rawValue: "invalidCode") }
    /// The program asks for codes of fewer than 6 or more than 10 digits.
    public static var invalidLength: Self { Self(rawValue: "invalidLength") }
}
