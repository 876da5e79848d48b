// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

extension StoreCheck {
    static let writing = [
        StoreCheck("writing again replaces the value and keeps what was first") { scope in
            let first = ItemDetails(label: "First", comment: "c", attributes: ["a": "1", "b": "2"])
            try await scope.store.set("one", for: scope.key(), details: first)
            let created = try await scope.item(scope.key(), named: "the item").created
            try await scope.store.set(SecretValue(bytes: [1, 2]), for: scope.key(), details: nil)
            let second = try await scope.entry(scope.key(), named: "the item")
            try scope.expect(
                second.value == SecretValue(bytes: [1, 2]), "the value is not the one written last")
            try scope.expect(
                second.item.details, is: first, named: "details after a write without any")
            try scope.expect(second.item.created, is: created, named: "the time of creation")
            try await scope.store.set(
                "three", for: scope.key(), details: ItemDetails(label: "Third"))
            let third = try await scope.item(scope.key(), named: "the item")
            try scope.expect(
                third.details, is: ItemDetails(label: "Third"), named: "details after new ones")
        },
        StoreCheck("details of any text come back as they were") { scope in
            var attributes = ["empty": "", "\u{0}": "\n", "ключ": "значение"]
            for number in 0..<8 {
                attributes[String(repeating: "n", count: 127) + "\(number)"] = String(
                    repeating: "v", count: 4096)
            }
            let details = ItemDetails(
                label: String(repeating: "ü", count: 512),
                comment: String(repeating: "\t", count: 4096), attributes: attributes)
            try await scope.store.set("secret", for: scope.key(), details: details)
            let found = try await scope.item(scope.key(), named: "the item").details
            try scope.expect(found == details, "details came back as others")
        },
        StoreCheck("a removed item is gone, and the others stay") { scope in
            try await scope.store.set("one", for: scope.key("1"))
            try await scope.store.set("two", for: scope.key("2"))
            try scope.expect(
                try await scope.store.remove(scope.key("1")), "remove() says that there was none")
            try scope.expect(
                try await scope.store.item(scope.key("1")) == nil, "the removed item is there")
            try scope.expect(
                try await scope.store.item(scope.key("2")) != nil, "another item is gone")
            try scope.expect(
                try await !scope.store.remove(scope.key("1")), "it could be removed twice")
        },
        StoreCheck("a batch writes all its items") { scope in
            try await scope.store.put([])
            try await scope.store.set(
                "old", for: scope.key("1"), details: ItemDetails(label: "kept"))
            let items = (0..<50).map {
                NewItem(key: scope.key("\($0)"), value: SecretValue("value \($0)"))
            }
            try await scope.store.put(items)
            for number in 0..<50 {
                let found = try await scope.store.get(scope.key("\(number)"))?.string()
                try scope.expect(found, is: "value \(number)", named: "item \(number) of the batch")
            }
            let label = try await scope.item(scope.key("1"), named: "the item").details.label
            try scope.expect(
                label, is: "kept", named: "the label of an item that brought no details")
        },
        StoreCheck("a batch keeps the times that it brings", requires: .exactTimes) { scope in
            let created = ItemTime(milliseconds: 1_234_567)
            let modified = ItemTime(milliseconds: 7_654_321)
            try await scope.store.put([
                NewItem(
                    key: scope.key(), value: SecretValue("v"), created: created, modified: modified)
            ])
            let item = try await scope.item(scope.key(), named: "the item")
            try scope.expect(item.created, is: created, named: "the time of creation")
            try scope.expect(item.modified, is: modified, named: "the time of modification")
            try await scope.store.set("w", for: scope.key())
            let again = try await scope.item(scope.key(), named: "the item")
            try scope.expect(
                again.created, is: created, named: "the time of creation after another write")
            try scope.expect(again.modified > modified, "the time of modification did not go on")
        },
        StoreCheck("a batch with an item that is refused writes none", requires: .atomicBatches) {
            scope in
            let good = NewItem(key: scope.key("good"), value: SecretValue("v"))
            let bad = NewItem(
                key: scope.key(String(repeating: "x", count: 1025)), value: SecretValue("v"))
            try await scope.expect(.invalidItem, by: "a batch with an account that is too long") {
                try await scope.store.put([good, bad])
            }
            try scope.expect(
                try await scope.store.item(good.key) == nil, "the item before it was written")
        },
    ]
}
