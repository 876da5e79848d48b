// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

/// The header of an encrypted token, whose members may be changed before it is encrypted with.
struct HeaderDraft {
    private struct Member {
        /// What the spelling stands for.
        let name: String
        /// The name between its quotation marks.
        var spelling: String
        /// JSON.
        var value: String

        init(_ name: String, value: String) {
            self.name = name
            spelling = name
            self.value = value
        }
    }

    private var members: [Member] = []
    /// Stands before each member and at the end.
    private var space = ""

    /// The names as a reader sees them, in their order.
    var names: [String] { members.map(\.name) }

    var bytes: [UInt8] {
        let texts = members.map { "\(space)\"\($0.spelling)\":\($0.value)" }
        return Array("{\(texts.joined(separator: ","))\(space)}".utf8)
    }

    /// Adds a member. The text has nothing that JSON would escape.
    mutating func add(_ name: String, text: String) { add(name, json: "\"\(text)\"") }

    mutating func add(_ name: String, json: String) {
        members.append(Member(name, value: json))
    }

    /// Adds, doubles, takes out, changes, moves or spells a member in another way.
    ///
    /// - Parameter values: JSON texts that a member may get besides those of every header.
    mutating func change(by choices: inout Choices, values: [String]) {
        let place = choices.number(below: members.count)
        let kind = choices.number(below: 9)
        guard kind > 0, !members.isEmpty else {
            let added = choices.element(of: Self.additions)
            members.insert(Member(added.name, value: added.value), at: place)
            if choices.happens(64) { respell(place) }
            return
        }
        switch kind {
        case 1:
            members.append(members[place])
            if choices.happens(128) { respell(place) }
        case 2: members.remove(at: place)
        case 3: members[place].value = choices.element(of: Self.values)
        case 4: members[place].value = choices.element(of: values + ["{}"])
        case 5: members.swapAt(place, choices.number(below: members.count))
        case 6: respell(place)
        case 7: space = choices.element(of: Self.spaces)
        default:
            let bytes = choices.pattern(below: 12) + [choices.byte()]
            members[place].value = "\"\(String(decoding: bytes, as: UTF8.self))\""
        }
    }

    /// Writes the first character of a name as an escape, which a reader does not see.
    private mutating func respell(_ place: Int) {
        let name = members[place].name
        guard let first = name.utf8.first, first >= 0x20, first < 0x7f else { return }
        members[place].spelling = "\\u00\(String(first, radix: 16))\(name.dropFirst())"
    }

    /// Members that are refused, have no meaning where they stand, or say what another key is.
    private static let additions: [(name: String, value: String)] = [
        ("zip", "\"DEF\""), ("zip", "null"), ("crit", "[]"), ("crit", "[\"exp\"]"),
        ("crit", "[\"alg\"]"), ("crit", "null"), ("p2c", "2000000000"), ("p2s", "\"AAAAAAAAAAA\""),
        ("iv", "\"AAAAAAAAAAAAAAAA\""), ("tag", "\"AA\""), ("b64", "false"), ("x5c", "[]"),
        ("jku", "\"https://a.example\""), ("jwk", "{\"kty\":\"oct\",\"k\":\"AA\"}"),
        ("x5t", "\"AA\""), ("iss", "\"mallory\""), ("exp", "1"), ("", "1"), ("ALG", "\"none\""),
        ("alg ", "\"none\""), ("zip ", "\"DEF\""), ("apu", "\"QQ\""), ("apv", "\"\""),
        ("epk", "{}"), ("kid", "\"k1\""), ("kid", "\"k2\""), ("kid", "null"), ("typ", "\"JWT\""),
        ("cty", "\"JWT\""), ("x", "[[[[{}]]]]"), ("x", "\"\\ud83d\\ude00\""), ("x", "\"\\ud800\""),
        ("x", "1e400"), ("x", "123456789012345678901234567890"), ("x", "-0"),
        ("x", "{\"a\":1,\"a\":1}"), ("x", "\"\(String(repeating: "A", count: 900))\""),
    ]

    /// Four that JSON has, and three that it does not have.
    private static let spaces = [" ", "\n", "\t", "\r\n", "\u{b}", "\u{feff}", "\u{a0}"]

    private static let values: [String] = {
        let names =
            KeyManagementAlgorithm.allCases.map(\.name)
            + ContentEncryptionAlgorithm.allCases.map(\.name) + [
                "none", "DIR", "RSA1_5", "PBES2-HS256+A128KW", "A256GCMKW", "A256GCM ", "k1", "",
                "JWT", "AA", "QR", "\\u0064ir",
            ]
        return names.map { "\"\($0)\"" } + ["null", "1", "true", "[]", "{}", "[\"dir\"]", "1e400"]
    }()
}
