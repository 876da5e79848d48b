// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TokenFixtures

/// Everything that is measured. Nothing is before each library has verified the other's tokens to
/// equal claims.
enum Catalogue {
    static func all() async throws -> [(title: String, operations: [Operation])] {
        guard RawLibrary.version == CryptoProvider.libraryVersion else {
            throw BenchmarkError.setup("two versions of libcrypto are loaded")
        }
        let hs256 = TokenOperations(try .hmac(), try await .hmac())
        let rs256 = TokenOperations(try .signature(.rs256), try await .rs256())
        let es256 = TokenOperations(try .signature(.es256), try await .es256())
        let edDSA = TokenOperations(try .signature(.edDSA), try await .edDSA())
        for operations in [hs256, rs256, es256, edDSA] { try await operations.proveAgreement() }
        let sealing = try SealingOperations()
        return [
            (
                "Tokens",
                [
                    try hs256.verifyTyped(), try hs256.verifyRegistered(),
                    try hs256.verifyOnTwoThreads(),
                    try hs256.verifySession(), try hs256.sign(), try hs256.signSession(),
                    try rs256.verifyTyped(), try rs256.sign(),
                    try es256.verifyTyped(), try es256.sign(),
                    try edDSA.verifyTyped(), try edDSA.sign(),
                    try KeySetOperations.load(), try KeySetOperations.loadAndVerify(),
                ]
            ),
            (
                "Sealing",
                try [64, 1024, 16_384, 1 << 20].flatMap(sealing.gcm)
                    + [64, 16_384].flatMap(sealing.xaes) + [sealing.openToken(1024)]
            ),
        ]
    }
}
