// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

/// A breach of the contract, found by a check.
struct StoreFinding: Error {
    let message: String
}

/// What a check of the conformance kit works with: the store under check, names that no other check
/// uses, and expectations, which throw a ``StoreFinding``:
///
///     let key = scope.key("alice")
///     try await scope.store.set("secret", for: key)
///     try scope.expect(try await scope.store.get(key) != nil, "a value is gone after set")
struct CheckScope: Sendable {
    let store: any SecureStore
    /// The same store through a second object, if a caller gave it; otherwise `store`.
    let other: any SecureStore
    /// Unlocks the store; nil if the caller gave no way.
    let unlock: (@Sendable () async throws -> Void)?
    /// Random, so that no item of it exists before the check.
    let service = "signet.conformance.\(String(UInt64.random(in: .min ... .max), radix: 36))"

    /// A second service, whose name begins with the first service's name.
    var otherService: String { service + ".other" }
    let group = "signet.conformance"

    /// The key of an item of this check, which ``removeEverything()`` removes.
    func key(
        _ account: String = "account", itemClass: ItemClass = .generic, group: String = "",
        service: String? = nil
    ) -> ItemKey {
        ItemKey(
            service: service ?? self.service, account: account, itemClass: itemClass,
            accessGroup: group)
    }

    // MARK: Expectations

    func expect(_ isTrue: Bool, _ message: @autoclosure () -> String) throws {
        guard isTrue else { throw StoreFinding(message: message()) }
    }

    /// - Parameter what: the value's name in the finding, such as "the label".
    func expect<Value: Equatable>(_ value: Value, is wanted: Value, named what: String) throws {
        guard value == wanted else {
            throw StoreFinding(message: "\(what) is \(value), not \(wanted)")
        }
    }

    /// Expects that `body` throws a `StoreError` with a code of this list, which is not empty.
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

    /// The item with its value, which must be there.
    func entry(_ key: ItemKey, named what: String) async throws -> StoreEntry {
        guard let entry = try await store.entry(key) else {
            throw StoreFinding(message: "\(what) is absent")
        }
        return entry
    }

    /// The item without its value, which must be there.
    func item(_ key: ItemKey, named what: String) async throws -> StoredItem {
        guard let item = try await store.item(key) else {
            throw StoreFinding(message: "\(what) is absent")
        }
        return item
    }

    /// Expects changes in this order. Other changes may come in between. Fails if they have not
    /// come after ten seconds.
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
                // Its only error is a cancellation, which ends the wait too.
                try? await Task.sleep(for: .seconds(10))
                return nil
            }
            // The first result; the outer optional is nil only for an empty group.
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
