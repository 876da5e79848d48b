// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import SignetJOSE
import TestSupport

/// A crowd with good tokens, 10 a second, of an issuer that changes its key; beside it a stranger
/// who sends 100 forged ones a second, every other with a made-up `kid`. Each answer of the issuer
/// takes 300 ms, and says what was published when it was asked.
final class KeyCrowd {
    /// How the issuer changes its key.
    enum Change: String, CaseIterable, Sendable {
        case newKid = "new kid"
        case sameKid = "same kid"
        case withoutKid = "no kid"
        case movedSameKid = "moved, same kid, the old address still answers"
        case movedNewKid = "moved, new kid, the old address is gone"
    }

    /// What came of the tokens.
    struct Figures {
        var good = 0
        var goodUnavailable = 0
        var goodRefused = 0
        var forged = 0
        var forgedValid = 0
        var forgedRefused = 0
        /// 503s without the time of the next fetch.
        var withoutRetryTime = 0
        /// When the last good token that was not accepted came, after the change.
        var lastUnavailable = Duration.zero
    }

    static let step = Duration.milliseconds(10)
    static let answerTime = Duration.milliseconds(300)
    /// Keys, metadata, and the keys at their new place.
    static let fetchTime = answerTime * 3

    private(set) var figures = Figures()
    /// When each fetch began.
    private(set) var fetches: [Duration] = []
    let issuer: RotatingIssuer
    let change: Change

    private let old: ProviderKey
    private let new: ProviderKey
    private let forger = ProviderKey.made(.es256, "sig")
    /// Shut while an answer is under way.
    private let gate: Locked<Gate>
    /// What the issuer has been asked, and has as good as answered.
    private let asked: Recorder<Void>
    private var askedCount = 0
    private var current: ProviderKey
    private var changedAt: Duration?
    /// When the issuer got the question whose answer is under way.
    private var askedAt: Duration?
    private var pending: [Presented] = []
    private var elapsed = Duration.zero
    private var tokens: (second: Int, good: String, forged: String, rest: String)?

    /// A token that waits for a fetch.
    private struct Presented {
        let isGood: Bool
        let cameAt: Duration
        /// Its refusal, once it has its answer.
        let answer = Locked<IdentityError??>(nil)
    }

    init(_ change: Change) throws {
        self.change = change
        let named = change != .withoutKid
        old = ProviderKey.made(.es256, "sig")
        new = ProviderKey.made(
            .es256, change == .newKid || change == .movedNewKid ? "sig-2" : "sig")
        current = old
        let (gate, asked) = (Locked(Gate()), Recorder<Void>())
        (self.gate, self.asked) = (gate, asked)
        issuer = try RotatingIssuer(answering: { _ in
            let gate = gate.withLock { $0 }
            asked.append(())
            await gate.pass()
        })
        issuer.publish(try old.jwk(named: named))
    }

    /// Lets this much time pass, with everybody's tokens.
    func run(for time: Duration) async throws {
        let end = elapsed + time
        while elapsed < end { try await runStep() }
    }

    /// Until the next fetch begins, for a minute at most.
    func runUntilFetch() async throws {
        let (count, end) = (fetches.count, elapsed + .seconds(60))
        while fetches.count == count, elapsed < end { try await runStep() }
    }

    /// Until nobody waits.
    func finish() async throws {
        while !pending.isEmpty { try await runStep() }
    }

    func changeKey() throws {
        changedAt = elapsed
        (current, tokens) = (new, nil)
        let key = try new.jwk(named: change != .withoutKid)
        switch change {
        case .newKid: issuer.publish(try old.jwk(), key)
        case .sameKid, .withoutKid: issuer.publish(key)
        case .movedSameKid:
            issuer.publish(metadata: RotatingIssuer.otherPlace)
            issuer.publish(key, at: RotatingIssuer.otherPlace)
        case .movedNewKid:
            issuer.publish(metadata: RotatingIssuer.otherPlace)
            issuer.documents.withLock { $0[RotatingIssuer.place] = nil }
            issuer.publish(key, at: RotatingIssuer.otherPlace)
        }
    }

    private func runStep() async throws {
        let count = figures.forged
        let tokens = try currentTokens()
        if count % 10 == 0 { await present(tokens.good, isGood: true) }
        if count % 2 == 0 {
            await present(tokens.forged, isGood: false)
        } else {
            let header = Base64URL.encode(#"{"alg":"ES256","kid":"made-up-\#(count)"}"#.utf8)
            await present(header + tokens.rest, isGood: false)
        }
        issuer.clock.advance(by: Self.step)
        elapsed += Self.step
        if let askedAt, elapsed - askedAt >= Self.answerTime { await answer() }
    }

    /// Those of this second: made anew each time, they would have most of the test's time.
    private func currentTokens() throws -> (second: Int, good: String, forged: String, rest: String)
    {
        let second = Int(issuer.clock.now.secondsSince1970)
        if let tokens, tokens.second == second { return tokens }
        let header = change == .withoutKid ? old.namelessHeader : nil
        let forged = try issuer.token(forger, header: header)
        let made = (
            second, try issuer.token(current, header: header), forged,
            String(forged.drop { $0 != "." })
        )
        tokens = made
        return made
    }

    private func present(_ token: String, isGood: Bool) async {
        if isGood { figures.good += 1 } else { figures.forged += 1 }
        do throws(IdentityError) {
            if try issuer.verifier.verifyWithKeysInHand(
                token, as: RotatingIssuer.RegisteredNames.self) != nil
            {
                count(nil, isGood: isGood, elapsed)
                return
            }
        } catch {
            count(error, isGood: isGood, elapsed)
            return
        }
        let (issuer, one) = (issuer, Presented(isGood: isGood, cameAt: elapsed))
        let waiting = issuer.waitingCount
        let task = Task {
            let refusal = await issuer.refusal(token)
            one.answer.withLock { $0 = .some(refusal) }
        }
        // It waits for a fetch, or has its answer.
        while one.answer.withLock({ $0 == nil }), issuer.waitingCount == waiting {
            await Task.yield()
        }
        guard issuer.waitingCount > waiting else {
            await task.value
            count(one.answer.withLock { $0 } ?? nil, isGood: isGood, elapsed)
            return
        }
        pending.append(one)
        if askedAt == nil { await noteQuestion() }
    }

    /// The issuer gets the question of a fetch that has begun.
    private func noteQuestion() async {
        await asked.wait(forCount: askedCount + 1)
        askedCount += 1
        askedAt = elapsed
        noteFetches()
    }

    /// The answer under way arrives. Each waiter gets theirs, or waits for the next.
    private func answer() async {
        let ended = endCount
        let gate = gate.withLock { gate in
            let old = gate
            gate = Gate()
            return old
        }
        gate.open()
        askedAt = nil
        while endCount == ended, asked.all.count == askedCount { await Task.yield() }
        noteFetches()
        if fetches.count > endCount { await noteQuestion() }
        while unanswered.count > issuer.waitingCount { await Task.yield() }
        for one in pending {
            guard let refusal = one.answer.withLock({ $0 }) else { continue }
            count(refusal, isGood: one.isGood, one.cameAt)
        }
        pending = unanswered
    }

    private var unanswered: [Presented] {
        pending.filter { one in one.answer.withLock { $0 == nil } }
    }

    /// How many fetches have ended.
    private var endCount: Int {
        issuer.events.all.filter { $0.kind == .refreshed || $0.kind == .refreshFailed }.count
    }

    private func noteFetches() {
        let count = issuer.triggers.count
        while fetches.count < count { fetches.append(elapsed) }
    }

    private func count(_ refusal: IdentityError?, isGood: Bool, _ cameAt: Duration) {
        let status = refusal.map { HTTPRefusal($0) }
        if status?.status == 503, status?.retryAfterSeconds == nil { figures.withoutRetryTime += 1 }
        switch (isGood, status?.status) {
        case (true, nil): break
        case (true, 503):
            figures.goodUnavailable += 1
            figures.lastUnavailable = max(figures.lastUnavailable, cameAt - (changedAt ?? cameAt))
        case (true, _): figures.goodRefused += 1
        case (false, nil): figures.forgedValid += 1
        case (false, 401): figures.forgedRefused += 1
        case (false, _): break
        }
    }
}
