// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetJOSE
import Testing

/// A text that someone sends, pastes or stores on purpose, and what no message may repeat of it.
package struct HostileText: Sendable {
    /// What it is, for a failing test.
    package let name: String
    /// The bytes; those of ``text``, or none that are UTF-8.
    package let bytes: [UInt8]
    /// Parts that no message holds: a message may show the beginning of a harmless text.
    package let secrets: [String]

    private init(_ name: String, _ bytes: [UInt8], secrets: [String] = []) {
        (self.name, self.bytes, self.secrets) = (name, bytes, secrets)
    }

    private init(_ name: String, _ text: String, secrets: [String] = []) {
        self.init(name, Array(text.utf8), secrets: secrets)
    }

    /// A secret in which every part of 20 characters is one.
    private init(_ name: String, secret: String, around: (String, String) = ("", "")) {
        let characters = Array(secret)
        let parts = stride(from: 0, through: characters.count - 20, by: 20).map {
            String(characters[$0..<($0 + 20)])
        }
        self.init(name, around.0 + secret + around.1, secrets: parts)
    }

    /// Parts that no path in a message holds: more of a path is shown, and folders are named by
    /// digests.
    package var secretsInPaths: [String] {
        secrets.filter { part in
            !part.hasPrefix("SECRET-VALUE") && !part.utf8.allSatisfy { $0.hexadecimalValue != nil }
        }
    }

    /// The bytes as text, with U+FFFD for each part that no UTF-8 has.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The text as a JSON string.
    package var json: String { Self.json(of: text) }

    package static func json(of text: String) -> String {
        let value = JSONValue.object(["a": .string(text)])
        guard let object = try? JSONTokenEncoder().encode(value) else {
            Issue.record("a text that is not encoded: \(text)")
            return ""
        }
        return String(decoding: object.dropFirst(5).dropLast(), as: UTF8.self)
    }

    /// The text's first characters.
    package func prefix(_ count: Int) -> String { String(text.unicodeScalars.prefix(count)) }

    /// A compact token, whose parts are long enough to be told from words.
    package static let token =
        "eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJ1c2VyLTEwOTMiLCJyb2xlIjoiYWRtaW4ifQ"
        + ".dBjftJeZ4CVPmB92K27uhbUJU1p1rWwUuO4mKkZ9qXs"
    private static let refreshToken =
        "srt_Q2F0Y2gtbWUtaWYteW91LWNhbi1yZWZyZXNoLXRva2VuLTEyMzQ1Njc4OTAxMjM0NTY"
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIHJlZnJlc2gtbWUtaWYteW91LWNhbi1rZXktMDEy
        -----END PRIVATE KEY-----
        """

    package static let all: [HostileText] = [
        HostileText("escape sequences", "\u{1b}[2J\u{9b}31m\u{7}\u{7f}\u{85}abc"),
        HostileText("a zero byte", "a\u{0}b"),
        HostileText("directions of writing", "a\u{202e}b\u{2066}c\u{200f}d\u{61c}e\u{2028}f"),
        HostileText("several lines", "a\r\nsignet: valid\nb"),
        HostileText("combining characters", "e" + String(repeating: "\u{301}", count: 3_000)),
        HostileText("no UTF-8", [0x61, 0xff, 0xc0, 0xaf, 0xf0, 0x9f, 0x98, 0x1b, 0x62]),
        HostileText(
            "all of it, at length",
            "\u{1b}[2J\u{202e}\u{0}\n" + String(repeating: "SECRET-VALUE-", count: 4_000),
            secrets: ["SECRET-VALUE-SECRET-VALUE-SECRET-VALUE-SECRET-VALUE-SECRET"]),
        HostileText("10 kB", String(repeating: "wor d.", count: 1_700)),
        HostileText("a token", secret: token),
        HostileText("a field with a token", secret: token, around: ("Bearer ", "\n")),
        HostileText("a parameter with a token", secret: token, around: ("access_token=", "&a=b")),
        HostileText("a refresh token", secret: refreshToken),
        HostileText("a private key", secret: key),
        HostileText("a private key in JSON", secret: key.replacing("\n", with: "\\n")),
        HostileText(
            "a key of Supabase", secret: "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz"),
        HostileText(
            "a key in hexadecimal",
            secret: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"),
    ]
}
