// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import Synchronization

/// The time of day in a test: the real time, plus what the test has added.
final class MovableClock: Sendable {
    private let offset = Mutex(0.0)

    func advance(by seconds: Double) { offset.withLock { $0 += seconds } }

    var token: TimeSource {
        TimeSource {
            NumericDate(
                secondsSince1970: Date().timeIntervalSince1970 + self.offset.withLock { $0 })
        }
    }
}
