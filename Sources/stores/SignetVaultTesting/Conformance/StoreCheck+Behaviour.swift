// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

extension StoreCheck {
    static let behaviour = [
        StoreCheck("a listener hears of every change") { scope in
            let changes = scope.store.changes()
            try await scope.store.set("v", for: scope.key("1"))
            try await scope.store.put([NewItem(key: scope.key("2"), value: SecretValue("v"))])
            try await scope.store.replace(
                SecretValue("v"), for: scope.key("3"), details: nil, ifRevision: nil)
            try await scope.store.remove(scope.key("1"))
            try await scope.store.clear(service: scope.service)
            try await scope.hear(
                [
                    .set(scope.key("1")), .set(scope.key("2")), .set(scope.key("3")),
                    .removed(scope.key("1")),
                    .cleared(service: scope.service, count: 2),
                ], in: changes)
        },
        StoreCheck("a locked store says so of every item, there or not", requires: .locking) {
            scope in
            try await scope.store.set("v", for: scope.key("there"))
            let changes = scope.store.changes()
            try await scope.store.lock()
            try await scope.store.lock()
            try scope.expect(try await scope.store.isLocked(), "isLocked() is false after lock()")
            for key in [scope.key("there"), scope.key("absent")] {
                try await scope.expect(.locked, by: "entry()") {
                    _ = try await scope.store.entry(key)
                }
                try await scope.expect(.locked, by: "item()") {
                    _ = try await scope.store.item(key)
                }
                try await scope.expect(.locked, by: "set()") {
                    try await scope.store.set("w", for: key)
                }
                try await scope.expect(.locked, by: "replace()") {
                    try await scope.store.replace(
                        SecretValue("w"), for: key, details: nil, ifRevision: nil)
                }
                try await scope.expect(.locked, by: "remove()") {
                    try await scope.store.remove(key)
                }
                try await scope.expect(.locked, by: "update()") {
                    try await scope.store.update(key) { _ in SecretValue("w") }
                }
            }
            try await scope.expect(.locked, by: "list()") {
                _ = try await scope.store.list(service: scope.service)
            }
            try await scope.expect(.locked, by: "allItems()") {
                _ = try await scope.store.allItems()
            }
            try await scope.expect(.locked, by: "clear()") {
                try await scope.store.clear(service: scope.service)
            }
            guard let unlock = scope.unlock else {
                throw StoreFinding(message: "the check was not told how to unlock the store")
            }
            try await unlock()
            try scope.expect(
                try await !scope.store.isLocked(), "isLocked() is true after an unlock")
            let found = try await scope.store.get(scope.key("there"))?.string()
            try scope.expect(found, is: "v", named: "the value after an unlock")
            try scope.expect(
                try await scope.store.item(scope.key("absent")) == nil,
                "a write to a locked store happened")
            try await scope.hear([.locked, .unlocked], in: changes)
        },
    ]
}
