// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How often an update is tried that others keep getting ahead of, and how long it waits between.
///
/// Each attempt that fails is another's success, so that all together never stand still; the random
/// waits see to it that it is not always the same one that comes too late.
struct UpdateAttempts {
    private var failures = 0

    /// Waits before the next attempt.
    ///
    /// - Throws: `conflict` when there have been enough, `cancelled`.
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
        // 1, 2, 4 … 64 milliseconds at most.
        return .microseconds(Int.random(in: 0...(1000 << min(failures - 1, 6))))
    }

    private static let most = 100
}
