// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An error of which it is known what a server answers. Every other error is a fault of the
/// server's.
package protocol RefusesRequest: Error {
    var httpRefusal: HTTPRefusal { get }
}

extension TokenError: RefusesRequest {
    package var httpRefusal: HTTPRefusal {
        switch code {
        case .invalidPolicy, .signingFailed, .unsupportedType, .libraryFailure: .internalError
        default: .invalidToken
        }
    }
}

extension JSONError: RefusesRequest {
    package var httpRefusal: HTTPRefusal {
        switch code {
        case .tooLarge: .contentTooLarge
        case .unsupportedType: .internalError
        default: .badRequest
        }
    }
}

extension JOSEEncodingError: RefusesRequest {
    package var httpRefusal: HTTPRefusal { .badRequest }
}
