// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// ICU did not do what was asked for a reason that is not in the text: its data are missing, or
/// there was no memory.
package struct ICUFailure: Error, Sendable, Equatable {
    /// ICU's number (`UErrorCode`), for a report.
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }
}
