// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSecretService
import SignetVault

// Compiled and not called: whoever runs the examples keeps the keyring as it is.
func keep() async throws(StoreError) {
    let store = try SecretServiceStore(SecretServiceOptions(application: "org.example.mail"))
    try await store.set("hunter2", for: ItemKey(service: "imap.example.org", account: "alice"))
}

print(ItemKey(service: "imap.example.org", account: "alice"))
