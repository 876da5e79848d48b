// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import SignetJOSE

    /// The bodies of ``ErrorAnswers``.
    public enum ErrorBody {
        /// The default: `{"error":"…"}` with one text for each status, and `member` if a member of
        /// the body is absent or wrong.
        @Sendable public static func text(of refusal: Refusal) -> String {
            json(["error": text(status: refusal.status), "member": refusal.member])
        }

        /// The form of OAuth (RFC 6749, section 5.2): `error` is ``Refusal/oauthError``, and
        /// `error_description` names a member of the body that is absent or wrong.
        @Sendable public static func oauth(of refusal: Refusal) -> String {
            let description = refusal.member.map { member in
                // Quotes and backslashes are not allowed in it.
                let shown = member.filter { $0 != "\"" && $0 != "\\" }
                return refusal.isMemberMissing
                    ? "The member \(shown) is missing." : "The member \(shown) is not valid."
            }
            return json(["error": refusal.oauthError, "error_description": description])
        }

        /// One text for each status.
        public static func text(status: Int) -> String {
            switch status {
            case 400: "Bad request"
            case 401: "Not authenticated"
            case 403: "Forbidden"
            case 404: "Not found"
            case 413: "Request too large"
            case 429: "Too many requests"
            case 503: "Not available at the moment"
            case 500...: "Internal server error"
            default: "Request not accepted"
            }
        }

        /// Texts always encode.
        private static func json(_ members: [String: String?]) -> String {
            let text = try? StrictJSON.encode(
                JSONValue.object(members.compactMapValues { $0.map { .string($0) } }))
            return text.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        }
    }
#endif
