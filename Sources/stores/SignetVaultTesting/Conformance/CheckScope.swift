// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

/// A breach of the contract, found by a check.
struct StoreFinding: Error {
    let message: String
}

/// The store under check, and names that no other check uses.
struct CheckScope: Sendable {
    let store: any SecureStore
    /// The same store through a second object, if a caller gave it; otherwise `store`.
    let other: any SecureStore
    let unlock: (@Sendable () async throws -> Void)?
    let service = "signet.conformance.\(String(UInt64.random(in: .min ... .max), radix: 36))"

    /// A second service, whose name begins with the first service's name.
    var otherService: String { service + ".other" }
    let group = "signet.conformance"

    func key(
        _ account: String = "account", itemClass: ItemClass = .generic, group: String = "",
        service: String? = nil
    ) -> ItemKey {
        ItemKey(
            service: service ?? self.service, account: account, itemClass: itemClass,
            accessGroup: group)
    }

    func expect(_ isTrue: Bool, _ message: @autoclosure () -> String) throws {
        guard isTrue else { throw StoreFinding(message: message()) }
    }

    func expect<Value: Equatable>(_ value: Value, is wanted: Value, named what: String) throws {
        guard value == wanted else {
            throw StoreFinding(message: "\(what) is \(value), not \(wanted)")
        }
    }

    /// Expects that `body` throws a `StoreError` with a code of this list.
    func expect(
        _ codes: StoreError.Code..., by what: String, _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as StoreError where codes.contains(error.code) {
            return
        } catch {
            throw StoreFinding(message: "\(what) threw \(error) instead of \(codes[0].rawValue)")
        }
        throw StoreFinding(message: "\(what) did not throw \(codes[0].rawValue)")
    }

    func entry(_ key: ItemKey, named what: String) async throws -> StoreEntry {
        guard let entry = try await store.entry(key) else {
            throw StoreFinding(message: "\(what) is absent")
        }
        return entry
    }

    func item(_ key: ItemKey, named what: String) async throws -> StoredItem {
        guard let item = try await store.item(key) else {
            throw StoreFinding(message: "\(what) is absent")
        }
        return item
    }

    /// Expects changes in this order. Other changes may come in between. Fails if they have not come
    /// after ten seconds.
    func hear(_ wanted: [StoreChange], in changes: AsyncStream<StoreChange>) async throws {
        let heardCount = await withTaskGroup(of: Int?.self) { group in
            // The listener returns how many of the wanted changes came; the timer returns nil.
            group.addTask {
                var count = 0
                for await change in changes where change == wanted[count] {
                    count += 1
                    if count == wanted.count { break }
                }
                return count
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(10))
                return nil
            }
            var count = await group.next() ?? nil
            group.cancelAll()
            // The timer was first. Cancelling has ended the stream, so the listener returns now.
            if count == nil { count = await group.next() ?? nil }
            return count ?? 0
        }
        guard heardCount < wanted.count else { return }
        throw StoreFinding(
            message:
                "\(wanted[heardCount]) was not announced: change \(heardCount + 1) of \(wanted.count)"
        )
    }

    /// Removes what the checks may have left. Unlocks the store first if that is needed.
    func removeEverything() async throws {
        if try await store.isLocked() { try await unlock?() }
        for service in [service, otherService] {
            for group in ["", group] {
                try await store.clear(service: service, itemClass: nil, accessGroup: group)
            }
        }
    }
}
