// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird

/// Why the issuer refuses a request, and what to change (RFC 6749, section 5.2). It is for
/// development, so it says everything.
struct ProviderError: Error, HTTPResponseError, Encodable {
    let error: String
    let description: String

    private enum CodingKeys: String, CodingKey {
        case error
        case description = "error_description"
    }

    init(error: String, description: String) {
        self.error = error
        self.description = description
    }

    static func invalidRequest(_ description: String) -> ProviderError {
        ProviderError(error: "invalid_request", description: description)
    }

    var status: HTTPResponse.Status { .badRequest }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        try JSONText.response(self, status: status)
    }
}
