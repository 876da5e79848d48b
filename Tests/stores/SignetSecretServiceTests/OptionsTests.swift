// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetSecretService
import SignetVault
import Testing

@Suite("Options of a keyring store")
struct OptionsTests {
    @Test(
        "Options out of range are refused",
        arguments: [
            { $0.application = "" }, { $0.application = "a\u{0}b" }, { $0.application = "a\nb" },
            { $0.application = String(repeating: "x", count: 129) }, { $0.collection = "" },
            { $0.collection = "a/b" }, { $0.collection = "../default" },
            { $0.collection = String(repeating: "x", count: 65) }, { $0.deadlineSeconds = 0 },
            { $0.deadlineSeconds = 601 }, { $0.deadlineSeconds = -1 }, { $0.promptSeconds = 0 },
            { $0.promptSeconds = 3601 },
            { $0.sealingKey = .provided(SecretKey(copying: [UInt8](repeating: 1, count: 31))) },
        ] as [@Sendable (inout SecretServiceOptions) -> Void])
    func refused(_ change: @Sendable (inout SecretServiceOptions) -> Void) {
        var options = SecretServiceOptions(application: "test")
        change(&options)
        let final = options
        #expect(throws: StoreError(.invalidParameter, "")) { try SecretServiceStore(final) }
    }

    @Test("Options for opening a vault out of range are refused")
    func vaults() {
        #expect(throws: StoreError(.invalidParameter, "")) {
            try SecretServiceUnlock(collection: "a b")
        }
        #expect(throws: StoreError(.invalidParameter, "")) {
            try SecretServiceUnlock(deadlineSeconds: 0)
        }
        #expect(throws: StoreError(.invalidParameter, "")) {
            try SecretServiceUnlock(label: "a\u{0}b")
        }
        #expect(throws: StoreError(.invalidParameter, "")) {
            try SecretServiceAnchor(collection: "")
        }
    }

    @Test("An invalid item is refused before the service is asked")
    func checkedFirst() async throws {
        let store = try SecretServiceStore(SecretServiceOptions(application: "test"))
        await #expect(throws: StoreError(.invalidItem, "")) {
            try await store.entry(ItemKey(service: "", account: "a"))
        }
        await #expect(throws: StoreError(.emptyMatch, "")) {
            try await store.clear(service: "", itemClass: nil, accessGroup: "")
        }
    }
}
