// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetBase
import SignetCrypto
import SignetEmail
import SignetSignIn
import TestSupport
import Testing

@Suite("The outbox of codes", .serialized, .timeLimit(.minutes(20)))
struct OutboxTests {
    private func send(_ database: some AccountDatabase, _ numbers: Range<Int>) async throws {
        let codes = OneTimeCodes(database, secret: try .test())
        for number in numbers {
            _ = try await codes.send(
                to: try CodeScene.destination("+1415555\(1000 + number)"), for: .signIn, from: nil)
        }
    }

    private func count(_ database: some AccountDatabase) async throws -> Int64? {
        let rows = try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run("SELECT count(*) FROM signet_outbox", values: [])
        }
        return try rows.first?.integer(0)
    }

    @Test("Two processes send each message once")
    func two() async throws {
        let folder = try PrivateFolder()
        let databases = [
            try await SQLiteAccounts.open(at: folder.path + "/a.db", busyTimeout: .seconds(60)),
            try await SQLiteAccounts.open(at: folder.path + "/a.db", busyTimeout: .seconds(60)),
        ]
        try await send(databases[0], 0..<40)
        let sender = RecordingSender()
        let sent = try await withThrowingTaskGroup(of: Int.self) { group in
            for database in databases {
                let outbox = try Outbox(database, secret: try .test(), sender: sender)
                group.addTask { try await outbox.deliver() }
            }
            return try await group.reduce(0, +)
        }
        #expect(sent == 40 && sender.messages.count == 40)
        #expect(Set(sender.messages.map(\.destination)).count == 40)
        #expect(try await count(databases[0]) == 0)
        for database in databases { await database.close() }
    }

    @Test("A failed message is retried, with growing pauses, until its code has ended")
    func again() async throws {
        let moments = try Moments()
        let start = try await moments.after(0)
        try await send(start, 0..<1)
        let sender = RecordingSender()
        let failure = AccountError(.unavailable, "The provider is out of reach.")
        sender.fail([AccountError](repeating: failure, count: 100))
        let reported = Locked(0)
        var times: [Int64] = []
        for second in Int64(0)...302 {
            let before = reported.withLock { $0 }
            let outbox = try Outbox(
                try await moments.after(second * 1000), secret: try .test(), sender: sender)
            try await outbox.deliver { error in
                #expect(error == failure)
                reported.withLock { $0 += 1 }
            }
            if reported.withLock({ $0 }) > before { times.append(second) }
        }
        #expect(times == [0, 2, 6, 14, 30, 62, 126, 190, 254])
        #expect(try await count(try await moments.after(302_000)) == 0)
        #expect(sender.messages.isEmpty)
        await moments.close()
    }

    @Test("A rejected message is not retried")
    func refused() async throws {
        let database = try await SQLiteAccounts.inMemory()
        try await send(database, 0..<1)
        let sender = RecordingSender()
        sender.fail([AccountError(.messageRefused, "No such number.")])
        let outbox = try Outbox(database, secret: try .test(), sender: sender)
        #expect(try await outbox.deliver() == 0)
        #expect(try await count(database) == 0)
    }

    @Test("A message of a process that died is sent by another after a minute")
    func died() async throws {
        let moments = try Moments()
        try await send(try await moments.after(0), 0..<1)
        let id = try await claimAndDie(try await moments.after(0))
        let sender = RecordingSender()
        for (time, expected) in [(Int64(59_999), 0), (60_000, 1), (120_000, 0)] {
            let outbox = try Outbox(
                try await moments.after(time), secret: try .test(), sender: sender)
            #expect(try await outbox.deliver() == expected)
        }
        #expect(sender.messages.first.map { Array($0.id.utf8) } == id)
        await moments.close()
    }

    /// What a process that is killed while sending leaves behind.
    private func claimAndDie(_ database: some AccountDatabase) async throws -> [UInt8]? {
        let rows = try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(
                """
                UPDATE signet_outbox SET due_at = {now} + 60000, tries = tries + 1
                RETURNING message
                """, values: [])
        }
        return try rows.first?.bytes(0)
    }

    @Test("A newer code replaces no unsent message")
    func notReplaced() async throws {
        let moments = try Moments()
        try await send(try await moments.after(0), 0..<1)
        let later = try await moments.after(60_000)
        let scene = try CodeScene(later)
        let (code, _) = try await scene.code(try CodeScene.destination("+14155551000"))
        #expect(scene.sender.messages.count == 2)
        #expect(scene.sender.messages.contains { $0.code == code })
        await moments.close()
    }

    @Test("A row that was moved or sealed under another key is neither sent nor lost")
    func sealed() async throws {
        let moments = try Moments()
        let database = try await moments.after(0)
        try await send(database, 0..<2)
        let sender = RecordingSender()
        let codes = Locked([AccountError.Code]())
        let foreign = try Outbox(database, secret: try .test(2), sender: sender)
        try await foreign.deliver { error in codes.withLock { $0.append(error.code) } }
        #expect(codes.withLock { $0 } == [.corrupt, .corrupt] && sender.messages.isEmpty)
        #expect(try await count(database) == 2)
        // The sealed message of one row in another: only the row's own message is sent.
        _ = try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(
                """
                UPDATE signet_outbox SET due_at = {now},
                    sealed = (SELECT sealed FROM signet_outbox ORDER BY key LIMIT 1)
                """, values: [])
        }
        let own = try Outbox(database, secret: try .test(), sender: sender)
        try await own.deliver { error in codes.withLock { $0.append(error.code) } }
        #expect(codes.withLock { $0 } == [.corrupt, .corrupt, .corrupt])
        #expect(sender.messages.count == 1)
        await moments.close()
    }

    @Test("A previous key still opens")
    func previousKey() async throws {
        let database = try await SQLiteAccounts.inMemory()
        try await send(database, 0..<1)
        let sender = RecordingSender()
        let secret = try AccountSecret(
            SecretKey(copying: [UInt8](repeating: 9, count: 32)),
            previous: [SecretKey(copying: [UInt8](repeating: 1, count: 32))])
        #expect(try await Outbox(database, secret: secret, sender: sender).deliver() == 1)
    }

    @Test("It runs until cancelled, and sends new messages")
    func run() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let sender = RecordingSender()
        let outbox = try Outbox(database, secret: try .test(), sender: sender)
        let task = Task { await outbox.run(pause: .milliseconds(5)) }
        for round in 0..<3 {
            try await send(database, round..<round + 1)
            while sender.messages.count <= round { try await Task.sleep(for: .milliseconds(2)) }
        }
        task.cancel()
        await task.value
        #expect(sender.messages.count == 3)
    }

    @Test("It survives an unreachable database, and reports it")
    func outage() async throws {
        let database = try await SQLiteAccounts.inMemory()
        await database.close()
        let clock = ManualClock()
        let reported = Locked(0)
        let outbox = try Outbox(database, secret: try .test(), sender: RecordingSender())
        let task = Task {
            await outbox.run(time: clock.source) { error in
                #expect(error.code == .unavailable)
                reported.withLock { $0 += 1 }
            }
        }
        while reported.withLock({ $0 }) < 10 {
            clock.advance(by: .seconds(32))
            try await Task.sleep(for: .milliseconds(1))
        }
        task.cancel()
        await task.value
    }

    @Test("The file of messages, which holds codes, is private to its owner")
    func file() async throws {
        let folder = try PrivateFolder()
        let path = folder.path + "/codes.txt"
        let database = try await SQLiteAccounts.inMemory()
        try await send(database, 0..<2)
        let codes = OneTimeCodes(database, secret: try .test())
        let mailbox = try Mailbox("ann@example.com")
        let sent = try await codes.send(to: .email(mailbox), for: .recovery, from: nil)
        let outbox = try Outbox(
            database, secret: try .test(), sender: FileMessageSender(path: path))
        #expect(try await outbox.deliver() == 3)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3)
        let line = try #require(lines.first { $0.contains("ann@example.com") })
        let fields = line.split(separator: "\t").map(String.init)
        #expect(fields.count == 4 && fields[0] == "recovery")
        // Of the challenge, which stands for the client, it says nothing.
        #expect(fields[3] == (try sent.challenge.messageID()) && fields[3] != sent.challenge.text)
        try await codes.verify(
            try OneTimeCode(fields[2]), sentTo: .email(mailbox), for: .recovery)

        let nowhere = FileMessageSender(path: folder.path + "/none/codes.txt")
        try await send(database, 5..<6)
        #expect(try await Outbox(database, secret: try .test(), sender: nowhere).deliver() == 0)
        #expect(try await count(database) == 1)
    }

    @Test("A notice stands in the file without a code, and is sealed in the database")
    func noticeInFile() async throws {
        let folder = try PrivateFolder()
        let path = folder.path + "/codes.txt"
        let database = try await SQLiteAccounts.inMemory()
        let mailbox = try Mailbox("ann@example.com")
        let user = try await People(database).findOrAdd(.email(mailbox)).user.id
        let notices = AccountNotices(database, secret: try .test())
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await notices.tell("of-the-program", of: user, in: transaction)
            try await notices.tell(.password, of: "nobody", in: transaction)
        }
        let sealed = try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run("SELECT sealed FROM signet_outbox", values: []).map {
                (row) throws(AccountError) in try row.bytes(0)
            }
        }
        #expect(sealed.count == 1)
        #expect(!String(decoding: sealed.joined(), as: UTF8.self).contains("ann@"))
        let outbox = try Outbox(
            database, secret: try .test(), sender: FileMessageSender(path: path))
        #expect(try await outbox.deliver() == 1)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix("notice\tann@example.com\tof-the-program\t"))
    }

    @Test("A notice is retried for a day")
    func noticeAgain() async throws {
        let moments = try Moments()
        let start = try await moments.after(0)
        let mailbox = try Mailbox("ann@example.com")
        let user = try await People(start).findOrAdd(.email(mailbox)).user.id
        let notices = AccountNotices(start, secret: try .test())
        try await start.transaction { (transaction) throws(AccountError) -> Void in
            try await notices.tell(.password, of: user, in: transaction)
        }
        let sender = RecordingSender()
        sender.fail([AccountError(.unavailable, "The provider is out of reach.")])
        for (seconds, expected) in [(Int64(0), 0), (86_399, 1), (86_401, 1)] {
            let outbox = try Outbox(
                try await moments.after(seconds * 1000), secret: try .test(), sender: sender)
            try await outbox.deliver()
            #expect(sender.notices.count == expected)
        }
        #expect(try await count(try await moments.after(86_402_000)) == 0)
        await moments.close()
    }

    @Test("Printing a message shows none of it")
    func redacted() async throws {
        let scene = try CodeScene(try await SQLiteAccounts.inMemory())
        let (code, _) = try await scene.code()
        let message = try #require(scene.sender.messages.first)
        var dumped = "\(message) \(message.destination) \(try AccountSecret.test())"
        dump(message, to: &dumped)
        dump(message.destination, to: &dumped)
        #expect(!dumped.contains(code.exposedText) && !dumped.contains("4155551234"))
    }

    @Test("Every valid mailbox gets its message")
    func mailboxes() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let options = Mailbox.Options(
            allowsQuotedLocalPart: true, allowsRouting: true, allowsUnicodeLocalPart: true,
            trailingDot: .dns)
        let texts = [
            "\"john doe\"@example.com", "\"a@b\\\"c\"@example.com", "a%b!c@example.com",
            "ünï@example.com", "Ann.O'Hara+x@EXAMPLE.com", "a@example.com.",
            String(repeating: "a", count: 64) + "@example.com",
        ]
        let sender = RecordingSender()
        for text in texts {
            let destination = CodeDestination.email(try Mailbox(text, options: options))
            let codes = OneTimeCodes(database, secret: try .test())
            _ = try await codes.send(to: destination, for: .signIn, from: nil)
            #expect(try await Outbox(database, secret: try .test(), sender: sender).deliver() == 1)
            let message = try #require(sender.messages.last)
            #expect(message.destination == destination)
            try await codes.verify(message.code, sentTo: destination, for: .signIn)
        }
    }

    @Test("A message is sent once when the database fails after the sending")
    func failsAfterwards() async throws {
        let inner = try await SQLiteAccounts.inMemory()
        try await send(inner, 0..<1)
        let sender = RecordingSender()
        let database = FailingDatabase(inner) { !sender.messages.isEmpty }
        let outbox = try Outbox(
            database, secret: try .test(), sender: sender, concurrentSendCount: 1)
        #expect(try await outbox.deliver() == 1)
        #expect(try await count(inner) == 0)
        #expect(try await outbox.deliver() == 0)
        #expect(sender.messages.count == 1)
    }

    @Test("A row dated in the future by a clock that was set back is dropped")
    func clockSetBack() async throws {
        let moments = try Moments()
        try await send(try await moments.after(31_536_000_000), 0..<1)
        let past = try await moments.after(0)
        let sender = RecordingSender()
        #expect(try await Outbox(past, secret: try .test(), sender: sender).deliver() == 0)
        #expect(try await count(past) == 0)
        await moments.close()
    }

    @Test("A notice that waits when the clock is set back is sent at once, and once")
    func noticeOfLater() async throws {
        let moments = try Moments()
        let (people, hour) = (People(try await moments.after(31_536_000_000)), Int64(3_600_000))
        let later = try await moments.after(31_536_000_000)
        let user = try await people.findOrAdd(.email(Mailbox("ann@company.example"))).user
        let notices = AccountNotices(later, secret: try .test())
        try await later.transaction { (transaction) throws(AccountError) -> Void in
            try await notices.tell(.password, of: user.id, in: transaction)
        }
        let sender = RecordingSender()
        sender.fail([AccountError(.unavailable, "The mail server is away.")])
        for moment in [0, 2_000, 4_000, hour] {
            let outbox = try Outbox(
                try await moments.after(moment), secret: try .test(), sender: sender)
            try await outbox.deliver()
        }
        #expect(sender.notices.count == 1)
        // It ends after a day, too, where it cannot be sent.
        try await later.transaction { (transaction) throws(AccountError) -> Void in
            try await notices.tell(.email, of: user.id, in: transaction)
        }
        let failure = AccountError(.unavailable, "The mail server is away.")
        sender.fail([AccountError](repeating: failure, count: 100))
        for moment in [2 * hour, 27 * hour] {
            let outbox = try Outbox(
                try await moments.after(moment), secret: try .test(), sender: sender)
            try await outbox.deliver()
        }
        #expect(try await count(try await moments.after(27 * hour)) == 0)
        await moments.close()
    }

    /// Fails after another process has taken over what it was to send.
    private struct LateSender: MessageSender {
        let database: any AccountDatabase

        func send(_ message: CodeMessage) async throws(AccountError) {
            try await database.transaction { (transaction) throws(AccountError) -> Void in
                try await transaction.run(
                    "UPDATE signet_outbox SET due_at = {now} + 60000, tries = tries + 1", values: []
                )
            }
            throw AccountError(.unavailable, "Too late.")
        }

        func send(_ notice: NoticeMessage) async throws(AccountError) {}
    }

    @Test("A process that fails late does not release a message that another one sends")
    func lateFailure() async throws {
        let moments = try Moments()
        let start = try await moments.after(0)
        try await send(start, 0..<1)
        try await Outbox(start, secret: .test(), sender: LateSender(database: start)).deliver()
        let sender = RecordingSender()
        for (time, expected) in [(Int64(59_999), 0), (60_000, 1)] {
            let outbox = try Outbox(
                try await moments.after(time), secret: try .test(), sender: sender)
            #expect(try await outbox.deliver() == expected)
        }
        await moments.close()
    }

    @Test("A row that cannot be dropped delays no message, and is reported")
    func dropFails() async throws {
        let inner = try await SQLiteAccounts.inMemory()
        try await send(inner, 0..<1)
        // The statement that drops what has ended is the first one.
        let database = FailingDatabase(inner, count: 1) { true }
        let sender = RecordingSender()
        let outbox = try Outbox(database, secret: try .test(), sender: sender)
        let error = await accountError { () async throws(AccountError) in
            try await outbox.deliver()
        }
        #expect(error?.code == .unavailable && sender.messages.count == 1)
        #expect(try await count(inner) == 0)
    }

    @Test("An outbox sends 1 to 64 messages at once")
    func concurrentSendCount() async throws {
        let database = try await SQLiteAccounts.inMemory()
        for concurrentSendCount in [0, 65] {
            #expect(throws: AccountError(.invalidParameter, "")) {
                try Outbox(
                    database, secret: try .test(), sender: RecordingSender(),
                    concurrentSendCount: concurrentSendCount)
            }
        }
    }
}
