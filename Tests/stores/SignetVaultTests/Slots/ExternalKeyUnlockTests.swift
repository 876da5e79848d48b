// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import TestSupport
import Testing

@Suite("Unlock with a callback")
struct ExternalKeyUnlockTests {
    private struct Foreign: Error { let secret = "s3cr3t" }

    /// A key management service that XORs.
    private static func method(_ name: String = "kms/key-1") -> ExternalKeyUnlock {
        ExternalKeyUnlock(
            name: name, wrap: { key in FormatSample.exposed(key).map { $0 ^ 0x5a } },
            unwrap: { wrapped in SecretKey(copying: wrapped.map { $0 ^ 0x5a }) })
    }

    @Test("A wrapped key opens again, and a slot with another name is skipped")
    func roundTrip() throws {
        #expect(try UnlockSample.opensItsOwnSlot(Self.method()))
        let slot = try UnlockSample.newSlot(Self.method())
        let asked = UnlockSample.slot(slot.kind, slot.parameters)
        #expect(slot.kind == .external)
        #expect(
            try UnlockSample.key(Self.method(), asked)
                == FormatSample.exposed(slot.keyEncryptionKey))
        #expect(try UnlockSample.key(Self.method("kms/key-2"), asked) == nil)
        #expect(try UnlockSample.newSlot(Self.method()).parameters != slot.parameters)
    }

    @Test(
        "A name has 1 to 128 octets", arguments: [(0, false), (1, true), (128, true), (129, false)])
    func names(count: Int, isAllowed: Bool) {
        let method = Self.method(String(repeating: "n", count: count))
        #expect(
            FormatSample.code { _ = try UnlockSample.newSlot(method) }
                == (isAllowed ? nil : .invalidParameter))
    }

    @Test(
        "A wrapped key has 1 to 4,096 bytes",
        arguments: [(0, false), (1, true), (4096, true), (4097, false), (70_000, false)])
    func wrapped(count: Int, isAllowed: Bool) {
        let method = ExternalKeyUnlock(
            name: "k", wrap: { _ in [UInt8](repeating: 1, count: count) },
            unwrap: { _ in throw Foreign() })
        #expect(
            FormatSample.code { _ = try UnlockSample.newSlot(method) }
                == (isAllowed ? nil : .invalidValue))
    }

    @Test(
        "A key of any other length is rejected, and its length not told",
        arguments: [0, 16, 31, 33])
    func unwrapped(count: Int) throws {
        let parameters = SlotParameters.external(name: "k", wrapped: [1])
        let method = ExternalKeyUnlock(
            name: "k", wrap: { _ in [1] }, unwrap: { _ in FormatSample.key(1, count) })
        let slot = UnlockSample.slot(.external, parameters.bytes)
        let error = #expect(throws: StoreError.self) { _ = try method.keyEncryptionKey(for: slot) }
        #expect(error?.code == .invalidValue)
        #expect(
            error?.message
                == "The callback that unwraps does not give back the 32 bytes that were wrapped.")
    }

    @Test(
        "A store's error is rethrown, and any other becomes unavailable without its text",
        arguments: [
            (StoreError(.timedOut, "slow"), .timedOut), (Foreign(), .unavailable),
            (CancellationError(), .cancelled),
        ] as [(any Error, StoreError.Code)])
    func errors(thrown: any Error, code: StoreError.Code) {
        let method = ExternalKeyUnlock(
            name: "k", wrap: { _ in throw thrown }, unwrap: { _ in throw thrown })
        let slot = UnlockSample.slot(
            .external, SlotParameters.external(name: "k", wrapped: [1]).bytes)
        for call in [
            { _ = try UnlockSample.newSlot(method) },
            { _ = try method.keyEncryptionKey(for: slot) },
        ] {
            let error = #expect(throws: StoreError.self, performing: call)
            #expect(error?.code == code)
            #expect(error.map { !"\($0)".contains("s3cr3t") } == true)
        }
    }

    @Test("A malformed slot of its kind is damage; other kinds are ignored")
    func otherSlots() throws {
        #expect(
            FormatSample.code {
                _ = try Self.method().keyEncryptionKey(for: UnlockSample.slot(.external, [1]))
            }
                == .corrupt)
        for kind in UnlockSample.otherKinds where kind != .external {
            #expect(try UnlockSample.key(Self.method(), UnlockSample.slot(kind)) == nil)
        }
    }

    @Test("Only the name is printed")
    func redaction() {
        let secret = "c4ptur3d"
        let method = ExternalKeyUnlock(
            name: "kms/key-1", wrap: { _ in Array(secret.utf8) },
            unwrap: { _ in FormatSample.key(1) })
        let text = UnlockSample.printed(method)
        #expect(text.contains("kms/key-1") && !text.contains(secret))
    }
}
