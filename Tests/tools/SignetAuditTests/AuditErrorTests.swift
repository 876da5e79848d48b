// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAudit
import TestSupport
import TestVectors
import Testing

@Suite("Errors of the audit")
struct AuditErrorTests {
    static let table: [CodeTexts] = [
        CodeTexts(
            "AuditError",
            [
                AuditError.Code.vectorsNotFound, .unreadable, .malformed, .digestMismatch,
                .countMismatch,
            ],
            """
            vectors_not_found unreadable malformed digest_mismatch count_mismatch
            """),
        CodeTexts(
            "TestVectorsError",
            [
                TestVectorsError.Code.notFound, .unreadable,
            ],
            """
            not_found unreadable
            """),
    ]

    @Test("Error codes keep their texts", arguments: table)
    func text(_ codes: CodeTexts) {
        #expect(codes.found == codes.expected)
    }

    @Test("An error prints its sentence, through Foundation too")
    func sentence() {
        #expect(
            "\(AuditError(.malformed, "No."))" == "No."
                && "\(TestVectorsError(.notFound, "No."))" == "No.")
        #expect((AuditError(.malformed, "No.") as any Error).localizedDescription == "No.")
    }
}
