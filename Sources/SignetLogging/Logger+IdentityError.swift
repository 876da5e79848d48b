// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if SwiftLog

    public import Logging
    public import SignetIdentity
    internal import SignetJOSE

    extension Logger {
        /// Logs why a token was rejected: at `error` if the issuer's keys are unavailable or
        /// libcrypto fails, otherwise at `info`, because anyone can send a bad token. A held-back
        /// one (`keyHeldBack`) is `info` too: anyone can invent a `kid`.
        ///
        /// - Parameters:
        ///   - error: the reason.
        ///   - keyID: the token's `kid` (`UnverifiedToken`), if useful. The sender chose it: it is
        ///     made printable and cut.
        ///   - file: where the call is.
        ///   - function: where the call is.
        ///   - line: where the call is.
        public func refused(
            _ error: IdentityError, keyID: String? = nil, file: String = #fileID,
            function: String = #function,
            line: UInt = #line
        ) {
            log(
                level: HTTPRefusal(error).status >= 500 && error.code != .keyHeldBack
                    ? .error : .info,
                "token refused",
                metadata: error.logMetadata(keyID: keyID), file: file, function: function,
                line: line)
        }
    }

    extension IdentityError {
        /// `code` (the error's, then those of the errors below it: `fullCode`), `claim` if there is
        /// one, `reason` (the sentence), `status` (what the client is told), and `kid` if given.
        ///
        /// Of the token it holds only names, as printable ASCII, at most 64 characters of each.
        public func logMetadata(keyID: String? = nil) -> Logger.Metadata {
            var metadata: Logger.Metadata = [
                "code": .string(fullCode), "reason": .string(message),
                "status": .stringConvertible(HTTPRefusal(self).status),
            ]
            metadata["claim"] = claim.map { .string($0.printableName) }
            metadata["kid"] = keyID.map { .string($0.printableName) }
            return metadata
        }
    }

#endif
