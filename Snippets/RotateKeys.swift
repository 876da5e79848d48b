// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetIdentity
import SignetVault

// The example uses a new folder each time.
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
try FileManager.default.createDirectory(
    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
defer { try? FileManager.default.removeItem(at: folder) }
let path = folder.appendingPathComponent("keys.vault").path
let old = PassphraseUnlock("correct horse battery staple")
let vault = try FileVault.openOrCreate(at: path, with: old)

// Kept where all instances find them. The first start makes one. A key signs for 30 days, and the
// next one is published for an hour before it signs.
let keys = try await SigningKeys.open(in: .vault(vault, service: "api.example"))
let sessions = RotatingSessionIssuer(
    try SessionTokenIssuer(
        issuer: "https://api.example", audience: "session", keys: keys.ring,
        lifetime: .seconds(30 * 86_400)))
let issued = try sessions.issue(subject: "user-1093")

// Every minute, on each instance: whichever comes first does what is due.
try sessions.use(try await keys.refresh())
print(try keys.ring.jwksJSON())

// After the theft of a key: makes a new one, and no earlier one verifies.
try sessions.use(try await keys.replaceAll())
do {
    _ = try sessions.verify(BearerToken(authorization: ["Bearer \(issued.token)"]))
} catch {
    print("refused:", error)
}

// The vault's own keys. A new passphrase: the items are not touched.
if let slot = try vault.slots().first {
    try vault.replaceSlot(id: slot.id, with: PassphraseUnlock("a passphrase that no one knows"))
}

// The key of the items: every item is sealed again, while others read and write.
try vault.rotateDataKey()

// The root key, in case someone copied a passphrase or a key file: slots that are not named here
// are dropped.
try vault.rotateRootKey(
    keeping: [PassphraseUnlock("a passphrase that no one knows")], droppingOthers: true)
print("whole:", try vault.verify().isClean)
