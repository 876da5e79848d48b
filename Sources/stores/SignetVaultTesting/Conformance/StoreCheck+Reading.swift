// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

extension StoreCheck {
    static let reading = [
        StoreCheck("an item that is absent is nil, and no error") { scope in
            let key = scope.key()
            try scope.expect(
                try await scope.store.entry(key) == nil, "entry() found an item that is not there")
            try scope.expect(
                try await scope.store.item(key) == nil, "item() found an item that is not there")
            try scope.expect(
                try await !scope.store.remove(key), "remove() says that there was an item")
        },
        StoreCheck("values of any bytes and any type come back as they were") { scope in
            let values = [
                SecretValue(bytes: []), SecretValue(bytes: [0]), SecretValue(bytes: 0...255),
                SecretValue(bytes: [UInt8](repeating: 0xa5, count: 1 << 20)),
                SecretValue("tést ✓ \u{0}"),
                SecretValue(bytes: 0..<32, type: .symmetricKey),
                SecretValue(
                    bytes: "{}".utf8, type: ValueType(rawValue: String(repeating: "t", count: 64))),
            ]
            for (number, value) in values.enumerated() {
                let key = scope.key("value \(number)")
                try await scope.store.set(value, for: key)
                let entry = try await scope.entry(
                    key, named: "the value of \(value.byteCount) bytes")
                try scope.expect(entry.value.type, is: value.type, named: "the type")
                try scope.expect(
                    entry.value == value,
                    "a value of \(value.byteCount) bytes came back as another one")
                try scope.expect(
                    entry.item.valueType, is: value.type, named: "the type that the item names")
            }
        },
        StoreCheck("names of any text are told apart by their octets") { scope in
            // The last two are canonically equivalent, and equal as Swift strings.
            let accounts = [
                "", " ", "a", "A", "a/b", "a\u{0}b", "a\nb", "%2F", "😀",
                String(repeating: "x", count: 1024),
                "\u{e9}", "e\u{301}",
            ]
            for (number, account) in accounts.enumerated() {
                try await scope.store.set("\(number)", for: scope.key(account))
            }
            for (number, account) in accounts.enumerated() {
                let found = try await scope.store.get(scope.key(account))?.string()
                try scope.expect(
                    found, is: "\(number)", named: "the item of account number \(number)")
            }
            let count = try await scope.store.list(service: scope.service).count
            try scope.expect(count, is: accounts.count, named: "the number of items")
        },
        StoreCheck("class and access group are part of the name") { scope in
            for group in ["", scope.group] {
                for itemClass in ItemClass.allCases {
                    try await scope.store.set(
                        "\(itemClass) \(group)",
                        for: scope.key("a", itemClass: itemClass, group: group))
                }
            }
            for group in ["", scope.group] {
                for itemClass in ItemClass.allCases {
                    let found = try await scope.store.get(
                        scope.key("a", itemClass: itemClass, group: group))?
                        .string()
                    try scope.expect(
                        found, is: "\(itemClass) \(group)", named: "the item of class \(itemClass)")
                }
            }
        },
        StoreCheck("an item without its value is the one with it") { scope in
            let details = ItemDetails(label: "Label", comment: "A remark", attributes: ["a": "1"])
            try await scope.store.set("secret", for: scope.key(), details: details)
            let entry = try await scope.entry(scope.key(), named: "the item")
            let item = try await scope.item(scope.key(), named: "the item")
            try scope.expect(entry.item, is: item, named: "what entry() says about the item")
            try scope.expect(item.key, is: scope.key(), named: "its key")
        },
        StoreCheck("a value that was read outlives its item") { scope in
            try await scope.store.set("secret", for: scope.key())
            let entry = try await scope.entry(scope.key(), named: "the item")
            try await scope.store.remove(scope.key())
            try scope.expect(try entry.value.string(), is: "secret", named: "the value")
        },
    ]
}
