// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// An encrypted token that a fuzzer's bytes choose: its receiver, algorithms, header, key and
/// plaintext are changed first. The rest is encrypted as a holder of the key would, so that the
/// code behind the tag runs. At the end a part of the token may be changed.
package struct EncryptedCase: Sendable {
    package let receiver: TokenReceiver

    /// How the key of the content is really sent, whatever the header says.
    private let algorithm: KeyManagementAlgorithm
    /// How the content is really encrypted.
    private let content: ContentEncryptionAlgorithm
    private let plaintext: [UInt8]
    private let token: [UInt8]
    private let header: [UInt8]
    /// The names of the members; nil where bytes of the header were changed.
    private let memberNames: [String]?
    private let parties: Parties
    /// Which set of content encryptions the receiver accepts.
    private let restriction: Int
    private let hasRightKey: Bool
    private let isCorrupted: Bool
    /// Encrypted to what the receiver accepts, with a header in which nothing was changed.
    private let isPlain: Bool

    package init(_ input: [UInt8], fixture: EncryptionFixture) throws {
        var choices = Choices(input)
        let kind = choices.byte()
        let receiver = choices.element(of: fixture.receivers(for: kind))
        let own = choices.element(of: receiver.contents)
        let hasOtherAlgorithm = choices.happens(24)
        let algorithm =
            hasOtherAlgorithm
            ? choices.element(of: KeyManagementAlgorithm.allCases) : receiver.algorithm
        let hasOtherContent = choices.happens(24)
        let content =
            hasOtherContent ? choices.element(of: ContentEncryptionAlgorithm.allCases) : own
        let isRestricted = choices.happens(32)
        let restriction = isRestricted ? choices.number(below: receiver.accepted.count) : 0
        // Around the lengths of blocks, and some long.
        let isLong = choices.happens(4)
        let plaintext = choices.pattern(below: isLong ? 3_000 : 70)

        let isSameKind = algorithm.kind == receiver.algorithm.kind
        let addressee = try isSameKind ? receiver : fixture.receiver(algorithm.kind)
        let parties = Parties(algorithm, senders: addressee.senders, choices: &choices)
        var draft = HeaderDraft()
        let claimsOwnAlgorithm = choices.happens(96)
        draft.add("alg", text: (claimsOwnAlgorithm ? receiver.algorithm : algorithm).name)
        let claimsOwnContent = choices.happens(16)
        draft.add("enc", text: (claimsOwnContent ? own : content).name)
        if let keyID = receiver.keyID, !choices.happens(64) { draft.add("kid", text: keyID) }
        if choices.happens(32) { draft.add("typ", text: "JWT") }
        if choices.happens(32) { draft.add("cty", text: "JWT") }
        parties.write(to: &draft)
        let plainHeader = draft.bytes
        let otherKeys = Self.otherKeys(addressee.senders)
        for _ in 0..<choices.element(of: [0, 0, 1, 1, 2, 2, 3, 4]) {
            draft.change(by: &choices, values: otherKeys)
        }
        let isEdited = choices.happens(24)
        let header = isEdited ? choices.edited(draft.bytes) : draft.bytes

        let sent = try SentKey(
            by: algorithm, content: content, to: addressee, from: parties, choices: &choices)
        let encoded = Array(Base64URL.encode(header).utf8)
        let parts = try Self.parts(
            plaintext, by: content, sent: sent, header: encoded, nonce: choices.byte())
        let whole = Self.token(encoded, parts: parts)
        let isChanged = choices.happens(112)
        let token = isChanged ? Self.changed(encoded, parts: parts, by: &choices) : whole

        self.receiver = receiver
        self.algorithm = algorithm
        self.content = content
        self.plaintext = plaintext
        self.token = token
        self.header = header
        memberNames = isEdited ? nil : draft.names
        self.parties = parties
        self.restriction = restriction
        hasRightKey = sent.isRight
        isCorrupted = token != whole
        let isAccepted =
            algorithm == receiver.algorithm && content == own
            && receiver.accepted[restriction].contains(content)
        isPlain = isAccepted && header == plainHeader && sent.isRight && token == whole
    }

    /// Whether the receiver accepts the token.
    ///
    /// - Throws: ``BrokenInvariant`` unless an accepted token is as it was encrypted, for this key.
    package func isAccepted() throws -> Bool {
        let opened: DecryptedPayload
        do throws(TokenError) {
            opened = try receiver.decrypters[restriction].decrypt(token)
        } catch {
            guard error.code != .libraryFailure, !isPlain else {
                throw BrokenInvariant(description: "a token is refused without a reason: \(error)")
            }
            return false
        }
        try hold(!isCorrupted, "a token with a changed part never opens")
        try hold(hasRightKey, "a token opens with the key that it was encrypted with alone")
        try hold(opened.payload == plaintext, "the content is what was encrypted")
        try hold(
            algorithm == receiver.algorithm && opened.header.algorithm == algorithm,
            "the algorithm is the key's")
        try hold(
            receiver.accepted[restriction].contains(content)
                && opened.header.contentEncryption == content,
            "the content encryption is one of the key's")
        if let names = memberNames {
            try hold(Set(names).count == names.count, "no member stands twice")
            try hold(!names.contains("zip") && !names.contains("crit"), "no extension is accepted")
        }
        let read = try hold("an accepted header is strict JSON") {
            try StrictJSON.decode(HeaderMembers.self, from: header).members
        }
        try hold(read["zip"] == nil && read["crit"] == nil, "no extension is read")
        try hold(read["alg"] == .string(algorithm.name), "the header has the algorithm")
        try hold(read["enc"] == .string(content.name), "the header has the content encryption")
        if let keyID = receiver.keyID, let named = read["kid"] {
            try hold(named == .string(keyID), "the header names the key")
        }
        try hold(parties.areNamed(in: read), "the header has the parties that agreed on the key")
        return true
    }

    /// `alg` and `enc`.
    package var names: String { "\(algorithm.name) \(content.name)" }

    /// What another implementation has to open, as a line of JSON.
    ///
    /// - Parameter number: which of the keys is the receiver's.
    package func line(keyNumber number: Int) -> String {
        let texts = [
            algorithm.name, content.name, Base64URL.encode(plaintext),
            String(decoding: token, as: UTF8.self),
        ]
        return "[\(number),\"\(texts.joined(separator: "\",\""))\"]\n"
    }

    /// What `epk` must not be: a different key, and a key with its private half.
    private static func otherKeys(_ senders: [TokenSender]) -> [String] {
        senders.prefix(4).map(\.publicJWK)
            + senders.prefix(1).map { "\($0.publicJWK.dropLast()),\"d\":\"\($0.x)\"}" }
    }

    /// Encrypted key, initialization vector, ciphertext and tag.
    private static func parts(
        _ plaintext: [UInt8], by content: ContentEncryptionAlgorithm, sent: SentKey,
        header: [UInt8], nonce: UInt8
    ) throws -> [[UInt8]] {
        let cipher = try hold(ContentEncryption(rawValue: content.name), "each enc has a cipher")
        let sealed = try cipher.seal(
            plaintext.span, using: sent.key,
            nonce: [UInt8](repeating: nonce, count: cipher.nonceByteCount),
            authenticating: header.span)
        let tagStart = sealed.count - cipher.tagByteCount
        return [
            sent.encryptedKey, Array(sealed[..<cipher.nonceByteCount]),
            Array(sealed[cipher.nonceByteCount..<tagStart]), Array(sealed[tagStart...]),
        ]
    }

    private static func token(_ header: [UInt8], parts: [[UInt8]]) -> [UInt8] {
        parts.reduce(into: header) { $0 += Array(".\(Base64URL.encode($1))".utf8) }
    }

    /// The token with a change in a part, or anywhere in its text.
    private static func changed(
        _ header: [UInt8], parts: [[UInt8]], by choices: inout Choices
    ) -> [UInt8] {
        var parts = parts
        let place = choices.number(below: parts.count)
        switch choices.number(below: 6) {
        case 0, 1: parts[place] = choices.edited(parts[place])
        case 2: parts[place] = Array(parts[place].dropFirst())
        case 3:
            let count = choices.number(below: 16) + 1
            parts[place] = Array(parts[place].dropLast(count))
        case 4: parts.swapAt(place, choices.number(below: parts.count))
        default: return choices.edited(token(header, parts: parts))
        }
        return token(header, parts: parts)
    }
}

/// The members of a header, read once more. A number out of range counts as null.
private struct HeaderMembers: Decodable {
    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let members: [String: JSONValue]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        var members: [String: JSONValue] = [:]
        for name in container.allKeys {
            let value = try? container.decode(JSONValue.self, forKey: name)
            members[name.stringValue] = value ?? .null
        }
        self.members = members
    }
}
