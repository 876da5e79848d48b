// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import HTTPTypes
    import Hummingbird
    import HummingbirdTesting
    import NIOCore
    import SignetIdentity

    /// Signet's clients, whose requests the router answers.
    struct RouterTransport: IdentityTransport {
        let client: any TestClientProtocol

        func exchange(
            _ request: TransportRequest
        ) async throws(TransportFailure) -> TransportResponse {
            try request.validate()
            var fields = HTTPFields()
            for field in request.sentFields {
                guard let name = HTTPField.Name(field.name) else { continue }
                fields.append(HTTPField(name: name, value: field.value))
            }
            do {
                let answer = try await client.executeRequest(
                    uri: request.url.path + (request.url.query.map { "?\($0)" } ?? ""),
                    method: request.method == .get ? .get : .post, headers: fields,
                    body: request.body.map { ByteBuffer(bytes: $0.bytes) })
                return TransportResponse(
                    status: answer.status.code,
                    fields: answer.headers.map { .init(name: $0.name.rawName, value: $0.value) },
                    body: Array(buffer: answer.body))
            } catch {
                throw TransportFailure(.unreachable, "The router did not answer.")
            }
        }
    }
#endif
