// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetVault

/// One check of the contract.
public struct StoreCheck: Sendable, CustomStringConvertible {
    /// What was found to be against the contract.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The name of the check.
        public let check: String
        /// What was found, in a sentence without any value of the store.
        public let message: String

        /// The name and the sentence.
        public var description: String { "\(check): \(message)" }
    }

    /// What is checked, in a few words.
    public let name: String
    /// What the store must have for it.
    public let requires: StoreFeatures
    private let body: @Sendable (CheckScope) async throws -> Void

    init(
        _ name: String, requires: StoreFeatures = [],
        _ body: @escaping @Sendable (CheckScope) async throws -> Void
    ) {
        self.name = name
        self.requires = requires
        self.body = body
    }

    /// Checks a store, which is unlocked, and removes what the check has written.
    ///
    /// - Parameters:
    ///   - store: the store to check, unlocked.
    ///   - other: the same store through another object, unlocked too: what one object at a time
    ///     may do, the other must wait for. Without it there is one object.
    ///   - unlock: unlocks the store again; needed by checks that require
    ///     ``StoreFeatures/locking``.
    public func run(
        on store: any SecureStore, beside other: (any SecureStore)? = nil,
        unlock: (@Sendable () async throws -> Void)? = nil
    ) async throws(Failure) {
        let scope = CheckScope(store: store, other: other ?? store, unlock: unlock)
        do {
            try await body(scope)
            try await scope.removeEverything()
        } catch {
            // What was found matters more than what could not be removed.
            try? await scope.removeEverything()
            throw Failure(
                check: name, message: "\((error as? CheckFinding)?.message ?? "threw \(error)")")
        }
    }

    /// The name.
    public var description: String { name }
}
