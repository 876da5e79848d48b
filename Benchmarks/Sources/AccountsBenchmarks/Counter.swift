// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Synchronization

final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increment() { count.add(1, ordering: .relaxed) }
}
