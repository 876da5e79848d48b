// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSignIn
import Testing

@Suite("Usernames", .serialized)
struct UsernameTests {
    @Test(
        "3 to 20 letters, digits, underscores and single dots are a name",
        arguments: [
            "abc", "ABC", "a_b", "a.b", "___a", "123", "a.b.c", "_a_", "abcdefghij0123456789",
        ])
    func taken(text: String) throws {
        let name = try Username(text)
        #expect(name.text == text && name.canonical == text.lowercased())
    }

    @Test(
        "Everything else is refused",
        arguments: [
            "", "a", "ab", "abcdefghij01234567890", "a..b", ".ab", "ab.", "...", "___", "_._",
            "a b", " ab", "ab ", "a-b", "a@b", "a\0b", "ab\n", "a/b",
            // What Swift considers letters: Cyrillic, a ligature, an ordinal, full width, a Kelvin
            // sign, an Arabic digit, a combining mark, an invisible character.
            "аbc", "ﬁsh", "ªbc", "ａbc", "\u{212a}elvin", "ab٣", "abe\u{301}", "ab\u{200d}c",
            "ab\u{2024}c", "İstanbul", "straße",
        ])
    func refused(text: String) {
        #expect(throws: SignInInputError(.invalidUsername, "")) { try Username(text) }
    }

    @Test("Names that differ only in case are one name")
    func canonical() throws {
        #expect(try Username("Ann.Lee") == Username("ann.lee"))
        #expect(try Set([Username("ANN_1"), Username("ann_1")]).count == 1)
        #expect(try Username("ann.lee") != Username("ann_lee"))
    }

    @Test(
        "Reserved names stay reserved with dots and underscores added",
        arguments: ["admin", "Admin", "a.d.m.i.n", "_admin_", "ROOT", "sup.port", "www"])
    func reserved(text: String) throws {
        #expect(throws: SignInInputError(.reservedUsername, "")) { try Username(text) }
        #expect(try Username(text, reserved: []).text == text)
    }

    @Test("A program can have its own list, and longer names are free")
    func own() throws {
        #expect(throws: SignInInputError(.reservedUsername, "")) {
            try Username("Kin_nect", reserved: ["kinnect"])
        }
        #expect(try Username("administer").text == "administer")
    }
}
