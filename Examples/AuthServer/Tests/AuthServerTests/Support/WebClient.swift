// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// What came back.
struct WebAnswer: Sendable {
    let status: Int
    let headers: [String]
    let body: String
    private let fields: HTTPHeaders

    init(status: Int, fields: HTTPHeaders, body: String) {
        self.status = status
        self.fields = fields
        self.body = body
        // Everything but the moment and the request's name.
        headers = fields.filter { !["date", "x-request-id"].contains($0.name.lowercased()) }
            .map { "\($0.name): \($0.value)" }
    }

    func header(_ name: String) -> String? { fields.first(name: name) }

    func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body.utf8))
    }
}

/// Real HTTP to the server.
struct WebClient: Sendable {
    /// One for all tests, as a connection pool costs more than it is worth to them. A redirect is an answer.
    private static let client = HTTPClient(
        configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))

    let port: Int

    func send(
        _ method: String, _ path: String, headers: [(String, String)] = [],
        body: HTTPClientRequest.Body? = nil, seconds: Int64 = 60
    ) async throws -> WebAnswer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = .RAW(value: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.body = body
        let response = try await Self.client.execute(request, timeout: .seconds(seconds))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        return WebAnswer(
            status: Int(response.status.code), fields: response.headers, body: String(buffer: bytes))
    }

    func get(_ path: String, token: String? = nil, headers: [(String, String)] = []) async throws -> WebAnswer
    {
        try await send("GET", path, headers: headers + Self.bearer(token))
    }

    func delete(_ path: String, token: String) async throws -> WebAnswer {
        try await send("DELETE", path, headers: Self.bearer(token))
    }

    func post(
        _ path: String, json: String, token: String? = nil, headers: [(String, String)] = []
    ) async throws -> WebAnswer {
        try await send(
            "POST", path, headers: [("Content-Type", "application/json")] + headers + Self.bearer(token),
            body: .bytes(ByteBuffer(string: json)))
    }

    private static func bearer(_ token: String?) -> [(String, String)] {
        token.map { [("Authorization", "Bearer \($0)")] } ?? []
    }
}
