// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A rule by which Signet deliberately differs from a Wycheproof label, or decides what the label
/// leaves open. The cases are counted, and each report lists them with the reason.
struct WycheproofOverride: Sendable {
    /// The start of the names of the files.
    let files: String
    let expectation: AuditExpectation
    let reason: String
    private let selects: @Sendable (WycheproofTest) -> Bool

    init(
        _ files: String, expectation: AuditExpectation, reason: String,
        where selects: @escaping @Sendable (WycheproofTest) -> Bool
    ) {
        self.files = files
        self.expectation = expectation
        self.reason = reason
        self.selects = selects
    }

    init(_ files: String, ids: Set<Int>, expectation: AuditExpectation, reason: String) {
        self.init(files, expectation: expectation, reason: reason) { ids.contains($0.id) }
    }

    /// Whether it changes what is expected of a test. A label that agrees needs no override.
    func applies(to test: WycheproofTest, of file: String) -> Bool {
        switch (expectation, test.label) {
        case (.accept, .valid), (.reject, .invalid): false
        default: file.hasPrefix(files) && selects(test)
        }
    }

    /// The first override that applies to a test.
    static func first(for test: WycheproofTest, of file: String) -> WycheproofOverride? {
        table.first { $0.applies(to: test, of: file) }
    }
}
