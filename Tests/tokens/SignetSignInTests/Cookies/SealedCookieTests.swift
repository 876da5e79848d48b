// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("SealedCookie")
struct SealedCookieTests {
    static let name = "__Host-cart"
    static let purpose = "cart, version 1"
    /// The bytes 0 to 31.
    static let key = SecretKey(copying: Array(0..<32))
    static let otherKey = SecretKey(copying: [UInt8](repeating: 8, count: 32))
    static let contents = Array("2 of article 17".utf8)

    let clock = ManualClock()

    func cookie(
        _ key: SecretKey = Self.key, previous: [SecretKey] = [], name: String = Self.name,
        purpose: String = Self.purpose, lifetime: Duration = .seconds(3_600)
    ) throws -> SealedCookie {
        try SealedCookie(
            key: key, previous: previous, name: name, purpose: purpose, lifetime: lifetime,
            clock: clock.source)
    }

    /// "opened", or the code of the refusal. Any other error fails the test.
    static func outcome(_ body: () throws(SealedCookieError) -> [UInt8]?) -> String {
        do throws(SealedCookieError) {
            _ = try body()
            return "opened"
        } catch {
            return error.code.rawValue
        }
    }

    static func configurationCode(
        _ body: () throws -> SealedCookie
    ) -> IdentityConfigurationError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? IdentityConfigurationError)?.code
        }
    }

    @Test(
        "What is sealed is opened, whatever bytes it has",
        arguments: [[], [0], Array("\n1\n\n".utf8), Self.contents, Array(0...255)])
    func roundTrip(_ contents: [UInt8]) throws {
        let cookie = try cookie()
        let value = try cookie.seal(contents)
        #expect(try cookie.open(value) == contents)
        let isOneValue = value.utf8.allSatisfy {
            $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        #expect(isOneValue)
        // Each has a nonce of its own.
        #expect(try cookie.seal(contents) != value)
    }

    @Test("A browser brings back what it was given")
    func browser() throws {
        let cookie = try cookie()
        let set = try cookie.setting(Self.contents)
        #expect(set.hasPrefix("__Host-cart="))
        #expect(set.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=3600"))
        #expect(
            cookie.clearing == "__Host-cart=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0")
        let pair = SignInFixture.cookie(set)
        for fields in [
            [pair], ["a=b; \(pair); c=d"], ["a=b", "\t\(pair) "], ["__Host-cart2=x;\(pair);;=;d"],
            ["__host-cart=x; xx__Host-cart=y; __Host-cart; \(pair)"],
        ] {
            #expect(try cookie.contents(in: fields) == Self.contents, "\(fields)")
        }
        for fields in [[], [""], ["a=b"], ["__Host-cart"], ["__Host-cart2=\(pair)"]] {
            #expect(try cookie.contents(in: fields) == nil, "\(fields)")
        }
        for fields in [[pair, pair], ["\(pair); \(pair)"], ["__Host-cart=; \(pair)"]] {
            #expect(
                Self.outcome { () throws(SealedCookieError) in
                    try cookie.contents(in: fields)
                } == "repeated")
        }
        // Cleared.
        #expect(
            Self.outcome { () throws(SealedCookieError) in
                try cookie.contents(in: ["__Host-cart="])
            } == "notAuthentic")
    }

    /// Cookies in flight stay good after an update. The value was made with another
    /// implementation of XAES-256-GCM (pyca/cryptography's AES), with the nonce 100 to 123.
    @Test("A cookie of an earlier version of Signet is opened")
    func pinned() throws {
        let value =
            "ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp78_LmrIu2gBsEA8f9LgvGIAtUAleXJQPBObqhn9bVAYrswdq1weDDMG0B"
        #expect(try cookie().open(value) == Self.contents)
        clock.advance(by: .seconds(3_600))
        #expect(try outcome(of: value) == "expired")
    }

    func outcome(of value: String, by other: SealedCookie? = nil) throws -> String {
        let cookie = try other ?? cookie()
        return Self.outcome { () throws(SealedCookieError) in try cookie.open(value) }
    }

    @Test("A cookie is bound to its key, name and purpose")
    func bound() throws {
        let value = try cookie().seal(Self.contents)
        let others = [
            ("key", try cookie(Self.otherKey)),
            ("name", try cookie(name: "__Host-cart2")),
            ("name in another case", try cookie(name: "__Host-Cart")),
            ("purpose", try cookie(purpose: "cart, version 2")),
            ("purpose with a line feed", try cookie(purpose: "cart, version 1\n")),
            ("both", try cookie(name: "__Host-c", purpose: "art\ncart, version 1")),
        ]
        for (what, other) in others {
            #expect(try outcome(of: value, by: other) == "notAuthentic", "\(what)")
        }
        // As code points the purposes are equal; as bytes they are not.
        let composed = try cookie(purpose: "caf\u{e9}").seal(Self.contents)
        let decomposed = try cookie(purpose: "cafe\u{301}")
        #expect(try outcome(of: composed, by: decomposed) == "notAuthentic")
        #expect(try outcome(of: value) == "opened")
    }

    @Test("The ticket of a sign-in is no sealed cookie with the same key, nor the other way round")
    func noTicket() async throws {
        let provider = try StubProvider()
        let signIn = try SignIn(
            .openID(
                issuer: StubProvider.issuer, clientIDs: [StubProvider.client], algorithms: [.es256]),
            authentication: .clientSecretPost("secret"), redirectURI: StubProvider.redirectURI,
            keeping: .cookie(sealedWith: Self.key), transport: provider, options: .still)
        let begun = try await signIn.begin()
        let name = String(begun.setCookie.prefix { $0 != "=" })
        let context = "\(StubProvider.issuer)\n\(StubProvider.client)\n\(StubProvider.redirectURI)"
        let cookie = try cookie(name: name, purpose: context)
        #expect(try outcome(of: begun.ticket, by: cookie) == "notAuthentic")
        let ticket = try cookie.seal("a-state\n\n\n".utf8)
        let query = try provider.signIn(begun.url)
        let code = try await SignInTests.code {
            try await signIn.finish(query: query, ticket: ticket)
        }
        #expect(code == "notPending")
    }

    @Test("A cookie expires at the second at which its lifetime is over, on every instance")
    func expires() throws {
        let value = try cookie(lifetime: .milliseconds(60_999)).seal(Self.contents)
        clock.advance(by: .seconds(59))
        #expect(try outcome(of: value) == "opened")
        clock.advance(by: .milliseconds(999))
        #expect(try outcome(of: value) == "opened")
        clock.advance(by: .milliseconds(1))
        // The lifetime that counts is the one of the moment of sealing.
        #expect(try outcome(of: value) == "expired")
        #expect(try outcome(of: value, by: cookie(lifetime: .seconds(86_400))) == "expired")
        // An expired cookie of another key tells nothing.
        #expect(try outcome(of: value, by: cookie(Self.otherKey)) == "notAuthentic")
        // A clock that was set back: what this server sealed is good again until then.
        clock.advance(by: .seconds(-30))
        #expect(try outcome(of: value) == "opened")
    }

    @Test(
        "With a clock at its end or without a time nothing is opened",
        arguments: [Double.infinity, .nan, 1e300, Double(Int64.max), 9_007_199_254_740_992])
    func impossibleTime(_ seconds: Double) throws {
        let good = try cookie().seal(Self.contents)
        let cookie = try SealedCookie(
            key: Self.key, name: Self.name, purpose: Self.purpose, lifetime: .seconds(3_600),
            clock: .fixed(secondsSince1970: seconds))
        let value = try cookie.seal(Self.contents)
        #expect(try outcome(of: value, by: cookie) == "expired")
        #expect(try outcome(of: good, by: cookie) == "expired")
    }

    @Test("A changed bit in any byte is refused, in the bytes and in the text")
    func changed() throws {
        let cookie = try cookie()
        let value = try cookie.seal(Self.contents)
        let bytes = try Base64URL.decode(value)
        for place in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << bit
                #expect(
                    try outcome(of: Base64URL.encode(changed), by: cookie) == "notAuthentic",
                    "octet \(place), bit \(bit)")
            }
        }
        let text = Array(value.utf8)
        for place in text.indices {
            for bit in 0..<7 {
                var changed = text
                changed[place] ^= 1 << bit
                #expect(
                    try outcome(of: String(decoding: changed, as: UTF8.self), by: cookie)
                        == "notAuthentic", "character \(place), bit \(bit)")
            }
        }
        for count in bytes.indices {
            #expect(
                try outcome(of: Base64URL.encode(bytes.prefix(count)), by: cookie)
                    == "notAuthentic")
            #expect(
                try outcome(of: Base64URL.encode(bytes.dropFirst(count + 1)), by: cookie)
                    == "notAuthentic")
        }
    }

    @Test("Previous keys open, the new key seals")
    func rotation() throws {
        let old = try cookie(Self.key)
        let new = try cookie(Self.otherKey, previous: [try SecretKey.generate(), Self.key])
        let (before, after) = (try old.seal(Self.contents), try new.seal(Self.contents))
        #expect(try new.open(before) == Self.contents)
        #expect(try new.open(after) == Self.contents)
        #expect(try outcome(of: after, by: old) == "notAuthentic")
        #expect(try outcome(of: after, by: cookie(Self.otherKey)) == "opened")
        // The previous key is gone.
        #expect(try outcome(of: before, by: cookie(Self.otherKey)) == "notAuthentic")
        clock.advance(by: .seconds(3_600))
        #expect(try outcome(of: before, by: new) == "expired")
    }

    @Test(
        "What does not fit into 4,000 bytes with its name is refused when it is sealed",
        arguments: [Self.name, "__Host-" + String(repeating: "n", count: 64), "__Host-n"])
    func tooLarge(_ name: String) throws {
        let cookie = try cookie(name: name, lifetime: .seconds(34_560_000))
        func seals(_ count: Int) -> Bool {
            let outcome = Self.outcome { () throws(SealedCookieError) in
                _ = try cookie.seal([UInt8](repeating: 1, count: count))
                return nil
            }
            #expect(["opened", "tooLarge"].contains(outcome))
            return outcome == "opened"
        }
        // Nonce, tag, ten digits and the line feed; four characters for three bytes.
        let most = (4_000 - name.utf8.count - 1) * 3 / 4 - 24 - 16 - 11
        #expect(most >= 2_890)
        for count in [0, 2_890, most] { #expect(seals(count), "\(count)") }
        for count in [most + 1, 4_000, 4_001, 1_000_000] { #expect(!seals(count), "\(count)") }
        let contents = [UInt8](repeating: 1, count: most)
        let set = try cookie.setting(contents)
        #expect(SignInFixture.cookie(set).utf8.count <= SealedCookie.maximumByteCount)
        // RFC 6265, section 6.1: name, value and attributes.
        #expect(set.utf8.count <= 4_096)
        #expect(try cookie.contents(in: [SignInFixture.cookie(set)]) == contents)
        #expect(SealedCookie.maximumByteCount == 4_000)
    }

    @Test("Zero bytes of each length up to 200 are refused")
    func zeros() throws {
        for count in 0...200 {
            let bytes = [UInt8](repeating: 0, count: count)
            #expect(try outcome(of: Base64URL.encode(bytes)) == "notAuthentic", "\(count)")
            #expect(
                try outcome(of: String(decoding: bytes, as: UTF8.self)) == "notAuthentic",
                "\(count)")
        }
    }

    @Test("Another spelling of a good cookie is refused")
    func spellings() throws {
        let cookie = try cookie()
        // 40 bytes, "1780003600\n" and 1 to 3 more: every number of trailing bits.
        for count in 1...3 {
            let value = try cookie.seal([UInt8](repeating: 7, count: count))
            let kept = String(value.dropLast())
            let last = try #require(value.utf8.last)
            var spellings = [
                value + "=", value + "==", value + "A", value + " ", " " + value, value + "\n",
                "\"\(value)\"", value + "%3D", value + "\u{301}", value + ";", kept,
                String(repeating: "A", count: 4_001), value + String(repeating: "A", count: 4_096),
                value.replacing("-", with: "+").replacing("_", with: "/") + "+",
            ]
            // Characters that differ in trailing bits alone.
            let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            spellings += alphabet.utf8.filter { $0 != last }.map {
                kept + String(decoding: [$0], as: UTF8.self)
            }
            for spelling in spellings {
                #expect(
                    try outcome(of: spelling, by: cookie) == "notAuthentic", "\(count): \(spelling)"
                )
            }
            #expect(try outcome(of: value, by: cookie) == "opened")
        }
    }

    @Test(
        "Contents in another form, sealed by the key's owner, are refused",
        arguments: [
            "", "\n", "1780003600", "x\nabc", " 1780003600\nabc", "1780003600.5\nabc",
            "99999999999999999999\nabc", "\u{0}\nabc", "1780003600\r\nabc",
        ])
    func otherForm(_ plaintext: String) throws {
        let sealed = try XAES256GCM.seal(
            plaintext.utf8, using: Self.key,
            authenticating: "signet cookie\n\(Self.name)\n\(Self.purpose)".utf8)
        #expect(try outcome(of: Base64URL.encode(sealed)) == "notAuthentic")
    }

    @Test("Impossible keys, names, purposes and lifetimes are refused at start")
    func configuration() throws {
        for count in [0, 16, 31, 33, 64] {
            let short = SecretKey(copying: [UInt8](repeating: 1, count: count))
            #expect(Self.configurationCode { try cookie(short) } == .invalidSecret)
            #expect(
                Self.configurationCode { try cookie(previous: [Self.otherKey, short]) }
                    == .invalidSecret)
        }
        for name in [
            "", "cart", "__Host-", "__Secure-cart", "__host-cart", "__Host-a b", "__Host-a=b",
            "__Host-a;b", "__Host-a\n", "__Host-ä", "__Host-" + String(repeating: "n", count: 65),
        ] {
            #expect(
                Self.configurationCode { try cookie(name: name) } == .invalidIdentifier, "\(name)")
        }
        for purpose in ["", String(repeating: "p", count: 256), String(repeating: "ä", count: 128)]
        {
            #expect(
                Self.configurationCode { try cookie(purpose: purpose) } == .invalidIdentifier)
        }
        for lifetime in [
            Duration.zero, .milliseconds(999), .seconds(-1), .seconds(34_560_001),
            .seconds(Int64.max), .seconds(Int64.min),
        ] {
            #expect(Self.configurationCode { try cookie(lifetime: lifetime) } == .outOfRange)
        }
        for lifetime in [Duration.seconds(1), .milliseconds(34_560_000_999)] {
            #expect(Self.configurationCode { try cookie(lifetime: lifetime) } == nil)
        }
        let longest = try cookie(
            name: "__Host-" + String(repeating: "n", count: 64),
            purpose: String(repeating: "p", count: 255))
        #expect(try longest.open(longest.seal(Self.contents)) == Self.contents)
    }

    @Test("Nothing of a key or of contents is printed, and each error has its answer")
    func printed() throws {
        let secret = SecretKey(copying: "0123456789abcdef-the-key-0123456".utf8)
        let cookie = try cookie(secret, previous: [secret])
        let value = try cookie.seal("the-contents".utf8)
        var texts = [SignInSecretsAreNotPrinted.rendered(cookie)]
        let refused: [(String, () throws(SealedCookieError) -> [UInt8]?)] = [
            ("notAuthentic", { () throws(SealedCookieError) in try cookie.open("x" + value) }),
            (
                "repeated",
                { () throws(SealedCookieError) in
                    try cookie.contents(in: ["__Host-cart=\(value)", "__Host-cart=\(value)"])
                }
            ),
            (
                "tooLarge",
                { () throws(SealedCookieError) in
                    _ = try cookie.seal(
                        [UInt8]((0..<400).flatMap { _ in Array("the-contents".utf8) }))
                    return nil
                }
            ),
        ]
        for (code, body) in refused {
            do throws(SealedCookieError) {
                _ = try body()
                Issue.record("not refused: \(code)")
            } catch {
                #expect(error.code.rawValue == code)
                texts.append(SignInSecretsAreNotPrinted.rendered(error))
                #expect(HTTPRefusal(error).status == (code == "tooLarge" ? 500 : 400))
            }
        }
        clock.advance(by: .seconds(3_600))
        do throws(SealedCookieError) {
            _ = try cookie.open(value)
        } catch {
            #expect(error.code == .expired && HTTPRefusal(error).status == 400)
            texts.append(SignInSecretsAreNotPrinted.rendered(error))
        }
        #expect(HTTPRefusal(SealedCookieError(.libraryFailure, "")).status == 500)
        #expect(texts.count == 5)
        for text in texts {
            for hidden in ["the-key", "the-contents", String(value.dropFirst(34).prefix(10))] {
                #expect(!text.contains(hidden))
            }
            #expect(!text.contains("48, 49, 50, 51"))
        }
    }
}
