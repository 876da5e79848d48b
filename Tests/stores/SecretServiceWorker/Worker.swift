// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Plays one scenario against a real keyring, for SignetSecretServiceTests, which start it under a
/// session bus of its own with a private home. It ends with status 0 and a line `ok`, or with 1 and
/// what was wrong. The tests end what hangs, and the keyrings that it leaves behind.
@main
struct Worker {
    typealias Scenario = @Sendable () async throws -> Void

    static let scenarios: [String: Scenario] = [
        "values-login": { try await Values.run(alias: "login") },
        "values-session": { try await Values.run(alias: "session") },
        "values-default": { try await Values.run(alias: "default") },
        "listing": Listing.run,
        "imitations": Listing.imitations,
        "tampering": Sealing.tampering,
        "lost-key": Sealing.lostKey,
        "one-of-two-keys-lost": LostKeys.run,
        "renamed-key": LostKeys.renamed,
        "plain-attributes": Sealing.plainAttributes,
        "provided-key": Sealing.providedKey,
        "large-value": Values.large,
        "lock": Locking.lock,
        "prompts": Prompting.run,
        "consent": Consenting.run,
        "consent-client": Consenting.client,
        "restart": Locking.restart,
        "restart-by-bus": Locking.restartByBus,
        "killed-in-mid-call": Failing.killedInMidCall,
        "no-bus": Failing.noBus,
        "no-service": Failing.noService,
        "no-collection": Failing.noCollection,
        "silent": Failing.silent,
        "silent-first": Failing.silentFirst,
        "cancelled": Failing.cancelled,
        "bus-killed": Failing.busKilled,
        "race": Racing.run,
        "racer": Racing.racer,
        "contended": Contending.run,
        "contender": Contending.contender,
        "killed-writers": Contending.killedWriters,
        "endless-writer": Contending.endlessWriter,
        "held-up": Contending.heldUp,
        "sessions": Sessions.run,
        "client": Sessions.client,
        "changes": Values.changes,
        "conformance": Conforming.run,
        "unlock-method": KeptKeys.unlockMethod,
        "anchor": KeptKeys.anchor,
        "vault": KeptKeys.vault,
        "keyring-or-vault": Deciding.run,
        "vault-without-bus": Deciding.withoutKeyring,
        "measure": Measuring.run,
    ]

    static func main() async {
        let name = CommandLine.arguments.dropFirst().first ?? ""
        guard let scenario = scenarios[name] else {
            print("no such scenario: \(name)")
            exit(2)
        }
        do {
            try await scenario()
            Daemon.stopAll()
            print("ok")
            exit(0)
        } catch {
            Daemon.stopAll()
            print("\(name): \(error)")
            exit(1)
        }
    }
}
