// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import Testing

/// Which unlock methods work here and now.
@Suite("Unlock offers")
struct UnlockOfferTests {
    private struct Sample {
        let vault: FileVault
        let keyFile: KeyFileUnlock
        let external: ExternalKeyUnlock

        init(_ folder: String) throws {
            keyFile = try KeyFileUnlock.create(at: folder + "/key")
            external = ExternalKeyUnlock(
                name: "kms", wrap: { _ in [1] }, unwrap: { _ in try SecretKey.generate() })
            vault = try FileVault.create(at: folder + "/vault", with: keyFile)
            try vault.addSlot(PassphraseUnlock("p", derivation: .pbkdf2(iterations: 100_000)))
            try vault.addSlot(external)
        }

        /// What opens the slots, by their kinds.
        func ways(_ methods: [any UnlockMethod] = []) throws -> [KeySlot.Kind: String] {
            let offers = try vault.unlockOffers(methods)
            return Dictionary(
                uniqueKeysWithValues: offers.map { offer in
                    let way =
                        switch offer.way {
                        case .passphrase: "passphrase"
                        case .ready(let method): "ready \(type(of: method))"
                        case .unavailable(let error): error.code.rawValue
                        }
                    #expect(
                        offer.isAvailable == ![
                            "authenticationFailure", "missingKeyFile",
                            "unavailable",
                        ].contains(way))
                    return (offer.slot.kind, way)
                })
        }
    }

    @Test("Each slot shows what opens it, without unlocking anything")
    func kinds() throws {
        try UnlockSample.withFolder { folder in
            let sample = try Sample(folder)
            try sample.vault.lock()
            #expect(
                try sample.ways() == [
                    .rawKey: "authenticationFailure", .pbkdf2: "passphrase",
                    .external: "authenticationFailure",
                ])
            #expect(
                try sample.ways([sample.keyFile])
                    == [
                        .rawKey: "ready KeyFileUnlock", .pbkdf2: "passphrase",
                        .external: "authenticationFailure",
                    ])
            #expect(try sample.vault.isLocked())
        }
    }

    @Test("Another vault's key is not offered, and a failed query gives its reason")
    func reasons() throws {
        try UnlockSample.withFolder { folder in
            let sample = try Sample(folder)
            let other = RawKeyUnlock(try SecretKey.generate())
            #expect(try sample.ways([other])[.rawKey] == "authenticationFailure")
            let absent = KeyFileUnlock(path: folder + "/absent")
            #expect(try sample.ways([absent])[.rawKey] == "missingKeyFile")
            #expect(
                try sample.ways([other, absent, sample.keyFile])[.rawKey]
                    == "ready KeyFileUnlock")
            // It unwraps another key than the slot's.
            #expect(try sample.ways([sample.external])[.external] == "authenticationFailure")
            struct Outage: Error {}
            let out = ExternalKeyUnlock(
                name: "kms", wrap: { _ in [1] }, unwrap: { _ in throw Outage() })
            #expect(try sample.ways([out])[.external] == "unavailable")
            #expect(
                !UnlockSample.printed(try sample.vault.unlockOffers([sample.keyFile]))
                    .contains("signet1"))
        }
    }
}
