// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A failure of ICU that the text did not cause: its data are missing, or there was no memory.
package struct ICUFailure: Error, Sendable, Equatable {
    /// ICU's number (`UErrorCode`), for a report.
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }
}
