// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Converts a non-ASCII domain to its ASCII form (`xn--…`). Signet brings none; yours may call ICU.
///
/// Without a converter, non-ASCII domains are rejected, and an address with `xn--` is compared as
/// written. With a converter, input that only *looks* like an allowed domain can become it: UTS #46
/// maps full-width letters, soft hyphens, zero-width spaces and the Kelvin sign to what they look
/// like, or to nothing. The mapping suits what a person types, but not what a token says. Refuse
/// what breaks a rule of UTS #46 (CheckHyphens, CheckBidi, CheckJoiners, UseSTD3ASCIIRules,
/// VerifyDnsLength): a library that deletes a forbidden character instead makes an allowed domain
/// of a different domain.
public protocol DomainConverter: Sendable {
    /// The domain in ASCII, as labels of letters, digits and hyphens; nil if there is none. The
    /// result is checked like a domain given in ASCII.
    ///
    /// - Parameter text: the text after the '@', at most 1 KiB, with at least one non-ASCII
    ///   character.
    func asciiDomain(_ text: String) -> String?
}
