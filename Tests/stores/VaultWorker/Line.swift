// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A line on standard output that has left the process when the call returns: it is out even if the
/// next moment is the last.
enum Line {
    static func write(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
