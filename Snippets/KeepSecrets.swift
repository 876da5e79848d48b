// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault

// The example has a folder of its own and begins anew each time.
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
try FileManager.default.createDirectory(
    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
defer { try? FileManager.default.removeItem(at: folder) }
let path = folder.appendingPathComponent("secrets.vault").path
let passphrase = PassphraseUnlock("correct horse battery staple")

let vault = try FileVault.create(at: path, with: passphrase)
let token = ItemKey.token(service: "api.example.com", account: "alice")

// Written, and on the disk when the call returns.
try vault.set("v1.first-token", for: token, details: ItemDetails(label: "Access token of Alice"))

// nil means that there is none. Locked, damaged and out of reach are errors, never nil.
if let text = try vault.string(for: token) { print("read \(text.utf8.count) octets") }

// Others may write meanwhile: then the closure runs again, over what they have written.
try vault.update(token) { old in
    SecretValue(old == nil ? "v1.first-token" : "v2.next-token")
}

// Anything Codable, and keys: made once, and the same for every process that asks.
struct Account: Codable { var host: String, port: Int }
try vault.set(
    encoding: Account(host: "db.example.com", port: 5432), for: ItemKey(service: "db", account: "main"))
let sealing = try vault.keyMadeIfAbsent(for: .key(service: "backup", name: "sealing"), bitCount: 256)
print("\(sealing), \(try vault.list(service: "api.example.com").count) token")

vault.close()
do {
    let again = try FileVault.open(at: path)
    print("locked: \(try again.isLocked())")
    try again.unlock(with: passphrase)
    print("updated: \(try again.string(for: token) == "v2.next-token")")
}
