// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Who asks for a code, or asked for the one that is guessed: the values of the column `known`.
enum CodeClient: Int64 {
    case other = 0
    /// At an address from which someone signed in there before; strangers may be there too.
    case knownAddress = 1
    /// With the secret of a client that signed in there before (`KnownClients`).
    case knownDevice = 2

    /// How many codes live at once for one destination and purpose when this client may ask.
    var liveCodes: Int64 { self == .other ? 3 : 5 }
}

// How the limits of one destination are divided: a stranger must not use up what its owner needs,
// and one at the owner's address not what the owner's device needs. The rules stand in FACTORS.md.
extension CodePolicy {
    /// One of five messages is for known devices alone.
    var sentToDevices: RateLimit { sentToDestination.part(1, of: 5) }
    /// One is for known clients alone.
    var sentToKnown: RateLimit { sentToDestination.part(1, of: 5) }
    /// The other three are for all.
    var sentToAll: RateLimit { sentToDestination.part(3, of: 5) }
    /// While strangers guess: as many codes as wrong ones.
    var sentWhileGuessing: RateLimit { wrongCodes.bursting(5) }

    /// Wrong codes against codes that known clients asked for: half as many, for the address at
    /// which someone signed in last may be a stranger's today.
    var wrongCodesOfKnown: RateLimit { wrongCodes.part(1, of: 2) }
}
