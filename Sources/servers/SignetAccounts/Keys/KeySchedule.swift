// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// When signing keys are exchanged.
public struct KeySchedule: Sendable, Hashable {
    /// How long a key signs: 30 days; 1 hour to 400 days.
    public let rotation: Duration
    /// How long the next key is published before it signs: 1 hour; 1 minute to 30 days, and less
    /// than ``rotation``. It must be longer than instances and other services keep a copy of the
    /// published set, and longer than clocks differ.
    public let publishedAhead: Duration
    /// The lifetime of the longest token that the keys sign: 30 days; 60 s to 30 days, the range of
    /// a `SessionTokenIssuer`. An earlier key verifies for this time and ``publishedAhead``
    /// together.
    public let tokenLifetime: Duration

    /// A schedule.
    ///
    /// - Throws: `invalidParameter` out of these ranges, and if more than 32 keys would verify at
    ///   once, for example with tokens of 30 days and a rotation each day.
    public init(
        rotation: Duration = .seconds(30 * 86_400), publishedAhead: Duration = .seconds(3_600),
        tokenLifetime: Duration = .seconds(30 * 86_400)
    ) throws(AccountError) {
        if let fault = ParameterRange.fault(
            .init("rotation", value: rotation, in: .seconds(3_600) ... .seconds(400 * 86_400)),
            .init(
                "publishedAhead", value: publishedAhead, in: .seconds(60) ... .seconds(30 * 86_400))
        ) {
            throw AccountError(.invalidParameter, fault)
        }
        guard publishedAhead < rotation else {
            throw AccountError(
                .invalidParameter,
                "publishedAhead is less than rotation, \(rotation), and not \(publishedAhead).")
        }
        let lifetimes = SessionTokenIssuer.lifetimeSeconds
        guard lifetimes.contains(tokenLifetime.seconds) else {
            throw AccountError(
                .invalidParameter,
                "tokenLifetime is \(lifetimes.lowerBound) to \(lifetimes.upperBound) s, not "
                    + "\(tokenLifetime).")
        }
        self.rotation = rotation
        self.publishedAhead = publishedAhead
        self.tokenLifetime = tokenLifetime
        // Otherwise the ring would be full one day, and no next key could be published.
        // Rounded up: a key that verifies for a part of a rotation takes its place too.
        let earlierCount = (verifyingSeconds + rotationSeconds - 1) / rotationSeconds
        // Beside them the key that signs, and the next key.
        let count = earlierCount + 2
        guard count <= Int64(SessionKeyRing.maximumKeyCount) else {
            throw AccountError(
                .invalidParameter,
                "\(count) keys would verify at once, more than \(SessionKeyRing.maximumKeyCount): "
                    + "rotate less often, or shorten the tokens.")
        }
    }

    /// The longest time for which an earlier key verifies, with any schedule: tokens of 30 days,
    /// and 30 days of `publishedAhead`.
    static let longestVerifyingSeconds: Int64 = 60 * 86_400

    var rotationSeconds: Int64 { rotation.seconds }
    var aheadSeconds: Int64 { publishedAhead.seconds }
    var verifyingSeconds: Int64 { tokenLifetime.seconds + aheadSeconds }
}
