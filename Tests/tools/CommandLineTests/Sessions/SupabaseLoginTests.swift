// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

private let isHere = Program.python != nil || Program.isRequired

@Suite("signet login --supabase", .enabled(if: isHere, "python3 is not here"))
struct SupabaseLoginTests {
    private let fixture: LoginFixture

    init() async throws { fixture = try await LoginFixture() }

    /// Runs a script with a server of its own: `$PROJECT` names it, `terminal ANSWERS …` runs
    /// `signet` at a terminal, and `deliver TO N FILE` writes the code of the Nth message into a
    /// file.
    private func run(_ script: String) throws -> Outcome {
        let server =
            FileManager.default.currentDirectoryPath
            + "/Tests/clients/SignetSupabaseTests/Peers/Scripts/gotrue_server.py"
        let terminal = try CommandFolder.require(
            Bundle.module.url(forResource: "Scripts/terminal", withExtension: "py"))
        return try fixture.run(
            "SERVER='\(server)' TERMINAL='\(terminal.path)'\n" + Self.functions + script)
    }

    private static let functions = #"""
        coproc gotrue { exec python3 -B -u "$SERVER"; }
        exec 8>&"${gotrue[1]}" 9<&"${gotrue[0]}"
        tell() { echo "$1" >&8; read -r said <&9; }
        secret=super-secret-jwt-token-with-32-characters
        keys='"key":"sb_publishable_none","secret":"'$secret'"'
        tell "{$keys,\"lifetime\":3600,\"autoconfirm\":false}"
        ORIGIN=http://127.0.0.1:${said//[^0-9]/}
        PROJECT="--supabase $ORIGIN --key sb_publishable_none"
        terminal() { local answers=$1; shift; python3 -B "$TERMINAL" "$answers" "$SIGNET" "$@"; }
        deliver() {
            while tell '{"do":"counts"}'; [[ $said != *"POST /auth/v1/otp\": $2"[,}]* ]]; do
                sleep 0.1
            done
            tell "{\"do\":\"code\",\"to\":\"$1\"}"
            echo "${said//[^0-9]/}" > "$3.new"
            mv "$3.new" "$3"
        }

        """#

    @Test("A code by phone is typed without echo, signs in, and the server hears of the sign-out")
    func phone() throws {
        let outcome = try run(
            #"""
            deliver 14155551234 1 code &
            terminal '["12345","000000","file code"]' login $PROJECT --phone +14155551234 > login
            echo $? > status; wait $!
            "$SIGNET" token > token
            "$SIGNET" whoami > whoami
            grep -rF -e "$(cat token)" -e "$(cat code)" -e 14155551234 home > found
            "$SIGNET" logout --all --yes; echo $? >> status
            "$SIGNET" token > /dev/null; echo $? >> status
            tell '{"do":"counts"}'; echo "$said" "$ORIGIN" > counts
            """#)
        let read = { (name: String) in
            try fixture.folder.text(name).replacingOccurrences(of: "\r\n", with: "\n")
        }
        #expect(try read("status") == "0\n0\n4\n", "\(outcome)")
        let origin = try #require(try read("counts").split(separator: " ").last)
            .trimmingCharacters(in: .newlines)
        let login = try read("login")
        #expect(
            login == """
                signet: a code was sent to +14155551234
                Please enter the 6-digit code:\u{20}
                signet: Please enter the 6-digit code
                Please enter the 6-digit code:\u{20}
                signet: Invalid code. Please try again.
                Please enter the 6-digit code:\u{20}
                signed in as +14155551234 (\(origin))

                """, "\(login)")
        let code = try read("code").trimmingCharacters(in: .newlines)
        #expect(code.utf8.count == 6 && !login.contains(code), "nothing that is typed is shown")
        #expect(try read("token").split(separator: ".").count == 3)
        #expect(try read("whoami").contains("user         +14155551234\n"))
        #expect(try read("found") == "", "nothing of it is on the disk in the clear")
        #expect(try read("counts").contains("\"sessions\": 0"), "the server has ended it")
    }

    @Test("A code by e-mail fails three times, then signs in, and the account is deleted")
    func email() throws {
        let outcome = try run(
            #"""
            login="login $PROJECT --email ada@company.example --delete-url $ORIGIN/v1/auth/me"
            terminal '["000000","000001","000002"]' $login > wrong; echo $? > status
            "$SIGNET" token; echo $? >> status
            tell '{"do":"advance","by":61}'
            deliver ada@company.example 2 code &
            terminal '["file code"]' $login > right; echo $? >> status
            wait $!
            "$SIGNET" account delete --yes > deleted; echo $? >> status
            "$SIGNET" account list --json > accounts
            """#)
        #expect(try fixture.folder.text("status") == "1\n4\n0\n0\n", "\(outcome)")
        #expect(
            try fixture.folder.text("wrong").contains("Invalid code. Please try again. [wrongCode]")
        )
        #expect(
            try fixture.folder.text("deleted") == "deleted the account of ada@company.example\n")
        #expect(try fixture.folder.text("accounts") == "{\"accounts\":[]}\n")
    }

    @Test("Ctrl-C at the prompt for the code ends the command with its signal, and keeps nothing")
    func interrupted() throws {
        let outcome = try run(
            #"""
            ulimit -c 0; export SWIFT_BACKTRACE=enable=no
            terminal '[null]' login $PROJECT --phone +14155551234 > login; echo $? > status
            "$SIGNET" token; echo $? >> status
            """#)
        #expect(try fixture.folder.text("status") == "130\n4\n", "\(outcome)")
        #expect(try !fixture.folder.text("login").contains("["), "no error of the command")
    }

    @Test("Contradictory options are refused, and so is a server that sends no code")
    func refused() throws {
        let outcome = try run(
            #"""
            while read -r line; do
                eval "set -- $line"
                "$SIGNET" login "$@" > /dev/null 2>> errors < /dev/null
                [[ $? == 2 ]] || echo "$line" >> passed
            done << END
            $PROJECT --phone 4155551234
            $PROJECT
            $PROJECT --email nobody
            $PROJECT --phone +14155551234 --email a@b.example
            $PROJECT --phone +14155551234 --digits 5
            $PROJECT --phone +14155551234 --device
            $PROJECT --phone +14155551234 --issuer https://idp.example
            --supabase $ORIGIN --phone +14155551234
            --supabase $ORIGIN --key sb_secret_x --phone +14155551234
            END
            [[ ! -e home/.local ]] || echo "something was made" >> passed
            body='{\"code\":\"over_sms_send_rate_limit\",\"message\":\"words of the server\"}'
            fields='{"Content-Type":"application/json"}'
            what='"do":"fail","status":429,"times":1,"path":"/otp"'
            tell "{$what,\"fields\":$fields,\"body\":\"$body\"}"
            "$SIGNET" login $PROJECT --phone +14155551234 2> limited; echo $? > status
            setsid --wait "$SIGNET" login $PROJECT --phone +14155551234 2> silent; echo $? >> status
            """#)
        #expect(!fixture.folder.exists("passed"), "\(outcome)")
        #expect(try fixture.folder.text("status") == "3\n3\n", "\(outcome)")
        #expect(
            try fixture.folder.text("errors").contains("Please enter a valid phone number [usage]"))
        let limited = try fixture.folder.text("limited")
        #expect(
            limited.contains(
                "Failed to send code: Too many attempts. Please wait a few minutes. [rateLimited]"),
            "\(limited)")
        #expect(!limited.contains("words of the server"))
        #expect(try fixture.folder.text("silent").contains("Entering a code needs a terminal."))
    }
}
