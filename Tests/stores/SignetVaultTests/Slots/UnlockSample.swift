// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault
import TestSupport

/// What the tests of unlock methods share.
enum UnlockSample {
    static let slotID = [UInt8](repeating: 0x22, count: 16)

    static func slot(_ kind: KeySlot.Kind, _ parameters: [UInt8] = []) -> KeySlot {
        KeySlot(id: slotID, vaultID: FormatSample.vaultID, kind: kind, parameters: parameters)
    }

    static func newSlot(_ method: some UnlockMethod) throws -> NewKeySlot {
        try method.newSlot(id: slotID, vaultID: FormatSample.vaultID)
    }

    static func key(_ method: some UnlockMethod, _ slot: KeySlot) throws -> [UInt8]? {
        try method.keyEncryptionKey(for: slot).map { FormatSample.exposed($0) }
    }

    /// Whether a slot that the method makes opens with it again, as a whole record.
    static func opensItsOwnSlot(_ method: some UnlockMethod) throws -> Bool {
        let record = try SlotRecord.make(newSlot(method), id: slotID, root: FormatSample.root())
        let slot = try SlotRecord(parsing: record.bytes, rowID: slotID)
        guard
            let key = try method.keyEncryptionKey(for: slot.keySlot(vaultID: FormatSample.vaultID))
        else {
            return false
        }
        return try slot.openRoot(with: key, vaultID: FormatSample.vaultID) == FormatSample.key(9)
    }

    static let otherKinds: [KeySlot.Kind] = (0...9).map { KeySlot.Kind(rawValue: $0) }

    /// A folder of its own, removed at the end.
    static func withFolder<R>(_ body: (String) throws -> R) throws -> R {
        let path = NSTemporaryDirectory() + "signet-unlock-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try body(path)
    }

    static func write(_ bytes: [UInt8], _ path: String, mode: Int = 0o600) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Every way in which a program prints a value by accident.
    static func printed(_ value: Any) -> String {
        var dumped = ""
        dump(["a": [value]], to: &dumped)
        let children = Mirror(reflecting: value).children.map { "\($0.label ?? ""): \($0.value)" }
            .joined()
        return [
            String(describing: value), String(reflecting: value), dumped, children,
            String(reflecting: Optional(value) as Any), "\((value, 1))",
        ].joined(separator: "\n")
    }
}
