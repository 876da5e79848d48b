// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet idtoken verify")
struct IDTokenVerifyTests {
    static let google = """
        {"iss":"https://accounts.google.com","azp":"ios","aud":"web","sub":"110169484474386276334","hd":"corp.example",\
        "email":"alice@corp.example","email_verified":true,"name":"Al\\u202eice","nonce":"n-1","iat":1700000000,"exp":1700003600,\
        "big":123456789012345678901234567890}
        """
    static let options = "--provider google --client-id web --client-id ios --at 1700000100"

    /// A token with these claims, in a file, and the keys that it verifies with.
    private func folder(_ claims: String = google, _ algorithm: String = "RS256") throws
        -> CommandFolder
    {
        let folder = try CommandFolder()
        try folder.makeKeys(algorithm)
        let token = CommandFolder.inProcess(
            ["jws", "sign", "--key", folder.path("key.json"), "--type", "JWT"],
            input: Array(claims.utf8))
        #expect(token.isGood, "\(token)")
        try folder.write("token", token.text)
        return folder
    }

    private func verify(
        _ options: String, claims: String = google, json: Bool = false
    ) throws -> Outcome {
        try folder(claims).signet(
            "idtoken verify \(options) --jwks jwks.json --token token\(json ? " --json" : "")")
    }

    @Test("A good token says who has signed in, and one for another client is refused")
    func goodAndRefused() throws {
        let good = try verify(Self.options)
        #expect(good.isGood && good.text.contains("alice@corp.example"), "\(good)")
        for time in [
            "issued            1700000000 (2023-11-14T22:13:20Z, 100 s ago)\n",
            "expires           1700003600 (2023-11-14T23:13:20Z, in 58 min)\n",
        ] {
            #expect(good.text.contains(time), "\(good)")
        }
        let refused = try verify("--provider google --client-id other --at 1700000100")
        #expect(refused.failed(1, "audienceMissing"), "\(refused)")
    }

    @Test("A file of published keys has at most 1,000 keys, or 100 certificates")
    func manyKeys() throws {
        let folder = try folder()
        func outcome(_ options: String, _ document: String) throws -> Outcome {
            try folder.write("many", document)
            return CommandFolder.inProcess(
                "idtoken verify \(options) --jwks \(folder.path("many")) "
                    + "--token \(folder.path("token"))")
        }
        let keys = { (count: Int) in
            #"{"keys":["# + [String](repeating: "1", count: count).joined(separator: ",") + "]}"
        }
        #expect(try outcome(Self.options, keys(1_000)).errors.contains("left out key 999"))
        #expect(try outcome(Self.options, keys(1_001)).failed(1, "tooLarge"))
        let certificates = { (count: Int) in
            "{" + (0..<count).map { "\"\($0)\":\"\"" }.joined(separator: ",") + "}"
        }
        let firebase = "--provider firebase --project my-project --at 1700000100"
        #expect(try outcome(firebase, certificates(100)).errors.contains("left out key 99"))
        #expect(try outcome(firebase, certificates(101)).failed(1, "tooLarge"))
    }

    @Test("A negative age of the sign-in is a mistake in the line, and zero is not")
    func negativeAge() throws {
        let refused = try verify(Self.options + " --max-auth-age=-1")
        #expect(refused.failed(2, "usage"), "\(refused)")
        #expect(refused.errors.contains("--max-auth-age is -1"), "\(refused)")
        let zero = try verify(Self.options + " --max-auth-age 0")
        #expect(zero.failed(1, "authTooOld"), "\(zero)")
    }

    @Test("A token for another audience too: the error names the option that trusts it")
    func otherAudience() throws {
        let claims = Self.google.replacing("\"aud\":\"web\"", with: "\"aud\":[\"web\",\"p\"]")
        let refused = try verify(Self.options, claims: claims)
        #expect(refused.failed(1, "audienceUntrusted"), "\(refused)")
        #expect(refused.errors.contains("--trusted-audience NAME"), "\(refused)")
        let good = try verify(Self.options + " --trusted-audience p", claims: claims)
        #expect(good.isGood, "\(good)")
    }

    @Test(
        "A wrong algorithm: the error names those that the provider uses, not the token's"
    )
    func otherAlgorithm() throws {
        let folder = try folder()
        try folder.write("token", try self.folder(Self.google, "ES256").read("token"))
        let outcome = try folder.signet(
            "idtoken verify \(Self.options) --jwks jwks.json --token token")
        #expect(outcome.failed(1, "algMismatch"), "\(outcome)")
        #expect(outcome.errors.contains("Expected: RS256.") && !outcome.errors.contains("ES256"))
    }

    @Test("A good token prints who the user is, as text and as JSON", .tags(.commandLine))
    func good() throws {
        let plain = try verify(Self.options)
        #expect(plain.isGood, "\(plain)")
        let lines = plain.text.split(separator: "\n").map(String.init)
        #expect(
            lines.contains("user              https://accounts.google.com 110169484474386276334"),
            "\(plain)")
        #expect(lines.contains("e-mail            alice@corp.example (organization corp.example)"))
        #expect(plain.text.contains("Al\u{fffd}ice") && !plain.text.contains("\u{202e}"))
        let outcome = try verify(Self.options, json: true)
        let json = try outcome.json
        #expect(
            outcome.isGood && json.names == ["claims", "identity", "valid"]
                && json["valid"] == .bool(true))
        let identity = try #require(json["identity"])
        #expect(identity["user"]?["subject"]?.text == "110169484474386276334")
        #expect(identity["user"]?["issuer"]?.text == "https://accounts.google.com")
        #expect(
            identity["email"]?.text == "alice@corp.example"
                && identity["authorizedParty"]?.text == "ios")
        #expect(identity["emailEvidence"]?.text == "organization corp.example")
        #expect(
            identity["isPrivateRelay"] == .bool(false)
                && identity["issuedAt"] == .integer(1_700_000_000))
        #expect(outcome.text.contains("123456789012345678901234567890"))
    }

    @Test("The token comes from standard input, the keys from a descriptor", .tags(.commandLine))
    func streams() throws {
        let folder = try folder()
        let line = "\"$SIGNET\" idtoken verify \(Self.options) --jwks"
        #expect(try folder.bash("\(line) jwks.json < token").isGood)
        #expect(try folder.bash("\(line) /dev/fd/3 3< jwks.json < token").isGood)
        #expect(try folder.bash("\(line) jwks.json --nonce-file <(echo n-1) < token").isGood)
        #expect(try folder.bash("\(line) - < token").failed(2, "usage"))
        #expect(try folder.bash("\(line) jwks.json < /dev/null").failed(1, "malformed"))
        #expect(
            try folder.bash("yes eyJ | tr -d '\\n' | \(line) jwks.json 2>&1 | tail -n 2").text
                .contains(
                    "[tooLarge]"))
        #expect(
            try folder.bash("\(line) jwks.json eyJhbGciOiJub25lIn0.e30.secretsecret").errors
                .contains(
                    "secretsecret") == false)
    }

    @Test(
        "A refused token prints the reason and nothing of the token", .tags(.commandLine),
        arguments: [
            ("--provider google --client-id other --at 1700000100", "audienceMissing", "aud"),
            ("--provider google --client-id web --at 1700000100", "azp", "azp"),
            ("--provider apple --client-id web --at 1700000100", "issuer", "iss"),
            (options + " --hosted-domain other.example", "hostedDomain", "hd"),
            ("--provider google --client-id web --client-id ios", "expired", "exp"),
            ("--provider google --client-id web --client-id ios --at 1700003630", "expired", "exp"),
            (
                "--provider google --client-id web --client-id ios --at 1699999969",
                "issuedInFuture", "iat"
            ),
            (options + " --max-age 60", "tooOld", "iat"),
            (options + " --max-auth-age 60", "authTooOld", "auth_time"),
            (options + " --acr gold", "acr", "acr"),
            (options + " --nonce-file key.json", "nonceMismatch", "nonce"),
            (options + " --access-token-file key.json", "atHash", "at_hash"),
            (options + " --code-file key.json", "cHash", "c_hash"),
        ])
    func refused(_ options: String, _ code: String, _ claim: String) throws {
        let plain = try verify(options)
        #expect(plain.failed(1, code), "\(plain)")
        #expect(
            !plain.errors.contains("eyJ") && !plain.errors.contains("alice")
                && !plain.errors.contains("11016948"))
        let json = try verify(options, json: true).json
        #expect(json["valid"] == .bool(false) && json["error"]?["code"]?.text == code)
        #expect(json["error"]?["claim"]?.text == claim && json["exitStatus"] == .integer(1))
    }

    @Test(
        "A verified address can be required, and an authorized party named",
        .tags(.commandLine)
    )
    func rules() throws {
        let unverified = Self.google.replacingOccurrences(
            of: "\"email_verified\":true", with: "\"email_verified\":false")
        #expect(try verify(Self.options + " --require-verified-email").isGood)
        #expect(
            try verify(Self.options + " --require-verified-email", claims: unverified).failed(
                1, "emailUnverified"))
        #expect(
            try verify("--provider google --client-id web --authorized-party ios --at 1700000100")
                .isGood)
        #expect(try verify(Self.options + " --hosted-domain corp.example").isGood)
    }

    private static func token(
        _ issuer: String, _ more: String = "", audience: String = #""c""#
    ) -> String {
        let members = [
            "\"iss\":\"\(issuer)\"", "\"aud\":\(audience)", #""sub":"u""#, more,
            #""iat":1700000000,"exp":1700000600"#,
        ]
        return "{\(members.filter { !$0.isEmpty }.joined(separator: ","))}"
    }

    @Test(
        "Each other provider's token verifies", .tags(.commandLine),
        arguments: [
            (
                "--provider apple --client-id eg.Kinnect --nonce-file nonce --nonce-sha256",
                "RS256",
                #"{"iss":"https://appleid.apple.com","aud":"eg.Kinnect","sub":"1.a","nonce":"1b16b1df538ba12dc3f97edbb85caa7050d46c148134290feba80f8236c83db9","email":"a@privaterelay.appleid.com","email_verified":"true","iat":1700000000,"exp":1700000600}"#
            ),
            (
                "--provider entra --tenant 72f988bf-86f1-41af-91ab-2d7cd011db47 --client-id c",
                "RS256",
                #"{"iss":"https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0","tid":"72f988bf-86f1-41af-91ab-2d7cd011db47","oid":"00000000-0000-0000-66f3-3332eca7ea81","aud":"c","sub":"s","iat":1700000000,"exp":1700000600}"#
            ),
            (
                "--provider entra --tenant organizations --client-id c", "RS256",
                #"{"iss":"https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0","tid":"72f988bf-86f1-41af-91ab-2d7cd011db47","oid":"00000000-0000-0000-66f3-3332eca7ea81","aud":"c","sub":"s","iat":1700000000,"exp":1700000600}"#
            ),
            (
                "--provider supabase --project abc", "ES256",
                #"{"iss":"https://abc.supabase.co/auth/v1","aud":"authenticated","sub":"8d1f9a51-6c1e-4f9e-9f1a-2f6a3c1b7e55","iat":1700000000,"exp":1700000600}"#
            ),
            (
                "--provider supabase --url http://127.0.0.1:54321", "ES256",
                #"{"iss":"http://127.0.0.1:54321/auth/v1","aud":"authenticated","sub":"8d1f9a51-6c1e-4f9e-9f1a-2f6a3c1b7e55","iat":1700000000,"exp":1700000600}"#
            ),
            (
                "--provider firebase --project my-project", "RS256",
                #"{"iss":"https://securetoken.google.com/my-project","aud":"my-project","sub":"u","auth_time":1700000000,"iat":1700000000,"exp":1700000600}"#
            ),
            (
                "--provider auth0 --domain tenant.example --client-id c", "RS256",
                #"{"iss":"https://tenant.example/","aud":"c","sub":"auth0|1","iat":1700000000,"exp":1700000600}"#
            ),
            (
                "--provider oidc --issuer https://idp.example --client-id c --algorithm ES384 --algorithm Ed25519",
                "Ed25519",
                #"{"iss":"https://idp.example","aud":"c","sub":"u","iat":1700000000,"exp":1700000600}"#
            ),
            (
                "--provider okta --domain t.okta.example --client-id c", "RS256",
                token("https://t.okta.example")
            ),
            (
                "--provider okta --domain t.okta.example --authorization-server default --client-id c",
                "RS256",
                token("https://t.okta.example/oauth2/default")
            ),
            (
                "--provider keycloak --url https://sso.example --realm r --client-id c", "RS256",
                token("https://sso.example/realms/r", #""typ":"ID""#)
            ),
            (
                "--provider authentik --url https://sso.example --application a --client-id c",
                "RS256",
                token("https://sso.example/application/o/a/")
            ),
            (
                "--provider cognito --region eu-west-1 --user-pool eu-west-1_A --client-id c",
                "RS256",
                token(
                    "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_A", #""token_use":"id""#)
            ),
            (
                "--provider azure-b2c --tenant-name t --tenant 72f988bf-86f1-41af-91ab-2d7cd011db47 --policy p --client-id c",
                "RS256",
                token(
                    "https://t.b2clogin.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0/",
                    #""tfp":"p""#)
            ),
            (
                "--provider entra --cloud us-government --tenant 72f988bf-86f1-41af-91ab-2d7cd011db47 --client-id c",
                "RS256",
                token(
                    "https://login.microsoftonline.us/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0",
                    #""tid":"72f988bf-86f1-41af-91ab-2d7cd011db47","oid":"00000000-0000-0000-66f3-3332eca7ea81""#
                )
            ),
            (
                "--provider entra-external --tenant 72f988bf-86f1-41af-91ab-2d7cd011db47 --client-id c",
                "RS256",
                token(
                    "https://72f988bf-86f1-41af-91ab-2d7cd011db47.ciamlogin.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0",
                    #""tid":"72f988bf-86f1-41af-91ab-2d7cd011db47","oid":"00000000-0000-0000-66f3-3332eca7ea81""#
                )
            ),
            (
                "--provider azure-b2c --tenant-name t --tenant 72f988bf-86f1-41af-91ab-2d7cd011db47 --policy p --policy-claim acr --client-id c",
                "RS256",
                token(
                    "https://t.b2clogin.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0/",
                    #""acr":"p""#)
            ),
            (
                "--provider okta --domain t.okta.example --client-id c --require-azp --authorized-party d "
                    + "--require-claim x --max-lifetime 600", "RS256",
                token("https://t.okta.example", #""azp":"d","x":1"#)
            ),
            (
                "--provider okta --domain t.okta.example --client-id c --authoritative-domain a.example "
                    + "--require-verified-email", "RS256",
                token("https://t.okta.example", #""email":"alice@a.example""#)
            ),
            (
                "--provider oidc --issuer https://idp.example --client-id c --keys-url https://k.example/k",
                "RS256", token("https://idp.example")
            ),
            (
                "--provider line --client-id c", "ES256",
                token("https://access.line.me")
            ),
            (
                "--provider linkedin --client-id c --require-verified-email", "RS256",
                token(
                    "https://www.linkedin.com/oauth",
                    #""email":"a@b.example","email_verified":"true""#)
            ),
            (
                "--provider twitch --client-id c", "RS256",
                token("https://id.twitch.tv/oauth2")
            ),
            (
                "--provider slack --client-id c", "RS256",
                token("https://slack.com", #""nonce":"""#)
            ),
            (
                "--provider discord --client-id c --unsolicited-nonce", "RS256",
                token("https://discord.com", #""nonce":"n""#)
            ),
            (
                "--provider facebook --client-id c --accept x=1 --accept x=2", "RS256",
                token("https://www.facebook.com", #""x":"2""#)
            ),
            (
                "--provider discord --client-id c --accept x=a=b", "RS256",
                token("https://discord.com", #""x":"a=b""#)
            ),
            (
                "--provider twitch --client-id c --trusted-audience d --azp-optional", "RS256",
                token("https://id.twitch.tv/oauth2", audience: #"["c","d"]"#)
            ),
        ])
    func providers(_ options: String, _ algorithm: String, _ claims: String) throws {
        let folder = try folder(claims, algorithm)
        try folder.write("nonce", "n\n")
        let good = try folder.signet(
            "idtoken verify \(options) --jwks jwks.json --token token --at 1700000100 --json")
        #expect(try good.isGood && good.json["valid"] == .bool(true), "\(good)")
        // With keys of someone else.
        try folder.write("key.json", folder.signet("jwk generate --algorithm \(algorithm)").output)
        try folder.write("jwks.json", folder.signet("jwk public --key key.json").output)
        let foreign = try folder.signet(
            "idtoken verify \(options) --jwks jwks.json --token token --at 1700000100")
        #expect(foreign.failed(1, "unknownKid"), "\(foreign)")
    }

    static let tenants = [
        "72f988bf-86f1-41af-91ab-2d7cd011db47", "11111111-2222-3333-4444-555555555555",
    ]

    @Test("Each of several Entra tenants has its own domains")
    func domainsOfTenants() throws {
        let line =
            "--provider entra --tenant \(Self.tenants[0]) --tenant \(Self.tenants[1]) --client-id c "
            + "--require-verified-email --at 1700000100 --authoritative-domain \(Self.tenants[0])=a.example "
            + "--authoritative-domain \(Self.tenants[0])=b.example"
        for (tenant, code) in zip(Self.tenants, [nil, "emailUnverified"]) {
            let claims = Self.token(
                "https://login.microsoftonline.com/\(tenant)/v2.0",
                #""tid":"\#(tenant)","oid":"00000000-0000-0000-66f3-3332eca7ea81","email":"x@b.example""#
            )
            let outcome = try inProcess(folder(claims), line)
            #expect(code.map { outcome.failed(1, $0) } ?? outcome.isGood, "\(outcome)")
        }
    }

    private func inProcess(_ folder: CommandFolder, _ options: String, keys: String = "--jwks")
        -> Outcome
    {
        let file = keys == "--jwks" ? "jwks.json" : "secret"
        return CommandFolder.inProcess(
            "idtoken verify \(options) \(keys) \(folder.path(file)) --token \(folder.path("token"))"
        )
    }

    @Test(
        "Tokens signed with a secret verify with the secret's file",
        arguments: [
            ("--provider line --client-id c", "HS256", token("https://access.line.me")),
            (
                "--provider supabase --project abc", "HS256",
                token("https://abc.supabase.co/auth/v1", audience: #""authenticated""#)
            ),
            (
                "--provider supabase --url http://127.0.0.1:54321", "HS256",
                token("http://127.0.0.1:54321/auth/v1", audience: #""authenticated""#)
            ),
            (
                "--provider oidc --issuer https://i.example --client-id c --algorithm HS256",
                "HS256", token("https://i.example")
            ),
            (
                "--provider oidc --issuer https://i.example --client-id c --algorithm HS512",
                "HS512",
                token("https://i.example")
            ),
        ])
    func secrets(_ options: String, _ algorithm: String, _ claims: String) throws {
        let secret = "a secret that is long enough for any of these algorithms: 64 bytes"
        let folder = try CommandFolder()
        try folder.makeSecret(secret, algorithm)
        let claims = claims.replacing(
            #""sub":"u""#, with: #""sub":"8d1f9a51-6c1e-4f9e-9f1a-2f6a3c1b7e55""#)
        let token = CommandFolder.inProcess(
            ["jws", "sign", "--key", folder.path("key.json"), "--type", "JWT"],
            input: Array(claims.utf8))
        try folder.write("token", token.text)
        let line = options + " --at 1700000100"
        let good = inProcess(folder, line, keys: "--secret-text")
        #expect(good.status == 0, "\(good)")
        // One final line end is dropped and said; everything else belongs to the secret.
        #expect(good.errors.contains("line end after the secret"), "\(good)")
        try folder.write("secret", secret + "\n\n")
        #expect(inProcess(folder, line, keys: "--secret-text").failed(1, "badSignature"))
        try folder.write("secret", Base64URL.encode(secret.utf8))
        let encoded = inProcess(folder, line, keys: "--secret-base64url")
        #expect(encoded.isGood, "\(encoded)")
        try folder.write("secret", secret)
        // Never beside published keys, nor twice.
        for more in [
            "--jwks \(folder.path("key.json"))", "--secret-base64url \(folder.path("secret"))",
        ] {
            #expect(
                inProcess(folder, "\(line) \(more)", keys: "--secret-text").failed(2, "usage"))
        }
        try folder.write("secret", String(secret.reversed()))
        let forged = inProcess(folder, line, keys: "--secret-text")
        #expect(forged.failed(1, "badSignature"), "\(forged)")
        try folder.write("secret", "short")
        let short = inProcess(folder, line, keys: "--secret-text")
        #expect(
            short.failed(1, "keyTooShort") && short.output.isEmpty
                && short.errors.contains("signet jwk generate --algorithm \(algorithm)"),
            "\(short)")
        try folder.write("secret", TestPublicPEM.rsa)
        let key = inProcess(folder, line, keys: "--secret-text")
        #expect(key.failed(1, "notASecret") && key.errors.contains("--jwks FILE"), "\(key)")
        try folder.write("secret", secret, permissions: 0o644)
        #expect(
            inProcess(folder, line, keys: "--secret-text").errors.contains("other users can read"))
        #expect(
            CommandFolder.inProcess(
                "idtoken verify \(line) --secret-text \(CommandFolder.nowhere)/s"
            ).failed(
                3, "system"))
    }

    @Test("A token without the kid that its issuer always writes is not blamed on old keys")
    func noKeyID() throws {
        let folder = try folder(Self.token("https://accounts.google.com"))
        let header = Base64URL.encode(Array(#"{"alg":"RS256","typ":"JWT"}"#.utf8))
        try folder.write("token", "\(header).e30.AAAA")
        let outcome = inProcess(folder, "--provider google --client-id c --at 1700000100")
        #expect(outcome.failed(1, "unknownKid"), "\(outcome)")
        #expect(outcome.errors.contains("is it this issuer's?"), "\(outcome)")
        #expect(!outcome.errors.contains("newest"), "\(outcome)")
    }

    @Test("A secret's algorithm is never assumed")
    func secretAlgorithm() {
        let line =
            "--provider oidc --issuer https://i.example --client-id c "
            + "--secret-text \(CommandFolder.nowhere)/s --token \(CommandFolder.nowhere)/t"
        let outcome = CommandFolder.inProcess("idtoken verify \(line)")
        #expect(
            outcome.failed(2, "usage") && outcome.errors.contains("--algorithm HS256"),
            "\(outcome)")
        let two = CommandFolder.inProcess(
            "idtoken verify \(line) --algorithm HS256 --algorithm HS512")
        #expect(two.failed(2, "usage"), "\(two)")
    }

    @Test("An accepted value that begins with a combining mark is compared like any other")
    func acceptedMark() throws {
        let claims =
            Self.token("https://discord.com", #""x":"a""#)
        let outcome = try folder(claims, "RS256").signet(
            "idtoken verify --provider discord --client-id c --accept x=\u{338}a --jwks jwks.json --token token --at 1700000100"
        )
        #expect(outcome.failed(1, "valueNotAccepted"), "\(outcome)")
    }

    @Test(
        "A command line must say what to check",
        arguments: [
            "", "--provider google", "--provider oidc --client-id c",
            "--provider google --client-id c --tenant anyone",
            "--provider oidc --issuer https://a.example --client-id c --algorithm none",
            "--provider google --client-id c --secret-text \(CommandFolder.nowhere)/s",
            "--provider google --client-id c --policy-claim acr",
            "--provider entra-external --client-id c",
            "--provider google --client-id c --require-azp --azp-optional",
            "--provider oidc --issuer https://a.example --client-id c --keys-url https://k.example "
                + "--secret-text \(CommandFolder.nowhere)/s",
            "--provider oidc --issuer https://a.example --client-id c --algorithm RS256 "
                + "--secret-text \(CommandFolder.nowhere)/s",
        ])
    func usage(_ options: String) { expectUsage(options) }

    @Test(
        "Every command line that leaves open what to check is a usage error", .tags(.commandLine),
        arguments: [
            "", "--provider nobody", "--provider google", "--provider entra --client-id c",
            "--provider supabase",
            "--provider firebase", "--provider auth0 --client-id c",
            "--provider oidc --client-id c",
            "--provider oidc --issuer https://a.example",
            "--provider firebase --project p --client-id c",
            "--provider google --client-id c --issuer https://a.example",
            "--provider google --client-id c --tenant anyone",
            "--provider apple --client-id c --hosted-domain a.example",
            "--provider supabase --project abc --url https://a.example",
            "--provider oidc --issuer https://a.example --client-id c --algorithm HS256",
            "--provider okta --client-id c", "--provider okta --domain t.example",
            "--provider keycloak --url https://a.example --client-id c",
            "--provider keycloak --realm r --client-id c",
            "--provider cognito --region eu --client-id c",
            "--provider azure-b2c --tenant-name t --policy p --client-id c",
            "--provider twitch --client-id c --realm r", "--provider line",
            "--provider google --client-id c --cloud china",
            "--provider google --client-id c --accept x",
            "--provider google --client-id c --accept =x",
            "--provider oidc --issuer https://a.example --client-id c --algorithm none",
        ])
    func everyUsage(_ options: String) { expectUsage(options) }

    @Test("A digest of the nonce needs the nonce", .tags(.commandLine))
    func nonceDigest() throws {
        let outcome = try verify("--provider google --client-id c --nonce-sha256")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
    }

    private func expectUsage(_ options: String) {
        let outcome = CommandFolder.inProcess(
            "idtoken verify \(options) --jwks \(CommandFolder.nowhere)/jwks.json", input: "a.b.c")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
    }

    @Test("An issuer without TLS and a leeway that is too long are usage mistakes")
    func wrongValues() throws {
        try expectMistake("--provider oidc --issuer http://a.example --client-id c", "invalidURL")
        try expectMistake("--provider google --client-id c --leeway 301", "outOfRange")
    }

    @Test(
        "Malformed option values are usage errors", .tags(.commandLine),
        arguments: [
            ("--provider google --client-id é", "invalidIdentifier"),
            ("--provider entra --tenant common --client-id c", "invalidIdentifier"),
            ("--provider oidc --issuer http://a.example --client-id c", "invalidURL"),
            ("--provider supabase --url ftp://a.example", "invalidURL"),
            ("--provider supabase --project a/b", "invalidIdentifier"),
            ("--provider auth0 --domain https://a.example --client-id c", "invalidIdentifier"),
            ("--provider google --client-id c --leeway 301", "outOfRange"),
            ("--provider google --client-id c --max-age 0", "outOfRange"),
        ])
    func values(_ options: String, _ code: String) throws { try expectMistake(options, code) }

    private func expectMistake(_ options: String, _ code: String) throws {
        let folder = try folder(Self.google, "ES256")
        let outcome = CommandFolder.inProcess(
            "idtoken verify \(options) --jwks \(folder.path("jwks.json")) --token \(folder.path("token"))"
        )
        #expect(outcome.failed(2, code), "\(outcome)")
    }

    @Test("Absent, malformed and unreachable keys have three codes", .tags(.commandLine))
    func keys() throws {
        let folder = try folder()
        let line = "idtoken verify \(Self.options) --token token"
        #expect(try folder.signet("\(line) --jwks absent.json").failed(3, "system"))
        try folder.write("bad.json", "{\"keys\":7}")
        #expect(try folder.signet("\(line) --jwks bad.json").failed(1, "malformed"))
        try folder.write("empty.json", "{\"keys\":[]}")
        #expect(try folder.signet("\(line) --jwks empty.json").failed(1, "unknownKid"))
        // Nothing listens on this machine's port 1.
        let outcome = try folder.signet(
            "idtoken verify --provider oidc --issuer http://127.0.0.1:1 --client-id c --token token --json"
        )
        #expect(
            try outcome.status == 3
                && outcome.json["error"]?["code"]?.text == "keySourceUnavailable",
            "\(outcome)")
        #expect(try outcome.json["valid"] == .bool(false))
        // What is no token is refused without asking anybody.
        try folder.write("token", "a.b.c")
        #expect(
            try folder.signet(
                "idtoken verify --provider oidc --issuer http://127.0.0.1:1 --client-id c --token token"
            ).failed(1, "malformed"))
    }
}
