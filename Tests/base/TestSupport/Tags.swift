// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import Testing

/// The parts of `make test-long` that are tests of this package (Scripts/parts.ini).
///
/// `make test` leaves out what has one of these tags. A part keeps at least one case in
/// `make test`: a smaller test without the tag, beside the one that explores.
extension Tag {
    /// `make test` runs a sample of it all the same: see `Effort`.
    @Tag package static var sampled: Self
    /// Every octet of a vault changed, and the vaults that the second implementation damaged.
    @Tag package static var vaultBits: Self
    /// Every bit of a vault changed, one after the other.
    @Tag package static var everyBit: Self
    /// A disk that fails or loses power at each operation of a workload.
    @Tag package static var faultPoints: Self
    /// Processes killed with SIGKILL, hundreds of times.
    @Tag package static var killRounds: Self
    /// Processes that stay signed in, killed while they exchange tokens.
    @Tag package static var sessionKills: Self
    /// The same on PostgreSQL, whose connections and server are ended too.
    @Tag package static var postgres: Self
    /// `signet token` a thousand times, from eight shells.
    @Tag package static var manyTokens: Self
    /// A million addresses and domains.
    @Tag package static var addresses: Self
    /// Mutated tokens, keys and documents, by the hundred thousand.
    @Tag package static var fuzzing: Self
    /// The inputs that fuzzers found, each once.
    @Tag package static var fuzzReplay: Self
    /// Published vectors and large sets that take long in a debug build.
    @Tag package static var vectors: Self
    /// A gnome-keyring daemon for each scenario.
    @Tag package static var keyring: Self
    /// The vault's second implementation, in Python.
    @Tag package static var secondImplementation: Self
    /// PyJWT, joserfc, jwcrypto, Authlib, the MCP SDK, jose for Node, the commands openssl and jose,
    /// OpenID providers.
    @Tag package static var interop: Self
    /// Servers that lie, stall and never end, over each transport.
    @Tag package static var hostileServers: Self
    /// The program `signet` started for each case, and long lists of command lines.
    @Tag package static var commandLine: Self
    /// Races, contention and processes that end while threads compute.
    @Tag package static var races: Self
}
