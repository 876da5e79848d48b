// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SystemBridge

extension VaultReader {
    /// The items that are damaged by themselves, for the text of an error: at most ten.
    ///
    /// One that is gone, or older than it was, cannot be named: its name is only where it was.
    ///
    /// - Parameter key: of its bucket; nil for all.
    func damage(near key: ItemKey?) throws(StoreError) -> [String] {
        var bounds: (first: [UInt8], end: [UInt8]) = ([], [UInt8](repeating: 0xff, count: 33))
        if let key {
            let id = try session.ring.itemID(for: key)
            if let number = VaultFormat.bucket(ofItem: id.span) {
                bounds = (VaultProof.first(of: number), VaultProof.first(of: number &+ 1))
            }
        }
        var identifiers: [[UInt8]] = []
        try connection.with(.itemTags) { (row) throws(StoreError) -> Void in
            try row.bind(bounds.first, at: 1)
            try row.bind(bounds.end, at: 2)
            while try row.step() { if let id = row.blob(0) { identifiers.append(id) } }
        }
        var damage: [String] = []
        for id in identifiers where damage.count < 10 {
            if let text = self.damage(of: id) { damage.append(text) }
        }
        return damage
    }

    /// What names an item that is damaged; nil for one that is whole.
    private func damage(of id: [UInt8]) -> String? {
        var name = "item \(Hexadecimal.text(of: Array(id.prefix(8)))), whose name cannot be read"
        do throws(StoreError) {
            guard let row = try row(id) else { return name }
            name = try session.metadata(of: row, named: nil).key.inWords
            return try hasValue(row) ? nil : name
        } catch {
            return name
        }
    }

    private func hasValue(_ row: ItemRow) throws(StoreError) -> Bool {
        try connection.with(.value) { (statement) throws(StoreError) -> Bool in
            try statement.bind(row.valueNumber, at: 1)
            guard try statement.step() else { return false }
            let value = try statement.withBlob(0) { (sealed) throws(StoreError) -> SecretKey in
                try session.value(sealed, of: row)
            }
            return value != nil
        }
    }
}

extension ItemKey {
    /// The names, as they may be shown.
    package var inWords: String {
        "service \(SystemFailure.quoted(service)), account \(SystemFailure.quoted(account))"
    }
}
