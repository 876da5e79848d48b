// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("signet accesstoken verify")
struct AccessTokenVerifyTests {
    private static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"

    private static func claims(_ issuer: String, _ more: String) -> String {
        #"{"iss":"\#(issuer)","sub":"u","iat":1700000000,"exp":1700000600,\#(more)}"#
    }

    /// A token with these claims, in a file, and the keys that it verifies with.
    private func folder(
        _ claims: String, _ algorithm: String = "RS256", type: String = "JWT"
    ) throws -> CommandFolder {
        let folder = try CommandFolder()
        try folder.makeKeys(algorithm)
        let token = CommandFolder.inProcess(
            ["jws", "sign", "--key", folder.path("key.json"), "--type", type],
            input: Array(claims.utf8))
        #expect(token.isGood, "\(token)")
        try folder.write("token", token.text)
        return folder
    }

    private func verify(_ folder: CommandFolder, _ options: String) -> Outcome {
        let files = "--jwks \(folder.path("jwks.json")) --token \(folder.path("token"))"
        return CommandFolder.inProcess("accesstoken verify \(options) \(files) --at 1700000100")
    }

    private static let auth0 = claims(
        "https://t.example/",
        #""aud":"https://a.example","azp":"c","scope":"read write","permissions":["p"]"#
    )
    private static let auth0Options =
        "--profile auth0 --domain t.example --audience https://a.example"

    @Test("A good token prints what it grants, as text and as JSON")
    func good() throws {
        let folder = try folder(Self.auth0)
        let plain = verify(folder, Self.auth0Options + " --scope read --scope write")
        #expect(plain.isGood, "\(plain)")
        for row in ["scopes    read write", "roles     p", "client    c", "subject   u"] {
            #expect(plain.text.contains(row), "\(plain)")
        }
        let json = try verify(folder, Self.auth0Options + " --json").json
        #expect(json.names == ["claims", "token", "valid"] && json["valid"] == .bool(true))
        #expect(
            json["token"]?["clientID"]?.text == "c"
                && json["token"]?["scopes"] == ["read", "write"])
        #expect(json["claims"]?["azp"]?.text == "c")
    }

    @Test(
        "A refused token prints the reason and nothing of the token",
        arguments: [
            ("--scope admin", "insufficientScope"), ("--client-id d", "azp"),
            ("--accept x=1", "claimMissing"),
            ("--require-claim x", "claimMissing"), ("--refuse azp=c", "valueNotAccepted"),
            ("--type at+jwt", "typeMismatch"), ("--max-age 60", "tooOld"),
        ])
    func refused(_ option: String, _ code: String) throws {
        let folder = try folder(Self.auth0)
        let outcome = verify(folder, "\(Self.auth0Options) \(option)")
        #expect(outcome.failed(1, code), "\(outcome)")
        #expect(!outcome.errors.contains("eyJ"))
        let json = try verify(folder, "\(Self.auth0Options) \(option) --json").json
        #expect(json["valid"] == .bool(false) && json["error"]?["code"]?.text == code)
    }

    @Test("A token that is bound to its sender needs an option by name")
    func bound() throws {
        let folder = try folder(
            Self.claims(
                "https://t.example/",
                #""aud":"https://a.example","azp":"c","scope":"read","cnf":{"jkt":"x"}"#))
        let refused = verify(folder, Self.auth0Options)
        #expect(refused.failed(1, "senderBound"), "\(refused)")
        #expect(refused.errors.contains("--binding-not-checked"), "\(refused)")
        #expect(verify(folder, Self.auth0Options + " --binding-not-checked").isGood)
    }

    @Test("Actors and authorization details are printed")
    func delegated() throws {
        let more =
            #""aud":"https://a.example","azp":"c","act":{"sub":"s"},"may_act":{"iss":"i","sub":"m"},"#
            + #""authorization_details":[{"type":"payment","limit":5}]"#
        let folder = try folder(Self.claims("https://t.example/", more))
        let plain = verify(folder, Self.auth0Options)
        for row in ["actor     s", "may act   i m", "details   payment"] {
            #expect(plain.text.contains(row), "\(plain)")
        }
        let token = try #require(try verify(folder, Self.auth0Options + " --json").json["token"])
        #expect(token["actor"]?["subject"]?.text == "s")
        #expect(token["permittedActor"]?["issuer"]?.text == "i")
        #expect(token["authorizationDetails"] == [["type": "payment", "limit": 5]])
    }

    @Test(
        "Entra's keys in a file verify only for the tenant that they name, as fetched keys do")
    func keyOfAnotherTenant() throws {
        let issuer = "https://login.microsoftonline.com/\(Self.tenant)/v2.0"
        let folder = try folder(
            Self.claims(issuer, #""aud":"a","tid":"\#(Self.tenant)","azp":"c","scp":"read""#))
        let keys = try folder.text("jwks.json")
        let options = "--profile entra --tenant \(Self.tenant) --audience a"
        for (tenant, isGood) in [
            (Self.tenant, true), ("{tenantid}", true),
            ("9188040d-6c67-4c5b-b112-36a304b66dad", false),
        ] {
            let member = #""issuer":"https://login.microsoftonline.com/\#(tenant)/v2.0","kty":"#
            try folder.write(
                "jwks.json", keys.split(separator: "\"kty\":").joined(separator: member))
            let outcome = verify(folder, options)
            #expect(outcome.isGood == isGood, "\(tenant): \(outcome)")
        }
    }

    @Test("A client's own token without sub is accepted only where the option says so")
    func clients() throws {
        let claims = #"""
            {"iss":"https://i.example","iat":1700000000,"exp":1700000600,"aud":"a","jti":"j",\#
            "client_id":"c"}
            """#
        let folder = try folder(claims, type: "at+jwt")
        let options = "--profile rfc9068 --issuer https://i.example --audience a"
        #expect(verify(folder, options).failed(1, "subject"))
        let plain = verify(folder, options + " --clients-without-subject")
        #expect(plain.isGood, "\(plain)")
        for row in ["acts as   client", "client    c"] { #expect(plain.text.contains(row)) }
        let json = try verify(folder, options + " --clients-without-subject --json").json
        #expect(json["token"]?["principal"]?.text == "client" && json["token"]?["subject"] == nil)
        let own = options.replacing("rfc9068", with: "issuer") + " --type at+jwt"
        #expect(verify(folder, own).failed(1, "subject"))
        #expect(verify(folder, own + " --clients-without-subject").isGood)
        // Other profiles have no such tokens.
        #expect(verify(folder, Self.auth0Options + " --clients-without-subject").failed(2, "usage"))
    }

    @Test(
        "Each profile accepts its token", .tags(.commandLine),
        arguments: [
            (
                "--profile rfc9068 --issuer https://i.example --audience a --client-id c", "at+jwt",
                claims("https://i.example", #""aud":"a","client_id":"c","jti":"j""#)
            ),
            (
                "--profile entra --tenant \(tenant) --audience a --scope read", "JWT",
                claims(
                    "https://login.microsoftonline.com/\(tenant)/v2.0",
                    #""aud":"a","tid":"\#(tenant)","azp":"c","scp":"read""#)
            ),
            (
                "--profile entra --tenant \(tenant) --entra-v1 --audience a --client-id c --grants-optional",
                "JWT",
                claims(
                    "https://sts.windows.net/\(tenant)/",
                    #""aud":"a","tid":"\#(tenant)","appid":"c""#)
            ),
            (
                "--profile okta --domain t.example --audience a", "JWT",
                claims("https://t.example/oauth2/default", #""aud":"a","cid":"c","scp":["read"]"#)
            ),
            (
                "--profile okta --domain t.example --authorization-server s --audience a --require-grant",
                "JWT",
                claims("https://t.example/oauth2/s", #""aud":"a","cid":"c","scp":["read"]"#)
            ),
            (
                "--profile keycloak --url https://s.example --realm r --audience a --role-client b",
                "JWT",
                claims("https://s.example/realms/r", #""aud":"a","azp":"c","typ":"Bearer""#)
            ),
            (
                "--profile cognito --region eu-west-1 --user-pool p --client-id c", "JWT",
                claims(
                    "https://cognito-idp.eu-west-1.amazonaws.com/p",
                    #""token_use":"access","client_id":"c""#)
            ),
            (
                "--profile spring --issuer https://s.example --audience a", "JWT",
                claims("https://s.example", #""aud":"a","scope":["read"]"#)
            ),
            (
                "--profile clerk --issuer https://c.example --origin https://app.example", "JWT",
                claims("https://c.example", #""azp":"https://app.example","sid":"sess_1""#)
            ),
            (
                "--profile workos --client-id client_01", "JWT",
                claims("https://api.workos.com", #""sid":"session_1""#)
            ),
            (
                "--profile workos --client-id client_01 --issuer https://auth.example", "JWT",
                claims("https://auth.example", #""sid":"session_1""#)
            ),
            (
                "--profile github-actions --audience a --owner-id 1", "JWT",
                claims(
                    "https://token.actions.githubusercontent.com",
                    #""aud":"a","repository_owner_id":"1""#)
            ),
            (
                "--profile github-actions --audience a --owner-id 1 --issuer https://h.example/_services/token",
                "JWT",
                claims("https://h.example/_services/token", #""aud":"a","repository_owner_id":"1""#)
            ),
            (
                "--profile kubernetes --issuer https://k.example --audience a --keys-url https://k.example/k",
                "JWT", claims("https://k.example", #""aud":["a"]"#)
            ),
            (
                "--profile issuer --issuer https://i.example --audience a --role-claim groups "
                    + "--scope-claim permitted --scope read", "JWT",
                claims("https://i.example", #""aud":"a","groups":["g"],"permitted":"read""#)
            ),
            (
                "--profile issuer --issuer https://i.example --client-id c --client-claim app",
                "JWT",
                claims("https://i.example", #""app":"c""#)
            ),
            (
                "--profile issuer --issuer https://i.example --any-audience", "JWT",
                claims("https://i.example", #""x":1"#)
            ),
        ])
    func profiles(_ options: String, _ type: String, _ claims: String) throws {
        let folder = try folder(claims, type: type)
        let good = verify(folder, options)
        #expect(good.isGood, "\(good)")
        // With keys of someone else.
        try folder.makeKeys("RS384")
        let foreign = verify(folder, options)
        #expect(foreign.failed(1, "unknownKid"), "\(foreign)")
    }

    @Test("Supabase tokens verify for a project and for an address of its own")
    func supabase() throws {
        let places = [
            ("--project abc", "https://abc.supabase.co"),
            ("--url http://127.0.0.1:1", "http://127.0.0.1:1"),
        ]
        for (option, place) in places {
            let claims = Self.claims(
                "\(place)/auth/v1", #""aud":"authenticated","role":"authenticated","client_id":"c""#
            ).replacing(#""sub":"u""#, with: #""sub":"8d1f9a51-6c1e-4f9e-9f1a-2f6a3c1b7e55""#)
            let folder = try folder(claims, "ES256")
            let line = "--profile supabase \(option)"
            #expect(verify(folder, line).failed(1, "azp"))
            let named = verify(folder, "\(line) --client-id c")
            #expect(named.isGood, "\(named)")
        }
    }

    @Test("An issuer's secret comes from a file and is never printed")
    func secret() throws {
        let folder = try CommandFolder()
        try folder.makeSecret("correct horse battery staple, and more words up to 48", "HS384")
        let claims = Self.claims("https://i.example", #""aud":"a""#)
        let token = CommandFolder.inProcess(
            ["jws", "sign", "--key", folder.path("key.json"), "--type", "JWT"],
            input: Array(claims.utf8))
        try folder.write("token", token.text)
        let line =
            "accesstoken verify --profile issuer --issuer https://i.example --audience a --at 1700000100 "
            + "--token \(folder.path("token")) --secret-text \(folder.path("secret"))"
        let good = CommandFolder.inProcess("\(line) --algorithm HS384")
        #expect(good.status == 0, "\(good)")
        let other = CommandFolder.inProcess("\(line) --algorithm HS256")
        #expect(
            other.failed(1, "algMismatch") && other.errors.contains("Expected: HS256."), "\(other)")
        let none = CommandFolder.inProcess(line)
        #expect(
            none.failed(2, "usage") && none.errors.contains("--algorithm HS256, HS384 or HS512"),
            "\(none)")
        let json = CommandFolder.inProcess(
            "\(line) --algorithm HS384 --jwks \(folder.path("key.json"))")
        #expect(json.failed(2, "usage"))
        for outcome in [good, other, none] { #expect(!outcome.errors.contains("battery")) }
    }

    @Test("A token that does not say which of several keys it needs gets advice that helps")
    func severalKeys() throws {
        let folder = try folder(Self.auth0)
        let own = CommandFolder.inProcess(["jwk", "public", "--key", folder.path("key.json")]).text
        let other = try JWK(pem: TestPublicPEM.rsa, keyID: "other").publicJSON()
        try folder.write("jwks.json", own.replacing("]}", with: ",\(other)]}"))
        let token = CommandFolder.inProcess(
            ["jws", "sign", "--key", folder.path("key.json"), "--type", "JWT"],
            input: Array(Self.auth0.utf8)
        ).text
        let header = Base64URL.encode(Array(#"{"alg":"RS256","typ":"JWT"}"#.utf8))
        try folder.write("token", header + token.drop { $0 != "." })
        let outcome = verify(folder, Self.auth0Options)
        #expect(outcome.failed(1, "unknownKid"), "\(outcome)")
        #expect(outcome.errors.contains("give the one key that signs: --jwks FILE"), "\(outcome)")
        #expect(!outcome.errors.contains("newest"), "\(outcome)")
    }

    @Test(
        "With keys that were just fetched, nobody is told to fetch them",
        .enabled(if: KeyServer.isAvailable, Comment(rawValue: KeyServer.absence)),
        .timeLimit(.minutes(20)))
    func fetchedKeys() async throws {
        let server = try await KeyServer()
        let other = try SigningKey.generate(.es256, keyID: "other").verificationKey
        try await server.set("/keys", Behaviour(KeySet([other]).jwksJSON()))
        let claims =
            #"{"iss":"\#(server.url(""))","aud":"a","sub":"u","client_id":"c","jti":"1"}"#
        let folder = try CommandFolder()
        try folder.makeKeys()
        let token = CommandFolder.inProcess(
            [
                "jwt", "sign", "--key", folder.path("key.json"), "--lifetime", "60", "--type",
                "at+jwt",
            ], input: Array(claims.utf8))
        try folder.write("token", token.text)
        let line =
            "accesstoken verify --profile rfc9068 --issuer \(server.url("")) --audience a "
            + "--algorithm ES256 --token token"
        let unknown = try folder.signet("\(line) --keys-url \(server.url("/keys"))")
        #expect(
            unknown.failed(1, "unknownKid") && unknown.errors.contains("is it this issuer's?"),
            "\(unknown)")
        #expect(!unknown.errors.contains("--jwks"), "\(unknown)")
        let source = try folder.signet("\(line) --keys-url \(server.url("/nothing"))")
        #expect(
            source.failed(3, "keySourceUnavailable")
                && source.errors.contains("signet jwks fetch"), "\(source)")
    }

    @Test(
        "A command line must say what to check",
        arguments: [
            "", "--profile nobody", "--profile rfc9068 --issuer https://i.example",
            "--profile rfc9068 --audience a", "--profile entra --audience a",
            "--profile entra --tenant \(tenant)", "--profile okta --audience a",
            "--profile auth0 --domain t.example",
            "--profile keycloak --url https://s.example --audience a",
            "--profile cognito --region eu --user-pool p", "--profile cognito --client-id c",
            "--profile supabase", "--profile spring --issuer https://i.example",
            "--profile clerk --issuer https://i.example", "--profile workos",
            "--profile workos --client-id a --client-id b", "--profile github-actions --audience a",
            "--profile github-actions --owner-id 1",
            "--profile kubernetes --issuer https://i.example",
            "--profile issuer --issuer https://i.example", "--profile issuer --audience a",
            "--profile issuer --issuer https://i.example --audience a --any-audience",
            "--profile clerk --issuer https://i.example --origin https://a.example --audience a",
            "--profile auth0 --domain t.example --audience a --realm r",
            "--profile auth0 --domain t.example --audience a --any-audience",
            "--profile auth0 --domain t.example --audience a --secret-text \(CommandFolder.nowhere)/s",
            "--profile auth0 --domain t.example --audience a --refuse x",
            "--profile auth0 --domain t.example --audience a --require-grant --grants-optional",
            "--profile issuer --issuer https://i.example --audience a --secret-text \(CommandFolder.nowhere)/s "
                + "--keys-url https://k.example",
            "--profile issuer --issuer https://i.example --audience a --algorithm HS256",
        ])
    func usage(_ options: String) {
        let outcome = CommandFolder.inProcess(
            "accesstoken verify \(options) --token \(CommandFolder.nowhere)/token")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
    }

    @Test(
        "Malformed option values are usage errors",
        arguments: [
            ("--profile auth0 --domain https://a.example --audience a", "invalidIdentifier"),
            ("--profile kubernetes --issuer http://a.example --audience a", "invalidURL"),
            ("--profile auth0 --domain a.example --audience a --leeway 301", "outOfRange"),
        ])
    func values(_ options: String, _ code: String) throws {
        let outcome = verify(try folder(Self.auth0), options)
        #expect(outcome.failed(2, code), "\(outcome)")
    }

    @Test("The token comes from standard input, the secret from a descriptor", .tags(.commandLine))
    func streams() throws {
        let folder = try folder(Self.auth0)
        let line = "\"$SIGNET\" accesstoken verify --at 1700000100"
        #expect(try folder.bash("\(line) \(Self.auth0Options) --jwks jwks.json < token").isGood)
        #expect(try folder.bash("\(line) \(Self.auth0Options) --jwks - < token").failed(2, "usage"))
        try folder.makeSecret("correct horse battery staple, and more words up to 48", "HS256")
        let claims = Self.claims("https://i.example", #""aud":"a""#)
        let token = try folder.signet("jws sign --key key.json --type JWT", input: claims)
        try folder.write("token", token.text)
        let own = "\(line) --profile issuer --issuer https://i.example --audience a"
        let good = try folder.bash(
            "\(own) --algorithm HS256 --secret-text /dev/fd/3 3< secret < token")
        #expect(good.status == 0, "\(good)")
        #expect(
            try folder.bash("\(own) --algorithm HS256 --secret-text - < token").failed(2, "usage"))
    }
}
