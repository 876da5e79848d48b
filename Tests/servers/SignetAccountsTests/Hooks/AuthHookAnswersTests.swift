// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetBase
import SignetCrypto
import SignetEmail
import SignetJSON
import SignetSignIn
import TestSupport
import Testing

@Suite("Answers to hooks that come again", .timeLimit(.minutes(20)))
struct AuthHookAnswersTests {
    private struct Unknown: Error {}

    @Test("A message is sent once: its id again, and a retry with another id, get the first answer")
    func once() async throws {
        let scene = try await HookScene()
        let hook = GoTrueHook.sms()
        let first = try await scene.answer(hook)
        for again in [hook, hook.retried, hook.retried] {
            scene.clock.advance(by: .seconds(2))
            let answer = try await scene.answer(again)
            #expect(answer.status == 200 && answer.text == first.text)
        }
        // After a restart too, and with a secret that was appended.
        let restarted = try scene.hooks(GoTrueHook.setting([1, 2, 5]))
        #expect(try await scene.answer(hook.retried, by: restarted).read == "done")
        #expect(scene.sent.withLock { $0 } == ["+14155551234 314159"])
        // Each of these is another message.
        let user = #""id":"another","phone":"#
        for other in [
            GoTrueHook.sms(otp: "314158"), .sms(kind: "mfa"), .sms(phone: "14155551235"),
            .sms(user: "{\(user)\"14155551234\"}"),
        ] {
            #expect(try await scene.answer(other.retried).read == "done")
        }
        #expect(scene.sent.withLock { $0.count } == 5)
    }

    @Test("An answer is kept for ten minutes, and no row for longer")
    func kept() async throws {
        let scene = try await HookScene()
        for (time, count) in [(Int64(0), 1), (599_999, 1), (1, 2)] {
            try await scene.database.advance(by: time)
            #expect(try await scene.answer(.sms()).read == "done")
            #expect(scene.sent.withLock { $0.count } == count)
        }
        try await scene.database.advance(by: 600_000)
        #expect(try await scene.answer(.sms(otp: "000001")).read == "done")
        let rows = try await scene.database.run("SELECT name FROM signet_hook_answers")
        #expect(rows.count == 1)
        // A row of a clock that was far ahead ends too.
        try await scene.database.advance(by: -2_000_000)
        #expect(try await scene.answer(.sms(otp: "000001")).read == "done")
        #expect(scene.sent.withLock { $0.count } == 4)
    }

    @Test("Work that threw is done again, under the same id and under another")
    func threw() async throws {
        let scene = try await HookScene()
        let hook = GoTrueHook.sms()
        for again in [hook, hook, hook.retried] {
            let answer = try await scene.answer(again) {
                throw AccountError(.unavailable, "The provider is away.")
            }
            #expect(answer.read == "again")
        }
        #expect(try await scene.answer(hook.retried).read == "done")
        #expect(try await scene.answer(hook) { throw Unknown() }.read == "done")
        #expect(scene.sent.withLock { $0.count } == 1)
    }

    @Test("GoTrue reads each error as it is meant, and never an error as success")
    func errors() async throws {
        let scene = try await HookScene()
        let cases: [(any Error, String)] = [
            (AuthHookError("Not here.", status: 422), "422 Not here."),
            (AuthHookError("Too often.", status: 429), "429 Too often."),
            (AuthHookError("", status: 403), "403 The hook failed."),
            (AuthHookError("Odd.", status: 0), "500 Odd."),
            (AuthHookError("Odd.", status: 200), "500 Odd."),
            (AuthHookError("Odd.", status: .max), "500 Odd."),
            (AccountError(.messageRefused, "314159"), "422 This message cannot be sent."),
            (
                AccountError(.tooManyRequests, "314159"),
                "429 Too many requests. Please try again later."
            ),
            (AccountError(.unavailable, "314159"), "again"),
            (AccountError(.busy, retryAfter: .seconds(-3), "314159"), "again"),
            (AccountError(.cancelled, "314159"), "again"), (CancellationError(), "again"),
            (AccountError(.corrupt, "314159"), "500 The hook failed."),
            (Unknown(), "500 The hook failed."),
        ]
        for (number, (error, expected)) in cases.enumerated() {
            let answer = try await scene.answer(.sms()) { throw error }
            #expect(answer.read == expected, "\(number)")
            #expect(!answer.text.contains("314159"))
            #expect(answer.fields.contains { $0.name == "Cache-Control" && $0.value == "no-store" })
        }
        let statuses = AuthHookError("a\"b\\", status: 599)
        #expect(try await scene.answer(.sms()) { throw statuses }.read == "599 a\"b\\")
    }

    @Test("A database that fails before the work makes GoTrue come again; after it, nothing does")
    func database() async throws {
        let scene = try await HookScene()
        let before = FailingDatabase(scene.database, count: 1) { true }
        let hooks = try scene.hooks(in: before)
        #expect(try await scene.answer(.sms(), by: hooks).read == "again")
        #expect(scene.sent.withLock { $0.isEmpty })
        let after = FailingDatabase(scene.database, count: 1) {
            scene.sent.withLock { !$0.isEmpty }
        }
        #expect(try await scene.answer(.sms(), by: scene.hooks(in: after)).read == "done")
        // Not recorded, so it may be sent again once the claim has ended: twice, but not never.
        try await scene.database.advance(by: 2_001)
        #expect(try await scene.answer(GoTrueHook.sms().retried).read == "done")
        #expect(scene.sent.withLock { $0.count } == 2)
    }

    @Test("Of two e-mails, the one that was sent is not sent again with the other")
    func twoAddresses() async throws {
        let scene = try await HookScene()
        let user = GoTrueHook.user(more: #""new_email":"new@example.com","#)
        let hook = GoTrueHook.email(
            kind: "email_change", token: "111111", hash: "of-new", newToken: "222222",
            newHash: "of-present", user: user)
        let (sent, fails) = (Locked([String]()), Locked(true))
        for hook in [hook, hook.retried, hook] {
            _ = await (try scene.hooks()).answerEmail(try hook.fields(), body: hook.body) { email in
                let isNew = email.address.text == "new@example.com"
                if isNew, fails.withLock({ $0 }) { throw AccountError(.unavailable, "Away.") }
                sent.withLock { $0.append(email.address.text) }
            }
            fails.withLock { $0 = false }
        }
        #expect(sent.withLock { $0 } == ["ann@example.com", "new@example.com"])
    }

    @Test("Two notices of one kind are two messages, a retry of one is not")
    func notices() async throws {
        let scene = try await HookScene()
        func notice(_ uuid: String) -> GoTrueHook {
            .email(
                kind: "password_changed_notification", token: "", hash: "",
                metadata: #""metadata":{"uuid":"\#(uuid)"}"#)
        }
        var count = 0
        for hook in [notice("a"), notice("a").retried, notice("b"), notice("b"), notice("a")] {
            let (answer, emails) = try await scene.emails(hook)
            #expect(answer.read == "done")
            count += emails.count
        }
        #expect(count == 2)
    }

    @Test("A token's claims are made once for an id, and again for another")
    func tokens() async throws {
        let scene = try await HookScene()
        let hook = GoTrueHook.token()
        let count = Locked(0)
        var answers: [String] = []
        for hook in [hook, hook, hook.retried] {
            let answer = await (try scene.hooks()).answerToken(
                try hook.fields(), body: hook.body
            ) { _ in
                [
                    "n": .integer(
                        Int64(
                            count.withLock { count -> Int in
                                count += 1
                                return count
                            }))
                ]
            }
            answers.append(answer.text)
        }
        #expect(
            answers == [#"{"claims":{"n":1}}"#, #"{"claims":{"n":1}}"#, #"{"claims":{"n":2}}"#])
    }

    @Test("Of a hook and its retries at once one sends, and all get its answer")
    func atOnce() async throws {
        let scene = try await HookScene()
        let hooks = try scene.hooks()
        let copies = Locked([Task<String, any Error>]())
        let first = try await scene.answer(.sms(), by: hooks) {
            for _ in 0..<3 {
                let copy = Task { try await scene.answer(GoTrueHook.sms().retried, by: hooks).read }
                copies.withLock { $0.append(copy) }
            }
            // The three copies, and the extension of the claim.
            while scene.clock.sleeperCount < 4 { await Task.yield() }
        }
        #expect(first.read == "done")
        scene.clock.advance(by: .milliseconds(100))
        for copy in copies.withLock({ $0 }) { #expect(try await copy.value == "done") }
        #expect(scene.sent.withLock { $0.count } == 1)
    }

    @Test("Slow work keeps its claim; a copy waits 5 s and is then told to come again")
    func slow() async throws {
        let scene = try await HookScene()
        let hooks = try scene.hooks()
        let answer = try await scene.answer(.sms(), by: hooks) {
            let copy = Task { try await scene.answer(GoTrueHook.sms().retried, by: hooks).read }
            for _ in 0..<5 {
                while scene.clock.sleeperCount < 2 { await Task.yield() }
                try await scene.database.advance(by: 1_000)
                let end = try await scene.end()
                scene.clock.advance(by: .seconds(1))
                // The extension, from now on.
                while try await scene.end() == end { await Task.yield() }
            }
            #expect(try await copy.value == "again")
        }
        #expect(answer.read == "done")
        #expect(scene.sent.withLock { $0.count } == 1)
    }

    @Test("What a process left that ended at work is done when its claim ends, 2 s after")
    func died() async throws {
        let scene = try await HookScene()
        let hooks = try scene.hooks()
        let gate = AsyncStream.makeStream(of: Void.self)
        let dead = Task {
            try await scene.answer(.sms(), by: hooks) { for await _ in gate.stream {} }
        }
        while scene.clock.sleeperCount == 0 { await Task.yield() }
        try await scene.database.advance(by: 2_001)
        #expect(try await scene.answer(GoTrueHook.sms().retried, by: hooks).read == "done")
        #expect(scene.sent.withLock { $0.count } == 1)
        // It lived: sent twice, and the first record stays.
        gate.continuation.finish()
        #expect(try await dead.value.read == "done")
        #expect(scene.sent.withLock { $0.count } == 2)
        #expect(try await scene.answer(.sms(), by: hooks).read == "done")
        #expect(scene.sent.withLock { $0.count } == 2)
    }

    @Test("A caller that is cancelled after the message was taken has it recorded all the same")
    func cancelled() async throws {
        let scene = try await HookScene()
        let hooks = try scene.hooks()
        let (isWorking, goesOn) = (Locked(false), Locked(false))
        let task = Task {
            try await scene.answer(.sms(), by: hooks) {
                isWorking.withLock { $0 = true }
                while !goesOn.withLock({ $0 }) { await Task.yield() }
            }
        }
        while !isWorking.withLock({ $0 }) { await Task.yield() }
        task.cancel()
        goesOn.withLock { $0 = true }
        #expect(try await task.value.read == "done")
        #expect(try await scene.answer(GoTrueHook.sms().retried, by: hooks).read == "done")
        #expect(scene.sent.withLock { $0.count } == 1)
    }
}

extension HookScene {
    /// When the only row ends.
    func end() async throws -> Int64 {
        try await database.run("SELECT ends_at FROM signet_hook_answers")[0].integer(0)
    }
}
