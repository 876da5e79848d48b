// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The longest of several times; nil when one of them is none.
final class Longest: Sendable {
    private let state = Mutex<Int64?>(0)

    var value: Int64? { state.withLock { $0 } }

    func add(_ time: Int64) {
        state.withLock { $0 = time < 0 ? nil : $0.map { max($0, time) } }
    }
}
