// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOCore
    internal import SignetJOSE
    internal import SignetBase

    /// The refusal of a request: what ``ErrorAnswers`` answers, and what a body may say of it.
    ///
    /// The description is the status.
    public struct Refusal: Sendable, CustomStringConvertible {
        /// The status of the answer.
        public let status: Int
        /// `error` of a body as OAuth has it (RFC 6749, section 5.2): `HTTPRefusal.oauthError`,
        /// which comes from the error's code. An error of the router or of Hummingbird is
        /// `invalid_request`, or `server_error` from 500 on; it never ends a session.
        public let oauthError: String
        /// The member of the request's JSON that is absent or wrong, as a path such as
        /// `address.lines[2]`; nil if none is known. It has names and positions, no values. In a
        /// dictionary the client chose the names, so each is printable ASCII, and all have at most
        /// 200 characters.
        public let member: String?
        /// Whether the member is absent, rather than of a wrong type.
        public let isMemberMissing: Bool
        /// The codes of the reason, for the log.
        let code: String
        /// The claim of a refused token.
        let claim: String?
        /// The limit that is reached.
        let limit: String?
        private let fields: HTTPFields

        /// The status.
        public var description: String { "\(status)" }

        init(_ error: any Error) {
            let refusal = HTTPRefusal(error)
            let reason = RefusalReason(error)
            code = reason.code
            claim = reason.claim
            limit = reason.limit
            member = reason.member
            isMemberMissing = reason.isMemberMissing
            if let ownStatus = reason.status {
                status = ownStatus
                fields = [:]
                oauthError = ownStatus >= 500 ? refusal.oauthError : "invalid_request"
            } else {
                status = refusal.status
                oauthError = refusal.oauthError
                var fields: HTTPFields = [:]
                fields[.wwwAuthenticate] = refusal.challenge
                fields[.retryAfter] = refusal.retryAfterSeconds.map(String.init)
                self.fields = fields
            }
        }

        func response(_ body: String) -> Response {
            var fields = fields
            fields[.contentType] = "application/json"
            fields[.cacheControl] = "no-store"
            return Response(
                status: HTTPResponse.Status(code: status), headers: fields,
                body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
        }
    }
#endif
