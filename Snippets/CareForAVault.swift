// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault

// The example uses a new folder each time.
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
try FileManager.default.createDirectory(
    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
defer { try? FileManager.default.removeItem(at: folder) }
let path = folder.appendingPathComponent("secrets.vault").path
let backup = folder.appendingPathComponent("backup.vault").path

// Locks itself after ten minutes without a call.
var options = VaultOptions()
options.autoLockSeconds = 600
let passphrase = PassphraseUnlock("correct horse battery staple")
let vault = try FileVault.create(at: path, with: passphrase, options: options)
let item = ItemKey.token(service: "api.example.com", account: "alice")
try vault.write { try $0.set("v1.first-token", for: item) }

// A lock that is switched on in the settings, by someone who can open the vault now.
try vault.addSlot(PassphraseUnlock("a new passphrase"), after: passphrase)

// A second way in, for someone who forgets the first.
try vault.addSlot(PassphraseUnlock("kept in a safe"))
for slot in try vault.slots() { print(slot.kind.rawValue) }

// An app lock: shows which slots can open the vault now, and unlocks it again.
try vault.lock()
for offer in try vault.unlockOffers() where offer.isAvailable { print(offer.slot.kind.rawValue) }
try vault.unlock(with: passphrase)

// A copy of one moment, while others write. Copying the file by hand is no backup.
try vault.backup(to: backup)
vault.close()
try FileVault.restore(from: backup, to: path)

// Reads everything, and names what is damaged.
let again = try FileVault.open(at: path)
try again.unlock(with: passphrase)
let report = try again.verify()
print(report.isClean, report.itemCount)
for finding in report.findings { print(finding.place, finding.problem) }

// Copies one store to another, for example the keyring. If interrupted, it can be run again.
let other = try FileVault.create(
    at: folder.appendingPathComponent("other.vault").path, with: passphrase)
print(try await StoreMigration(from: again, to: other).run())

// Takes what is authentic out of a damaged vault, and puts it in the damaged one's place.
again.close()
let saved = folder.appendingPathComponent("saved.vault").path
let salvage = try VaultSalvage(of: path, with: passphrase, to: saved, with: passphrase).run()
for loss in salvage.losses { print("lost:", loss.place, loss.problem) }
print("kept as it was:", try FileVault.setAside(at: path))
try FileVault.restore(from: saved, to: path)
