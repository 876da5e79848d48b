// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetCrypto
import SignetEmail
import SignetSignIn
import TestSupport
import Testing

@Suite("One-time codes", .serialized, .timeLimit(.minutes(20)))
struct OneTimeCodesTests {
    private static let wrong = AccountError(.wrongCode, "")
    private static let limited = AccountError(.tooManyRequests, "")

    @Test("Digits are drawn evenly, and leading zeros are kept")
    func uniform() throws {
        for digitCount in [6, 10] {
            var counts = [[Int]](repeating: [Int](repeating: 0, count: 10), count: digitCount)
            let rounds = 4000
            for _ in 0..<rounds {
                let text = try OneTimeCodes.randomCode(digitCount).exposedText
                #expect(text.utf8.count == digitCount)
                for (place, digit) in text.utf8.enumerated() { counts[place][Int(digit) - 48] += 1 }
            }
            for place in counts {
                // Chi-square with 9 degrees of freedom: above 60 with a chance of 1 to 10^9.
                let expected = Double(rounds) / 10
                let sum = place.reduce(0.0) { $0 + pow(Double($1) - expected, 2) / expected }
                #expect(sum < 60)
            }
        }
    }

    @Test("A code works once, for its destination and purpose")
    func once() async throws {
        let scene = try CodeScene(try await SQLiteAccounts.inMemory())
        let (code, sent) = try await scene.code()
        #expect(sent.lifetime == .seconds(300) && sent.resendAfter == .seconds(60))
        let other = try CodeScene.destination("+14155551235")
        for (destination, purpose) in [
            (other, CodePurpose.signIn), (try CodeScene.destination(), .recovery),
            (try CodeScene.destination(), .newDestination), (other, .recovery),
        ] { #expect(try await scene.verify(code, destination, purpose) == Self.wrong) }
        #expect(try await scene.verify(code) == nil)
        #expect(try await scene.verify(code) == Self.wrong)
    }

    @Test("A code sent to one spelling of a mailbox is wrong for another")
    func spelling() async throws {
        let scene = try CodeScene(try await SQLiteAccounts.inMemory())
        let (code, _) = try await scene.code(.email(try Mailbox("Ann@example.com")))
        #expect(try await scene.verify(code, .email(try Mailbox("ann@example.com"))) == Self.wrong)
        #expect(try await scene.verify(code, .email(try Mailbox("Ann@Example.COM"))) == nil)
    }

    @Test("A code lives for 300 s, to the millisecond")
    func lifetime() async throws {
        for (time, error) in [
            (Int64(299_000), AccountError?.none), (299_999, nil), (300_000, Self.wrong),
            (301_000, Self.wrong), (1 << 40, Self.wrong),
            // A clock that was set back by more than a minute ends codes.
            (-60_000, nil), (-60_001, Self.wrong),
        ] {
            let moments = try Moments()
            let (code, _) = try await CodeScene(try await moments.after(0)).code()
            let scene = try CodeScene(try await moments.after(time))
            #expect(try await scene.verify(code) == error, "\(time)")
            await moments.close()
        }
    }

    @Test("Five wrong guesses end a code")
    func tries() async throws {
        let scene = try CodeScene(try await SQLiteAccounts.inMemory())
        let (code, sent) = try await scene.code()
        for step in 1...4 {
            let guess = try CodeScene.wrong(code, step)
            #expect(try await scene.verify(guess, challenge: sent.challenge) == Self.wrong)
        }
        #expect(try await scene.verify(code, challenge: sent.challenge) == nil)

        // Without a challenge its address names the client.
        let (second, _) = try await scene.code(nil, .recovery, from: "192.0.2.1")
        for step in 1...5 {
            let guess = try CodeScene.wrong(second, step)
            #expect(try await scene.verify(guess, nil, .recovery, from: "192.0.2.1") == Self.wrong)
        }
        #expect(try await scene.verify(second, nil, .recovery, from: "192.0.2.1") == Self.wrong)
        #expect(try await scene.verify(second, nil, .recovery) == Self.wrong)
    }

    @Test("A client can ask again after 60 s, and its earlier code stays good")
    func resend() async throws {
        let moments = try Moments()
        let scene = try CodeScene(try await moments.after(0))
        let (first, sent) = try await scene.code()
        for (time, wait) in [(Int64(0), Int64(60_000)), (59_999, 1)] {
            let later = try CodeScene(try await moments.after(time))
            let error = try await failureOfSending(later, challenge: sent.challenge)
            #expect(error == Self.limited && error?.retryAfter == .milliseconds(wait))
        }
        let later = try CodeScene(try await moments.after(60_000))
        let (second, again) = try await later.code(challenge: sent.challenge)
        #expect(try await later.verify(second, challenge: again.challenge) == nil)
        #expect(try await later.verify(first, challenge: sent.challenge) == nil)
        // A code that was used does not let the next one come earlier.
        let error = try await failureOfSending(later, challenge: sent.challenge)
        #expect(error?.retryAfter == .milliseconds(60_000))
        // The challenge of another destination or purpose is none.
        #expect(try await failureOfSending(later, .recovery, challenge: sent.challenge) == nil)
        await moments.close()
    }

    @Test("What follows a code learns whose it was: one client as long as it shows a challenge")
    func requests() async throws {
        let moments = try Moments()
        let scene = try CodeScene(try await moments.after(0))
        let phone = try CodeScene.destination()
        func used(_ code: OneTimeCode, _ challenge: CodeChallenge?) async throws -> CodeRequest {
            try await scene.codes.verify(
                code, sentTo: phone, for: .signIn, challenge: challenge
            ) { (_, request) throws(AccountError) in request }
        }
        let (first, sent) = try await scene.code()
        let later = try CodeScene(try await moments.after(60_000))
        let (second, again) = try await later.code(challenge: sent.challenge)
        let (third, other) = try await later.code()
        for (code, sent, client) in [
            (second, again, sent), (first, sent, sent), (third, other, other),
        ] {
            let request = try await used(code, sent.challenge)
            #expect(request.challenge == sent.challenge && request.client == client.challenge)
        }
        await moments.close()
    }

    private func failureOfSending(
        _ scene: CodeScene, _ purpose: CodePurpose = .signIn,
        to destination: CodeDestination? = nil,
        from address: String? = nil, challenge: CodeChallenge? = nil
    ) async throws -> AccountError? {
        let destination = try destination ?? CodeScene.destination()
        let address = address.flatMap { ClientAddress($0) }
        return await accountError { () throws(AccountError) in
            try await scene.codes.send(
                to: destination, for: purpose, from: address, challenge: challenge)
        }
    }

    @Test("Strangers get three codes for a number over all purposes, and the next waits")
    func threeForAll() async throws {
        let moments = try Moments()
        for (minute, purpose) in (["a", "b", "c"] as [CodePurpose]).enumerated() {
            let scene = try CodeScene(try await moments.after(Int64(minute) * 60_000))
            #expect(try await failureOfSending(scene, purpose) == nil)
        }
        let scene = try CodeScene(try await moments.after(300_000))
        let error = try await failureOfSending(scene, "d")
        #expect(error == Self.limited && error?.retryAfter == .milliseconds(1_200_000 - 300_000))
        // Nothing that was refused is stored: no code, no message.
        let rows = try await scene.database.transaction { (transaction) throws(AccountError) in
            try await transaction.run("SELECT count(*) FROM signet_codes", values: [])
        }
        #expect(try rows.first?.integer(0) == 3)
        let due = try CodeScene(try await moments.after(1_200_000))
        #expect(try await failureOfSending(due, "d") == nil)
        await moments.close()
    }

    @Test("A request that the destination refuses counts for its client")
    func refusedRequests() async throws {
        let scene = try CodeScene(try await SQLiteAccounts.inMemory())
        for _ in 0..<30 { _ = try await failureOfSending(scene, from: "192.0.2.1") }
        let other = try CodeScene.destination("+14155551235")
        #expect(try await failureOfSending(scene, to: other, from: "192.0.2.1") == Self.limited)
        #expect(try await failureOfSending(scene, to: other, from: "192.0.2.2") == nil)
    }

    @Test("A client address asks for thirty codes an hour, whatever it forwards")
    func thirtyAnHour() async throws {
        let scene = try CodeScene(try await SQLiteAccounts.inMemory())
        func sending(_ number: Int, _ peer: String, _ claimed: String) async throws -> AccountError?
        {
            let client = TrustedProxies.none.client(peer: peer, forwarded: [claimed])
            let phone = try CodeScene.destination("+1415555\(1000 + number)")
            return await accountError { () throws(AccountError) in
                try await scene.codes.send(to: phone, for: .signIn, from: client)
            }
        }
        for number in 0..<30 {
            #expect(
                try await sending(number, "192.0.2.1:\(1000 + number)", "1.1.1.\(number)") == nil)
        }
        for peer in ["192.0.2.1:9", "::ffff:192.0.2.1", "[::ffff:c000:201]:77"] {
            #expect(try await sending(30, peer, "8.8.8.8") == Self.limited)
        }
        #expect(try await sending(30, "192.0.2.2:9", "192.0.2.1") == nil)
        for number in 31...60 {
            #expect(try await sending(number, "2001:db8:0:1::\(number)", "") == nil)
        }
        #expect(try await sending(61, "2001:db8:0:1:ffff::1", "") == Self.limited)
    }

    @Test("Clients without a code of their own share twenty wrong guesses a day")
    func twentyWrong() async throws {
        let moments = try Moments()
        let scene = try CodeScene(try await moments.after(0))
        for (round, purpose) in (["a", "b"] as [CodePurpose]).enumerated() {
            let (code, _) = try await scene.code(nil, purpose, from: "192.0.2.1")
            for step in 1...10 {
                let guess = try CodeScene.wrong(code, step)
                let address = "198.51.100.\(10 * round + step)"
                #expect(try await scene.verify(guess, nil, purpose, from: address) == Self.wrong)
            }
        }
        let (code, own) = try await scene.code(nil, "c", from: "192.0.2.1")
        let error = try await scene.verify(code, nil, "c", from: "198.51.100.1")
        #expect(error == Self.limited && error?.retryAfter == .milliseconds(4_320_000))
        // They have used up no one's tries.
        for step in 1...4 {
            let guess = try CodeScene.wrong(code, step)
            #expect(
                try await scene.verify(guess, nil, "c", challenge: own.challenge) == Self.wrong)
        }
        #expect(try await scene.verify(code, nil, "c", challenge: own.challenge) == nil)
        // Another destination is as free as before.
        let other = try CodeScene.destination("+14155551235")
        let (otherCode, _) = try await scene.code(other)
        #expect(try await scene.verify(otherCode, other) == nil)
        let due = try CodeScene(try await moments.after(4_320_000))
        let (last, _) = try await due.code(nil, "c")
        #expect(try await due.verify(last, nil, "c") == nil)
        #expect(try await due.verify(last, nil, "c") == Self.wrong)
        await moments.close()
    }

    @Test("A guess at no live code does not count, so strangers lock no one out")
    func idleGuesses() async throws {
        let scene = try CodeScene(try await SQLiteAccounts.inMemory())
        for _ in 0..<30 {
            #expect(try await scene.verify(try OneTimeCode("123456")) == Self.wrong)
        }
        let (code, sent) = try await scene.code()
        let foreign = try #require(CodeChallenge(String(repeating: "A", count: 22)))
        for _ in 0..<30 {
            #expect(try await scene.verify(code, challenge: foreign) == Self.wrong)
        }
        #expect(CodeChallenge(sent.challenge.text) == sent.challenge)
        #expect(try await scene.verify(code, challenge: sent.challenge) == nil)
        for text in ["", "A", String(repeating: "A", count: 21) + "B", "=".padded(22)] {
            #expect(CodeChallenge(text) == nil)
        }
    }

    @Test("Of fifty tasks with the right code over two connections, one succeeds")
    func race() async throws {
        let folder = try PrivateFolder()
        let databases = [
            try await SQLiteAccounts.open(at: folder.path + "/a.db", busyTimeout: .seconds(60)),
            try await SQLiteAccounts.open(at: folder.path + "/a.db", busyTimeout: .seconds(60)),
        ]
        let scenes = try databases.map { try CodeScene($0) }
        for purpose in ["a", "b", "c"] as [CodePurpose] {
            let (code, _) = try await scenes[0].code(nil, purpose)
            let right = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<50 {
                    group.addTask { try await scenes[index % 2].verify(code, nil, purpose) == nil }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(right == 1)
        }
        for database in databases { await database.close() }
    }

    @Test("Of a hundred simultaneous guesses, five are compared")
    func guessesAtOnce() async throws {
        let folder = try PrivateFolder()
        let databases = [
            try await SQLiteAccounts.open(at: folder.path + "/a.db", busyTimeout: .seconds(60)),
            try await SQLiteAccounts.open(at: folder.path + "/a.db", busyTimeout: .seconds(60)),
        ]
        let scenes = try databases.map { try CodeScene($0) }
        let (code, sent) = try await scenes[0].code()
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<100 {
                group.addTask {
                    // The right one is in the middle of them.
                    let guess = index == 50 ? code : try CodeScene.wrong(code, index + 1)
                    return try await scenes[index % 2].verify(guess, challenge: sent.challenge)
                        == nil
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right <= 1)
        let rows = try await databases[0].transaction { (transaction) throws(AccountError) in
            try await transaction.run("SELECT tries, used FROM signet_codes", values: [])
        }
        #expect(try rows.first.map { try $0.integer(0) <= 5 } == true)
        #expect(try rows.first?.integer(1) == Int64(right))
        #expect(try await scenes[0].verify(code) == Self.wrong)
        for database in databases { await database.close() }
    }

    @Test("Known and unknown destinations run the same statements in the same order")
    func enumeration() async throws {
        func life(isKnown: Bool) async throws -> (log: [String], errors: [AccountError?]) {
            let database = RecordingDatabase(try await SQLiteAccounts.inMemory())
            let scene = try CodeScene(database)
            let phone = try CodeScene.destination()
            var errors: [AccountError?] = []
            for _ in 0..<2 {
                errors.append(
                    await accountError { () throws(AccountError) in
                        try await scene.codes.send(
                            to: phone, for: .signIn, from: ClientAddress("192.0.2.1")
                        ) { (transaction, _) throws(AccountError) in
                            let rows = try await transaction.run("SELECT 1 WHERE 1 = 0", values: [])
                            return isKnown || !rows.isEmpty
                        }
                    })
            }
            let outbox = try Outbox(
                database, secret: try .test(), sender: scene.sender, concurrentSendCount: 1)
            try await outbox.deliver()
            #expect(scene.sender.messages.count == (isKnown ? 2 : 0))
            // Not the code that was sent.
            let sent = try scene.sender.messages.first?.code ?? OneTimeCode("000000")
            for step in 1...7 {
                errors.append(try await scene.verify(try CodeScene.wrong(sent, step)))
            }
            return (database.taken(), errors)
        }
        let (known, unknown) = (try await life(isKnown: true), try await life(isKnown: false))
        #expect(known.log == unknown.log)
        #expect(known.log.count > 30)
        #expect(known.errors == unknown.errors)
        #expect(
            known.errors.compactMap { $0?.message } == unknown.errors.compactMap { $0?.message })
    }

    @Test("No code is right for an unknown destination")
    func unknown() async throws {
        // Not all codes of six digits can be tried, but the message's own can, and it is wrong.
        let database = try await SQLiteAccounts.inMemory()
        let policy = try CodePolicy(resendAfter: .seconds(1))
        let codes = OneTimeCodes(database, secret: try .test(), policy: policy)
        let phone = try CodeScene.destination()
        _ = try await codes.send(to: phone, for: .signIn, from: nil) {
            (_, _) throws(AccountError) in false
        }
        let rows = try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(
                "SELECT length(code), length(challenge) FROM signet_codes", values: [])
        }
        #expect(try rows.first?.integer(0) == 32 && rows.first?.integer(1) == 16)
    }

    @Test("The action after a right code commits with it, or the code stays valid")
    func work() async throws {
        let scene = try CodeScene(try await SQLiteAccounts.inMemory())
        let (code, _) = try await scene.code()
        let phone = try CodeScene.destination()
        let error = await accountError { () throws(AccountError) in
            try await scene.codes.verify(code, sentTo: phone, for: .signIn) {
                (transaction, _) throws(AccountError) -> String in
                try await AccountUsers.add("ann", in: transaction)
                throw AccountError(.conflict, "x")
            }
        }
        #expect(error?.code == .conflict)
        let name = try await scene.codes.verify(code, sentTo: phone, for: .signIn) {
            (transaction, _) throws(AccountError) in
            try await AccountUsers.add("ann", in: transaction)
            return "ann"
        }
        #expect(name == "ann")
        #expect(try await scene.verify(code) == Self.wrong)
    }

    @Test("Under another server's secret no code is right")
    func otherSecret() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let (code, _) = try await CodeScene(database).code()
        let other = OneTimeCodes(database, secret: try .test(2))
        let phone = try CodeScene.destination()
        await #expect(throws: Self.wrong) {
            try await other.verify(code, sentTo: phone, for: .signIn)
        }
        #expect(throws: AccountError(.invalidParameter, "")) {
            try AccountSecret(SecretKey(copying: [UInt8](repeating: 1, count: 31)))
        }
    }

    @Test("The file holds no number, no address and no code")
    func hidden() async throws {
        let moments = try Moments()
        let scene = try CodeScene(try await moments.after(0))
        let mailbox = try Mailbox("ann.example@mail.example.com")
        _ = try await scene.codes.send(to: .email(mailbox), for: .signIn, from: nil)
        let (code, _) = try await scene.code()
        await moments.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: moments.path))
        for text in ["4155551234", "ann.example", code.exposedText] {
            #expect(bytes.range(of: Data(text.utf8)) == nil)
        }
    }

    @Test("With the database unreachable nothing is sent and no code is accepted")
    func outOfReach() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let scene = try CodeScene(database)
        let (code, _) = try await scene.code()
        await database.close()
        #expect(try await failureOfSending(scene)?.code == .unavailable)
        #expect(try await scene.verify(code)?.code == .unavailable)
    }

    @Test("An ended code is swept an hour later")
    func swept() async throws {
        let moments = try Moments()
        _ = try await CodeScene(try await moments.after(0)).code()
        for (time, count) in [(Int64(3_899_999), Int64(1)), (3_900_000, 0)] {
            let database = try await moments.after(time)
            try await CodeScene(database).codes.sweep()
            let rows = try await database.transaction { (transaction) throws(AccountError) in
                try await transaction.run("SELECT count(*) FROM signet_codes", values: [])
            }
            #expect(try rows.first?.integer(0) == count)
        }
        await moments.close()
    }

    @Test("A code that the version before has sent stays good")
    func migrated() async throws {
        let database = try await SQLiteAccounts.inMemory()
        for statement: SQLStatement in [
            "DROP TABLE signet_codes",
            """
            CREATE TABLE signet_codes (
                key {bytes} NOT NULL PRIMARY KEY, challenge {bytes} NOT NULL,
                code {bytes} NOT NULL, sent_at {integer} NOT NULL, ends_at {integer} NOT NULL,
                tries {integer} NOT NULL, used {integer} NOT NULL) {strict}
            """,
            "CREATE INDEX signet_codes_by_end ON signet_codes (ends_at)",
            "DELETE FROM signet_schema_steps WHERE name = 'codes.2'",
        ] { try await database.run(statement) }
        let challenge = try #require(CodeChallenge("AAAAAAAAAAAAAAAAAAAAAA"))
        let (named, zeros) = (
            [Array("sign-in".utf8), [1] + Array(CodeScene.phone.utf8)],
            [UInt8](repeating: 0, count: 16)
        )
        let secret = try AccountSecret.test()
        try await database.run(
            """
            INSERT INTO signet_codes (key, challenge, code, sent_at, ends_at, tries, used)
            VALUES ($1, $2, $3, {now}, {now} + 300000, 0, 0)
            """,
            values: [
                .bytes(try secret.code("code destination", over: named)), .bytes(zeros),
                .bytes(try secret.code("code", over: named + [zeros, Array("123456".utf8)])),
            ])
        try await AccountSchema.migrate(database)
        let scene = try CodeScene(database)
        let wrong = try OneTimeCode("654321")
        #expect(try await scene.verify(wrong, challenge: challenge) == Self.wrong)
        #expect(try await scene.verify(try OneTimeCode("123456"), challenge: challenge) == nil)
    }

    @Test("Policies out of range are refused; ten digits work")
    func policies() async throws {
        let refused = AccountError(.invalidParameter, "")
        for digits in [5, 11] { #expect(throws: refused) { try CodePolicy(digitCount: digits) } }
        for tries in [0, 11] { #expect(throws: refused) { try CodePolicy(tries: tries) } }
        for seconds in [0, 29, 601] {
            #expect(throws: refused) { try CodePolicy(lifetime: .seconds(seconds)) }
        }
        for seconds in [0, 601] {
            #expect(throws: refused) { try CodePolicy(resendAfter: .seconds(seconds)) }
        }
        let scene = try CodeScene(
            try await SQLiteAccounts.inMemory(), try CodePolicy(digitCount: 10))
        let (code, _) = try await scene.code()
        #expect(code.digitCount == 10)
        #expect(try await scene.verify(code) == nil)
    }
}

extension String {
    fileprivate func padded(_ count: Int) -> String { String(repeating: self, count: count) }
}
