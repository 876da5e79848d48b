// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

private let isHere = Program.python != nil || Program.isRequired

@Suite("Sessions of the command line when something fails", .enabled(if: isHere, "no python3"))
struct SessionFailureTests {
    @Test("Before the first sign-in: status 4, and no file is made")
    func noAccount() throws {
        let folder = try CommandFolder()
        let home = ["HOME": folder.path("home"), "XDG_STATE_HOME": folder.path("state")]
        for line in [
            "token", "whoami", "logout", "logout --all --yes",
            "account delete --url https://a.example/ --yes",
        ] {
            let words = line.split(separator: " ").map(String.init)
            #expect(try folder.signet(words, environment: home).failed(4, "signedOut"), "\(line)")
        }
        let list = try folder.signet(["account", "list", "--json"], environment: home)
        #expect(list.isGood && list.text == "{\"accounts\":[]}\n")
        let json = try folder.signet(["whoami", "--json"], environment: home)
        #expect(json.status == 4 && json.text.contains("\"exitStatus\":4"))
        #expect(try folder.names() == [])
    }

    @Test(
        "A missing, readable or wrong key file and a damaged vault each have their error",
        .tags(.commandLine))
    func vault() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        let key = "home/.local/state/signet/sessions.key"
        let vault = "home/.local/share/signet/sessions.signet"
        func token(after change: String) throws -> Outcome {
            try fixture.run("cp -p \(key) key; cp -p \(vault) vault; \(change); \"$SIGNET\" token")
        }
        func restore() throws { _ = try fixture.run("cp -pf key \(key); cp -pf vault \(vault)") }
        #expect(try token(after: "rm \(key)").failed(3, "missingKeyFile"))
        try restore()
        #expect(try token(after: "chmod 644 \(key)").failed(1, "insecureFile"))
        _ = try fixture.run("chmod 600 key")
        try restore()
        let other = try token(after: "openssl rand -base64 32 > \(key)")
        #expect(other.failed(1, "authenticationFailure"), "\(other)")
        // A login with another key changes nothing and replaces nothing.
        let login = try fixture.run("\"$SIGNET\" login --issuer $ISSUER $CLIENT --device")
        #expect(login.failed(1, "authenticationFailure"), "\(login)")
        try restore()
        let damaged = try token(after: "truncate -s 5000 \(vault)")
        #expect(damaged.status == 1 && !damaged.wasKilled && damaged.output.isEmpty, "\(damaged)")
        try restore()
        #expect(try fixture.run("\"$SIGNET\" token").isGood)
    }

    @Test("A failing server keeps the session; a refusal ends it", .tags(.commandLine))
    func server() async throws {
        let fixture = try await LoginFixture(lifetime: 2)
        try fixture.signIn()
        let first = try fixture.run("\"$SIGNET\" token").line
        try fixture.behave("token=503")
        let failed = try fixture.run("sleep 3; \"$SIGNET\" token")
        #expect(
            failed.failed(3, "serverFailed") && failed.errors.contains("Try again in 8 s."),
            "\(failed)")
        try fixture.behave("token=429")
        #expect(try fixture.run("\"$SIGNET\" token").failed(3, "rateLimited"))
        #expect(try fixture.run("\"$SIGNET\" whoami").isGood, "the session stays")
        try fixture.behave("token=400")
        // The server's Retry-After, of 7 s, is kept between calls.
        #expect(try fixture.run("sleep 8; \"$SIGNET\" token").failed(3, "invalidAnswer"))
        try fixture.behave("token=")
        let again = try fixture.run("sleep 8; \"$SIGNET\" token")
        #expect(again.isGood && again.line != first, "\(again)")

        // What a thief would do with a copy: the server ends the session, and reports it once.
        _ = try fixture.run(
            "cp -r home thief; sleep 3; \"$SIGNET\" token; HOME=$PWD/thief \"$SIGNET\" token")
        let refused = try fixture.run("sleep 3; \"$SIGNET\" token")
        #expect(refused.failed(4, "refused"), "\(refused)")
        #expect(try fixture.run("\"$SIGNET\" token").failed(4, "signedOut"))
        #expect(try fixture.facts()["reuses"] == 1)
    }

    @Test(
        "A token endpoint that has moved is found and kept", .tags(.commandLine),
        arguments: [404, 405, 410])
    func movedEndpoint(_ status: Int) async throws {
        let fixture = try await LoginFixture(lifetime: 2)
        try fixture.signIn()
        let read = try fixture.facts()["metadata"] ?? 0
        try fixture.behave("endpoint=/new&gone=\(status)")
        let moved = try fixture.run("sleep 3; \"$SIGNET\" token")
        #expect(moved.isGood, "\(moved)")
        #expect(try fixture.facts()["metadata"] == read + 1 && fixture.facts()["refreshes"] == 1)
        // From now on it is asked at once.
        let again = try fixture.run("sleep 3; \"$SIGNET\" token")
        #expect(again.isGood && again.line != moved.line, "\(again)")
        #expect(try fixture.facts()["metadata"] == read + 1 && fixture.facts()["reuses"] == 0)
        #expect(try fixture.run("\"$SIGNET\" logout").isGood)
    }

    @Test("Another issuer's metadata move no endpoint; nor does a failing server")
    func notMoved() async throws {
        let fixture = try await LoginFixture(lifetime: 2)
        try fixture.signIn()
        let read = try fixture.facts()["metadata"] ?? 0
        try fixture.behave("endpoint=/new&gone=500")
        #expect(try fixture.run("sleep 3; \"$SIGNET\" token").failed(3, "serverFailed"))
        #expect(try fixture.facts()["metadata"] == read, "the token may have been seen")
        try fixture.behave("gone=404&issuer=https://other.example")
        let other = try fixture.run("\"$SIGNET\" token")
        #expect(other.status == 3, "\(other)")
        #expect(try fixture.facts()["metadata"] == read + 1 && fixture.facts()["refreshes"] == 0)
        // The same address again is not asked twice.
        try fixture.behave("issuer=\(fixture.issuer)&endpoint=/token")
        #expect(try fixture.run("\"$SIGNET\" token").status == 3)
        #expect(try fixture.facts()["refreshes"] == 0 && fixture.facts()["families"] == 1)
    }

    @Test("A token endpoint whose host is gone is found again", .tags(.commandLine))
    func hostGone() async throws {
        let fixture = try await LoginFixture(lifetime: 2)
        try fixture.signIn()
        let edited = try fixture.run(
            """
            ITEM="--vault home/.local/share/signet/sessions.signet \
                --key-file home/.local/state/signet/sessions.key --service signet\\ login --account default"
            eval '"$SIGNET"' vault get $ITEM | sed 's|http:[^"]*token"|https:\\/\\/signet.invalid\\/token"|' > settings
            grep -q signet.invalid settings && eval '"$SIGNET"' vault set $ITEM --type json < settings
            """)
        #expect(edited.status == 0, "\(edited)")
        let read = try fixture.facts()["metadata"] ?? 0
        let moved = try fixture.run("sleep 3; \"$SIGNET\" token")
        #expect(moved.isGood, "\(moved)")
        #expect(try fixture.run("sleep 3; \"$SIGNET\" token").isGood)
        #expect(try fixture.facts()["metadata"] == read + 1 && fixture.facts()["refreshes"] == 2)
    }

    @Test("A sign-out that fails at the server still signs out here", .tags(.commandLine))
    func signOut() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        try fixture.behave("revoke=500")
        let others = try fixture.run("\"$SIGNET\" logout --others")
        #expect(others.failed(3, "unsupported"), "\(others)")
        #expect(try fixture.run("\"$SIGNET\" token").isGood, "it goes on here")
        let out = try fixture.run("\"$SIGNET\" logout")
        #expect(
            out.status == 0 && out.errors.hasPrefix("signet: signed out here. ")
                && out.errors.contains("[serverFailed]"), "\(out)")
        #expect(try fixture.run("\"$SIGNET\" token").failed(4, "signedOut"))
        try fixture.signIn()
        let all = try fixture.run("\"$SIGNET\" logout --all")
        #expect(all.status == 3 && all.output.isEmpty, "\(all)")
        #expect(try fixture.run("\"$SIGNET\" token").failed(4, "signedOut"))
    }

    @Test(
        "A damaged account stays until it is removed, and blocks no other",
        .tags(.commandLine), arguments: ["generic", "token"])
    func damagedAccount(_ itemClass: String) async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        try fixture.signIn("--account work")
        _ = try fixture.run(
            """
            printf x | "$SIGNET" vault set --vault home/.local/share/signet/sessions.signet \
                --key-file home/.local/state/signet/sessions.key --service 'signet login' \
                --account default --class \(itemClass)
            """)
        for line in ["token", "whoami", "logout", "login --issuer $ISSUER $CLIENT"] {
            let refused = try fixture.run("\"$SIGNET\" \(line)")
            #expect(refused.failed(1, "corrupt"), "\(refused)")
            #expect(refused.errors.contains("Remove it: signet logout --forget"), "\(refused)")
        }
        let list = try fixture.run("\"$SIGNET\" account list")
        #expect(list.status == 0 && list.text.contains("work"), "\(list)")
        let says = itemClass == "token" ? list.text.contains("damaged") : !list.errors.isEmpty
        #expect(says, "\(list)")
        #expect(try fixture.run("\"$SIGNET\" token --account work").isGood)
        let kept = try fixture.terminal(["n"], "logout --forget")
        #expect(kept.status == 1 && kept.text.contains("[notConfirmed]"), "\(kept)")
        #expect(try fixture.run("\"$SIGNET\" logout --forget --yes").status == 0)
        #expect(try fixture.run("\"$SIGNET\" token").failed(4, "signedOut"))
        try fixture.signIn()
        #expect(try fixture.run("\"$SIGNET\" token --account work").isGood)
    }

    @Test("At a terminal a sign-out asks for confirmation", .tags(.commandLine))
    func confirmation() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        for answer in ["", "n", "no", "yess"] {
            let kept = try fixture.terminal([answer], "logout")
            #expect(kept.status == 1 && kept.text.contains("[notConfirmed]"), "\(kept)")
            #expect(kept.text.contains("Sign out of default? [y/N] \(answer)\r\n"), "it is shown")
        }
        #expect(try fixture.run("\"$SIGNET\" token").isGood)
        #expect(try fixture.terminal(["Y"], "logout").status == 0)
        #expect(try fixture.run("\"$SIGNET\" token").failed(4, "signedOut"))
        try fixture.signIn()
        let silent = try fixture.terminal([], "logout --yes")
        #expect(silent.status == 0 && !silent.text.contains("[y/N]"), "\(silent)")
    }

    @Test(
        "An account is deleted at its server first, once the user has confirmed",
        .tags(.commandLine))
    func deletion() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn("--delete-url $ISSUER/account")
        let question =
            "This permanently deletes the account of jane@shop.example at \(fixture.issuer). It "
            + "cannot be undone. Delete it? [y/N] "
        let kept = try fixture.terminal(["n"], "account delete")
        #expect(kept.status == 1 && kept.text.contains(question), "\(kept)")
        #expect(
            try fixture.run("setsid --wait \"$SIGNET\" account delete < /dev/null").failed(
                3, "system"),
            "without a terminal nothing is deleted")
        for (status, code) in [(500, "status"), (403, "forbidden"), (302, "status")] {
            try fixture.behave("delete=\(status)")
            let failed = try fixture.run("\"$SIGNET\" account delete --yes")
            #expect(failed.failed(status == 500 ? 3 : 1, code), "\(failed)")
            #expect(failed.errors.hasPrefix("signet: Could Not Delete Account: "), "\(failed)")
            #expect(try fixture.run("\"$SIGNET\" token").isGood, "the session stays")
        }
        #expect(try fixture.facts()["deletions"] == 0)
        try fixture.behave("delete=204")
        let deleted = try fixture.terminal(["y"], "account delete")
        #expect(
            deleted.status == 0
                && deleted.text.contains("deleted the account of jane@shop.example"), "\(deleted)")
        #expect(try fixture.run("\"$SIGNET\" token").failed(4, "signedOut"))
        #expect(try fixture.run("\"$SIGNET\" account list --json").text == "{\"accounts\":[]}\n")
    }
}
