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
        let pause = try countFailure()
        do {
            try await Task.sleep(for: pause)
        } catch {
            throw StoreError.cancelledBeforeStart
        }
    }

    /// Counts a failed attempt.
    ///
    /// - Returns: how long to wait before the next attempt.
    private mutating func countFailure() throws(StoreError) -> Duration {
        failures += 1
        guard failures < Self.maximumAttempts else {
            throw StoreError(
                .conflict,
                "Others kept writing the item: \(Self.maximumAttempts) attempts to update it came too late."
            )
        }
        // At most 1, 2, 4 … 64 milliseconds.
        return .microseconds(Int.random(in: 0...(1000 << min(failures - 1, 6))))
    }

    private static let maximumAttempts = 100
}
