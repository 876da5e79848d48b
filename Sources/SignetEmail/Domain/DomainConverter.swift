// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Turns a domain outside ASCII into its ASCII form (`xn--…`): SignetEmailIDNA has one over ICU.
///
/// Without a converter such domains are refused, and an address that does have `xn--` is compared
/// as it is written. With one, input that only *looks* like an allowed domain can become it: UTS
/// #46 maps full-width letters, soft hyphens, zero-width spaces and the Kelvin sign to what they
/// look like, or to nothing. That is right for what a person types, and wrong for what a token
/// says.
public protocol DomainConverter: Sendable {
    /// The domain in ASCII, as labels of letters, digits and hyphens; nil when it is none. What
    /// comes back is checked like any other domain.
    ///
    /// - Parameter text: what stands behind the '@', at most 1 KiB, with at least one character
    ///   outside ASCII.
    func asciiDomain(_ text: String) -> String?
}
