// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import SignetBase

/// A time of day that several processes share: a file that the test writes.
package struct SharedClock: Sendable {
    private let path: String

    package init(folder: String) { path = folder + "/clock" }

    package func set(_ seconds: Int) throws {
        // In one step: a reader finds the old time or the new one.
        try Data(String(seconds).utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    package func seconds() -> Int {
        while true {
            if let text = try? String(contentsOfFile: path, encoding: .utf8), let now = Int(text) {
                return now
            }
        }
    }

    package var source: TimeSource {
        TimeSource(now: { NumericDate(secondsSince1970: Double(self.seconds())) })
    }
}
