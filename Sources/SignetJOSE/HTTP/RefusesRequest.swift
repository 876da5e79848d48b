// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An error of which it is known what a server answers. Every other error is a fault of the
/// server's.
package protocol RefusesRequest: Error {
    var httpRefusal: HTTPRefusal { get }
}

/// A domain of which each error is such a one.
package protocol RefusingDomain: ErrorDomain {
    static func httpRefusal(of error: CodedError<Self>) -> HTTPRefusal
}

extension CodedError: RefusesRequest where Domain: RefusingDomain {
    package var httpRefusal: HTTPRefusal { Domain.httpRefusal(of: self) }
}

extension TokenErrorDomain: RefusingDomain {
    package static func httpRefusal(of error: TokenError) -> HTTPRefusal {
        switch error.code {
        case .invalidPolicy, .signingFailed, .unsupportedType, .libraryFailure: .internalError
        default: .invalidToken
        }
    }
}

extension JSONErrorDomain: RefusingDomain {
    package static func httpRefusal(of error: JSONError) -> HTTPRefusal {
        switch error.code {
        case .tooLarge: .contentTooLarge
        case .unsupportedType: .internalError
        default: .badRequest
        }
    }
}

extension JOSEEncodingErrorDomain: RefusingDomain {
    package static func httpRefusal(of error: JOSEEncodingError) -> HTTPRefusal { .badRequest }
}
