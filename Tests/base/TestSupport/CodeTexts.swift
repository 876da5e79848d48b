// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetBase
import Testing

/// The codes of one error with the texts that they have always had.
package struct CodeTexts: Sendable, CustomTestStringConvertible {
    /// The error's name.
    package let testDescription: String
    /// The codes' actual texts.
    package let found: [String]
    /// The expected texts.
    package let expected: [String]

    /// - Parameters:
    ///   - name: the error's name.
    ///   - codes: every code that it has.
    ///   - texts: theirs, with white space between.
    package init<Domain: ErrorDomain>(
        _ name: String, _ codes: [CodedError<Domain>.Code], _ texts: String
    ) {
        testDescription = name
        found = codes.map(\.rawValue)
        expected = texts.split { $0.isWhitespace }.map(String.init)
    }
}
