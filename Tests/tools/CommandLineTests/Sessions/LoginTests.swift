// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

private let isHere = Program.python != nil || Program.isRequired

@Suite("signet login", .enabled(if: isHere, "python3 is not here"))
struct LoginTests {
    @Test("A browser sign-in gives a token, leaves none readable on disk, and signs out")
    func browser() async throws {
        let fixture = try await LoginFixture()
        let login = try fixture.run(
            "DISPLAY=:0 \"$SIGNET\" login --issuer $ISSUER $CLIENT --json 2> errors")
        let errors = try fixture.folder.text("errors")
        #expect(login.status == 0, "\(login) \(errors)")
        #expect(try login.json["user"]?.text == "jane@shop.example")
        #expect(try login.json["account"]?.text == "default")
        #expect(try login.json["subject"]?.text == "user-1093")
        #expect(try fixture.folder.text("page").contains("return to the program"))
        let token = try fixture.run("\"$SIGNET\" token")
        #expect(token.isGood && token.line.utf8.count == 32 && token.text == token.line + "\n")
        #expect(try fixture.run("\"$SIGNET\" token").text == token.text, "it is good for an hour")
        let who = try fixture.run("\"$SIGNET\" whoami --json")
        #expect(
            try who.json.names == ["account", "expires", "issuer", "subject", "user"], "\(who)")
        #expect(try who.json["issuer"]?.text == fixture.issuer)
        let shown = try fixture.run("\"$SIGNET\" whoami")
        #expect(shown.isGood && shown.text.contains("user         jane@shop.example\n"), "\(shown)")

        let files = try fixture.run(
            "cd home && find . -type f | sort && stat -c %a $(find . -type f)")
        #expect(
            files.text.contains("./.local/share/signet/sessions.signet\n")
                && files.text.contains("./.local/state/signet/sessions.key\n"), "\(files)")
        #expect(!files.text.contains("\n64"), "all are the owner's alone")
        for word in [token.line, "jane@shop.example", "user-1093"] {
            #expect(try fixture.run("grep -rF -e '\(word)' home").status == 1)
        }

        let out = try fixture.run("\"$SIGNET\" logout")
        #expect(out.isGood && out.output.isEmpty, "\(out)")
        #expect(try fixture.facts()["revocations"] == 1 && fixture.facts()["families"] == 0)
        for command in ["token", "whoami", "logout"] {
            let gone = try fixture.run("\"$SIGNET\" \(command)")
            #expect(
                gone.failed(4, "signedOut") && gone.errors.contains("signet login\n"), "\(gone)")
        }
        // The server is known by now.
        #expect(try fixture.run("DISPLAY=:0 \"$SIGNET\" login 2> errors").status == 0)
        #expect(
            try fixture.run("\"$SIGNET\" login").failed(1, "signedIn"), "a session is not replaced")
        #expect(try fixture.facts()["logins"] == 2 && fixture.facts()["reuses"] == 0)
    }

    @Test(
        "Without a browser the user enters a code on another device, polled at the server's pace",
        .tags(.commandLine))
    func device() async throws {
        let fixture = try await LoginFixture()
        try fixture.behave("device=slow")
        let login = try fixture.run(
            """
            "$SIGNET" login --issuer $ISSUER $CLIENT 2> errors > output & login=$!
            until grep -q 'enter the code' errors; do sleep 0.1; done
            code=$(sed -n 's/.*enter the code //p' errors)
            \(LoginFixture.fetch) "$ISSUER/device?user_code=$code" && wait $login
            """)
        let errors = try fixture.folder.text("errors")
        #expect(login.status == 0, "\(login) \(errors)")
        #expect(
            try fixture.folder.text("output")
                == "signed in as jane@shop.example (\(fixture.issuer))\n")
        #expect(
            try fixture.folder.text("errors").contains(
                "on any device go to \(fixture.issuer)/device"))
        #expect(try fixture.run("\"$SIGNET\" token").isGood && fixture.facts()["polls"] ?? 0 >= 2)

        try fixture.behave("device=deny")
        let denied = try fixture.run(
            "\"$SIGNET\" login --account other --device --issuer $ISSUER $CLIENT")
        #expect(denied.status == 1 && denied.output.isEmpty, "\(denied)")
        #expect(
            denied.errors.contains("Sign in failed. Please try again.")
                && denied.errors.contains("(access_denied) [refused]"), "\(denied)")
        #expect(try fixture.run("\"$SIGNET\" token --account other").failed(4, "signedOut"))

        // The code, good for 600 s, is not entered.
        try fixture.behave("device=")
        let late = try fixture.run(
            "\"$SIGNET\" login --account other --device --timeout 2 --issuer $ISSUER $CLIENT")
        #expect(late.failed(1, "expired"), "\(late)")
    }

    @Test("--no-browser prints the address and gives up after the timeout")
    func noBrowser() async throws {
        let fixture = try await LoginFixture()
        let login = try fixture.run(
            """
            "$SIGNET" login --no-browser --issuer $ISSUER $CLIENT 2> errors > output & login=$!
            until grep -q '^http' errors; do sleep 0.1; done
            xdg-open "$(grep '^http' errors)" && wait $login
            """)
        let errors = try fixture.folder.text("errors")
        #expect(login.status == 0, "\(login) \(errors)")
        #expect(try fixture.run("\"$SIGNET\" whoami").isGood)
        let late = try fixture.run(
            "\"$SIGNET\" login --account b --no-browser --timeout 1 --issuer $ISSUER $CLIENT")
        #expect(late.status == 1 && late.errors.contains("[expired]"), "\(late)")
    }

    @Test("Each account has its own session", .tags(.commandLine))
    func accounts() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        try fixture.signIn("--account 'my work'")
        let tokens = try ["", "--account 'my work'"].map {
            try fixture.run("\"$SIGNET\" token \($0)").line
        }
        #expect(Set(tokens).count == 2 && !tokens.contains(""))
        let out = try fixture.run("\"$SIGNET\" logout --account 'my work'")
        #expect(out.isGood, "\(out)")
        let gone = try fixture.run("\"$SIGNET\" token --account 'my work'")
        #expect(
            gone.failed(4, "signedOut")
                && gone.errors.contains("signet login --account 'my work'"), "\(gone)")
        #expect(try fixture.run("\"$SIGNET\" token").line == tokens[0])
        let list = try fixture.run("\"$SIGNET\" account list")
        #expect(
            list.isGood && list.text.contains("signed in") && list.text.contains("signed out"),
            "\(list)")
        #expect(try fixture.run("\"$SIGNET\" logout --account 'my work' --forget").isGood)
        let rest = try fixture.run("\"$SIGNET\" account list --json")
        #expect(
            rest.line
                == "{\"accounts\":[{\"account\":\"default\",\"issuer\":\"\(fixture.issuer)\","
                + "\"signedIn\":true,\"user\":\"jane@shop.example\"}]}", "\(rest)")
        #expect(try fixture.run("\"$SIGNET\" token --account ''").failed(2, "usage"))
    }

    @Test("A client secret is sent and sealed; a readable file of it gives a warning")
    func clientSecret() async throws {
        let fixture = try await LoginFixture()
        try fixture.folder.write("secret", "s3cret-of-the-client\n", permissions: 0o644)
        let login = try fixture.run(
            "DISPLAY=:0 \"$SIGNET\" login --issuer $ISSUER $CLIENT --client-secret-file secret")
        #expect(login.status == 0 && login.errors.contains("chmod 600 'secret'"), "\(login)")
        #expect(try fixture.run("grep -rF s3cret-of-the-client home").status == 1)
        #expect(try fixture.facts()["secrets"] == 1)
        let absent = try fixture.run(
            "\"$SIGNET\" login --account b --issuer $ISSUER $CLIENT --client-secret-file none")
        #expect(absent.failed(3, "system"), "\(absent)")
        // The metadata names another issuer.
        let other = try fixture.run("\"$SIGNET\" login --account b --issuer $ISSUER/ $CLIENT")
        #expect(other.failed(1, "issuerMismatch"), "\(other)")
        let nobody = try fixture.run(
            "\"$SIGNET\" login --account b --issuer http://127.0.0.1:9 $CLIENT")
        #expect(nobody.status == 3 && !nobody.wasKilled, "\(nobody)")
    }

    @Test("A session that is over makes room for the next sign-in")
    func afterExpiry() async throws {
        let fixture = try await LoginFixture(lifetime: 1)
        try fixture.behave("refresh=none")
        try fixture.signIn()
        let over = try fixture.run(
            "while \"$SIGNET\" token > /dev/null 2>&1; do sleep 0.2; done; \"$SIGNET\" token")
        #expect(over.failed(4, "expired"), "\(over)")
        try fixture.behave("refresh=one")
        try fixture.signIn()
        #expect(try fixture.run("\"$SIGNET\" token").isGood)
    }

    @Test("offline_access is left out where the server does not list it, unless it is named")
    func scopes() async throws {
        let fixture = try await LoginFixture()
        // A server that does not say is asked for it.
        try fixture.behave("refresh=none")
        try fixture.signIn("--account a")
        #expect(try fixture.facts()["offline"] == 1)
        #expect(try fixture.folder.text("errors").contains("no refresh token"))
        #expect(try !fixture.folder.text("errors").contains("left out"))

        try fixture.behave("scopes=openid+email+profile")
        try fixture.signIn("--account b")
        #expect(try fixture.facts()["offline"] == 1)
        let errors = try fixture.folder.text("errors")
        #expect(
            errors.contains("no refresh token: the session ends with its access token, in 3600 s.")
                && errors.contains("--scope email --scope profile --scope offline_access"),
            "\(errors)")
        let code = try fixture.run(
            """
            "$SIGNET" login --account c --device --issuer $ISSUER $CLIENT 2> code & login=$!
            until grep -q 'enter the code' code || ! kill -0 $login; do sleep 0.1; done
            kill $login; grep -q 'enter the code' code
            """)
        #expect(code.status == 0, "\(code)")
        try fixture.behave("refresh=one")
        try fixture.signIn("--account d")
        #expect(try !fixture.folder.text("errors").contains("warning"))

        for way in ["", "--device"] {
            let named = try fixture.run(
                """
                DISPLAY=:0 "$SIGNET" login --account e \(way) --issuer $ISSUER $CLIENT \\
                    --scope offline_access
                """)
            #expect(named.failed(1, "refused"), "\(named)")
            #expect(named.errors.contains("(invalid_scope)"), "\(named)")
        }
        #expect(try fixture.facts()["offline"] == 3)
        // The account asks again as its server says then.
        try fixture.behave("scopes=openid+email+profile+offline_access")
        let again = try fixture.run(
            "\"$SIGNET\" logout --account d; DISPLAY=:0 \"$SIGNET\" login --account d 2> errors")
        #expect(try again.isGood && fixture.facts()["offline"] == 4, "\(again)")
    }

    @Test("--allow-domain keeps a session of the company's people only")
    func allowedDomains() async throws {
        let fixture = try await LoginFixture()
        let login = "DISPLAY=:0 \"$SIGNET\" login --issuer $ISSUER $CLIENT --allow-domain"
        let invitation = "signet: Sign in with your business account\n"
        try fixture.signIn("--account a --allow-domain shop.example")
        #expect(try fixture.folder.text("errors").hasPrefix(invitation))
        #expect(try fixture.run("\"$SIGNET\" token --account a").isGood)
        let wrong = try fixture.run("\(login) gmail.com")
        #expect(wrong.failed(2, "consumerDomain"), "\(wrong)")
        let other = try fixture.run("\(login) company.example --allow-domain '*.shop.example'")
        #expect(other.failed(1, "unauthorizedDomain"), "\(other)")
        #expect(
            other.errors.hasPrefix(invitation) && other.errors.contains("(notAllowed)"),
            "\(other)")
        try fixture.behave("unverified=1")
        let unverified = try fixture.run("\(login) shop.example")
        #expect(
            unverified.status == 1 && unverified.errors.contains("(unverified)"), "\(unverified)")
        #expect(try fixture.run("\"$SIGNET\" token").failed(4, "signedOut"))
        #expect(try fixture.facts()["revocations"] == 2, "the server's half is ended too")
    }

    @Test("A trusted audience lets a token for two pass, and the account keeps it")
    func trustedAudience() async throws {
        let fixture = try await LoginFixture()
        try fixture.behave("audience=project-7")
        let login = "DISPLAY=:0 \"$SIGNET\" login"
        let refused = try fixture.run("\(login) --issuer $ISSUER $CLIENT")
        #expect(refused.failed(1, "audienceUntrusted"), "\(refused)")
        #expect(refused.errors.contains("--trusted-audience NAME"), "\(refused)")
        try fixture.signIn("--trusted-audience other --trusted-audience project-7")
        let again = try fixture.run("\"$SIGNET\" logout; \(login) 2> errors")
        #expect(again.isGood, "\(again)")
        // A known account may get others, without its server being named.
        let others = try fixture.run(
            "\"$SIGNET\" logout; \(login) --trusted-audience project-8")
        #expect(others.failed(1, "audienceUntrusted"), "\(others)")
        try fixture.behave("audience=project-8")
        let other = try fixture.run(
            "\(login) --trusted-audience project-8 2> errors && \"$SIGNET\" token")
        #expect(other.status == 0, "\(other)")
        let settings = try fixture.run(
            """
            "$SIGNET" vault get --service 'signet login' --account default \\
                --vault home/.local/share/signet/sessions.signet \\
                --key-file home/.local/state/signet/sessions.key
            """)
        #expect(settings.text.contains("\"version\":1"), "older programs read it: \(settings)")
    }

    @Test("A name with terminal commands is shown without them")
    func hostileName() async throws {
        let fixture = try await LoginFixture()
        try fixture.behave("email=%E2%80%AE%1B%5B2Jjane@shop.example")
        try fixture.signIn()
        for command in ["whoami", "whoami --json", "account list", "account list --json"] {
            let shown = try fixture.run("\"$SIGNET\" \(command)")
            #expect(shown.isGood && shown.text.contains("jane@shop.example"), "\(shown)")
            #expect(
                !shown.text.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{1b}" },
                "\(command)")
        }
        let refused = try fixture.run("\"$SIGNET\" login")
        #expect(refused.failed(1, "signedIn") && !refused.errors.contains("\u{1b}"))
    }

    @Test("Contradictory options are refused before anything is made or asked")
    func usage() throws {
        for line in [
            "login", "login --issuer https://idp.example", "login --client-id cli",
            "login --issuer https://idp.example --client-id cli --device --redirect-port 7777",
            "login --supabase https://p.example --key k --phone +14155551234 --timeout 9",
            "login --supabase https://p.example --key k --phone +14155551234 --redirect-port 7",
            "login --issuer http://idp.example --client-id cli --timeout 0",
            "login --issuer https://idp.example --client-id cli --device --no-browser",
            "login --issuer https://idp.example --client-id cli --delete-url http://idp.example/",
            "logout --all --others", "logout --others --forget", "account", "token --account=",
            "account delete --url ftp://idp.example/",
        ] {
            let folder = try CommandFolder()
            let outcome = try folder.signet(
                line.split(separator: " ").map(String.init),
                environment: ["HOME": folder.path("home"), "XDG_STATE_HOME": ""])
            #expect(outcome.status == 2 && !outcome.wasKilled, "\(line): \(outcome)")
            #expect(!folder.exists("home"))
        }
    }

    @Test("All options that are missing are named at once")
    func missing() throws {
        let folder = try CommandFolder()
        for (line, message) in [
            (
                "login",
                "This account has no server yet: --issuer and --client-id are needed, or "
                    + "--supabase, --key and one of --phone and --email."
            ),
            ("login --scope email", "--issuer and --client-id are needed here."),
            ("login --issuer https://idp.example", "--client-id is needed here."),
            ("login --email a@b.example", "--supabase and --key are needed here."),
            ("login --key k", "--supabase and --phone or --email are needed here."),
            ("login --supabase https://p.example", "--key and --phone or --email are needed here."),
        ] {
            let outcome = try folder.signet(
                line.split(separator: " ").map(String.init),
                environment: ["HOME": folder.path("home"), "XDG_STATE_HOME": ""])
            #expect(outcome.failed(2, "usage"), "\(line): \(outcome)")
            #expect(outcome.errors.contains(message), "\(line): \(outcome)")
        }
    }

    @Test("What no server can mend is refused before a vault is made or a server asked")
    func impossible() async throws {
        let fixture = try await LoginFixture()
        for wrong in [
            "--algorithm none", "--algorithm HS256", "--algorithm RS256 --algorithm none",
            "--scope 'a b'",
        ] {
            for way in ["--device", "--no-browser"] {
                let outcome = try fixture.run(
                    "\"$SIGNET\" login \(way) --timeout 2 --issuer $ISSUER $CLIENT \(wrong)")
                #expect(outcome.status == 2 && !outcome.wasKilled, "\(way) \(wrong): \(outcome)")
                #expect(!outcome.errors.contains("enter the code"), "\(way) \(wrong): \(outcome)")
            }
        }
        let issuer = try fixture.run("\"$SIGNET\" login --issuer idp.example $CLIENT")
        #expect(issuer.status == 2, "\(issuer)")
        #expect(try fixture.run("find home -type f").text.isEmpty)
    }
}
