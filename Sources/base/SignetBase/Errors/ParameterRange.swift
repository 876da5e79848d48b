// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A program's parameter and the range that it must be in, for an error that gives value and range.
///
/// For parameters that a programmer or an operator sets, not for what strangers send: the message
/// shows the value.
public struct ParameterRange: Sendable {
    /// The expected range and the found value; nil if the value is in its range.
    public let fault: ErrorMessage?

    /// A number and its range.
    ///
    /// - Parameters:
    ///   - name: the name of the parameter or property.
    ///   - value: what it was set to.
    ///   - range: what it may be.
    public init(_ name: StaticString, value: Int, in range: ClosedRange<Int>) {
        fault =
            range.contains(value)
            ? nil
            : "\(shown: name.description) is \(range.lowerBound) to \(range.upperBound), not \(value)."
    }

    /// A time and its range.
    ///
    /// - Parameters:
    ///   - name: the name of the parameter or property.
    ///   - value: what it was set to.
    ///   - range: what it may be.
    public init(_ name: StaticString, value: Duration, in range: ClosedRange<Duration>) {
        fault =
            range.contains(value)
            ? nil
            : "\(shown: name.description) is \(range.lowerBound) to \(range.upperBound), not \(value)."
    }

    /// The fault of the first parameter outside its range: a message is about a single parameter.
    public static func fault(_ parameters: ParameterRange...) -> ErrorMessage? {
        parameters.lazy.compactMap(\.fault).first
    }
}
