// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSignIn
import Testing

@Suite("Hooks of the program", .serialized, .timeLimit(.minutes(20)))
struct HookTests {
    @Test(
        "A hook that fails or is late is a 503, one that refuses a 403 or 422, and nothing changes",
        arguments: HookedCall.allCases, Engine.allCases)
    func each(_ call: HookedCall, on engine: Engine) async throws {
        guard engine == .sqlite || !call.needsStoppedClock else { return }
        // A schema for each hook takes PostgreSQL a while.
        for hook in engine == .sqlite ? call.hooks : Array(call.hooks.prefix(1)) {
            guard let fixture = try await HookScene(engine) else { return }
            let (scene, script) = (fixture.scene, fixture.script)
            let request = try await call.prepare(scene)
            // A sign-up that failed or was refused has asked for its address all the same.
            let left = call == .signUp ? "signet_gotrue_pending" : ""
            let before = try await fixture.rows(without: left)
            for conduct in [HookScene.Conduct.fails, .isLate] {
                scene.errors.withLock { $0 = [] }
                script.set(hook, to: conduct)
                _ = script.taken()
                let answer = try await scene.send(request)
                #expect(answer.status == 503 && answer.code == "unexpected_failure", "\(hook)")
                #expect(answer.field("Retry-After") != nil)
                #expect(scene.errors.withLock { $0 } == [.unavailable], "\(hook)")
                #expect(script.taken().last == hook)
                #expect(try await fixture.rows(without: left) == before, "\(hook) \(conduct)")
            }
            let beforeRefusal = try await fixture.rows(without: left)
            scene.errors.withLock { $0 = [] }
            script.set(hook, to: .refuses)
            let refused = try await scene.send(request)
            if hook == .beforePassword {
                #expect(refused.status == 422 && refused.code == "weak_password")
                #expect(refused.json["weak_password"]?["reasons"] == ["pwned"])
            } else {
                #expect(refused.status == 403 && refused.code == "user_banned", "\(hook)")
            }
            #expect(refused.json["message"] == "Not this one.")
            #expect(scene.errors.withLock { $0.isEmpty })
            #expect(try await fixture.rows(without: left) == beforeRefusal, "\(hook)")
            script.set(hook, to: .allows)
            _ = script.taken()
            let done = try await scene.send(request)
            #expect(done.status == (call == .deleted ? 204 : 200), "\(hook)")
            // `atSignUp` runs in each run of its transaction.
            var asked: [HookScene.Hook] = []
            for hook in script.taken() where !asked.contains(hook) { asked.append(hook) }
            #expect(asked == call.hooks)
            if call.hooks.contains(.claims) {
                #expect(try fixture.claims(done)["plan"] == "free")
            }
            await fixture.close()
        }
    }

    @Test("A password that a failed hook could not look at was asked for all the same")
    func failedSignUp() async throws {
        let fixture = try #require(try await HookScene(.sqlite))
        let (scene, script) = (fixture.scene, fixture.script)
        script.set(.beforePassword, to: .fails)
        let body = "{\"email\":\"\(Scene.email)\",\"password\":\"correct horse\"}"
        #expect(try await scene.call("POST /signup", body).status == 503)
        script.set(.beforePassword, to: .allows)
        // A stranger's password is not granted to the owner, who enters the stranger's code.
        let stranger = try await scene.signUp(password: "stranger's horse")
        #expect(stranger.status == 200 && stranger.passwordSet == false)
        await fixture.close()
    }

    @Test("A password that a hook has refused was asked for all the same")
    func refusedSignUp() async throws {
        let fixture = try #require(try await HookScene(.sqlite))
        let (scene, script) = (fixture.scene, fixture.script)
        script.set(.beforePassword, to: .refuses)
        let body = "{\"email\":\"\(Scene.email)\",\"password\":\"correct horse\"}"
        #expect(try await scene.call("POST /signup", body).status == 422)
        script.set(.beforePassword, to: .allows)
        let stranger = try await scene.signUp(password: "stranger's horse")
        #expect(stranger.status == 200 && stranger.passwordSet == false)
        await fixture.close()
    }

    @Test("Refused refreshes reach a limit, and then ask no hook")
    func refusedRefreshes() async throws {
        let fixture = try #require(try await HookScene(.sqlite))
        let (scene, script) = (fixture.scene, fixture.script)
        let grant = try await scene.signUp()
        script.set(.beforeSession, to: .refuses)
        let request = Scene.request(
            "POST /token?grant_type=refresh_token",
            "{\"refresh_token\":\"\(grant.refreshToken)\"}", client: "203.0.113.7")
        var status = 403
        for _ in 0..<1_000 where status == 403 { status = try await scene.send(request).status }
        #expect(status == 503)
        _ = script.taken()
        #expect(try await scene.send(request).status == 503)
        #expect(script.taken().isEmpty)
        await fixture.close()
    }

    @Test("A code that ends while a hook runs is a 503, and no wrong code")
    func endedMeanwhile() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let scene = try await Scene(database) { options in
            options.hooks.beforeSession = { _ in
                try await database.transaction { (transaction) throws(AccountError) -> Void in
                    try await transaction.run("DELETE FROM signet_codes", values: [])
                }
            }
        }
        let request = try await HookedCall.code.prepare(scene)
        let limits = try await scene.count("SELECT count(*) FROM signet_limits")
        let answer = try await scene.send(request)
        #expect(answer.status == 503 && answer.code == "unexpected_failure")
        #expect(try await scene.count("SELECT count(*) FROM signet_limits") <= limits + 1)
        #expect(try await scene.send(request).code == "otp_expired")
    }

    @Test("A hook that fails uses up no try of a right password or code")
    func tries() async throws {
        for call in [HookedCall.password, .code, .newPassword, .recovery] {
            let fixture = try #require(try await HookScene(.sqlite))
            let request = try await call.prepare(fixture.scene)
            let hook = try #require(call.hooks.first)
            fixture.script.set(hook, to: .fails)
            for _ in 0..<12 {
                #expect(try await fixture.scene.send(request).status == 503, "\(call)")
            }
            fixture.script.set(hook, to: .allows)
            #expect(try await fixture.scene.send(request).status == 200, "\(call)")
            await fixture.close()
        }
    }

    @Test("A hook adds claims, and replaces none that the service writes")
    func claims() async throws {
        let fixture = try #require(try await HookScene(.sqlite))
        let (scene, script) = (fixture.scene, fixture.script)
        let grant = try await scene.signUp()
        guard case .object(let own) = try fixture.claims(grant) else {
            Issue.record("The claims are no object.")
            return
        }
        let names = [
            "iss", "aud", "sub", "sid", "jti", "iat", "nbf", "exp", "role", "session_id", "aal",
            "amr", "is_anonymous", "email", "phone", "app_metadata", "user_metadata",
        ]
        #expect(Set(own.keys) == Set(names + ["plan"]))
        var deep = JSONValue.null
        for _ in 0..<8 { deep = .array([deep]) }
        let bad: [[String: JSONValue]] =
            (names + ["cnf"]).map { [$0: "admin", "plan": "free"] } + [
                ["large": .string(String(repeating: "a", count: 4_090))], ["deep": deep],
                ["number": .number(.infinity)],
            ]
        for added in bad {
            script.added.withLock { $0 = added }
            let answer = try await scene.refresh(grant.refreshToken)
            #expect(answer.status == 503, "\(added.keys)")
            #expect(scene.errors.withLock { $0.popLast() } == .unavailable)
        }
        let large = JSONValue.string(String(repeating: "a", count: 4_000))
        script.added.withLock { $0 = ["large": large, "tenant": ["id": 7]] }
        let answer = try await scene.refresh(grant.refreshToken)
        #expect(answer.status == 200)
        let claims = try fixture.claims(answer)
        #expect(claims["large"] == large && claims["tenant"]?["id"] == 7)
        #expect(claims["role"] == "authenticated" && claims["plan"] == nil)
        await fixture.close()
    }

    @Test("Claims that make a token too long are a 503, change nothing and use up no try")
    func tooLong() async throws {
        let fixture = try #require(try await HookScene(.sqlite))
        let (scene, script) = (fixture.scene, fixture.script)
        let grant = try await scene.signUp()
        let linked = try await scene.call(
            "POST /token?grant_type=id_token",
            """
            {"provider":"keycloak","id_token":"\(scene.provider.idToken("ann"))",
            "link_identity":true}
            """, bearer: grant.accessToken)
        #expect(linked.status == 200)
        // Each token has it twice. All that is stored today leaves room for the claims of a hook.
        try await scene.database.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run(
                "UPDATE signet_gotrue_identities SET picture = $1",
                values: [.text("https://" + String(repeating: "p", count: 4_400))])
        }
        let large = JSONValue.string(String(repeating: "a", count: 4_000))
        script.added.withLock { $0 = ["large": large] }
        let before = try await fixture.rows()
        for _ in 0..<12 {
            for answer in [
                try await scene.password("correct horse"),
                try await scene.refresh(linked.refreshToken),
            ] {
                #expect(answer.status == 503 && answer.code == "unexpected_failure")
                #expect(answer.field("Retry-After") != nil)
                #expect(scene.errors.withLock { $0.popLast() } == .tokenTooLarge)
            }
        }
        #expect(try await fixture.rows() == before)
        script.added.withLock { $0 = ["plan": "free"] }
        #expect(try await scene.password("correct horse").status == 200)
        #expect(try await scene.refresh(linked.refreshToken).status == 200)
        await fixture.close()
    }

    @Test("A refresh asks, and a ban ends nothing but that answer")
    func refresh() async throws {
        let fixture = try #require(try await HookScene(.sqlite))
        let (scene, script) = (fixture.scene, fixture.script)
        let grant = try await scene.signUp()
        let id = try #require(grant.userID)
        let begun = try #require(script.sessions.withLock { $0.popLast() })
        #expect(begun.userID == id && begun.isNewUser && !begun.isRefresh)
        #expect(begun.methods == ["otp"] && begun.level == "aal1")
        script.set(.beforeSession, to: .refuses)
        let banned = try await scene.refresh(grant.refreshToken)
        #expect(banned.status == 403 && banned.code == "user_banned")
        let asked = try #require(script.sessions.withLock { $0.last })
        #expect(asked.userID == id && !asked.isNewUser && asked.isRefresh)
        #expect(try await scene.password("correct horse").code == "user_banned")
        script.set(.beforeSession, to: .allows)
        #expect(try await scene.refresh(grant.refreshToken).status == 200)
        await fixture.close()
    }

    @Test("A change says what it is, and a second factor the level that it gives")
    func questions() async throws {
        let fixture = try #require(try await HookScene(.sqlite))
        let (scene, script) = (fixture.scene, fixture.script)
        for call in [HookedCall.newAddress, .newNumber, .unlinked, .removedFactor, .deleted] {
            let request = try await call.prepare(scene)
            #expect(try await scene.send(request).status < 300, "\(call)")
            _ = try await scene.count("DELETE FROM signet_users RETURNING 1")
            _ = try await scene.count("DELETE FROM signet_limits RETURNING 1")
            _ = try await scene.count("DELETE FROM signet_codes RETURNING 1")
        }
        let expected: [AccountChange] = [
            .email, .phone, .providerAdded, .providerRemoved, .factorAdded, .factorRemoved,
            .accountDeleted,
        ]
        #expect(script.changes.withLock { $0 } == expected)
        let raised = script.sessions.withLock { $0.first { $0.level == "aal2" } }
        #expect(raised?.methods == ["totp", "otp"] && raised?.isRefresh == true)
        await fixture.close()
    }

    @Test("A hook may use the database, and is asked again if its answer is about someone else")
    func askedAgain() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let sessions = Locked([GoTrueHooks.Session]())
        let identity = UserIdentity(.phone(try PhoneNumber("+" + Scene.phone)))
        let scene = try await Scene(database) { options in
            options.hooks.beforeSession = { session in
                sessions.withLock { $0.append(session) }
                _ = try await People(database).findOrAdd(identity)
            }
        }
        let grant = try await scene.signIn()
        #expect(grant.status == 200)
        let asked = sessions.withLock { $0 }
        #expect(asked.map(\.isNewUser) == [true, false])
        #expect(asked.last?.userID == grant.userID && asked.first?.userID != grant.userID)
    }

    @Test("An answer holds for the same bytes of an identifier, not for one that looks the same")
    func sameBytes() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let names = ["ann-\u{e9}", "ann-e\u{301}"]
        let number = try PhoneNumber("+" + Scene.phone)
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            for name in names { try await AccountUsers.add(name, in: transaction) }
        }
        _ = try await People(database).link(.phone(number), to: names[0])
        let asked = Locked([String]())
        let scene = try await Scene(database) { options in
            options.hooks.beforeSession = { session in
                asked.withLock { $0.append(session.userID) }
                try await database.transaction { (transaction) throws(AccountError) -> Void in
                    try await transaction.run(
                        "UPDATE signet_identities SET user_id = $1", values: [.text(names[1])])
                }
            }
        }
        #expect(try await scene.signIn().status == 200)
        #expect(asked.withLock { $0 }.map { Array($0.utf8) } == names.map { Array($0.utf8) })
    }

    @Test("Sessions that the program begins ask too, but not in a transaction of the program")
    func ownSessions() async throws {
        let fixture = try #require(try await HookScene(.sqlite))
        let sessions = fixture.scene.service.sessions
        let id = try #require(try await fixture.scene.signUp().userID)
        _ = fixture.script.taken()
        let issued = try await sessions.begin(for: id)
        _ = try await sessions.rotate(issued.refreshToken)
        #expect(
            fixture.script.taken() == [.beforeSession, .claims, .beforeSession, .claims])
        await #expect(throws: AccountError(.invalidParameter, "")) {
            try await fixture.scene.database.transaction { (transaction) throws(AccountError) in
                try await sessions.begin(for: id, in: transaction)
            }
        }
        await fixture.close()
    }

    @Test("A browser's first sign-in that a hook fails or refuses adds nobody")
    func callback() async throws {
        let fixture = try #require(try await HookScene(.sqlite))
        for (conduct, expected) in [
            (HookScene.Conduct.fails, "error=server_error&error_code=unexpected_failure"),
            (.isLate, "error=server_error&error_code=unexpected_failure"),
            (.refuses, "error=access_denied&error_code=user_banned"),
        ] {
            fixture.script.set(.atSignUp, to: conduct)
            let before = try await fixture.rows()
            let back = try await BrowserCallTests.visit(fixture.scene, PKCE())
            #expect(back.field("Location")?.contains(expected) == true)
            #expect(try await fixture.rows() == before)
        }
        await fixture.close()
    }

    @Test("A request that is cancelled while a hook runs leaves no transaction open")
    func cancelled() async throws {
        for hook in [HookScene.Hook.beforeSession, .atSignUp] {
            let clock = ManualClock()
            let database = try await SQLiteAccounts.inMemory()
            let (entries, entry) = AsyncStream<Void>.makeStream()
            let isWaiting = Locked(true)
            let wait: @Sendable () async -> Void = {
                guard isWaiting.withLock({ $0 }) else { return }
                entry.yield()
                await clock.source.sleep(for: .seconds(3_600))
            }
            let scene = try await Scene(database) { options in
                options.hooks.clock = clock.source
                if hook == .atSignUp {
                    options.hooks.atSignUp = { _, _ in await wait() }
                } else {
                    options.hooks.beforeSession = { _ in await wait() }
                }
            }
            let request = Scene.request("POST /signup", "{}")
            let task = Task { await scene.service.answer(request) }
            for await _ in entries { break }
            task.cancel()
            #expect(await task.value.status == 503)
            #expect(try await scene.count("SELECT count(*) FROM signet_users") == 0)
            isWaiting.withLock { $0 = false }
            #expect(try await scene.send(request).status == 200)
        }
    }

    @Test("The time limit of hooks is a second to a minute")
    func limits() async throws {
        for limit in [Duration.milliseconds(999), .milliseconds(60_001)] {
            await #expect(throws: AccountError(.invalidParameter, "")) {
                try await Scene { $0.hooks.timeLimit = limit }
            }
        }
    }
}
