// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase
internal import SignetJOSE

// How the service asks. `HookedDatabase` says how a transaction gets the answers.
extension GoTrueHooks {
    /// The longest JSON of added claims, in bytes: each request carries them.
    private static let maximumByteCount = 4_096
    private static let maximumDepth = 8
    /// The claims that the issuer of access tokens writes. Those of the service stand beside them.
    private static let issuedNames = [
        "iss", "aud", "sub", "sid", "jti", "iat", "nbf", "exp", "cnf",
    ]

    private struct TooLate: Error {}

    /// Whether a transaction needs answers.
    var areAsked: Bool { beforeSession != nil || claims != nil || beforeChange != nil }

    /// Asks whether a password may be taken.
    ///
    /// - Throws: `passwordRefused`; `unavailable` for a failed hook.
    func requireAllowed(
        _ password: Password, of userID: String?, at destination: CodeDestination
    ) async throws(AccountError) {
        guard let beforePassword else { return }
        let new = NewPassword(password: password, userID: userID, destination: destination)
        do { try await run("beforePassword") { try await beforePassword(new) } } catch {
            guard error.code == .hookRefused else { throw error }
            throw AccountError(
                .passwordRefused, underlying: error.underlying, "A hook refused a password.")
        }
    }

    /// Refuses a change in the transaction that makes it, unless the hook has allowed it.
    func requireAllowed(
        _ kind: AccountChange, of userID: String, in transaction: any AccountTransaction
    ) throws(AccountError) {
        guard beforeChange != nil else { return }
        _ = try HookedTransaction.answer(
            to: .change(Change(userID: userID, kind: kind)), in: transaction)
    }

    /// The claims of an access token, in the transaction that begins or prolongs its session: the
    /// service's own, and those of the hook, which has allowed the session.
    ///
    /// - Parameters:
    ///   - session: the session, made only if a hook is to be asked.
    ///   - own: the service's claims.
    func claims(
        of session: @autoclosure () -> Session, addedTo own: JSONValue,
        in transaction: any AccountTransaction
    ) throws(AccountError) -> JSONValue {
        guard beforeSession != nil || claims != nil else { return own }
        let added = try HookedTransaction.answer(to: .session(session()), in: transaction)
        guard case .object(let members) = own, !added.isEmpty else { return own }
        for name in added.keys where members[name] != nil || Self.issuedNames.contains(name) {
            throw .failure("The hook claims returned \(shown: name), which is not its to write.")
        }
        return .object(members.merging(added) { own, _ in own })
    }

    /// Lets the program add rows for a new user.
    func tell(
        of userID: String, with identity: UserIdentity?, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        HookedTransaction.note(newUser: userID, in: transaction)
        guard let atSignUp else { return }
        let user = NewUser(userID: userID, identity: identity)
        try await run("atSignUp") { try await atSignUp(user, transaction) }
    }

    /// Asks the hooks that a transaction needs.
    ///
    /// - Returns: the claims to add; none for a change.
    /// - Throws: `hookRefused`; `unavailable` for a failed hook.
    func answer(_ question: HookQuestion) async throws(AccountError) -> [String: JSONValue] {
        switch question {
        case .change(let change):
            if let beforeChange {
                try await run("beforeChange") { try await beforeChange(change) }
            }
            return [:]
        case .session(let session):
            if let beforeSession {
                try await run("beforeSession") { try await beforeSession(session) }
            }
            guard let claims else { return [:] }
            let added = try await run("claims") { try await claims(session) }
            let text = try? StrictJSON.encode(
                JSONValue.object(added), maximumDepth: Self.maximumDepth)
            guard let text, text.count <= Self.maximumByteCount else {
                throw .failure(
                    "The hook claims returned more than \(Self.maximumByteCount) bytes or "
                        + "\(Self.maximumDepth) levels, or a number that JSON lacks.")
            }
            return added
        }
    }

    /// Runs a hook in a task of its own, which is cancelled at the time limit and with the caller.
    /// Not in a task group, which would wait for a hook that ignores its cancellation.
    private func run<Value: Sendable>(
        _ name: StaticString, _ hook: @escaping @Sendable () async throws -> Value
    ) async throws(AccountError) -> Value {
        // The first result counts.
        let (results, result) = AsyncStream<Result<Value, any Error>>.makeStream(
            bufferingPolicy: .bufferingOldest(1))
        let call = Task {
            do { result.yield(.success(try await hook())) } catch {
                result.yield(.failure(error))
            }
        }
        let clock = clock
        let limit = timeLimit
        let timer = Task {
            await clock.sleep(for: limit)
            result.yield(.failure(TooLate()))
        }
        defer {
            call.cancel()
            timer.cancel()
        }
        for await first in results {
            switch first {
            case .success(let value): return value
            case .failure(let refusal as Refusal):
                throw AccountError(
                    .hookRefused, underlying: refusal,
                    "The hook \(shown: name.description) refused.")
            case .failure(let error as TooLate):
                throw .failure(
                    "The hook \(shown: name.description) took longer than \(limit).",
                    causedBy: error)
            case .failure(let error):
                throw .failure("The hook \(shown: name.description) failed.", causedBy: error)
            }
        }
        throw .failure("The task was cancelled while a hook ran.")
    }
}

extension AccountError.Code {
    /// A hook has refused; `underlying` is its `GoTrueHooks.Refusal`.
    static var hookRefused: Self { Self(rawValue: "hookRefused") }
    /// The same, of a password.
    static var passwordRefused: Self { Self(rawValue: "passwordRefused") }
    /// A transaction needs the answer to a question, its `underlying` error.
    static var hookUnasked: Self { Self(rawValue: "hookUnasked") }
    /// A hook has failed: the `underlying` error of `unavailable`.
    static var hookFailed: Self { Self(rawValue: "hookFailed") }
}

extension AccountError {
    /// A failure of a hook, or of what it has decided about: nothing was changed.
    static func failure(
        _ message: ErrorMessage, causedBy cause: (any Error)? = nil
    ) -> AccountError {
        AccountError(
            .unavailable, underlying: AccountError(.hookFailed, underlying: cause, message),
            message)
    }

    /// Whether a hook has thrown or was late, or has returned more than a token holds.
    var isHookFailure: Bool {
        code == .tokenTooLarge || (underlying as? AccountError)?.code == .hookFailed
    }

    /// Whether a hook ended the request, and not what the client sent.
    var isOfHook: Bool { code == .hookRefused || isHookFailure }
}
