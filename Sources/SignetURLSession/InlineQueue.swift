// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Runs what `URLSession` has for its delegate at once, on the session's own serial queue.
///
/// `URLSession` here cannot hold back a transfer: with a queue beside it, a server that sends faster than the delegate reads fills the memory
/// with parts that wait. Like this a part is counted, kept or dropped before libcurl reads the next. The delegate must not call what waits for
/// the session's queue.
final class InlineQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
