// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An error with a known HTTP answer. Every other error is the server's fault.
package protocol RefusesRequest: Error {
    var httpRefusal: HTTPRefusal { get }
}

/// An error domain in which every error has a known HTTP answer.
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
