// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A real gnome-keyring-daemon, one for each scenario: see Tests/stores/SecretServiceWorker.
@Suite("With a real keyring", .serialized)
struct RealKeyringTests {
    @Test(
        "The keyring is installed where CI requires it",
        .enabled(if: Keyring.isRequired, "skipping is allowed"))
    func required() {
        #expect(Keyring.isAvailable, "\(Keyring.absence)")
    }

    @Test("A value comes back", .enabled(if: Keyring.isAvailable, "\(Keyring.absence)"))
    func oneScenario() async throws { try await succeeds("values-login") }

    @Test(
        "Scenario", .tags(.keyring), .enabled(if: Keyring.isAvailable, "\(Keyring.absence)"),
        .timeLimit(.minutes(20)),
        arguments: [
            "values-session", "values-default", "large-value", "changes", "listing",
            "imitations", "tampering", "lost-key", "one-of-two-keys-lost", "renamed-key",
            "plain-attributes",
            "provided-key", "conformance",
        ])
    func storing(_ scenario: String) async throws { try await succeeds(scenario) }

    @Test(
        "Locked is not absent", .tags(.keyring),
        .enabled(if: Keyring.isAvailable, "\(Keyring.absence)"),
        .timeLimit(.minutes(20)),
        arguments: ["lock", "prompts", "restart", "restart-by-bus", "no-collection"])
    func locking(_ scenario: String) async throws { try await succeeds(scenario) }

    @Test(
        "An item that KeePassXC gives only with consent is not a locked keyring", .tags(.keyring),
        .enabled(
            if: Keyring.isAvailable && Keyring.keePassXC != nil,
            "no keepassxc on this machine (package keepassxc)"),
        .timeLimit(.minutes(20)))
    func consent() async throws { print(try await succeeds("consent")) }

    @Test(
        "Every call ends", .tags(.keyring), .enabled(if: Keyring.isAvailable, "\(Keyring.absence)"),
        .timeLimit(.minutes(20)),
        arguments: ["silent", "cancelled", "killed-in-mid-call", "no-service"])
    func failing(_ scenario: String) async throws { try await succeeds(scenario) }

    @Test(
        "Without a bus, or when it goes away, calls fail", .tags(.keyring),
        .enabled(if: Keyring.isAvailable, "\(Keyring.absence)"),
        .timeLimit(.minutes(20)))
    func withoutBus() async throws {
        try await succeeds("no-bus", bus: .absent)
        try await succeeds("no-bus", bus: .unset)
        try await succeeds("bus-killed", bus: .absent)
        try await succeeds("vault-without-bus", bus: .absent)
        try await succeeds("vault-without-bus", bus: .unset)
    }

    @Test(
        "Processes that create the sealing key at once share it", .tags(.keyring),
        .enabled(if: Keyring.isAvailable, "\(Keyring.absence)"),
        .timeLimit(.minutes(20)))
    func racing() async throws { try await succeeds("race") }

    @Test(
        "Processes that write one item lose nothing", .tags(.keyring),
        .enabled(if: Keyring.isAvailable, "\(Keyring.absence)"),
        .timeLimit(.minutes(20)),
        arguments: ["contended", "killed-writers", "held-up"])
    func contending(_ scenario: String) async throws { try await succeeds(scenario) }

    @Test(
        "Sessions survive killed processes", .tags(.keyring),
        .enabled(if: Keyring.isAvailable, "\(Keyring.absence)"),
        .timeLimit(.minutes(20)))
    func sessions() async throws { print(try await succeeds("sessions")) }

    @Test(
        "A vault's key in a keyring opens it", .tags(.keyring),
        .enabled(if: Keyring.isAvailable, "\(Keyring.absence)"),
        .timeLimit(.minutes(20)),
        arguments: ["unlock-method", "anchor", "vault", "keyring-or-vault"])
    func vaults(_ scenario: String) async throws { try await succeeds(scenario) }

    @discardableResult
    private func succeeds(_ scenario: String, bus: Keyring.Bus = .own) async throws -> String {
        let outcome = try await Keyring.play(scenario, bus: bus)
        #expect(outcome.status == 0, "\(scenario): \(outcome.text)")
        return outcome.text
    }
}
