// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity

/// A provider whose answers a function makes.
struct CannedTransport: IdentityTransport {
    let answer: @Sendable (TransportRequest) -> TransportResponse

    init(_ answer: @escaping @Sendable (TransportRequest) -> TransportResponse) {
        self.answer = answer
    }

    func exchange(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse { answer(request) }
}
