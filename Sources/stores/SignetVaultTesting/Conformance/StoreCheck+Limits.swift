// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

extension StoreCheck {
    static let limits = [
        StoreCheck("an item that is longer than allowed is refused, not cut off") { scope in
            let long = { (count: Int) in String(repeating: "x", count: count) }
            let keys: [(String, ItemKey)] = [
                ("an empty service", scope.key(service: "")),
                ("a service of 1,025 octets", scope.key(service: long(1025))),
                ("an account of 1,025 octets", scope.key(long(1025))),
                ("an access group of 256 octets", scope.key(group: long(256))),
            ]
            for (what, key) in keys {
                try await scope.expect(.invalidItem, by: "setting \(what)") {
                    try await scope.store.set("v", for: key)
                }
                try await scope.expect(.invalidItem, by: "adding \(what)") {
                    try await scope.store.replace(
                        SecretValue("v"), for: key, details: nil, ifRevision: nil)
                }
                try await scope.expect(.invalidItem, by: "reading \(what)") {
                    _ = try await scope.store.entry(key)
                }
            }
            let many = (0...64).map { ("\($0)", "") }
            let large = (0..<20).map { ("\($0)", long(4096)) }
            let details: [(String, ItemDetails)] = [
                ("a label of 1,025 octets", ItemDetails(label: long(1025))),
                ("a comment of 4,097 octets", ItemDetails(comment: long(4097))),
                ("65 attributes", ItemDetails(attributes: Dictionary(uniqueKeysWithValues: many))),
                ("an attribute without a name", ItemDetails(attributes: ["": "v"])),
                ("an attribute's name of 129 octets", ItemDetails(attributes: [long(129): "v"])),
                (
                    "an attribute's value of 4,097 octets",
                    ItemDetails(attributes: ["n": long(4097)])
                ),
                (
                    "80 KiB of attributes",
                    ItemDetails(attributes: Dictionary(uniqueKeysWithValues: large))
                ),
            ]
            for (what, details) in details {
                try await scope.expect(.invalidItem, by: "setting \(what)") {
                    try await scope.store.set("v", for: scope.key(), details: details)
                }
            }
            try scope.expect(
                try await scope.store.item(scope.key()) == nil, "a refused item was written")
        },
        StoreCheck("a value that is too large is refused, and so is one of no type") { scope in
            let large = SecretValue(bytes: [UInt8](repeating: 0, count: 16_777_217))
            try await scope.expect(.tooLarge, by: "setting a value of 16 MiB and a byte") {
                try await scope.store.set(large, for: scope.key())
            }
            for type in ["", String(repeating: "t", count: 65)] {
                let value = SecretValue(bytes: [1], type: ValueType(rawValue: type))
                try await scope.expect(
                    .invalidValue, .invalidItem, by: "setting a type of \(type.count) octets"
                ) {
                    try await scope.store.set(value, for: scope.key())
                }
            }
            try scope.expect(
                try await scope.store.item(scope.key()) == nil, "a refused item was written")
        },
    ]
}
