// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How often to retry an update that other writers overtake, and how long to wait in between.
///
/// Each failed attempt is another writer's success, so the writers together always make progress;
/// random waits keep the same writer from always losing.
struct UpdateAttempts {
    private var failures = 0

    /// Waits before the next attempt.
    ///
    /// - Throws: `conflict` after too many attempts, `cancelled`.
    mutating func wait() async throws(StoreError) {
        let pause = try next()
        do {
            try await Task.sleep(for: pause)
        } catch {
            throw StoreError.cancelledBeforeStart
        }
    }

    private mutating func next() throws(StoreError) -> Duration {
        failures += 1
        guard failures < Self.most else {
            throw StoreError(
                .conflict,
                "Others kept writing the item: \(Self.most) attempts to update it came too late.")
        }
        // At most 1, 2, 4 … 64 milliseconds.
        return .microseconds(Int.random(in: 0...(1000 << min(failures - 1, 6))))
    }

    private static let most = 100
}
