// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How much of an exploring test is run: all of it in the parts of `make test-long`, a sample in
/// `make test`.
///
/// Tests that ask here have the tag `sampled` beside that of their part.
package enum Effort {
    /// Scripts/test.sh sets the variable when it runs a part.
    package static let isFull = ProcessInfo.processInfo.environment["SIGNET_FULL_EFFORT"] == "1"

    /// The rounds of a loop, or a tenth of them in a sample.
    package static func rounds(_ count: Int) -> Int { isFull ? count : max(1, count / 10) }

    /// Every case, or each `stride`-th in a sample.
    package static func cases<Case>(_ all: [Case], oneOf stride: Int) -> [Case] {
        isFull ? all : all.indices.filter { $0.isMultiple(of: stride) }.map { all[$0] }
    }
}
