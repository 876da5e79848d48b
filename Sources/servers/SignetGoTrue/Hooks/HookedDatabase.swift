// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase
internal import SignetJOSE

/// The database of a service with hooks, which are asked between transactions:
///
/// 1. A transaction comes to what a hook decides, and throws the question. All of it is undone.
/// 2. The hook is asked. If it refuses or fails, the call ends, and nothing was written.
/// 3. The transaction runs again from its beginning, with the answer, which holds for this question
///    alone: if a user, a way of signing in or a level differs by now, it throws the next one. If it
///    does not come to the question again, since a code has ended meanwhile, it is undone: what was
///    right when the request came does not count as wrong.
///
/// So no hook holds a transaction open, and none decides about anything but what is then written.
struct HookedDatabase: AccountDatabase {
    /// The most questions of one call. It asks two, unless others change the user meanwhile.
    private static let maximumQuestionCount = 8

    let inner: any AccountDatabase
    let hooks: GoTrueHooks

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        var answers: [HookAnswer] = []
        while true {
            let known = answers
            do {
                return try await inner.transaction { (transaction) throws(AccountError) in
                    let hooked = HookedTransaction(inner: transaction, answers: known)
                    let value = try await work(hooked)
                    try hooked.requireUse()
                    return value
                }
            } catch {
                guard error.code == .hookUnasked, let question = error.underlying as? HookQuestion
                else { throw error }
                guard known.count < Self.maximumQuestionCount else {
                    throw .failure(
                        "Others change this user between a hook and its effect.", causedBy: error)
                }
                answers.append(
                    HookAnswer(question: question, claims: try await hooks.answer(question)))
            }
        }
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await inner.read(work)
    }

    func migration<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await inner.migration(work)
    }
}

/// A question of a transaction to a hook.
enum HookQuestion: Error {
    case session(GoTrueHooks.Session)
    case change(GoTrueHooks.Change)

    /// Whether an answer to one question holds for the other: the texts have the same bytes.
    func isSame(as other: HookQuestion) -> Bool {
        switch (self, other) {
        case (.session(let own), .session(let other)):
            own.isNewUser == other.isNewUser && own.isRefresh == other.isRefresh
                && own.texts.elementsEqual(other.texts) { $0.utf8.elementsEqual($1.utf8) }
        case (.change(let own), .change(let other)):
            own.texts.elementsEqual(other.texts) { $0.utf8.elementsEqual($1.utf8) }
        default: false
        }
    }
}

extension GoTrueHooks.Session {
    fileprivate var texts: [String] { [userID, level] + methods }
}

extension GoTrueHooks.Change {
    fileprivate var texts: [String] { [userID, kind.name] }
}

/// A question that was answered by yes.
struct HookAnswer: Sendable {
    let question: HookQuestion
    /// The claims to add; none for a change.
    let claims: [String: JSONValue]
}

/// A transaction that knows the answers of hooks so far.
final class HookedTransaction: AccountTransaction {
    private let inner: any AccountTransaction
    private let answers: [HookAnswer]
    /// Whether the last answer was used.
    private let isUsed = Locked(false)
    /// The user that this transaction has added; nil for none.
    private let newUserID = Locked<String?>(nil)

    init(inner: any AccountTransaction, answers: [HookAnswer]) {
        self.inner = inner
        self.answers = answers
    }

    func run(
        _ statement: SQLStatement, values: [SQLValue]
    ) async throws(AccountError) -> [SQLRow] {
        try await inner.run(statement, values: values)
    }

    /// The answer to a question.
    ///
    /// - Throws: `hookUnasked` if there is none yet, for ``HookedDatabase`` to ask;
    ///   `invalidParameter` in a transaction that the program has opened, where none can be asked.
    static func answer(
        to question: HookQuestion, in transaction: any AccountTransaction
    ) throws(AccountError) -> [String: JSONValue] {
        guard let hooked = transaction as? HookedTransaction else {
            throw AccountError(
                .invalidParameter,
                "A service with hooks begins no session in a transaction of the program: let the "
                    + "call open its own.")
        }
        guard let index = hooked.answers.firstIndex(where: { $0.question.isSame(as: question) })
        else {
            throw AccountError(.hookUnasked, underlying: question, "A hook was not asked yet.")
        }
        if index == hooked.answers.indices.last { hooked.isUsed.withLock { $0 = true } }
        return hooked.answers[index].claims
    }

    /// Refuses to commit what a hook was not asked about.
    func requireUse() throws(AccountError) {
        guard !answers.isEmpty, !isUsed.withLock({ $0 }) else { return }
        throw .failure("What a hook has allowed has changed meanwhile.")
    }

    /// The identifier that the user was to have in an earlier run: a hook knows the user by it.
    static func reservedID(in transaction: any AccountTransaction) -> String? {
        guard let hooked = transaction as? HookedTransaction else { return nil }
        return hooked.answers.lazy.compactMap { answer in
            guard case .session(let session) = answer.question, session.isNewUser else {
                return nil
            }
            return session.userID
        }.first
    }

    static func note(newUser userID: String, in transaction: any AccountTransaction) {
        (transaction as? HookedTransaction)?.newUserID.withLock { $0 = userID }
    }

    static func isNew(_ userID: String, in transaction: any AccountTransaction) -> Bool {
        let added = (transaction as? HookedTransaction)?.newUserID.withLock { $0 }
        return added.map { $0.utf8.elementsEqual(userID.utf8) } == true
    }
}
