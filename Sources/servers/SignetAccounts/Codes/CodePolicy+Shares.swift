// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The kind of client that asks for a code, or that asked for a guessed code: the values of the
/// column `known`.
enum CodeClient: Int64 {
    /// A client of which nothing is known at the destination.
    case other = 0
    /// A client at an address from which someone signed in with the destination before. Strangers
    /// may share the address.
    case knownAddress = 1
    /// A client with the secret of an earlier sign-in with the destination (`KnownClients`).
    case knownDevice = 2

    /// How many codes live at once for one destination and purpose when this client may ask.
    var maximumLiveCount: Int64 { self == .other ? 3 : 5 }
}

// How the limits of a destination are divided: a stranger must not use up what its owner needs, and
// a stranger at the owner's address must not use up what the owner's device needs. FACTORS.md has
// the rules.
extension CodePolicy {
    /// The fifth of the messages that is for known devices alone.
    var sentToDevices: RateLimit { sentToDestination.part(1, of: 5) }
    /// The fifth of the messages that all known clients share.
    var sentToKnown: RateLimit { sentToDestination.part(1, of: 5) }
    /// The three fifths of the messages that all clients share.
    var sentToAll: RateLimit { sentToDestination.part(3, of: 5) }
    /// The messages while strangers guess: at the rate of ``wrongCodes``, and at most 5 at once.
    var sentWhileGuessing: RateLimit { wrongCodes.bursting(5) }

    /// Wrong codes against codes that known clients asked for: half as many, because the address of
    /// the last sign-in may be a stranger's today.
    var wrongCodesOfKnown: RateLimit { wrongCodes.part(1, of: 2) }
}
