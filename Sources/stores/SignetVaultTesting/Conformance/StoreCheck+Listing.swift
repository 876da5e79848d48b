// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

extension StoreCheck {
    static let listing = [
        StoreCheck("a list has the items of its service, in their order") { scope in
            let accounts = ["b", "a", "", "é", "B", "a b"]
            for account in accounts {
                try await scope.store.set("v", for: scope.key(account))
                try await scope.store.set("v", for: scope.key(account, itemClass: .token))
            }
            try await scope.store.set("v", for: scope.key("other", service: scope.otherService))
            try await scope.store.set("v", for: scope.key("group", group: scope.group))
            let sorted = ["", "B", "a", "a b", "b", "é"]
            let wanted =
                sorted.map { scope.key($0) } + sorted.map { scope.key($0, itemClass: .token) }
            let all = try await scope.store.list(
                service: scope.service, itemClass: nil, accessGroup: "")
            try scope.expect(all.map(\.key), is: wanted, named: "the list")
            let tokens = try await scope.store.list(
                service: scope.service, itemClass: .token, accessGroup: "")
            try scope.expect(
                tokens.map(\.key), is: sorted.map { scope.key($0, itemClass: .token) },
                named: "the list of one class"
            )
            let grouped = try await scope.store.list(
                service: scope.service, itemClass: nil, accessGroup: scope.group)
            try scope.expect(
                grouped.map(\.key), is: [scope.key("group", group: scope.group)],
                named: "a group's list")
        },
        StoreCheck("a list says of each item what the item says") { scope in
            try await scope.store.set(
                "v", for: scope.key(),
                details: ItemDetails(label: "L", comment: "C", attributes: ["a": "b"]))
            let listed = try await scope.store.list(service: scope.service)
            let item = try await scope.item(scope.key(), named: "the item")
            try scope.expect(listed, is: [item], named: "the list")
            let all = try await scope.store.allItems().filter { $0.key.service == scope.service }
            try scope.expect(all, is: [item], named: "the list of everything")
        },
        StoreCheck("a service without items has an empty list") { scope in
            let listed = try await scope.store.list(service: scope.service)
            try scope.expect(listed.count, is: 0, named: "the number of items")
            let cleared = try await scope.store.clear(service: scope.service)
            try scope.expect(cleared, is: 0, named: "the number of items removed")
        },
        StoreCheck("clearing removes what it names and nothing else") { scope in
            let kept = [
                scope.key("a", service: scope.otherService), scope.key("a", group: scope.group),
                scope.key("a", itemClass: .key),
            ]
            for key in kept { try await scope.store.set("v", for: key) }
            for account in ["a", "b", "c"] {
                try await scope.store.set("v", for: scope.key(account))
            }
            let count = try await scope.store.clear(
                service: scope.service, itemClass: .generic, accessGroup: "")
            try scope.expect(count, is: 3, named: "the number of items removed")
            for key in kept {
                try scope.expect(
                    try await scope.store.item(key) != nil, "\(key) was removed as well")
            }
            let rest = try await scope.store.clear(
                service: scope.service, itemClass: nil, accessGroup: "")
            try scope.expect(rest, is: 1, named: "the number of items left to remove")
            try scope.expect(
                try await scope.store.item(kept[0]) != nil, "another service was cleared")
            try scope.expect(
                try await scope.store.item(kept[1]) != nil, "another access group was cleared")
        },
        StoreCheck("an empty service matches nothing: it is refused") { scope in
            try await scope.store.set("v", for: scope.key())
            try await scope.expect(.emptyMatch, by: "clearing an empty service") {
                try await scope.store.clear(service: "", itemClass: nil, accessGroup: "")
            }
            try await scope.expect(.emptyMatch, by: "listing an empty service") {
                _ = try await scope.store.list(service: "", itemClass: nil, accessGroup: "")
            }
            try scope.expect(try await scope.store.item(scope.key()) != nil, "an item was removed")
        },
    ]
}
