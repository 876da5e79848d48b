// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSecretService
import SignetVault

// Compiled but not called: running the examples leaves your keyring as it is.
func keep() async throws(StoreError) {
    // snippet.SecretServiceStore
    let store = try SecretServiceStore(SecretServiceOptions(application: "org.example.mail"))
    let mail = ItemKey(service: "imap.example.org", account: "alice")
    try await store.set("hunter2", for: mail)
    let password = try await store.get(mail)?.string()
    // snippet.end
    print("read:", password != nil)
}

// The keyring or, only if there is none, a vault.
func keepAnywhere() async throws {
    let folders = try StandardFolders(application: "org.example.mail")
    let either = try await KeyringOrVault.open(
        SecretServiceOptions(application: "org.example.mail")
    ) { () throws(StoreError) in
        // Only where there is no keyring.
        try folders.make()
        let key = folders.state + "/key"
        _ = try? KeyFileUnlock.create(at: key)
        return KeyFileUnlock(path: key)
    }
    try await either.set("hunter2", for: ItemKey(service: "imap.example.org", account: "alice"))
}

print(ItemKey(service: "imap.example.org", account: "alice"))
