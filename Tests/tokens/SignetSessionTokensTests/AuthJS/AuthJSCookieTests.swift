// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import SignetSessionTokens
import TestSupport
import Testing

/// Which cookies are a session's, and which are refused before anything is opened.
@Suite("The cookies of a session of Auth.js")
struct AuthJSCookieTests {
    typealias Fixture = AuthJSFixture

    static let name = "__Secure-authjs.session-token"

    static func code(of cookies: [String]) throws -> BearerTokenError.Code? {
        let sessions = try Fixture.sessions()
        do {
            _ = try sessions.token(cookies: cookies)
            return nil
        } catch {
            return error.code
        }
    }

    /// A session of three cookies, as a field's pairs.
    static func longSession(_ version: AuthJSSessions.Version = .v5) throws -> [String] {
        var claims = Fixture.claims()
        claims["note"] = .string(String(repeating: "n", count: 6_500))
        let sessions = try Fixture.sessions(version)
        let field = try sessions.cookieField(sessions.makeToken(claims))
        return field.split(separator: "; ").map(String.init)
    }

    static func subject(
        _ cookies: [String], _ version: AuthJSSessions.Version = .v5
    ) throws -> String? {
        let sessions = try Fixture.sessions(version)
        return try sessions.verify(sessions.token(cookies: cookies)).subject
    }

    @Test("A session of one cookie is found among others")
    func oneCookie() throws {
        let token = try Fixture.sessions().makeToken(Fixture.claims())
        for fields in [
            ["\(Self.name)=\(token)"], ["theme=dark; \(Self.name)=\(token); x"],
            ["theme=dark", "\(Self.name)=\(token)"], ["a=\u{0};;= ;\t\(Self.name)=\(token)\t"],
            ["\(Self.name).0=\(token)"],
            // Other cookies of Auth.js, and names that only resemble the session's.
            [
                "__Host-authjs.csrf-token=a; \(Self.name).x=b; \(Self.name).=c; \(Self.name)0=d; "
                    + "\(Self.name).0x=e; x\(Self.name)=f; authjs.session-token=g; "
                    + "\(Self.name)=\(token)"
            ],
        ] {
            #expect(try Self.subject(fields) == "user-1")
        }
    }

    @Test(
        "The parts of a long session are joined by their numbers, in any order and any fields",
        arguments: [AuthJSSessions.Version.v5, .v4])
    func parts(_ version: AuthJSSessions.Version) throws {
        let pairs = try Self.longSession(version)
        #expect(pairs.count == 3)
        #expect(try Self.subject([pairs.joined(separator: "; ")], version) == "user-1")
        #expect(try Self.subject([pairs.reversed().joined(separator: "; ")], version) == "user-1")
        #expect(try Self.subject(pairs, version) == "user-1")
    }

    @Test("A missing part, the last one too, and parts of two sessions are refused")
    func incomplete() throws {
        let pairs = try Self.longSession()
        #expect(try Self.code(of: [pairs[0], pairs[2]]) == .malformed)
        #expect(try Self.code(of: [pairs[1], pairs[2]]) == .malformed)
        let cut = refusal { try Self.subject([pairs[0], pairs[1]]) }
        #expect(cut?.code == .malformed || cut?.code == .decryptionFailed)
        let other = try Self.longSession()
        #expect(
            refusal { try Self.subject([pairs[0], other[1], pairs[2]]) }?.code
                == .decryptionFailed)
    }

    @Test(
        "Cookies that leave open which session is meant are refused",
        arguments: [
            ([], .missing), (["theme=dark"], .missing), (["N.x=a; N0=a; nN=a"], .missing),
            (["n=a"], .missing),
            (["N=a; N=b"], .repeated), (["N=a; N=a"], .repeated), (["N=a", "N=a"], .repeated),
            (["N.0=a; N.0=a"], .repeated), (["N.0=a; N.1=b; N.1=c"], .repeated),
            (["N=a; N.0=b"], .repeated), (["N.0=a; N.1=b; N=c"], .repeated),
            (["N=a; N.1=b"], .repeated),
            (["N.1=a"], .malformed), (["N.0=a; N.2=b"], .malformed),
            (["N.0=a; N.1=b; N.3=c"], .malformed),
            (["N.00=a"], .malformed), (["N.0=a; N.01=b"], .malformed),
            (["N.0=a; N.000000000000000000000=b"], .malformed),
            (["N="], .missing), (["N"], .missing), (["N.0=; N.1= ; N.00=; N.9="], .missing),
            (["N.0=; N.1=a"], .malformed), (["N.0=a; N.1=; N.2=b"], .malformed),
            (["N.0=a; N.8=b"], .tooLarge), (["N=a; N.99999999999999999999999=b"], .tooLarge),
        ] as [([String], BearerTokenError.Code)])
    func refused(_ cookies: [String], _ code: BearerTokenError.Code) throws {
        let named = cookies.map {
            $0.split(separator: "N", omittingEmptySubsequences: false).joined(separator: Self.name)
        }
        #expect(try Self.code(of: named) == code)
    }

    @Test("Empty cookies beside a session's are ignored, as Auth.js ignores them")
    func emptyCookies() throws {
        let token = try Fixture.sessions().makeToken(Fixture.claims())
        let whole = "\(Self.name)=\(token)"
        for fields in [
            ["\(whole); \(Self.name).0=; \(Self.name).1="], ["\(Self.name)=; \(whole)"],
            ["\(whole); \(Self.name)"], ["\(Self.name).00=", "\(whole); \(Self.name).99="],
        ] {
            #expect(try Self.subject(fields) == "user-1")
        }
        let parts = try Self.longSession().joined(separator: "; ")
        for empty in ["", ".0", ".3", ".8", ".03"] {
            #expect(try Self.subject(["\(parts); \(Self.name)\(empty)="]) == "user-1")
        }
    }

    @Test("A session has at most 8 cookies and 32 KiB, and a request 64 KiB of cookies")
    func sizes() throws {
        func pairs(_ counts: [Int]) -> [String] {
            counts.enumerated().map { number, count in
                "\(Self.name).\(number)=\(String(repeating: "a", count: count))"
            }
        }
        #expect(try Self.code(of: pairs([Int](repeating: 4_096, count: 8))) == nil)
        #expect(
            try Self.code(of: pairs([Int](repeating: 4_096, count: 7) + [4_097])) == .tooLarge)
        #expect(try Self.code(of: pairs([Int](repeating: 1, count: 9))) == .tooLarge)
        let longest = "\(Self.name)=\(String(repeating: "a", count: 32_768))"
        #expect(try Self.code(of: [longest]) == nil)
        #expect(try Self.code(of: [longest + "a"]) == .tooLarge)
        #expect(
            try Self.code(of: ["\(Self.name)=a", String(repeating: "b", count: 65_536)])
                == .tooLarge)
    }
}
