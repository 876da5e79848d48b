// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetCrypto
internal import SignetEmail
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSignIn

// The response to `PUT /user`, and once more for a client that lost it:
//
//     {"id":"…","email":"ann@example.com",…,"new_email":"new@example.com","challenge":"…"}
//
// A challenge names a code that was sent, and the client shows it with the code. A nonce is a code
// that confirms a change (`/reauthenticate`); it works once, so a client that lost the response to
// it could not ask again. Its response is therefore stored (`RepeatedAnswers`).
extension GoTrueService {
    /// The user, with the challenges of the codes that were sent to the new and to the present
    /// address.
    func response(
        _ user: GoTrueUser, to change: Change, sentToNew sent: OneTimeCodes.Sent?,
        sentToPresent present: OneTimeCodes.Sent?
    ) throws(AccountError) -> GoTrueResponse {
        var members = try user.json()
        for (name, sent) in [("challenge", sent), ("present_challenge", present)] {
            if let sent { members[name] = .string(try challenges.text(of: sent.challenge)) }
        }
        switch change.destination {
        case .email(let mailbox): members["new_email"] = .string(mailbox.text)
        case .phone(let number): members["new_phone"] = .string(number.withoutPlus)
        case nil: break
        }
        return try .json(members)
    }

    /// The name of the response to a change that a nonce confirms, for a client that shows the
    /// nonce's challenge. It does not contain the password: a stored name must not help to guess a
    /// password.
    func answerName(
        of change: Change, session: VerifiedSession, nonce: String?, showing shown: CodeChallenge?
    ) throws(GoTrueRefusal) -> RepeatedAnswers.Name? {
        guard change.isSensitive, let nonce, let shown else { return nil }
        let fields = [
            "change", session.sessionID, shown.text, nonce, change.hash == nil ? "" : "password",
            change.destination?.exposedText ?? "", change.metadata?.stored ?? "",
        ]
        do {
            return try answers.name(fields.map { Array($0.utf8) })
        } catch { throw refusal(of: error) }
    }

    /// Repeats the response to a change, which the client may have lost. The client must show the
    /// same nonce and challenge, and any password that it sends must be the user's present
    /// password.
    ///
    /// - Returns: nil if no response is stored, or the password is a different one.
    func storedResponse(
        _ name: RepeatedAnswers.Name, password: Password?, of session: VerifiedSession
    ) async throws(GoTrueRefusal) -> GoTrueResponse? {
        let answers = answers
        let id = session.subject
        let (response, hash) = try await runTransaction {
            (transaction) throws(AccountError) -> (GoTrueResponse?, PasswordHash?) in
            let response = try await answers.storedResponse(name, in: transaction)
            guard response != nil, password != nil else { return (response, nil) }
            return (response, try await StoredPasswords.hash(of: id, in: transaction))
        }
        guard let response, let password else { return response }
        let hasher = try passwords()
        // With a hash that this libcrypto cannot compute, the request is not known to be a repeat.
        guard hash?.algorithm.isAvailable != false else { return nil }
        let verdict = try await translatingErrors { () async throws(AccountError) in
            try await hasher.verify(password, against: hash)
        }
        return verdict == .wrong ? nil : response
    }
}
