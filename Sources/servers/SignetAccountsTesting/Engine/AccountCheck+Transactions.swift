// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetAccounts

extension AccountCheck {
    static let transactions = [
        AccountCheck("code after a transaction holds up no other transaction") { scope in
            let database = scope.database
            let caller = Caller()
            try await withTaskExecutorPreference(TransactionQueue(label: "caller")) {
                try await database.transaction { (_) throws(AccountError) in }
                try scope.expect(
                    secondTransactionRuns(in: database), is: true, named: "whether others go on")
                _ = try? await database.transaction { (_) throws(AccountError) in
                    throw AccountError(.invalidGrant, "An error of the work.")
                }
                try scope.expect(
                    secondTransactionRuns(in: database), is: true,
                    named: "whether they do after an error")
                try scope.expect(
                    try await caller.secondTransactionRunsAfterwards(database), is: [true, true],
                    named: "whether others go on beside an actor")
            }
        },
        AccountCheck("all of a transaction is there, or nothing") { scope in
            let name = scope.name
            try await scope.database.transaction { (transaction) throws(AccountError) in
                for row in ["a", "b"] {
                    try await transaction.run(
                        AccountCheckScope.insert, values: [.text(name), .text(row), .integer(1)])
                }
            }
            try scope.expect(try await scope.number(in: "a", on: 1), is: 1, named: "the first row")
            try scope.expect(try await scope.number(in: "b", on: 1), is: 1, named: "the second row")
            try await scope.expect(.invalidGrant, by: "work that throws") {
                try await scope.database.transaction { (transaction) throws(AccountError) in
                    try await transaction.run(
                        AccountCheckScope.insert, values: [.text(name), .text("c"), .integer(1)])
                    throw AccountError(.invalidGrant, "An error of the work.")
                }
            }
            try scope.expect(
                try await scope.number(in: "c"), is: nil, named: "a row of work that threw")
        },
        AccountCheck("a statement that failed loses its transaction") { scope in
            let name = scope.name
            try await scope.add("there")
            try await scope.expect(.conflict, by: "work that hides a conflict") {
                try await scope.database.transaction { (transaction) throws(AccountError) in
                    try await transaction.run(
                        AccountCheckScope.insert,
                        values: [.text(name), .text("before"), .integer(1)])
                    _ = try? await transaction.run(
                        AccountCheckScope.insert,
                        values: [.text(name), .text("there"), .integer(2)])
                    _ = try? await transaction.run(
                        AccountCheckScope.insert,
                        values: [.text(name), .text("after"), .integer(1)])
                }
            }
            try scope.expect(try await scope.number(in: "before"), is: nil, named: "the row before")
            try scope.expect(try await scope.number(in: "after"), is: nil, named: "the row after")
            try scope.expect(
                try await scope.number(in: "there"), is: 0, named: "the row that was there")
        },
        AccountCheck("a transaction is over when its work is") { scope in
            let name = scope.name
            let kept = try await scope.database.transaction {
                (transaction) throws(AccountError) in transaction
            }
            try await scope.expect(.invalidParameter, by: "a statement afterwards") {
                try await kept.run(
                    AccountCheckScope.insert, values: [.text(name), .text("late"), .integer(1)])
            }
            try scope.expect(
                try await scope.number(in: "late"), is: nil, named: "a row that came late")
        },
        AccountCheck("a cancelled transaction leaves nothing") { scope in
            let name = scope.name
            let (began, beginning) = AsyncStream<Void>.makeStream()
            let task = Task {
                try await scope.database.transaction { (transaction) throws(AccountError) in
                    try await transaction.run(
                        AccountCheckScope.insert,
                        values: [.text(name), .text("cancelled"), .integer(1)])
                    beginning.yield()
                    while !Task.isCancelled { await Task.yield() }
                }
            }
            for await _ in began { break }
            task.cancel()
            try await scope.expect(.cancelled, by: "a transaction that was cancelled") {
                try await task.value
            }
            try scope.expect(try await scope.number(in: "cancelled"), is: nil, named: "its row")
            try await scope.add("afterwards")
        },
        AccountCheck("a task that is cancelled begins nothing") { scope in
            let name = scope.name
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await scope.database.transaction { (transaction) throws(AccountError) in
                    try await transaction.run(
                        AccountCheckScope.insert,
                        values: [.text(name), .text("never"), .integer(1)])
                }
            }
            task.cancel()
            try await scope.expect(.cancelled, by: "a transaction of a cancelled task") {
                try await task.value
            }
            try scope.expect(try await scope.number(in: "never"), is: nil, named: "its row")
        },
        AccountCheck("reading sees what was acknowledged") { scope in
            let name = scope.name
            for number in Int64(0)..<10 {
                try await scope.add("row \(number)", number: number)
                for database in [scope.database, scope.other] {
                    let rows = try await database.read { (transaction) throws(AccountError) in
                        try await transaction.run(
                            AccountCheckScope.select, values: [.text(name), .text("row \(number)")])
                    }
                    try scope.expect(
                        rows.first?.values ?? [], is: [.integer(number)], named: "the row")
                }
            }
        },
        AccountCheck("any number of callers may migrate the tables at once") { scope in
            try await withThrowingTaskGroup { group in
                for number in 0..<8 {
                    group.addTask { try await AccountSchema.migrate(scope.database(number)) }
                }
                try await group.waitForAll()
            }
        },
    ]
}

/// An actor that uses a database. After a transaction, its code must not stay on the connection's
/// queue (`TransactionQueue`).
private actor Caller {
    /// - Returns: whether others go on after a transaction, and after a transaction that failed.
    func secondTransactionRunsAfterwards(_ database: any AccountDatabase) async throws -> [Bool] {
        try await database.transaction { (_) throws(AccountError) in }
        let isFree = secondTransactionRuns(in: database)
        _ = try? await database.transaction { (_) throws(AccountError) in
            throw AccountError(.invalidGrant, "An error of the work.")
        }
        return [isFree, secondTransactionRuns(in: database)]
    }
}

/// Whether a second transaction can run while this thread is blocked.
///
/// Neither thread belongs to Swift's pool: on two cores, two checks of this kind would block the
/// whole pool.
private func secondTransactionRuns(in database: any AccountDatabase) -> Bool {
    let end = DispatchSemaphore(value: 0)
    Task.detached(executorPreference: TransactionQueue(label: "other")) {
        _ = try? await database.transaction { (_) throws(AccountError) in }
        end.signal()
    }
    // Ten minutes are only a guard against hanging, so that a slow machine is no finding.
    return end.wait(timeout: .now() + 600) == .success
}
