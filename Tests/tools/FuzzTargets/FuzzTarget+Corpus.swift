// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE

extension FuzzTarget {
    /// The inputs that a fuzzer found to be different from each other: a line each, in Base64.
    package func corpus() throws -> [[UInt8]] {
        guard
            let file = Bundle.module.url(
                forResource: name, withExtension: "txt", subdirectory: "Corpora")
        else { return [] }
        return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { line in
            try hold(Base64Standard.decode(Array(line).span), "a line is Base64")
        }
    }
}
