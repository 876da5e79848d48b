// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if SwiftLog

    public import Logging
    public import SignetIdentity
    internal import SignetJOSE

    extension Logger {
        /// Logs why a token was not accepted: `error` when the issuer's keys are out of reach or
        /// libcrypto fails, else `info`, because anybody can send a bad token. One that is held
        /// back (`keyHeldBack`) is `info` too: anybody can make up a `kid`.
        ///
        /// - Parameters:
        ///   - error: why.
        ///   - keyID: the token's `kid` (`UnverifiedToken`), where it is of use. It is whatever the
        ///     sender wrote: it is made printable and cut.
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
        /// `code`, `claim` where it is about one, `reason` (the sentence), `status` (what the
        /// outside is told), and `kid` where it is given.
        ///
        /// Nothing of the token but the names that it uses, printable ASCII and at most 64
        /// characters of each.
        public func logMetadata(keyID: String? = nil) -> Logger.Metadata {
            var metadata: Logger.Metadata = [
                "code": .string(code.rawValue), "reason": .string(message),
                "status": .stringConvertible(HTTPRefusal(self).status),
            ]
            metadata["claim"] = claim.map { .string($0.printableName) }
            metadata["kid"] = keyID.map { .string($0.printableName) }
            return metadata
        }
    }

#endif
