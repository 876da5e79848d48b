// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetCrypto
internal import SignetJOSE
internal import SignetVault
internal import Synchronization

/// `signet vault passwd`
struct VaultPasswdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passwd", abstract: "Change the passphrase or key of one slot, in one step.",
        discussion: """
            The slot that the old passphrase opens gets the new one. The time does not depend on \
            the number of items. An earlier copy of the file still opens with the old \
            passphrase: if others know that, rotate too.

            EXAMPLES
              signet vault passwd
              signet vault passwd --passphrase-fd 3 3< old --new-passphrase-fd 4 4< new
              signet vault passwd --passphrase --new-key-file work.key
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "New key slot") var new: WayOptions<NewWay>

    @Flag(help: "Print a JSON object: slot.")
    var json = false

    func run() throws {
        try store.check(reading: [new.source])
        try new.check()
        let vault = try store.openLocked()
        let old = SlotFinder(try store.method())
        try vault.unlock(with: old)
        let slot = try vault.replaceSlot(
            id: old.slot ?? [], with: new.newMethod(store.waitingOptions)
        )
        .hexadecimal
        try Output.printResult(
            json: json, members: ["slot": .string(slot)], text: "changed: the slot is \(slot) now")
    }
}

/// Notes the last slot for which a method gave a key: after an unlock, that slot opened.
private final class SlotFinder: UnlockMethod {
    private let method: any UnlockMethod
    private let last = Mutex<[UInt8]?>(nil)

    init(_ method: any UnlockMethod) { self.method = method }

    /// The slot that opened; nil before an unlock.
    var slot: [UInt8]? { last.withLock { $0 } }

    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        let key = try method.keyEncryptionKey(for: slot)
        if key != nil { last.withLock { $0 = slot.id } }
        return key
    }

    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        try method.newSlot(id: id, vaultID: vaultID)
    }
}
