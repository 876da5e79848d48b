// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetVault

/// One check of the contract of `SecureStore`.
public struct StoreCheck: Sendable, CustomStringConvertible {
    /// A breach of the contract.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The name of the check.
        public let check: String
        /// The finding, in a sentence without any value of the store.
        public let message: String

        /// The name and the sentence.
        public var description: String { "\(check): \(message)" }
    }

    /// The checked behaviour, in a few words.
    public let name: String
    /// The features that the store must have for this check.
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

    /// Checks an unlocked store, and removes what the check has written.
    ///
    /// - Parameters:
    ///   - store: the store to check, unlocked.
    ///   - other: the same store through a second object, also unlocked: while either object has
    ///     exclusive access, its counterpart must wait. Nil checks `store` alone.
    ///   - unlock: unlocks the store again; needed by checks that require
    ///     ``StoreFeatures/locking``.
    /// - Throws: the breach of the contract; nothing if the store keeps it.
    public func run(
        on store: any SecureStore, beside other: (any SecureStore)? = nil,
        unlock: (@Sendable () async throws -> Void)? = nil
    ) async throws(Failure) {
        let scope = CheckScope(store: store, other: other ?? store, unlock: unlock)
        do {
            try await body(scope)
            try await scope.removeEverything()
        } catch {
            // The finding matters more than an error of the clean-up.
            try? await scope.removeEverything()
            throw Failure(
                check: name, message: "\((error as? StoreFinding)?.message ?? "threw \(error)")")
        }
    }

    /// The name.
    public var description: String { name }
}
