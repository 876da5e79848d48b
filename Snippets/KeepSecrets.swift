// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault

// The example uses a new folder each time.
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
try FileManager.default.createDirectory(
    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
defer { try? FileManager.default.removeItem(at: folder) }
let path = folder.appendingPathComponent("secrets.vault").path
let passphrase = "correct horse battery staple"

struct Account: Codable { var host: String, port: Int }

// Made at the first start, and opened at each later one.
// snippet.FileVault
let vault = try FileVault.openOrCreate(at: path, with: PassphraseUnlock(passphrase))
let token = ItemKey.token(service: "api.example.com", account: "alice")
// snippet.hide
let account = ItemKey(service: "db", account: "main")

// snippet.show
// Writes all of it or nothing. It is on the disk when the call returns.
try vault.write { writer in
    try writer.set("v1.first-token", for: token)
    // snippet.hide
    try writer.set(
        SecretValue(encoding: Account(host: "db.example.com", port: 5432)), for: account,
        details: ItemDetails(label: "The main database"))
    // snippet.show
}

// nil means that there is none. Locked, damaged and unreachable are errors, never nil.
if let text = try vault.read({ try $0.get(token)?.string() }) {
    print("read \(text.utf8.count) octets")
}
// snippet.end
let database = try vault.read { try $0.get(account)?.decoded(as: Account.self) }

// A write can read as well, and no one else writes in between.
try vault.write { writer in
    let old = try writer.get(token)?.string()
    try writer.set(old == nil ? "v1.first-token" : "v2.next-token", for: token)
}

// If the closure throws, its error comes out and nothing is written. The vault's own errors are
// StoreErrors.
do {
    try vault.write { writer in try writer.remove(account) }
} catch let error as StoreError {
    switch error.kind {
    case .locked: print("unlock it:", error.message)
    case .corrupt: print("nothing was changed:", error.code.rawValue)
    case .unavailable, .refused: print(error)
    }
}
print(database?.port ?? 0)

// A key that is made once, and the same for every process that asks.
let sealing = try await vault.keyMadeIfAbsent(
    for: .key(service: "backup", name: "sealing"), bitCount: 256)
print("\(sealing), \(try await vault.list(service: "api.example.com").count) token")

vault.close()
do {
    let again = try FileVault.open(at: path)
    print("locked: \(try again.isLocked())")
    try again.unlock(with: PassphraseUnlock(passphrase))
    print("updated: \(try await again.get(token)?.string() == "v2.next-token")")
}
