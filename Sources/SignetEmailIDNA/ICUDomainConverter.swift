// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ICUBridge
public import SignetEmail

/// Turns a domain outside ASCII into its ASCII form (`xn--…`) with ICU, by the rules of UTS #46.
///
/// ```swift
/// let options = Mailbox.Options(domainConverter: try ICUDomainConverter())
/// let converted = try Mailbox("info@bücher.example", options: options)
/// print(converted.domain.text == "xn--bcher-kva.example")
/// ```
///
/// Non-transitional (ß stays ß), with CheckHyphens, CheckBidi, CheckJoiners (ContextJ, not
/// ContextO), UseSTD3ASCIIRules and VerifyDnsLength: what breaks any rule is refused as a whole,
/// nothing is repaired. An empty label, and a dot at the end, are refused as well (VerifyDnsLength
/// since Unicode 15.1).
///
/// ## What looks like an allowed domain may become it
///
/// UTS #46 maps a name before it checks it, and so do browsers. These all give
/// `yourcompany.example`:
///
/// - full-width and other compatibility forms: `ｙourcompany.example`, `𝐲ourcompany.example`;
/// - characters that are not seen, a soft hyphen (U+00AD) or a zero-width space (U+200B) anywhere
///   among them;
/// - an ideographic full stop (U+3002), or a full-width or half-width one, for the dot;
/// - other cases of a letter, the Kelvin sign (U+212A) for a k and the long s (U+017F) for an s
///   among them.
///
/// So an address that is *spelled* otherwise can equal an allowed domain. The domain that comes out
/// is the one that mail would go to; but use the ASCII form, and no longer what was typed, from
/// there on. A letter of another script stays what it is: `yourсompany.example` with a Cyrillic с
/// is `xn--yourompany-fwi.example`, and equals nothing.
/// **Not** checked: whether a name mixes scripts, whether it is registered, whether it exists.
///
/// What is mapped depends on the Unicode version of the ICU that is loaded (``unicodeVersion``): a
/// later one knows more characters. A character that it does not know is refused. U+1E9E (ẞ) was
/// mapped to `ss` before Unicode 15.1 and is ß since: with an older ICU a name that has it is
/// refused, for it would be another domain.
public struct ICUDomainConverter: DomainConverter {
    private let processor: DomainProcessor
    private let refusesCapitalSharpS: Bool

    /// Opens ICU's UTS #46, once for all conversions; it may be used from any number of threads.
    ///
    /// - Throws: ``ICUError`` when ICU's data are missing or there is no memory.
    public init() throws(ICUError) {
        do {
            processor = try DomainProcessor()
        } catch {
            throw ICUError(.unavailable, "ICU could not be opened (its error \(error.code)).")
        }
        refusesCapitalSharpS =
            processor.ascii("\u{1E9E}.example") != .ascii(Array("xn--zca.example".utf8))
    }

    /// The domain in ASCII, or nil for a text that is not a domain by the rules above, or longer
    /// than 4096 octets.
    ///
    /// ASCII names come through here too: in lower case, and with what their `xn--` labels stand
    /// for checked.
    public func asciiDomain(_ text: String) -> String? {
        guard !refusesCapitalSharpS || !text.unicodeScalars.contains("\u{1E9E}") else { return nil }
        guard case .ascii(let octets) = processor.ascii(text), octets.last != 0x2e else {
            return nil
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// The version of Unicode that the loaded ICU was made for, for example `15.0`.
    public static var unicodeVersion: String { ICUInformation.unicode.text }

    /// The version of the loaded ICU, for example `72.1`.
    public static var libraryVersion: String { ICUInformation.library.text }
}
