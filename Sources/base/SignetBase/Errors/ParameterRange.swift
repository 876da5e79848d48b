// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A program's parameter and the range that it must be in.
package struct ParameterRange: Sendable {
    /// What is expected and what was found; nil if the value is in its range.
    package let fault: ErrorMessage?

    /// - Parameter name: the parameter's or property's own.
    package init(_ name: StaticString, _ value: Int, in range: ClosedRange<Int>) {
        fault =
            range.contains(value)
            ? nil
            : "\(shown: name.description) is \(range.lowerBound) to \(range.upperBound), not \(value)."
    }

    /// - Parameter name: the parameter's or property's own.
    package init(_ name: StaticString, _ value: Duration, in range: ClosedRange<Duration>) {
        fault =
            range.contains(value)
            ? nil
            : "\(shown: name.description) is \(range.lowerBound) to \(range.upperBound), not \(value)."
    }

    /// The fault of the first parameter that has one: one message is about one parameter.
    package static func fault(_ parameters: ParameterRange...) -> ErrorMessage? {
        parameters.lazy.compactMap(\.fault).first
    }
}
