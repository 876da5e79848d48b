// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOHTTP1

/// The server's answer.
struct WebAnswer: Sendable {
    let status: Int
    let headers: [String]
    let body: String
    private let fields: HTTPHeaders

    init(status: Int, fields: HTTPHeaders, body: String) {
        self.status = status
        self.fields = fields
        self.body = body
        // Everything but the time and the request's name.
        headers = fields.filter { !["date", "x-request-id"].contains($0.name.lowercased()) }
            .map { "\($0.name): \($0.value)" }
    }

    func header(_ name: String) -> String? { fields.first(name: name) }

    func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body.utf8))
    }
}
