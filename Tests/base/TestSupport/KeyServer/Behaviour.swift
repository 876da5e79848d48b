// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// What a path of a ``KeyServer`` answers with: see `Scripts/key_server.py`.
package struct Behaviour: Encodable, Sendable {
    package var status: Int?
    package var fields: [[String]]?
    package var body: String?
    package var base64: Data?
    package var copies: Int?
    package var gzip: Bool?
    package var chunked: Bool?
    package var endless: Bool?
    package var declared: Int?
    package var closeAfter: Int?
    package var hold: String?
    package var holdBody: String?
    package var dripping: Double?
    package var raw: Data?
    package var flood: Data?
    package var hangUp: Bool?
    package var accepting: [String]?

    package init(_ body: String = "", _ change: (inout Behaviour) -> Void = { _ in }) {
        self.body = body
        change(&self)
    }

    /// Exactly these octets, then the end of the connection.
    package static func raw(_ text: String) -> Behaviour { Behaviour { $0.raw = Data(text.utf8) } }
}
