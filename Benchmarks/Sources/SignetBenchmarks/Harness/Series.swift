// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The turns that an operation's contenders have had so far.
final class Series {
    struct Turn {
        let nanoseconds: Double
        /// The slower one of before and behind it.
        let pace: Double
    }

    let operation: Operation
    let contenders: [Contender]
    /// How often each of them does the operation between two looks at the clock; found out before its first turn.
    var batchSizes = [Int]()
    /// Of each contender.
    var turns: [[Turn]]

    init(_ operation: Operation) {
        self.operation = operation
        contenders = operation.contenders + operation.alone
        turns = contenders.map { _ in [] }
    }
}
