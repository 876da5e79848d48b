// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

extension World {
    /// Waits, at most ten minutes, until another task makes something true.
    func eventually(_ condition: () async throws -> Bool) async throws {
        for _ in 0..<6_000 {
            if try await condition() { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("it did not come to pass")
    }
}

/// A text that one task writes and another reads.
final class MovableText: Sendable {
    private let kept = Mutex("")

    var text: String {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}
