// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// Whether long work says how far it is.
struct ProgressOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Say on standard error how far it is, at a terminal or not. (default: at a terminal)")
    var progress = false

    /// - Parameter what: what is being done, as in `rotating`.
    func line(_ what: String) -> ProgressLine { ProgressLine(what, isForced: progress) }
}
