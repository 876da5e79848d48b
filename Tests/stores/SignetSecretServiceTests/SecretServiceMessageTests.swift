// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSecretService
import SignetVault
import TestSupport
import Testing

/// Hostile text at every place where the keyring's store takes text, before it asks the service.
@Suite("The keyring store's messages about hostile input")
struct SecretServiceMessageTests {
    static let sites: [HostileSite] = [
        HostileSite("a program's name") {
            _ = try SecretServiceStore(SecretServiceOptions(application: $0.text))
            throw StoreError(.invalidParameter, "It is taken.")
        },
        HostileSite("a collection") {
            var options = SecretServiceOptions(application: "test")
            options.collection = $0.text
            _ = try SecretServiceStore(options)
        },
        HostileSite("the collection of a vault's key") {
            _ = try SecretServiceUnlock(collection: $0.text)
        },
        HostileSite("the label of a vault's key") {
            _ = try SecretServiceUnlock(label: $0.text)
            throw StoreError(.invalidParameter, "It is taken.")
        },
        HostileSite("the collection of an anchor") {
            _ = try SecretServiceAnchor(collection: $0.text)
        },
        HostileSite("an item") { text in
            let long = String(repeating: text.text, count: 1 + 1_025 / text.bytes.count)
            let store = try SecretServiceStore(SecretServiceOptions(application: "test"))
            _ = try await store.entry(ItemKey(service: long, account: long))
        },
        HostileSite("a service") { text in
            let long = String(repeating: text.text, count: 1 + 1_025 / text.bytes.count)
            let store = try SecretServiceStore(SecretServiceOptions(application: "test"))
            _ = try await store.list(service: long, itemClass: nil, accessGroup: long)
        },
    ]

    @Test("A message is short, on one line, and repeats no secret", arguments: sites)
    func hostile(_ site: HostileSite) async { await site.check() }
}
