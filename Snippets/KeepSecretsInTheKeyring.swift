// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSecretService
import SignetVault

// Compiled but not called: running the examples leaves your keyring as it is.
func keep() async throws(StoreError) {
    let store = try SecretServiceStore(SecretServiceOptions(application: "org.example.mail"))
    try await store.set("hunter2", for: ItemKey(service: "imap.example.org", account: "alice"))
}

// The keyring or, only if there is none, a vault.
func keepAnywhere() async throws {
    let place = try FileVault.standardPath(application: "org.example.mail")
    let keyFile = KeyFileUnlock(path: "/etc/org.example.mail/key")
    let either = try await KeyringOrVault.open(
        SecretServiceOptions(application: "org.example.mail"), path: place
    ) { () throws(StoreError) in keyFile }
    try await either.set("hunter2", for: ItemKey(service: "imap.example.org", account: "alice"))
}

print(ItemKey(service: "imap.example.org", account: "alice"))
