// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// Nothing traps on any input, and only what the rules allow is accepted. Seeded: a failure names
/// the input and can be repeated.
@Suite("Mutated callbacks, redirect URIs, headers and tokens", .tags(.fuzzing, .sampled))
struct MutatedSignIns {
    private static let pieces = [
        "code=", "state=", SignInFixture.stateText, "&", "=", "%", "%00", "%26", "%C3%A9", "#", "?",
        "+",
        "iss=",
        "error=", "Bearer ", "; s=", "\"", "\u{212a}", "https://", "127.0.0.1", ":80", "@", "/..",
        "{", "}",
        "null",
        "\"exp\":1", "\"kty\":\"oct\"", "99999999999999999999",
    ]

    private static func mutated(
        _ originals: [String], count: Int, seed: UInt64, _ body: (String) throws -> Void
    )
        rethrows
    {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Effort.rounds(count) {
            var bytes = Array(originals[round % originals.count].utf8)
            for _ in 0...(generator.next() % 4) {
                let place = bytes.isEmpty ? 0 : Int(generator.next() % UInt64(bytes.count))
                let piece = Array(pieces[Int(generator.next() % UInt64(pieces.count))].utf8)
                switch generator.next() % 5 {
                case 0: bytes.insert(contentsOf: piece, at: place)
                case 1:
                    bytes.replaceSubrange(
                        place..<min(bytes.count, place + piece.count), with: piece)
                case 2:
                    bytes.removeSubrange(
                        place..<min(bytes.count, place + Int(generator.next() % 20)))
                case 3: bytes.insert(UInt8(truncatingIfNeeded: generator.next()), at: place)
                default: bytes.append(contentsOf: bytes.prefix(place))
                }
            }
            try body(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test("An accepted callback has exactly our state and one code")
    func callbacks() throws {
        let state = try SignInFixture.state()
        let good =
            "code=SplxlOBe&state=\(SignInFixture.stateText)&iss=https%3A%2F%2Faccounts.example"
        var accepted = 0
        Self.mutated(
            [good, "error=access_denied&state=\(SignInFixture.stateText)"], count: 20_000, seed: 1
        ) {
            query in
            guard
                let callback = try? AuthorizationCallback(
                    query: query, state: state, issuer: SignInFixture.issuer)
            else { return }
            accepted += 1
            #expect(query.ranges(of: SignInFixture.stateText).count >= 1, "\(query)")
            #expect(!callback.code.exposedText.isEmpty, "\(query)")
            #expect(callback.unverifiedParameter("error") == nil, "\(query)")
            let issuer = callback.unverifiedParameter("iss")
            #expect(issuer == nil || issuer == SignInFixture.issuer, "\(query)")
        }
        #expect(accepted > 0)
    }

    @Test("An accepted redirect URI is on the list, or differs in its loopback port")
    func redirectURIs() throws {
        let list = try RedirectURIs(
            RedirectURITests.allowed, loopbackPorts: .any, schemes: RedirectURITests.schemes)
        Self.mutated(RedirectURITests.allowed, count: 20_000, seed: 2) { uri in
            guard list.allows(uri) else { return }
            let isListed = RedirectURITests.allowed.contains { $0.utf8.elementsEqual(uri.utf8) }
            let isLoopback =
                uri.wholeMatch(
                    of:
                        #/http://(127\.0\.0\.1(:[1-9][0-9]{0,4})?/cb|\[::1\](:[1-9][0-9]{0,4})?/cb\?x=1)/#
                )
                != nil
            #expect(isListed || isLoopback, "\(uri)")
        }
    }

    @Test("An accepted field or cookie holds only token characters")
    func fields() {
        Self.mutated(["Bearer eyJh.eyJz.c2ln", "a=b; s=eyJh.eyJz.c2ln"], count: 20_000, seed: 3) {
            value in
            let tokens = [
                (try? BearerToken(authorization: [value]))?.exposedText,
                (try? PresentedToken(authorization: [], cookies: [value], cookieName: "s"))?.token
                    .exposedText,
            ]
            for token in tokens.compactMap({ $0 }) {
                #expect(token.wholeMatch(of: #/[A-Za-z0-9\-._~+\/]+=*/#) != nil, "\(value)")
                #expect(value.contains(token), "\(value)")
            }
        }
    }

    @Test("Only issued session tokens are accepted")
    func tokens() throws {
        let issuer = try SessionFixture.issuer(SessionFixture.ring(.hs256))
        let token = try issuer.issue(subject: "u", claims: ["role": "admin"]).token
        Self.mutated([token], count: 20_000, seed: 4) { text in
            if !text.utf8.elementsEqual(token.utf8) {
                #expect(refusal { try issuer.verify(text) } != nil, "\(text)")
            }
        }
    }

    @Test("No key ring or token answer traps")
    func documents() async throws {
        let ring = try SessionFixture.rotated(SessionFixture.ring(.es256), .es256, "k2", until: 1)
        let document = try ring.exportPrivateJSON().exposedText()
        Self.mutated([document], count: 3_000, seed: 5) { text in
            guard let ring = try? SessionKeyRing(privateJWKS: SecretBytes(copying: text.utf8))
            else { return }
            #expect(ring.members.first?.isCurrent == true, "\(text)")
        }
        var answers = [String]()
        Self.mutated([TokenEndpointTests.good], count: 3_000, seed: 6) { answers.append($0) }
        for answer in answers {
            let response = try? await TokenEndpointTests.exchange(
                TokenEndpointTests.Recorder(200, answer))
            #expect(
                response == nil || response?.accessToken != nil || response?.idToken != nil,
                "\(answer)")
            #expect(response?.accessToken?.isEmpty != true, "\(answer)")
        }
    }
}
