// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

extension StoreCheck {
    static let swapping = [
        StoreCheck("every writing has a revision of its own") { scope in
            let first = try await scope.store.set("same", for: scope.key())
            let read = try await scope.item(scope.key(), named: "the item").revision
            try scope.expect(read == first, "set() returned another revision than the item has")
            let again = try await scope.item(scope.key(), named: "the item").revision
            try scope.expect(again == first, "reading changed the revision")
            let second = try await scope.store.set("same", for: scope.key())
            try scope.expect(
                second != first, "writing the same value again left the revision as it was")
            try await scope.store.put([NewItem(key: scope.key(), value: SecretValue("same"))])
            let third = try await scope.item(scope.key(), named: "the item").revision
            try scope.expect(third != second, "a batch left the revision as it was")
        },
        StoreCheck("adding does not replace") { scope in
            let revision = try await scope.store.replace(
                SecretValue("one"), for: scope.key(), details: nil, ifRevision: nil)
            let item = try await scope.item(scope.key(), named: "the item that was added")
            try scope.expect(
                revision == item.revision, "replace() returned another revision than the item has")
            try await scope.expect(.alreadyExists, by: "adding what is there") {
                try await scope.store.replace(
                    SecretValue("two"), for: scope.key(), details: nil, ifRevision: nil)
            }
            try await scope.expect(.alreadyExists, by: "replace()") {
                try await scope.store.replace(
                    SecretValue("two"), for: scope.key(), details: nil, ifRevision: nil)
            }
            try scope.expect(
                try await scope.store.get(scope.key())?.string(), is: "one", named: "the value")
        },
        StoreCheck("replacing goes by the revision") { scope in
            let first = try await scope.store.set("one", for: scope.key())
            let second = try await scope.store.replace(
                SecretValue("two"), for: scope.key(), details: nil, ifRevision: first)
            try scope.expect(second != nil && second != first, "replace() returned no new revision")
            try await scope.expect(.conflict, by: "replacing by an old revision") {
                try await scope.store.replace(
                    SecretValue("three"), for: scope.key(), details: nil, ifRevision: first)
            }
            try await scope.expect(.conflict, by: "removing by an old revision") {
                try await scope.store.replace(
                    nil, for: scope.key(), details: nil, ifRevision: first)
            }
            try scope.expect(
                try await scope.store.get(scope.key())?.string(), is: "two", named: "the value")
        },
        StoreCheck("removing goes by the revision") { scope in
            let first = try await scope.store.set("one", for: scope.key())
            let removed = try await scope.store.replace(
                nil, for: scope.key(), details: nil, ifRevision: first)
            try scope.expect(removed == nil, "a removal returned a revision")
            try scope.expect(
                try await scope.store.item(scope.key()) == nil, "the item is still there")
            try await scope.expect(.conflict, by: "replacing an item that is gone") {
                try await scope.store.replace(
                    SecretValue("two"), for: scope.key(), details: nil, ifRevision: first)
            }
            try await scope.store.replace(nil, for: scope.key(), details: nil, ifRevision: nil)
            try await scope.store.set("one", for: scope.key())
            try await scope.expect(.conflict, by: "replacing by a revision from before a removal") {
                try await scope.store.replace(
                    SecretValue("two"), for: scope.key(), details: nil, ifRevision: first)
            }
        },
        StoreCheck("no update is lost among many", requires: .concurrentUpdates) { scope in
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<10 {
                            try await scope.store.update(scope.key()) { old in
                                SecretValue(
                                    "\((try old.flatMap { Int(try $0.string()) } ?? 0) + 1)")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let count = try await scope.store.get(scope.key())?.string()
            try scope.expect(count, is: "80", named: "what 80 updates have counted to")
        },
    ]
}
