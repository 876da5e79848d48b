// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

private let isHere = Program.python != nil || Program.isRequired

@Suite("signet login --supabase", .enabled(if: isHere, "python3 is not here"))
struct SupabaseLoginTests {
    private static let key = "sb_publishable_none"

    private struct Settings: Encodable {
        var key = SupabaseLoginTests.key
        var secret = "super-secret-jwt-token-with-at-least-32-characters"
        var lifetime = 3600
        var autoconfirm = false
    }

    private struct Ready: Decodable { let port: Int }
    private struct Order: Encodable {
        let `do`: String
        var to: String?
        var status: Int?
        var body: String?
        var times: Int?
        var path: String?
        var by: Int?
    }
    private struct Counts: Decodable { let counts: [String: Int] }
    private struct Sent: Decodable { let code: String }
    private struct Done: Decodable {}

    private let desk: LoginDesk
    private let server: ServingProgram
    private let origin: String

    init() async throws {
        desk = try await LoginDesk()
        let script =
            FileManager.default.currentDirectoryPath
            + "/Tests/SignetSupabaseTests/Peers/Scripts/gotrue_server.py"
        server = try ServingProgram(try Desk.require(Program.python), ["-B", "-u", script])
        origin = "http://127.0.0.1:\(try await server.tell(Settings(), as: Ready.self).port)"
    }

    /// Writes the code into a file once the server has sent one.
    private func deliver(to destination: String) -> Task<Void, any Error> {
        Task {
            while try await server.tell(Order(do: "counts"), as: Counts.self)
                .counts["POST /auth/v1/otp"] == nil
            {
                try await Task.sleep(for: .milliseconds(20))
            }
            let code = try await server.tell(Order(do: "code", to: destination), as: Sent.self).code
            try desk.desk.write("code.new", code)
            try FileManager.default.moveItem(
                atPath: desk.desk.path("code.new"), toPath: desk.desk.path("code"))
        }
    }

    @Test("A code by phone: asked for with the echo off; a token, and signed out at the server")
    func phone() async throws {
        let delivery = deliver(to: "14155551234")
        let command = "login --supabase \(origin) --key \(Self.key) --phone +14155551234"
        let login = try desk.terminal(["12345", "000000", "file code"], command)
        try await delivery.value
        #expect(login.status == 0, "\(login)")
        let lines = login.text.replacingOccurrences(of: "\r\n", with: "\n")
        let code = try desk.desk.text("code")
        #expect(
            lines == """
                signet: a code was sent to +14155551234
                Please enter the 6-digit code:\u{20}
                signet: Please enter the 6-digit code
                Please enter the 6-digit code:\u{20}
                signet: Invalid code. Please try again.
                Please enter the 6-digit code:\u{20}
                signed in as +14155551234 (\(origin))

                """, "\(lines)")
        #expect(!login.text.contains(code), "nothing that is typed is shown")
        let token = try desk.run("\"$SIGNET\" token")
        #expect(token.isGood && token.line.split(separator: ".").count == 3, "\(token)")
        #expect(try desk.run("\"$SIGNET\" whoami").text.contains("+14155551234"))
        for word in [token.line, code, "14155551234"] {
            #expect(try desk.run("grep -rF -e '\(word)' home").status == 1)
        }
        #expect(try desk.run("\"$SIGNET\" logout --all").isGood)
        #expect(try desk.run("\"$SIGNET\" token").failed(4, "signedOut"))
    }

    @Test("A code by e-mail, mistyped three times; then right, and the account is deleted")
    func email() async throws {
        let command = "login --supabase \(origin) --key \(Self.key) --email ada@company.example"
        let wrong = try desk.terminal(["000000", "000001", "000002"], command)
        #expect(wrong.status == 1 && wrong.text.contains("[wrongCode]"), "\(wrong)")
        #expect(try desk.run("\"$SIGNET\" token").failed(4, "signedOut"))
        // It sends one a minute.
        _ = try await server.tell(Order(do: "advance", by: 61), as: Done.self)
        // The newest code is the one of this sign-in.
        let late = Task {
            while try await server.tell(Order(do: "counts"), as: Counts.self)
                .counts["POST /auth/v1/otp"] ?? 0 < 2
            {
                try await Task.sleep(for: .milliseconds(20))
            }
            let order = Order(do: "code", to: "ada@company.example")
            try desk.desk.write("second", try await server.tell(order, as: Sent.self).code)
        }
        let login = try desk.terminal(
            ["file second"], command + " --delete-url \(origin)/v1/auth/me")
        try await late.value
        #expect(login.status == 0, "\(login)")
        let deleted = try desk.run("\"$SIGNET\" account delete --yes")
        #expect(deleted.isGood && deleted.line == "deleted the account of ada@company.example")
        #expect(try desk.run("\"$SIGNET\" account list --json").text == "{\"accounts\":[]}\n")
    }

    @Test("What cannot be, and a server that sends no code")
    func refused() async throws {
        let project = "login --supabase \(origin) --key \(Self.key)"
        let phone = try desk.run("\"$SIGNET\" \(project) --phone 4155551234")
        #expect(
            phone.failed(2, "usage") && phone.errors.contains("Please enter a valid phone number"),
            "\(phone)")
        for line in [
            project, project + " --email nobody",
            project + " --phone +14155551234 --email a@b.example",
            project + " --phone +14155551234 --digits 5",
            project + " --phone +14155551234 --device",
            project + " --phone +14155551234 --issuer https://idp.example",
            "login --supabase \(origin) --phone +14155551234",
            "login --supabase \(origin) --key sb_secret_x --phone +14155551234",
        ] {
            let outcome = try desk.run("\"$SIGNET\" \(line)")
            #expect(outcome.status == 2, "\(line): \(outcome)")
        }
        #expect(!desk.desk.exists("home/.local"))
        let body = #"{"code":"over_sms_send_rate_limit","message":"secret words of the server"}"#
        _ = try await server.tell(
            Order(do: "fail", status: 429, body: body, times: 1, path: "/otp"), as: Done.self)
        let limited = try desk.run("\"$SIGNET\" \(project) --phone +14155551234")
        #expect(
            limited.failed(3, "rateLimited")
                && limited.errors.contains(
                    "Failed to send code: Too many attempts. Please wait a few minutes."),
            "\(limited)")
        #expect(!limited.errors.contains("secret words"))
        let silent = try desk.run("setsid --wait \"$SIGNET\" \(project) --phone +14155551234")
        #expect(silent.failed(3, "system"), "\(silent)")
    }
}
