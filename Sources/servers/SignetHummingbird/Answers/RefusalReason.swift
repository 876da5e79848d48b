// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import Hummingbird
    internal import NIOCore
    internal import SignetIdentity
    internal import SignetJOSE
    internal import SignetBase
    internal import SignetSignIn

    /// The log's part of a refused request: codes and names, no value of the request. If the body's
    /// member `email` is absent (a `JSONError`), the code is `missingMember`, the member `email`,
    /// and status, claim and limit are nil.
    struct RefusalReason {
        /// So many characters of a path are logged and answered at most.
        private static let longestPath = 200

        /// The codes of a Signet error and of the errors below it (`AnyCodedError.fullCode`), the
        /// name of a status for an error of Hummingbird's, or the type's name for any other error:
        /// its text may hold anything.
        let code: String
        /// The status that an error of the router or of Hummingbird states.
        let status: Int?
        /// The claim of a token that is absent or wrong, such as `aud`.
        let claim: String?
        /// The limit that is reached, with a 429.
        let limit: String?
        /// The member of the body that is absent or wrong.
        let member: String?
        let isMemberMissing: Bool

        init(_ error: any Error) {
            status = Self.status(of: error)
            code = Self.code(of: error, status: status)
            claim = Self.claim(of: error).map { Self.printable($0) }
            limit = (error as? any AnyCodedError)?.reachedLimit
            let json = error as? JSONError
            member = json?.path.flatMap { path in
                path.isEmpty ? nil : String(path.prefix(Self.longestPath))
            }
            isMemberMissing = json?.code == .missingMember
        }

        private static func status(of error: any Error) -> Int? {
            switch error {
            case is NIOTooManyBytesError: 413
            case is any RefusesRequest: nil  // its answer has a status of its own (HTTPRefusal)
            case let error as any HTTPResponseError: error.status.code
            default: nil
            }
        }

        private static func code(of error: any Error, status: Int?) -> String {
            if let coded = error as? any AnyCodedError { return coded.fullCode }
            if let status, isHummingbirds(error) { return name(of: status) }
            return "\(type(of: error))"
        }

        private static func isHummingbirds(_ error: any Error) -> Bool {
            error is HTTPError || error is NIOTooManyBytesError
        }

        /// The claim of the error itself, or of the first error below it that names a claim.
        private static func claim(of error: any Error) -> String? {
            switch error {
            case let error as TokenError where error.claim != nil: error.claim
            case let error as IdentityError where error.claim != nil: error.claim
            case let error as SignInError:
                if case .identity(let cause) = error.cause { claim(of: cause) } else { nil }
            default: (error as? any AnyCodedError)?.underlying.flatMap { claim(of: $0) }
            }
        }

        /// Fit for a line of the log: printable ASCII, at most 64 characters.
        private static func printable(_ name: String) -> String {
            let characters = name.unicodeScalars.prefix(64).map { character in
                (0x20..<0x7f).contains(character.value) ? Character(character) : "?"
            }
            return String(characters)
        }

        /// The name of a status, as Signet's own codes are written.
        private static func name(of status: Int) -> String {
            switch status {
            case 400: "badRequest"
            case 401: "unauthorized"
            case 403: "forbidden"
            case 404: "notFound"
            case 405: "methodNotAllowed"
            case 409: "conflict"
            case 413: "contentTooLarge"
            case 415: "unsupportedMediaType"
            case 422: "unprocessableContent"
            case 429: "tooManyRequests"
            case 500: "internalServerError"
            case 503: "serviceUnavailable"
            default: "status\(status)"
            }
        }
    }
#endif
