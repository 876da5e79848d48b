// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetGoTrue
import SignetJOSE
import TestSupport
import Testing

/// Requests that schemathesis makes from GoTrue's published description, and answers that are as it
/// says. The description is read where a checkout has it beside itself; it is not part of Signet.
@Suite(
    "Conformance to GoTrue's published description",
    .tags(.interop),
    .enabled(
        if: PythonPeer.hasSchemathesis && PythonPeer.description != nil,
        "no schemathesis (Scripts/interop-venv.sh), or no ../shared/reference/gotrue/openapi.yaml"
    ))
struct ContractTests {
    private struct Given: Encodable {
        let url: String
        let key: String
        let schema: String
        let token: String
        let examples: Int
    }

    private struct Found: Decodable {
        let operations: [String: Int]
        let failures: [String]
    }

    @Test("Every answer conforms to the description")
    func conforms() async throws {
        // Client addresses are not counted, or most requests would be 429.
        let front = try await Front(counts: false)
        let grant = try await front.scene.signIn()
        let program = try PythonPeer.start("contract")
        let given = Given(
            url: front.origin + "/auth/v1", key: Scene.key,
            schema: try #require(PythonPeer.description),
            token: grant.accessToken, examples: 25)
        program.write(try JSONEncoder().encode(given))
        program.close()
        let line = try #require(await program.line())
        let found = try JSONDecoder().decode(Found.self, from: line)
        print("contract:", found.operations.sorted { $0.key < $1.key })
        #expect(found.operations.count == 12 && found.operations.values.allSatisfy { $0 > 0 })
        #expect(found.failures.isEmpty, "\(found.failures.joined(separator: "\n"))")
        #expect(front.scene.errors.withLock { $0 }.isEmpty)
    }
}
