// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOCore
    internal import SignetHummingbird
    internal import SignetJOSE
    internal import SignetSignIn

    /// The parameters of a request at the token endpoint or the revocation endpoint. An empty one
    /// counts as absent (RFC 6749, section 3.2). Parameters of other names are ignored.
    struct TokenParameters: Decodable {
        private static let maximumByteCount = 24_576

        let grantType: String?
        let refreshToken: String?
        let token: String?
        let clientID: String?
        /// The proof of a client with a secret (RFC 6749, section 2.3.1; RFC 7523, section 2.2).
        let clientSecret: String?
        let clientAssertion: String?

        private enum CodingKeys: String, CodingKey {
            case token
            case grantType = "grant_type"
            case refreshToken = "refresh_token"
            case clientID = "client_id"
            case clientSecret = "client_secret"
            case clientAssertion = "client_assertion"
        }

        private init(form: [(name: ReceivedText, value: ReceivedText)]) throws(JSONError) {
            func value(of key: CodingKeys) throws(JSONError) -> String? {
                let found = form.filter { $0.name.isEqual(to: key.rawValue) }
                guard found.count <= 1 else {
                    throw JSONError(code: .duplicateMember, path: key.rawValue)
                }
                return found.first?.value.swiftString()
            }
            grantType = try value(of: .grantType)
            refreshToken = try value(of: .refreshToken)
            token = try value(of: .token)
            clientID = try value(of: .clientID)
            clientSecret = try value(of: .clientSecret)
            clientAssertion = try value(of: .clientAssertion)
        }

        /// Reads a form, or JSON with the same names.
        ///
        /// - Throws: what `ErrorAnswers` answers 400 (also for any parameter in the address, which
        ///   proxies and servers log), 413, or 415 for another media type; `ClientWithSecret`.
        static func read(from request: Request) async throws -> TokenParameters {
            guard request.uri.query?.isEmpty != false else { throw HTTPError(.badRequest) }
            let parameters = try await readBody(of: request)
            let secrets = [parameters.clientSecret, parameters.clientAssertion]
            guard secrets.allSatisfy({ $0?.isEmpty != false }), !request.hasBasicCredentials else {
                throw ClientWithSecret()
            }
            return parameters
        }

        private static func readBody(of request: Request) async throws -> TokenParameters {
            guard request.hasBody(of: "application/x-www-form-urlencoded") else {
                return try await request.strictJSON(maximumByteCount: maximumByteCount)
            }
            let body = try await request.collectBody(upTo: maximumByteCount)
            // Octets that are no UTF-8 become a character that no form has.
            guard let form = FormEncoding.decode(String(buffer: body)) else {
                throw HTTPError(.badRequest)
            }
            return try TokenParameters(form: form)
        }
    }

    extension String? {
        /// The parameter of a request, or the error that names it.
        func required(_ name: String) throws(JSONError) -> String {
            guard let self, !self.isEmpty else {
                throw JSONError(code: .missingMember, path: name)
            }
            return self
        }
    }

    extension Request {
        /// A client's identifier and secret (RFC 6749, section 2.3.1). A token of another scheme is
        /// not read here, so it does no harm.
        fileprivate var hasBasicCredentials: Bool {
            // No field has the control characters that this takes for others.
            headers[values: .authorization].contains { field in
                field.utf8.prefix(6).elementsEqual("basic ".utf8) { $0 | 0x20 == $1 }
            }
        }
    }
#endif
