// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import SignetGoTrue
import SignetJOSE
import SignetSessionTokens

/// A service in memory, which is replaced before its limits refuse everybody.
actor GoTrueFixture {
    static let key = "sb_publishable_3kf9aJd0"
    private static let maximumUseCount = 32

    private var current: GoTrueService?
    private var useCount = 0

    func service() async throws -> GoTrueService {
        useCount += 1
        if let current, useCount % Self.maximumUseCount != 0 { return current }
        let made = try await Self.make()
        current = made
        return made
    }

    private static func make() async throws -> GoTrueService {
        var options = try GoTrueOptions()
        options.publishableKeys = [key]
        options.passwords = try PasswordHasher(.scrypt(logCost: 4), concurrency: 2)
        let keys = try SessionKeyRing(SigningKey.generate(.es256, keyID: "signing"))
        return try await GoTrueService.open(
            SQLiteAccounts.inMemory(),
            secret: AccountSecret(SecretKey(copying: [UInt8](repeating: 1, count: 32))),
            issuer: SessionTokenIssuer(
                issuer: "https://project.example/auth/v1", audience: GoTrueService.audience,
                keys: keys, lifetime: .seconds(3600),
                clock: .fixed(secondsSince1970: 1_700_000_000)),
            options: options)
    }
}
