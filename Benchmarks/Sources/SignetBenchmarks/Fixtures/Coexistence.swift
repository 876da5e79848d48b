// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import JWTKit
import SignetCrypto
import SignetJOSE

/// One process holds the system's libcrypto (Signet, and the floor in C) and the BoringSSL that swift-crypto brings
/// along (jwt-kit), and each of them verifies the same token. Both libraries define functions of the same names; that
/// they do not get into each other's way is shown here on every run, before anything is measured.
enum Coexistence {
    static func proven() async throws -> String {
        let fixture = try await TokenFixture.signature(.rs256)
        let own = try fixture.verifier.verify(fixture.token, as: IDTokenClaims.self)
        let peer = try await fixture.verificationKeys.verify(fixture.token, as: IDTokenClaims.self)
        guard own.claims == peer, own.header.algorithm == "RS256" else {
            throw BenchmarkError.differentClaims("coexistence")
        }
        guard case .signature(_, let pem, let scheme) = fixture.floor else {
            throw BenchmarkError.setup("coexistence")
        }
        let parts = try SignedParts(fixture.token)
        guard try RawKey(verifyingWith: pem, scheme).isValid(parts.signature, for: parts.message) else {
            throw BenchmarkError.wrongAnswer(.libcrypto)
        }
        guard RawLibrary.version == CryptoProvider.libraryVersion else {
            throw BenchmarkError.setup("two versions of libcrypto are loaded")
        }
        return "One RS256 token verified in this one process by Signet and by C on the system's libcrypto"
            + " (\(CryptoProvider.libraryVersion)) and by jwt-kit on its vendored BoringSSL: the claims are equal."
    }
}
