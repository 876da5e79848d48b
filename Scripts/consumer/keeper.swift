// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Someone else's program that keeps a secret in a vault. Scripts/consumer.sh builds and runs it.
import SignetVault

let vault = try FileVault.create(
    at: "example.signet", with: PassphraseUnlock("correct horse battery staple"))
let key = ItemKey(service: "example.com", account: "alice")
try await vault.set("hunter2", for: key)
print(try await vault.get(key)?.string() == "hunter2")
