// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Someone else's program that looks into the desktop's keyring. Scripts/consumer.sh builds and runs it.
import SignetSecretService
import SignetVault

let store = try SecretServiceStore(SecretServiceOptions(application: "example"))
do throws(StoreError) {
    print(
        try await store.item(ItemKey(service: "example.com", account: "alice"))?.key.account
            ?? "absent")
} catch {
    // Without a desktop there is no keyring. What counts here is that the program links and runs.
    print(error.code)
}
