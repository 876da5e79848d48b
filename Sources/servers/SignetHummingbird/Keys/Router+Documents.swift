// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    public import Hummingbird
    internal import NIOCore
    public import SignetIdentity

    extension RouterMethods {
        /// Serves the public halves of the keys that sign session tokens (RFC 7517), for other
        /// services that verify them. They may cache the response for five minutes, and should ask
        /// again at once for an unknown `kid`, as `RemoteKeySet` does.
        ///
        /// Mount it once: Hummingbird ends the program for a second route of the same path. For
        /// `addTokens` of SignetHummingbirdAccounts, which adds it too, pass
        /// `keySetIsMounted: true`.
        @discardableResult
        public func addKeySet(
            of tokens: RotatingSessionIssuer, at path: RouterPath = ".well-known/jwks.json"
        ) -> Self {
            addDocument(at: path) { try tokens.issuer.keys.jwksJSON() }
        }

        /// Serves the server's metadata to clients without a token (RFC 9728).
        @discardableResult
        public func addMetadata(of resource: ProtectedResource) -> Self {
            addDocument(at: RouterPath(resource.metadataPath)) { resource.metadata }
        }

        /// Serves JSON that is for anyone, and that caches may keep for five minutes.
        @discardableResult
        package func addDocument(
            at path: RouterPath, _ document: @escaping @Sendable () throws -> String
        ) -> Self {
            get(path) { _, _ in
                Response(
                    status: .ok,
                    headers: [
                        .contentType: "application/json", .cacheControl: "public, max-age=300",
                    ], body: ResponseBody(byteBuffer: ByteBuffer(string: try document())))
            }
        }
    }
#endif
