// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCrypto

/// Handles a client's 401s: a single question to the authentication server for each rejected token,
/// shared by all requests, and at most two questions a minute.
final class TokenChallenges: Sendable {
    /// Whether there is a new token.
    private typealias Answer = Result<Bool, SessionError>

    private struct Question: Sendable {
        /// A hash, so that the token is not kept longer than it is in use.
        let token: [UInt8]
        let askedAt: Duration
        let answer: Task<Answer, Never>
    }

    private static let maximumCount = 2
    private static let period = Duration.seconds(60)

    private let manager: SessionManager
    private let questions = Locked<[Question]>([])

    init(_ manager: SessionManager) { self.manager = manager }

    /// A token to try after a 401; nil if the server gave the same token again, another person has
    /// signed in, or there were too many questions.
    func replacement(for used: AccessToken) async throws(SessionError) -> AccessToken? {
        let name = try Self.name(of: used)
        if let question = question(about: used, named: name) {
            guard let answer = await question.answer.valueUnlessCancelled else {
                throw SessionError(.cancelled, "The caller gave up.")
            }
            if case .failure(let error) = answer { forget(name, after: error) }
            guard try answer.get() else { return nil }
        }
        // By now there may be a token that is newer than the answer.
        return try await manager.otherInHand(than: used)
    }

    /// The SHA-256 of a token.
    private static func name(of token: AccessToken) throws(SessionError) -> [UInt8] {
        do {
            return try MessageDigest.digest(token.exposedText.utf8, using: .sha256)
        } catch {
            throw SessionError(.unavailable, underlying: error, "libcrypto made no SHA-256.")
        }
    }

    /// The question about a token, or a new question if allowed; nil if there were too many.
    private func question(about token: AccessToken, named name: [UInt8]) -> Question? {
        let now = manager.clock.elapsed()
        return questions.withLock { questions in
            // Ends questions also if the clock went back, which would hold them longer.
            questions.removeAll { now < $0.askedAt || now - $0.askedAt >= Self.period }
            if let asked = questions.first(where: { $0.token == name }) { return asked }
            guard questions.count < Self.maximumCount else { return nil }
            let manager = manager
            let answer = Task {
                await Answer(of: { () async throws(SessionError) in
                    try await manager.afterUnauthorized(token) != nil
                })
            }
            let question = Question(token: name, askedAt: now, answer: answer)
            questions.append(question)
            return question
        }
    }

    /// Lets the question be asked again after a temporary failure. The manager's pause limits how
    /// often.
    private func forget(_ name: [UInt8], after error: SessionError) {
        guard error.isTemporary || error.code == .locked || error.code == .cancelled else { return }
        questions.withLock { $0.removeAll { $0.token == name } }
    }
}
