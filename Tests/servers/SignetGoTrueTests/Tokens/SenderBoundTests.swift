// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

@Suite("Tokens that are bound to their sender")
struct SenderBoundTests {
    @Test(
        "No verifier takes a bound token for a bearer token, unless the program says so",
        arguments: TokenReader.allCases, ConfirmationShape.all)
    func table(_ reader: TokenReader, _ shape: ConfirmationShape) async throws {
        let expected = shape.isBound ? reader.refusal : nil
        #expect(try await reader.refusal(of: shape, .bearerOnly) == expected)
        #expect(try await reader.refusal(of: shape, .bindingNotChecked) == nil)
    }
}
