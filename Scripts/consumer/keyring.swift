// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A program of somebody else's that looks into the desktop's keyring: Scripts/consumer.sh builds and runs it.
import SignetSecretService
import SignetVault

let store = try SecretServiceStore(SecretServiceOptions(application: "example"))
do throws(StoreError) {
    print(
        try await store.item(ItemKey(service: "example.com", account: "alice"))?.key.account
            ?? "absent")
} catch {
    // Where there is no desktop there is no keyring: what counts here is that the program is linked and runs.
    print(error.code)
}
