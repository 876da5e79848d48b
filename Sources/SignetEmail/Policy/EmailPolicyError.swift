// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the configuration of a policy: found when the program starts, never caused by
/// an address.
public typealias EmailPolicyError = CodedError<EmailPolicyErrorDomain>

/// The domain of ``EmailPolicyError``.
public enum EmailPolicyErrorDomain: ErrorDomain {}

extension EmailPolicyError.Code {
    /// No domain is allowed at all.
    public static var noDomains: Self { Self(rawValue: "noDomains") }
    /// A rule has an '@'.
    public static var atSign: Self { Self(rawValue: "atSign") }
    /// A rule has a '*', or a dot in front.
    public static var wildcard: Self { Self(rawValue: "wildcard") }
    /// A rule has a character outside ASCII.
    public static var nonASCII: Self { Self(rawValue: "nonASCII") }
    /// A rule has one label only.
    public static var singleLabel: Self { Self(rawValue: "singleLabel") }
    /// A rule is not a domain, for another reason.
    public static var invalidDomain: Self { Self(rawValue: "invalidDomain") }
    /// Anybody can get a name below the domain.
    public static var publicSuffix: Self { Self(rawValue: "publicSuffix") }
    /// Anybody can get an address there.
    public static var consumerDomain: Self { Self(rawValue: "consumerDomain") }
    /// Anybody can get an address there for a moment.
    public static var disposableDomain: Self { Self(rawValue: "disposableDomain") }
    /// Its addresses stand for others, which are not known.
    public static var relayDomain: Self { Self(rawValue: "relayDomain") }
}
