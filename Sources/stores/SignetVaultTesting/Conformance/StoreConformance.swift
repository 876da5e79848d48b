// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetVault

/// Checks a store of your own against the contract of `SecureStore`.
///
/// With Swift Testing, each check is a test:
///
///     @Test(arguments: StoreConformance.checks(for: .all))
///     func keepsTheContract(_ check: StoreCheck) async throws {
///         let store = MyStore()
///         try await check.run(on: store) { store.unlock() }
///     }
///
/// A check writes only to services with random names, and removes its items when it is done, so
/// the store may be shared.
public enum StoreConformance {
    /// All checks for a store with these features.
    public static func checks(for features: StoreFeatures = []) -> [StoreCheck] {
        all.filter { features.isSuperset(of: $0.requires) }
    }

    /// Runs the checks in sequence.
    ///
    /// - Parameters:
    ///   - store: the store to check, unlocked.
    ///   - other: the same store through a second object; see
    ///     ``StoreCheck/run(on:beside:unlock:)``.
    ///   - features: the store's features beyond the contract of every store.
    ///   - unlock: unlocks the store again after a check has locked it.
    /// - Returns: the checks that failed, each with what it found.
    public static func failures(
        of store: any SecureStore, beside other: (any SecureStore)? = nil,
        features: StoreFeatures = [], unlock: (@Sendable () async throws -> Void)? = nil
    ) async -> [StoreCheck.Failure] {
        var failures: [StoreCheck.Failure] = []
        for check in checks(for: features) {
            do throws(StoreCheck.Failure) {
                try await check.run(on: store, beside: other, unlock: unlock)
            } catch {
                failures.append(error)
            }
        }
        return failures
    }

    private static let all: [StoreCheck] =
        StoreCheck.reading + StoreCheck.writing + StoreCheck.swapping + StoreCheck.listing
        + StoreCheck.limits
        + StoreCheck.behaviour + StoreCheck.exclusion
}
