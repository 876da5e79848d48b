// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
public import SignetCrypto
public import SignetJSON

/// The receiving end of a Supabase project's hooks over HTTP: Send SMS, Send Email and Custom Access
/// Token. It checks that the project sent them, and answers as GoTrue reads it.
///
/// ```swift
/// let tokenHooks = try AuthHookVerifier(database, secrets: SecretBytes(copying: tokenSetting))
/// ```
///
/// ```swift
/// func token(_ fields: [(name: String, value: String)], body: [UInt8]) async -> AuthHookAnswer {
///     await tokenHooks.answerToken(fields, body: body) { token in
///         var claims = token.claims
///         claims["plan"] = "gold"
///         return claims
///     }
/// }
/// ```
///
/// Checked, by Standard Webhooks 1.0.0: the signature, by one of the secrets; `webhook-timestamp`,
/// within five minutes; that each field is there once; the body's size and form. Anything else is
/// answered with 401, 413 or 400, and no work is done.
///
/// **Each message is sent once**, by its user, kind, destination and code: GoTrue's retry has
/// another `webhook-id`, and gets the first one's answer. So does a token's hook that comes again
/// under one id. An answer is kept for ten minutes, once the work has returned, sealed under a key
/// made from the secrets. Work that threw, or whose process ended, is done again. So a message is
/// sent twice if a process ends between the provider's answer and the database's, or if the
/// database fails just then; it is never dropped.
///
/// GoTrue waits 5 s in all, with its retries.
public struct AuthHookVerifier: Sendable, Redacted {
    /// The longest body, in bytes. Let the HTTP server stop reading there, too.
    public static let maximumBodyByteCount = 262_144
    /// The changes of the tables, for `AccountSchema.migrate(_:steps:)`. No others are needed.
    public static let steps = AuthHookAnswers.steps

    private static let secretCounts = 1...8
    private static let maximumIDByteCount = 256

    private let secrets: [WebhookSecret]
    private let answers: AuthHookAnswers
    private let clock: TimeSource

    /// A verifier of a hook that has this setting.
    ///
    /// - Parameters:
    ///   - database: keeps the answers, for all servers that share it.
    ///   - secrets: the setting of the project: `v1,whsec_…`, or up to eight with `|` between them.
    ///     Any of them may have signed. The first seals the answers: to exchange a secret, append
    ///     the new one here, then give it to the project, then remove the old one here.
    ///   - clock: compared with `webhook-timestamp`.
    /// - Throws: `invalidParameter` for a malformed secret, for none, or for more than eight;
    ///   `unavailable` if libcrypto fails.
    public init(
        _ database: any AccountDatabase, secrets: borrowing SecretBytes,
        clock: TimeSource = .system
    ) throws(AccountError) {
        self.secrets = try WebhookSecret.list(secrets)
        guard Self.secretCounts.contains(self.secrets.count), let first = self.secrets.first else {
            throw AccountError(
                .invalidParameter,
                "A hook has 1 to 8 secrets, not \(self.secrets.count): v1,whsec_… with | between.")
        }
        // An answer that an earlier secret sealed has another name, so none is opened by another.
        answers = AuthHookAnswers(
            database,
            secret: try AccountSecret(try first.derivedKey(label: "signet hook answers")),
            clock: clock)
        self.clock = clock
    }

    /// Answers a Send SMS hook.
    ///
    /// - Parameters:
    ///   - fields: all header fields of the request.
    ///   - body: the request's bytes, as they came. One that is too long may be cut to
    ///     `maximumBodyByteCount` + 1 bytes.
    ///   - send: sends the code. It may throw ``AuthHookError`` for the person; an `AccountError`,
    ///     as of a ``MessageSender``: `unavailable` makes GoTrue come again at once, at most twice;
    ///     anything else, of which GoTrue learns nothing.
    public func answerSMS(
        _ fields: [(name: String, value: String)], body: [UInt8],
        sending send: (AuthHookSMS) async throws -> Void
    ) async -> AuthHookAnswer {
        await answer(fields, body: body) { root, _ in
            guard let sms = AuthHookSMS(root) else { throw Refused.payload }
            return try await answers.answer(sms.identity) {
                try await send(sms)
                return Self.done
            }
        }
    }

    /// Answers a Send Email hook.
    ///
    /// - Parameters:
    ///   - fields: all header fields of the request.
    ///   - body: the request's bytes, as they came.
    ///   - send: sends one e-mail, by the rules of ``answerSMS(_:body:sending:)``. It is called
    ///     twice, in turn, for a change of address that both addresses confirm. Each is sent once.
    public func answerEmail(
        _ fields: [(name: String, value: String)], body: [UInt8],
        sending send: (AuthHookEmail) async throws -> Void
    ) async -> AuthHookAnswer {
        await answer(fields, body: body) { root, _ in
            guard let emails = AuthHookEmail.all(in: root) else { throw Refused.payload }
            for email in emails {
                _ = try await answers.answer(email.identity(body: body)) {
                    try await send(email)
                    return Self.done
                }
            }
            return Self.done
        }
    }

    /// Answers a Custom Access Token hook.
    ///
    /// - Parameters:
    ///   - fields: all header fields of the request.
    ///   - body: the request's bytes, as they came.
    ///   - claims: makes the claims of the token, all of them. It may throw by the rules of
    ///     ``answerSMS(_:body:sending:)``; the person is then not signed in.
    public func answerToken(
        _ fields: [(name: String, value: String)], body: [UInt8],
        claims: (AuthHookToken) async throws -> [String: JSONValue]
    ) async -> AuthHookAnswer {
        await answer(fields, body: body) { root, id in
            guard let token = AuthHookToken(root) else { throw Refused.payload }
            return try await answers.answer([Array("token".utf8), Array(id.utf8)]) {
                let claims = JSONValue.object(try await claims(token))
                let body = try StrictJSON.encode(JSONValue.object(["claims": claims]))
                guard body.count <= AuthHookAnswer.maximumBodyByteCount else {
                    throw AccountError(.invalidParameter, "The claims are more than 200 KiB.")
                }
                return body
            }
        }
    }

    private static let done = Array("{}".utf8)

    private enum Refused: Error {
        case size, signature, payload

        var answer: AuthHookAnswer {
            switch self {
            case .size: .refused(413, because: "The hook's body is too large.")
            case .signature:
                .refused(401, because: "The hook's signature is missing, wrong or too old.")
            case .payload: .refused(400, because: "The hook's body is not that of this hook.")
            }
        }
    }

    private func answer(
        _ fields: [(name: String, value: String)], body: [UInt8],
        running work: (JSONNode, String) async throws -> [UInt8]
    ) async -> AuthHookAnswer {
        do {
            guard body.count <= Self.maximumBodyByteCount else { throw Refused.size }
            let id = try verifiedID(fields, body: body)
            guard
                let document = try? JSONDocument(
                    body, maximumByteCount: Self.maximumBodyByteCount)
            else { throw Refused.payload }
            return AuthHookAnswer(try await work(document.root, id))
        } catch let error as Refused {
            return error.answer
        } catch {
            return AuthHookAnswer(error)
        }
    }

    /// The `webhook-id` of a request that one of the secrets signed.
    private func verifiedID(
        _ fields: [(name: String, value: String)], body: [UInt8]
    ) throws -> String {
        func value(_ name: String) -> String? {
            let values = fields.filter { field in
                field.name.utf8.map(\.inLowerCase).elementsEqual(name.utf8)
            }
            return values.count == 1 ? values.first?.value : nil
        }
        guard let id = value("webhook-id"), (1...Self.maximumIDByteCount).contains(id.utf8.count),
            let timestamp = value("webhook-timestamp"),
            let signatures = value("webhook-signature")
        else { throw Refused.signature }
        let now = clock.now()
        for secret in secrets {
            let isSigned = try secret.isSigned(
                body, id: id, timestamp: timestamp, signatures: signatures, at: now)
            if isSigned { return id }
        }
        throw Refused.signature
    }
}
