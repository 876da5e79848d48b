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
        let desk = try await LoginDesk()
        let login = try desk.run(
            "DISPLAY=:0 \"$SIGNET\" login --issuer $ISSUER $CLIENT --json 2> errors")
        let errors = try desk.desk.text("errors")
        #expect(login.status == 0, "\(login) \(errors)")
        #expect(try login.json["user"]?.text == "jane@shop.example")
        #expect(try login.json["account"]?.text == "default")
        #expect(try login.json["subject"]?.text == "user-1093")
        #expect(try desk.desk.text("page").contains("return to the program"))
        let token = try desk.run("\"$SIGNET\" token")
        #expect(token.isGood && token.line.utf8.count == 32 && token.text == token.line + "\n")
        #expect(try desk.run("\"$SIGNET\" token").text == token.text, "it is good for an hour")
        let who = try desk.run("\"$SIGNET\" whoami --json")
        #expect(
            try who.json.names == ["account", "expires", "issuer", "subject", "user"], "\(who)")
        #expect(try who.json["issuer"]?.text == desk.issuer)
        let shown = try desk.run("\"$SIGNET\" whoami")
        #expect(shown.isGood && shown.text.contains("user         jane@shop.example\n"), "\(shown)")

        let files = try desk.run("cd home && find . -type f | sort && stat -c %a $(find . -type f)")
        #expect(
            files.text.contains("./.local/share/signet/sessions.signet\n")
                && files.text.contains("./.local/state/signet/sessions.key\n"), "\(files)")
        #expect(!files.text.contains("\n64"), "all are the owner's alone")
        for word in [token.line, "jane@shop.example", "user-1093"] {
            #expect(try desk.run("grep -rF -e '\(word)' home").status == 1)
        }

        let out = try desk.run("\"$SIGNET\" logout")
        #expect(out.isGood && out.output.isEmpty, "\(out)")
        #expect(try desk.facts()["revocations"] == 1 && desk.facts()["families"] == 0)
        for command in ["token", "whoami", "logout"] {
            let gone = try desk.run("\"$SIGNET\" \(command)")
            #expect(
                gone.failed(4, "signedOut") && gone.errors.contains("signet login\n"), "\(gone)")
        }
        // The server is known by now.
        #expect(try desk.run("DISPLAY=:0 \"$SIGNET\" login 2> errors").status == 0)
        #expect(
            try desk.run("\"$SIGNET\" login").failed(1, "signedIn"), "a session is not replaced")
        #expect(try desk.facts()["logins"] == 2 && desk.facts()["reuses"] == 0)
    }

    @Test(
        "Without a browser the user enters a code on another device, polled at the server's pace",
        .tags(.commandLine))
    func device() async throws {
        let desk = try await LoginDesk()
        try desk.behave("device=slow")
        let login = try desk.run(
            """
            "$SIGNET" login --issuer $ISSUER $CLIENT 2> errors > output & login=$!
            until grep -q 'enter the code' errors; do sleep 0.1; done
            code=$(sed -n 's/.*enter the code //p' errors)
            \(LoginDesk.fetch) "$ISSUER/device?user_code=$code" && wait $login
            """)
        let errors = try desk.desk.text("errors")
        #expect(login.status == 0, "\(login) \(errors)")
        #expect(
            try desk.desk.text("output") == "signed in as jane@shop.example (\(desk.issuer))\n")
        #expect(try desk.desk.text("errors").contains("on any device go to \(desk.issuer)/device"))
        #expect(try desk.run("\"$SIGNET\" token").isGood && desk.facts()["polls"] ?? 0 >= 2)

        try desk.behave("device=deny")
        let denied = try desk.run(
            "\"$SIGNET\" login --account other --device --issuer $ISSUER $CLIENT")
        #expect(denied.status == 1 && denied.output.isEmpty, "\(denied)")
        #expect(
            denied.errors.contains("Sign in failed. Please try again.")
                && denied.errors.contains("(access_denied) [refused]"), "\(denied)")
        #expect(try desk.run("\"$SIGNET\" token --account other").failed(4, "signedOut"))

        // The code, good for 600 s, is not entered.
        try desk.behave("device=")
        let late = try desk.run(
            "\"$SIGNET\" login --account other --device --timeout 2 --issuer $ISSUER $CLIENT")
        #expect(late.failed(1, "expired"), "\(late)")
    }

    @Test("--no-browser prints the address and gives up after the timeout")
    func noBrowser() async throws {
        let desk = try await LoginDesk()
        let login = try desk.run(
            """
            "$SIGNET" login --no-browser --issuer $ISSUER $CLIENT 2> errors > output & login=$!
            until grep -q '^http' errors; do sleep 0.1; done
            xdg-open "$(grep '^http' errors)" && wait $login
            """)
        let errors = try desk.desk.text("errors")
        #expect(login.status == 0, "\(login) \(errors)")
        #expect(try desk.run("\"$SIGNET\" whoami").isGood)
        let late = try desk.run(
            "\"$SIGNET\" login --account b --no-browser --timeout 1 --issuer $ISSUER $CLIENT")
        #expect(late.status == 1 && late.errors.contains("[expired]"), "\(late)")
    }

    @Test("Each account has its own session", .tags(.commandLine))
    func accounts() async throws {
        let desk = try await LoginDesk()
        try desk.signIn()
        try desk.signIn("--account 'my work'")
        let tokens = try ["", "--account 'my work'"].map {
            try desk.run("\"$SIGNET\" token \($0)").line
        }
        #expect(Set(tokens).count == 2 && !tokens.contains(""))
        let out = try desk.run("\"$SIGNET\" logout --account 'my work'")
        #expect(out.isGood, "\(out)")
        let gone = try desk.run("\"$SIGNET\" token --account 'my work'")
        #expect(
            gone.failed(4, "signedOut")
                && gone.errors.contains("signet login --account 'my work'"), "\(gone)")
        #expect(try desk.run("\"$SIGNET\" token").line == tokens[0])
        let list = try desk.run("\"$SIGNET\" account list")
        #expect(
            list.isGood && list.text.contains("signed in") && list.text.contains("signed out"),
            "\(list)")
        #expect(try desk.run("\"$SIGNET\" logout --account 'my work' --forget").isGood)
        let rest = try desk.run("\"$SIGNET\" account list --json")
        #expect(
            rest.line
                == "{\"accounts\":[{\"account\":\"default\",\"issuer\":\"\(desk.issuer)\","
                + "\"signedIn\":true,\"user\":\"jane@shop.example\"}]}", "\(rest)")
        #expect(try desk.run("\"$SIGNET\" token --account ''").failed(2, "usage"))
    }

    @Test("A client secret is sent and sealed; a readable file of it gives a warning")
    func clientSecret() async throws {
        let desk = try await LoginDesk()
        try desk.desk.write("secret", "s3cret-of-the-client\n", permissions: 0o644)
        let login = try desk.run(
            "DISPLAY=:0 \"$SIGNET\" login --issuer $ISSUER $CLIENT --client-secret-file secret")
        #expect(login.status == 0 && login.errors.contains("chmod 600 'secret'"), "\(login)")
        #expect(try desk.run("grep -rF s3cret-of-the-client home").status == 1)
        #expect(try desk.facts()["secrets"] == 1)
        let absent = try desk.run(
            "\"$SIGNET\" login --account b --issuer $ISSUER $CLIENT --client-secret-file none")
        #expect(absent.failed(3, "system"), "\(absent)")
        // The metadata names another issuer.
        let other = try desk.run("\"$SIGNET\" login --account b --issuer $ISSUER/ $CLIENT")
        #expect(other.failed(1, "issuerMismatch"), "\(other)")
        let nobody = try desk.run(
            "\"$SIGNET\" login --account b --issuer http://127.0.0.1:9 $CLIENT")
        #expect(nobody.status == 3 && !nobody.wasKilled, "\(nobody)")
    }

    @Test("A session that is over makes room for the next sign-in")
    func afterExpiry() async throws {
        let desk = try await LoginDesk(lifetime: 1)
        try desk.behave("refresh=none")
        try desk.signIn()
        let over = try desk.run(
            "while \"$SIGNET\" token > /dev/null 2>&1; do sleep 0.2; done; \"$SIGNET\" token")
        #expect(over.failed(4, "expired"), "\(over)")
        try desk.behave("refresh=one")
        try desk.signIn()
        #expect(try desk.run("\"$SIGNET\" token").isGood)
    }

    @Test("offline_access is left out where the server does not list it, unless it is named")
    func scopes() async throws {
        let desk = try await LoginDesk()
        // A server that does not say is asked for it.
        try desk.behave("refresh=none")
        try desk.signIn("--account a")
        #expect(try desk.facts()["offline"] == 1)
        #expect(try desk.desk.text("errors").contains("no refresh token"))
        #expect(try !desk.desk.text("errors").contains("left out"))

        try desk.behave("scopes=openid+email+profile")
        try desk.signIn("--account b")
        #expect(try desk.facts()["offline"] == 1)
        let errors = try desk.desk.text("errors")
        #expect(
            errors.contains("no refresh token: the session ends with its access token, in 3600 s.")
                && errors.contains("--scope email --scope profile --scope offline_access"),
            "\(errors)")
        let code = try desk.run(
            """
            "$SIGNET" login --account c --device --issuer $ISSUER $CLIENT 2> code & login=$!
            until grep -q 'enter the code' code || ! kill -0 $login; do sleep 0.1; done
            kill $login; grep -q 'enter the code' code
            """)
        #expect(code.status == 0, "\(code)")
        try desk.behave("refresh=one")
        try desk.signIn("--account d")
        #expect(try !desk.desk.text("errors").contains("warning"))

        for way in ["", "--device"] {
            let named = try desk.run(
                """
                DISPLAY=:0 "$SIGNET" login --account e \(way) --issuer $ISSUER $CLIENT \\
                    --scope offline_access
                """)
            #expect(named.failed(1, "refused"), "\(named)")
            #expect(named.errors.contains("(invalid_scope)"), "\(named)")
        }
        #expect(try desk.facts()["offline"] == 3)
        // The account asks again as its server says then.
        try desk.behave("scopes=openid+email+profile+offline_access")
        let again = try desk.run(
            "\"$SIGNET\" logout --account d; DISPLAY=:0 \"$SIGNET\" login --account d 2> errors")
        #expect(try again.isGood && desk.facts()["offline"] == 4, "\(again)")
    }

    @Test("--allow-domain keeps a session of the company's people only")
    func allowedDomains() async throws {
        let desk = try await LoginDesk()
        let login = "DISPLAY=:0 \"$SIGNET\" login --issuer $ISSUER $CLIENT --allow-domain"
        let invitation = "signet: Sign in with your business account\n"
        try desk.signIn("--account a --allow-domain shop.example")
        #expect(try desk.desk.text("errors").hasPrefix(invitation))
        #expect(try desk.run("\"$SIGNET\" token --account a").isGood)
        let wrong = try desk.run("\(login) gmail.com")
        #expect(wrong.failed(2, "consumerDomain"), "\(wrong)")
        let other = try desk.run("\(login) company.example --allow-domain '*.shop.example'")
        #expect(other.failed(1, "unauthorizedDomain"), "\(other)")
        #expect(
            other.errors.hasPrefix(invitation) && other.errors.contains("(notAllowed)"),
            "\(other)")
        try desk.behave("unverified=1")
        let unverified = try desk.run("\(login) shop.example")
        #expect(
            unverified.status == 1 && unverified.errors.contains("(unverified)"), "\(unverified)")
        #expect(try desk.run("\"$SIGNET\" token").failed(4, "signedOut"))
        #expect(try desk.facts()["revocations"] == 2, "the server's half is ended too")
    }

    @Test("A trusted audience lets a token for two pass, and the account keeps it")
    func trustedAudience() async throws {
        let desk = try await LoginDesk()
        try desk.behave("audience=project-7")
        let login = "DISPLAY=:0 \"$SIGNET\" login"
        let refused = try desk.run("\(login) --issuer $ISSUER $CLIENT")
        #expect(refused.failed(1, "audienceUntrusted"), "\(refused)")
        #expect(refused.errors.contains("--trusted-audience NAME"), "\(refused)")
        try desk.signIn("--trusted-audience other --trusted-audience project-7")
        let again = try desk.run("\"$SIGNET\" logout; \(login) 2> errors")
        #expect(again.isGood, "\(again)")
        // A known account may get others, without its server being named.
        let others = try desk.run(
            "\"$SIGNET\" logout; \(login) --trusted-audience project-8")
        #expect(others.failed(1, "audienceUntrusted"), "\(others)")
        try desk.behave("audience=project-8")
        let other = try desk.run(
            "\(login) --trusted-audience project-8 2> errors && \"$SIGNET\" token")
        #expect(other.status == 0, "\(other)")
        let settings = try desk.run(
            """
            "$SIGNET" vault get --service 'signet login' --account default \\
                --vault home/.local/share/signet/sessions.signet \\
                --key-file home/.local/state/signet/sessions.key
            """)
        #expect(settings.text.contains("\"version\":1"), "older programs read it: \(settings)")
    }

    @Test("A name with terminal commands is shown without them")
    func hostileName() async throws {
        let desk = try await LoginDesk()
        try desk.behave("email=%E2%80%AE%1B%5B2Jjane@shop.example")
        try desk.signIn()
        for command in ["whoami", "whoami --json", "account list", "account list --json"] {
            let shown = try desk.run("\"$SIGNET\" \(command)")
            #expect(shown.isGood && shown.text.contains("jane@shop.example"), "\(shown)")
            #expect(
                !shown.text.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{1b}" },
                "\(command)")
        }
        let refused = try desk.run("\"$SIGNET\" login")
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
            let desk = try Desk()
            let outcome = try desk.signet(
                line.split(separator: " ").map(String.init),
                environment: ["HOME": desk.path("home"), "XDG_STATE_HOME": ""])
            #expect(outcome.status == 2 && !outcome.wasKilled, "\(line): \(outcome)")
            #expect(!desk.exists("home"))
        }
    }

    @Test("All options that are missing are named at once")
    func missing() throws {
        let desk = try Desk()
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
            let outcome = try desk.signet(
                line.split(separator: " ").map(String.init),
                environment: ["HOME": desk.path("home"), "XDG_STATE_HOME": ""])
            #expect(outcome.failed(2, "usage"), "\(line): \(outcome)")
            #expect(outcome.errors.contains(message), "\(line): \(outcome)")
        }
    }

    @Test("What no server can mend is refused before a vault is made or a server asked")
    func impossible() async throws {
        let desk = try await LoginDesk()
        for wrong in [
            "--algorithm none", "--algorithm HS256", "--algorithm RS256 --algorithm none",
            "--scope 'a b'",
        ] {
            for way in ["--device", "--no-browser"] {
                let outcome = try desk.run(
                    "\"$SIGNET\" login \(way) --timeout 2 --issuer $ISSUER $CLIENT \(wrong)")
                #expect(outcome.status == 2 && !outcome.wasKilled, "\(way) \(wrong): \(outcome)")
                #expect(!outcome.errors.contains("enter the code"), "\(way) \(wrong): \(outcome)")
            }
        }
        let issuer = try desk.run("\"$SIGNET\" login --issuer idp.example $CLIENT")
        #expect(issuer.status == 2, "\(issuer)")
        #expect(try desk.run("find home -type f").text.isEmpty)
    }
}
