// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// How the limits of one destination are divided: a stranger must not use up what its owner needs.
// "Known" is a client that signed in there before (`KnownClients`). The rules stand in FACTORS.md.
extension CodePolicy {
    /// How many codes live at once for one destination and purpose.
    static func liveCodes(ofKnown isKnown: Bool) -> Int64 { isKnown ? 5 : 3 }

    /// Two of five messages are for known clients alone.
    var sentToKnown: RateLimit { sentToDestination.part(2, of: 5) }
    /// The other three are for all.
    var sentToAll: RateLimit { sentToDestination.part(3, of: 5) }
    /// While strangers guess: as many codes as wrong ones.
    var sentWhileGuessing: RateLimit { wrongCodes.bursting(5) }

    /// What one address gets of what all share.
    static func ofOneAddress(_ limit: RateLimit) -> RateLimit { limit.slowed(by: 4) }

    /// Wrong codes against codes that known clients asked for: half as many, for the address at
    /// which someone signed in last may be a stranger's today.
    var wrongCodesOfKnown: RateLimit { wrongCodes.part(1, of: 2) }
}
