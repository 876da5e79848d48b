// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The proxy of `Scripts/connect_proxy.py` on loopback, which says what it was asked for.
package final class ConnectProxy: Sendable {
    private struct Place: Decodable { let port: Int }
    private struct Seen: Decodable { let heads: [[String]] }
    private struct Question: Encodable {}

    package let port: Int
    private let program: ServingProgram

    /// Starts one, over TLS with a certificate.
    package init(certificate: URL? = nil, key: URL? = nil) async throws {
        guard let python = KeyServer.python,
            let script = Bundle.module.url(
                forResource: "connect_proxy", withExtension: "py", subdirectory: "Scripts")
        else { throw KeyServer.Failure(description: KeyServer.absence) }
        program = try ServingProgram(
            python, ["-B", "-u", script.path] + [certificate, key].compactMap { $0?.path })
        port = try await program.said(Place.self).port
    }

    /// The heads of all requests, line by line.
    package func heads() async throws -> [[String]] {
        try await program.tell(Question(), as: Seen.self).heads
    }
}
