// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Recognises secrets by their look: a message shows no text that holds a secret. A person pastes a
/// token where a name belongs, and a server repeats what it was sent.
///
/// It is a guess, which hides a text and decides nothing else. Hidden are compact tokens (JWS, JWE),
/// PEM, keys by their known beginnings, and long random text. Addresses, issuers, GUIDs, domains,
/// paths, and identifiers of keys of up to 44 characters are shown. So are **short** secrets, which
/// look like words: no message is given a code or a password.
package enum SecretShape {
    /// The words of a message in place of the text.
    package static let hidden = "(not shown: it looks like a secret)"

    /// A text of fewer bytes holds no secret.
    private static let leastCount = 10
    /// The beginnings of secrets, each with the least length of the secret: a token (the base64url
    /// of `{"`), a key of Supabase, a refresh token of Signet, a key of age.
    private static let beginnings: [(text: String, leastCount: Int)] = [
        ("eyJ", 16), ("eyI", 16), ("sb_secret_", 16), ("srt_", 16), ("AGE-SECRET-KEY-", 16),
    ]
    private static let pem = "-----BEGIN"
    /// The least length of random text that is hidden: more than an identifier of a key has, which
    /// is often a SHA-256 in base64.
    private static let randomCount = 45
    /// A key of 256 bits, in hexadecimal. More than a label of a domain has.
    private static let hexadecimalCount = 64

    /// Whether a secret begins in the first characters (Unicode scalars) of a text.
    package static func begins(in text: String, within count: Int) -> Bool {
        begins(in: text, within: count, hidesRandom: true)
    }

    /// Whether a path holds a secret. Long names are usual in a path with a folder.
    package static func isIn(path: String) -> Bool {
        begins(
            in: path, within: .max, hidesRandom: !path.utf8.contains(UInt8(ascii: "/")))
    }

    /// - Parameter hidesRandom: whether long random text counts as a secret.
    private static func begins(in text: String, within count: Int, hidesRandom: Bool) -> Bool {
        guard count > 0, text.utf8.count >= leastCount else { return false }
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex)
        let last = end ?? scalars.endIndex
        // A word that begins before the end is read past it, as far as decides.
        let more = text.utf8.index(
            last, offsetBy: hexadecimalCount, limitedBy: text.utf8.endIndex)
        return text.utf8[..<(more ?? text.utf8.endIndex)]
            .split { !isOfWord($0) }
            .contains { $0.startIndex < last && isSecret($0, hidesRandom: hidesRandom) }
    }

    /// Whether the octet belongs to base64url, or is the `+` of base64, whose `/` separates the
    /// names of a path.
    private static func isOfWord(_ octet: UInt8) -> Bool {
        octet.isLetter || octet.isDigit || "-_+".utf8.contains(octet)
    }

    private static func isSecret(_ word: Substring.UTF8View, hidesRandom: Bool) -> Bool {
        let count = word.count
        guard count >= leastCount else { return false }
        // Written in JSON, the line before it ends with the letter n.
        if word.suffix(pem.utf8.count).elementsEqual(pem.utf8) { return true }
        let isNamed = beginnings.contains {
            count >= $0.leastCount && word.starts(with: $0.text.utf8)
        }
        guard !isNamed, hidesRandom else { return isNamed }
        guard count >= randomCount, word.contains(where: \.isDigit) else { return false }
        if count >= hexadecimalCount, word.allSatisfy({ $0.hexadecimalValue != nil }) {
            return true
        }
        return word.contains { (0x41...0x5a).contains($0) }
            && word.contains { (0x61...0x7a).contains($0) }
    }
}
