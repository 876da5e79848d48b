// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An error in the configuration of a policy. It is found at start and never caused by an address.
public typealias EmailPolicyError = CodedError<EmailPolicyErrorDomain>

/// The domain of ``EmailPolicyError``.
public enum EmailPolicyErrorDomain: ErrorDomain {}

extension EmailPolicyError.Code {
    /// No domain is allowed.
    public static var noDomains: Self { Self(rawValue: "noDomains") }
    /// A rule has an '@'.
    public static var atSign: Self { Self(rawValue: "atSign") }
    /// A rule has a '*' or a leading dot.
    public static var wildcard: Self { Self(rawValue: "wildcard") }
    /// A rule has a non-ASCII character.
    public static var nonASCII: Self { Self(rawValue: "nonASCII") }
    /// A rule has a single label.
    public static var singleLabel: Self { Self(rawValue: "singleLabel") }
    /// A rule is not a domain, for a reason without a code of its own.
    public static var invalidDomain: Self { Self(rawValue: "invalidDomain") }
    /// Anyone can get a name below the domain.
    public static var publicSuffix: Self { Self(rawValue: "publicSuffix") }
    /// Anyone can get an address there.
    public static var consumerDomain: Self { Self(rawValue: "consumerDomain") }
    /// The domain has disposable addresses.
    public static var disposableDomain: Self { Self(rawValue: "disposableDomain") }
    /// The domain's addresses forward to hidden addresses.
    public static var relayDomain: Self { Self(rawValue: "relayDomain") }
}
