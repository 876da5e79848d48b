// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import TestSupport
import Testing

/// Everybody at once: an issuer that changes its key in each way, a crowd with good tokens, and a
/// stranger who floods the server with forged ones.
@Suite("Remote keys: a crowd, a rotation and a stranger", .timeLimit(.minutes(20)))
struct RotatingCrowdTests {
    /// When the key changes: the worst moments are those when an answer with the old keys is under
    /// way, or has just come.
    enum Moment: String, CaseIterable, Sendable {
        case duringFirst = "during the first fetch of a cooldown"
        case duringSecond = "during the second"
        case after = "2 s after the first"
    }

    @Test(
        "Good tokens wait for a cooldown at most, fetches are two in a cooldown, nobody gets 401",
        arguments: KeyCrowd.Change.allCases, Moment.allCases)
    func crowd(_ change: KeyCrowd.Change, _ moment: Moment) async throws {
        let cooldown = Duration.seconds(30)
        let crowd = try KeyCrowd(change)
        // The burst for made-up kids is used up, and everything goes its way.
        try await crowd.run(for: .seconds(5))
        #expect(crowd.figures.goodUnavailable == 0 && crowd.figures.goodRefused == 0)
        try await crowd.runUntilFetch()
        if moment == .duringSecond { try await crowd.runUntilFetch() }
        try await crowd.run(for: moment == .after ? .seconds(2) : .milliseconds(100))
        try crowd.changeKey()
        try await crowd.run(for: cooldown + .seconds(5))
        try await crowd.finish()
        let figures = crowd.figures
        #expect(figures.goodRefused == 0, "a good token was 401")
        #expect(figures.forgedValid == 0)
        #expect(figures.lastUnavailable <= cooldown + KeyCrowd.fetchTime)
        #expect(figures.withoutRetryTime == 0)
        // The first fetch, and the burst of three, are over after five seconds.
        let steady = crowd.fetches.filter { $0 > .seconds(5) }
        let most = steady.map { start in
            steady.filter { $0 >= start && $0 < start + cooldown }.count
        }.max()
        #expect((1...2).contains(most ?? 0), "\(crowd.fetches)")
        #expect(crowd.fetches.count - steady.count <= 5)
        print(
            "rotating crowd, \(change.rawValue), \(moment.rawValue): "
                + "\(figures.good) good tokens, \(figures.goodUnavailable) of them 503, "
                + "the last one \(figures.lastUnavailable) after the change, "
                + "\(figures.goodRefused) 401; \(figures.forged) forged, "
                + "\(figures.forgedValid) valid, \(figures.forgedRefused) 401; "
                + "\(crowd.fetches.count) fetches, at most \(most ?? 0) in a cooldown")
    }
}
