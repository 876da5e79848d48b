// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Runs of combining characters. Swift's strings normalise what they compare, hash and search:
/// each character of a run is sorted into its place, which takes the square of the run's length.
package enum CombiningText {
    /// U+0315 and U+0316 alternate, two bytes each: every second one sorts before all of the first.
    package static func run(byteCount: Int) -> String {
        String(repeating: "\u{315}\u{316}", count: byteCount / 4)
    }

    /// The same as JSON escapes, six bytes each.
    package static func escapedRun(byteCount: Int) -> String {
        String(repeating: #"\u0315\u0316"#, count: byteCount / 12)
    }
}
