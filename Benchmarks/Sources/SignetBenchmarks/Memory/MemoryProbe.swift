// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation
import JWTKit
import SignetJOSE

/// The part of the memory measurement that runs in a process of its own: makes a hostile token, then looks how much the
/// peak of the resident memory grows while one verifier refuses it.
struct MemoryProbe {
    enum Subject: String, CaseIterable {
        case signet
        /// A verifier that is told to take tokens of up to 64 MiB, so that its limit does not help it.
        case signetUnlimited
        case jwtKit

        var title: String {
            switch self {
            case .signet: "Signet"
            case .signetUnlimited: "Signet, limit raised to 64 MiB"
            case .jwtKit: Party.jwtKit.title
            }
        }
    }

    private let subject: Subject
    private let token: HostileToken

    init(party: String, token: String) throws {
        guard let subject = Subject(rawValue: party), let token = HostileToken(rawValue: token) else {
            throw BenchmarkError.usage("--memory-probe is for the benchmark itself.")
        }
        self.subject = subject
        self.token = token
    }

    /// Bytes.
    func growth() async throws -> Int {
        let key = try SignetJOSE.HMACKey.generate(.hs256, keyID: Expected.keyID)
        let fixture = try await TokenFixture.hmac()
        let verifier = try JWSVerifier(hmacKey: key, maximumByteCount: 1 << 26)
        let hostile = try token.text(like: fixture.token)
        // Once with a good token, so that what is loaded on first use is not counted.
        _ = try fixture.verifier.verify(fixture.token)
        _ = try await fixture.verificationKeys.verify(fixture.token, as: IDTokenClaims.self)
        _ = try ProcessMemory.peak()
        try ProcessMemory.resetPeak()
        let before = try ProcessMemory.peak()
        var wasRefused = false
        do {
            switch subject {
            case .signet: keep(try fixture.verifier.verify(hostile))
            case .signetUnlimited: keep(try verifier.verify(hostile))
            case .jwtKit: keep(try await fixture.verificationKeys.verify(hostile, as: IDTokenClaims.self))
            }
        } catch {
            wasRefused = true
        }
        let after = try ProcessMemory.peak()
        guard wasRefused, hostile.utf8.count >= HostileToken.byteCount - 2 else {
            throw BenchmarkError.setup("the hostile token was not refused")
        }
        return max(after - before, 0)
    }
}
