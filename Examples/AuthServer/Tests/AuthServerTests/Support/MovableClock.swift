// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import Synchronization

/// The time of day in a test: that of its beginning, plus what the test has added. A slow machine
/// makes no token older.
final class MovableClock: Sendable {
    private let seconds = Mutex(Date().timeIntervalSince1970)

    func advance(by seconds: Double) { self.seconds.withLock { $0 += seconds } }

    var token: TimeSource {
        TimeSource { NumericDate(secondsSince1970: self.seconds.withLock { $0 }) }
    }
}
