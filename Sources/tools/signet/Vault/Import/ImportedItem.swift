// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetPlatform
internal import SignetVault

/// An item that a file of another program's gives.
struct ImportedItem: Sendable {
    let key: ItemKey
    let value: SecretValue
    let details: ItemDetails
    /// The first line of the file that it came from.
    let line: Int

    /// - Throws: what of it does not fit into a store, by the line.
    init(
        line: Int, service: String, account: String, value: SecretValue,
        details: ItemDetails = ItemDetails()
    ) throws {
        key = ItemKey(service: service, account: account)
        self.value = value
        self.details = details
        self.line = line
        do { try ItemLimits.check(key: key, value: value, details: details) } catch {
            throw CommandFailure.refused(line: line, because: "\(messageOf: error)")
        }
    }

    /// The items without repetitions. Two items of the same name and another value are refused.
    static func once(_ items: [ImportedItem]) throws -> [ImportedItem] {
        var first: [ItemKey: ImportedItem] = [:]
        return try items.filter { item in
            guard let known = first[item.key] else {
                first[item.key] = item
                return true
            }
            guard known.value == item.value else {
                throw CommandFailure.refused(
                    line: item.line,
                    because:
                        "it has the name of line \(known.line) and another value. Take one of them out."
                )
            }
            return false
        }
    }
}

extension CommandFailure {
    /// The refusal of a file with secrets. It shows nothing of the line, which may be secret.
    static func refused(line: Int, because what: ErrorMessage) -> CommandFailure {
        .refused("malformed", "Line \(line): \(what)", advice: "Nothing was imported.")
    }
}
