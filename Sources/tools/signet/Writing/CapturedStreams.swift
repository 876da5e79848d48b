// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import Synchronization

/// The standard streams of an invocation that a test runs in its own process.
///
/// The parser refuses most of the tested command lines, and testing this needs no separate process.
/// Standard input is the bytes given here. Files are read and written as in a separate process, and
/// so are keys and passphrases that come through a descriptor, a prompt, or `--key -`.
package final class CapturedStreams: Sendable {
    /// The streams of this task, or nil for the process's own. Task-local, because tests run in
    /// parallel.
    @TaskLocal static var current: CapturedStreams?

    let input: [UInt8]
    private let written = Mutex<[StandardStreams.Stream: [UInt8]]>([:])

    package init(input: [UInt8] = []) { self.input = input }

    /// The bytes that went to standard output.
    package var output: [UInt8] { bytes(of: .output) }

    /// The bytes that went to standard error.
    package var errors: [UInt8] { bytes(of: .errors) }

    func append(_ bytes: Span<UInt8>, to stream: StandardStreams.Stream) {
        let copy = bytes.indices.map { bytes[$0] }
        written.withLock { $0[stream, default: []] += copy }
    }

    private func bytes(of stream: StandardStreams.Stream) -> [UInt8] {
        written.withLock { $0[stream] ?? [] }
    }
}
