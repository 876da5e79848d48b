// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A program of somebody else's that keeps a secret in a vault: Scripts/consumer.sh builds and runs it.
import SignetCrypto
import SignetVault

let method = PassphraseUnlock(SecretKey(copying: "an example".utf8))
let vault = try FileVault.create(at: "example.signet", with: method)
let key = ItemKey(service: "example.com", account: "alice")
try vault.set(SecretValue("hunter2"), for: key, details: nil)
print(try vault.entry(key)?.value.byteCount ?? 0)
