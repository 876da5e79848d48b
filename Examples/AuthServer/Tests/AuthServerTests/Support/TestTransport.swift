// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import SignetIdentity

struct TestTransport: IdentityTransport {
    func exchange(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        do {
            let response = try await HTTPClient.shared.execute(
                HTTPClientRequest(url: request.url.text), timeout: .seconds(5))
            let body = try await response.body.collect(upTo: request.maximumBodyByteCount)
            return TransportResponse(
                status: Int(response.status.code),
                fields: response.headers.map { .init(name: $0.name, value: $0.value) },
                body: Array(body.readableBytesView))
        } catch { throw TransportFailure(.unreachable, "nobody answers") }
    }
}
