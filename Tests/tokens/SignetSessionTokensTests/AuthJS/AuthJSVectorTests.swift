// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetSessionTokens
import TestSupport
import Testing

@Suite("Sessions that Auth.js has written")
struct AuthJSVectorTests {
    typealias Fixture = AuthJSFixture

    @Test(
        "The figures open with their secret", arguments: AuthJSFigures.all + AuthJSFigures.recorded)
    func opens(_ figure: AuthJSFigures.Figure) throws {
        let session = try Fixture.open(figure.token, with: Fixture.sessions(for: figure))
        #expect(session.subject == figure.subject)
        #expect(session.issuedAt == NumericDate(secondsSince1970: Fixture.now))
        #expect(
            session.expiration == NumericDate(secondsSince1970: Fixture.now + 30 * 86_400))
    }

    @Test("A session gives the profile, and the claims of the program's own")
    func profile() throws {
        struct Claims: Decodable {
            let account: String
        }
        let figure = try Fixture.figure("named by its key, https")
        let session = try Fixture.open(figure.token, with: Fixture.sessions())
        #expect(session.name == "Ann Example" && session.unverifiedEmail == "ann@example.com")
        #expect(session.picture == "https://img.example/a.png")
        #expect(try session.claims(as: Claims.self).account == "google|117584285732048297471")
        let other = try Fixture.open(
            Fixture.figure("no profile").token, with: Fixture.sessions())
        #expect(other.name == nil && other.unverifiedEmail == nil && other.picture == nil)
        #expect(
            refusal { try other.claims(as: Claims.self) }?.code == .claimInvalid)
    }

    @Test(
        "No figure opens with another secret", arguments: AuthJSFigures.all + AuthJSFigures.recorded
    )
    func wrongSecret(_ figure: AuthJSFigures.Figure) throws {
        let isNamed = try Fixture.keyID(of: figure.token) != nil
        let expected: TokenError.Code = isNamed ? .noMatchingKey : .decryptionFailed
        let wrong = [figure.secret + "x", figure.secret + "\n", String(figure.secret.dropLast())]
        for secret in wrong {
            let sessions = try Fixture.sessions(for: figure, secrets: [secret])
            #expect(
                refusal { try Fixture.open(figure.token, with: sessions) }?.code == expected)
        }
    }

    @Test("The secret is its text: the bytes that its base64 stands for are another secret")
    func textOfTheSecret() throws {
        let figure = try Fixture.figure("named by its key, https")
        let text = Array(AuthJSFigures.secret.utf8)
        let read = Base64Standard.decode(text.span)
        let bytes = try #require(read)
        let decoded = try AuthJSSessions(
            .v5, secrets: [SecretKey(copying: bytes)],
            clock: .fixed(secondsSince1970: Fixture.now))
        #expect(
            refusal { try Fixture.open(figure.token, with: decoded) }?.code == .noMatchingKey)
        let same = try AuthJSSessions(
            .v5, secrets: [SecretKey(copying: AuthJSFigures.secret.utf8)],
            clock: .fixed(secondsSince1970: Fixture.now))
        #expect(refusal { try Fixture.open(figure.token, with: same) } == nil)
    }

    @Test("While the secret changes, tokens of both secrets open")
    func rotatedSecrets() throws {
        let both = try Fixture.sessions(secrets: [AuthJSFigures.newerSecret, AuthJSFigures.secret])
        let older = try Fixture.figure("named by its key, https")
        let newer = try Fixture.figure("newer secret")
        #expect(try Fixture.open(older.token, with: both).subject == older.subject)
        #expect(try Fixture.open(newer.token, with: both).subject == newer.subject)
        for (figure, secret) in [
            (older, AuthJSFigures.newerSecret), (newer, AuthJSFigures.secret),
        ] {
            let one = try Fixture.sessions(secrets: [secret])
            #expect(
                refusal { try Fixture.open(figure.token, with: one) }?.code == .noMatchingKey)
        }
    }

    @Test("A token that does not name its key is opened with the first secret only")
    func withoutKeyID() throws {
        let first = AuthJSFigures.secret
        let second = AuthJSFigures.newerSecret
        let figure = try Fixture.figure("without kid")
        let sessions = try Fixture.sessions(secrets: [first, second])
        #expect(try Fixture.open(figure.token, with: sessions).subject == figure.subject)
        let reversed = try Fixture.sessions(secrets: [second, first])
        #expect(
            refusal { try Fixture.open(figure.token, with: reversed) }?.code == .decryptionFailed)
    }

    @Test("In version 5 a token is for its cookie's name, in version 4 for any")
    func cookieNames() throws {
        let named = try Fixture.figure("named by its key, http")
        #expect(
            refusal { try Fixture.open(named.token, with: Fixture.sessions()) }?.code
                == .noMatchingKey)
        let older = try Fixture.figure("version 4, http")
        #expect(
            try Fixture.open(older.token, with: Fixture.sessions(.v4)).subject == older.subject)
    }

    @Test("A token of the other version is refused")
    func otherVersion() throws {
        for (name, version) in [
            ("named by its key, https", AuthJSSessions.Version.v4), ("version 4, https", .v5),
        ] {
            let figure = try Fixture.figure(name)
            #expect(
                refusal { try Fixture.open(figure.token, with: Fixture.sessions(version)) }?.code
                    == .algorithmNotAllowed)
        }
    }

    @Test("A token that Signet writes for tests has the key's name of the figures")
    func writes() throws {
        let sessions = try Fixture.sessions()
        let token = try sessions.makeToken(Fixture.claims())
        let figure = try Fixture.figure("named by its key, https")
        #expect(try Fixture.keyID(of: token) == Fixture.keyID(of: figure.token))
        #expect(try Fixture.open(token, with: sessions).subject == "user-1")
    }
}
