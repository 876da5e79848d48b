// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the configuration of a program: found when it starts, never caused by a
/// token.
public typealias IdentityConfigurationError = CodedError<IdentityConfigurationErrorDomain>

/// The domain of ``IdentityConfigurationError``.
public enum IdentityConfigurationErrorDomain: ErrorDomain {}

extension IdentityConfigurationError.Code {
    /// Not an https URL, nor http on this machine, or not a URL in the strict form that is read
    /// here.
    public static var invalidURL: Self { Self(rawValue: "invalidURL") }
    /// A client identifier, issuer, tenant or project is empty or impossible, or a list holds none.
    public static var invalidIdentifier: Self { Self(rawValue: "invalidIdentifier") }
    /// A number or a duration outside the range that its documentation gives.
    public static var outOfRange: Self { Self(rawValue: "outOfRange") }
    /// Two parts of the configuration contradict each other.
    public static var contradiction: Self { Self(rawValue: "contradiction") }
    /// A secret is too short, not in the encoding that was named, or a published key.
    public static var invalidSecret: Self { Self(rawValue: "invalidSecret") }
    /// A file is missing, unreadable, or lacks the expected content.
    public static var unreadableFile: Self { Self(rawValue: "unreadableFile") }
    /// The library that is loaded cannot do what was asked for.
    public static var unsupported: Self { Self(rawValue: "unsupported") }
    /// A header field whose name or value cannot be sent, or is not the caller's to set.
    public static var invalidField: Self { Self(rawValue: "invalidField") }
}
