// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOCore
    internal import SignetIdentity
    internal import SignetJOSE
    internal import SignetPlatform

    /// The response to a failed request, and the code of the reason.
    struct Refusal {
        let status: Int
        let code: String
        private let fields: HTTPFields

        init(_ error: any Error) {
            let refusal = HTTPRefusal(error)
            code = Self.code(of: error)
            switch error {
            case is NIOTooManyBytesError:
                (status, fields) = (413, [:])
            case let error as any HTTPResponseError where !(error is any RefusesRequest):
                (status, fields) = (error.status.code, [:])
            default:
                status = refusal.status
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

        /// The stable code of a Signet error, or the type's name for another: its text may hold
        /// anything.
        private static func code(of error: any Error) -> String {
            (error as? any HasStableCode)?.stableCode ?? "\(type(of: error))"
        }
    }
#endif
