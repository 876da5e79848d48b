// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ICUBridge
public import SignetEmail

/// Converts a non-ASCII domain to its ASCII form (`xn--…`) with ICU, by the rules of UTS #46.
///
/// ```swift
/// let options = Mailbox.Options(domainConverter: try ICUDomainConverter())
/// let converted = try Mailbox("info@bücher.example", options: options)
/// print(converted.domain.text == "xn--bcher-kva.example")
/// ```
///
/// Non-transitional (ß stays ß), with CheckHyphens, CheckBidi, CheckJoiners (ContextJ, not
/// ContextO), UseSTD3ASCIIRules and VerifyDnsLength. A name that breaks any rule is rejected and
/// never repaired; so are an empty label and a trailing dot (VerifyDnsLength since Unicode 15.1).
///
/// ## What looks like an allowed domain may become it
///
/// UTS #46 maps a name before it checks it, and so do browsers. These all give
/// `yourcompany.example`:
///
/// - full-width and other compatibility forms: `ｙourcompany.example`, `𝐲ourcompany.example`;
/// - invisible characters, such as a soft hyphen (U+00AD) or a zero-width space (U+200B), anywhere;
/// - an ideographic full stop (U+3002), or a full-width or half-width one, for the dot;
/// - other cases of a letter, such as the Kelvin sign (U+212A) for a k and the long s (U+017F) for
///   an s.
///
/// So an address that is *spelled* differently can equal an allowed domain. Mail would go to the
/// resulting domain; use that ASCII form from then on, and not what was typed. Letters of other
/// scripts stay as they are: `yourсompany.example` with a Cyrillic с is
/// `xn--yourompany-fwi.example`, and equals nothing else.
/// **Not** checked: whether a name mixes scripts, is registered or exists.
///
/// The mapping depends on the Unicode version of the loaded ICU (``unicodeVersion``). A character
/// that it does not know is rejected. U+1E9E (ẞ) was mapped to `ss` before Unicode 15.1 and is ß
/// since. With an older ICU a name that has it is rejected, because it would be another domain.
public struct ICUDomainConverter: DomainConverter {
    private let processor: DomainProcessor
    private let refusesCapitalSharpS: Bool

    /// Opens ICU's UTS #46, once for all conversions. Any number of threads may use it.
    ///
    /// - Throws: ``ICUError`` if ICU's data are missing or there is no memory.
    public init() throws(ICUError) {
        do {
            processor = try DomainProcessor()
        } catch {
            throw ICUError(
                .unavailable, underlying: error,
                "ICU could not be opened (its error \(error.code)).")
        }
        refusesCapitalSharpS =
            processor.ascii("\u{1E9E}.example") != .ascii(Array("xn--zca.example".utf8))
    }

    /// The domain in ASCII; nil for a text that is not a domain by the rules above, or is longer
    /// than 4096 octets.
    ///
    /// ASCII names are converted too: to lower case, and their `xn--` labels are checked.
    public func asciiDomain(_ text: String) -> String? {
        guard !refusesCapitalSharpS || !text.unicodeScalars.contains("\u{1E9E}") else { return nil }
        guard case .ascii(let octets) = processor.ascii(text), octets.last != 0x2e else {
            return nil
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The Unicode version of the loaded ICU, such as `15.0`.
    public static var unicodeVersion: String { ICUInformation.unicode.text }

    /// The version of the loaded ICU, such as `72.1`.
    public static var libraryVersion: String { ICUInformation.library.text }
}
