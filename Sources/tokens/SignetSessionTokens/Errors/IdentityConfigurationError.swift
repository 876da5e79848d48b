// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An error in a program's configuration, found at start and never caused by a token.
public typealias IdentityConfigurationError = CodedError<IdentityConfigurationErrorDomain>

/// The domain of ``IdentityConfigurationError``.
public enum IdentityConfigurationErrorDomain: ErrorDomain {}

extension IdentityConfigurationError.Code {
    /// Not https (or http on this machine), or not a URL in the strict form that Signet reads.
    public static var invalidURL: Self { Self(rawValue: "invalidURL") }
    /// A client identifier, issuer, tenant or project is empty or impossible, or a list is empty.
    public static var invalidIdentifier: Self { Self(rawValue: "invalidIdentifier") }
    /// A number or duration outside its documented range.
    public static var outOfRange: Self { Self(rawValue: "outOfRange") }
    /// Two parts of the configuration contradict each other.
    public static var contradiction: Self { Self(rawValue: "contradiction") }
    /// A secret is empty, too short or too long, in a wrong encoding, or of the wrong kind.
    public static var invalidSecret: Self { Self(rawValue: "invalidSecret") }
    /// A file is missing, unreadable, or lacks the expected content.
    public static var unreadableFile: Self { Self(rawValue: "unreadableFile") }
    /// The loaded library does not support the request.
    public static var unsupported: Self { Self(rawValue: "unsupported") }
    /// A header field whose name or value cannot be sent, or that the caller may not set.
    public static var invalidField: Self { Self(rawValue: "invalidField") }
}
