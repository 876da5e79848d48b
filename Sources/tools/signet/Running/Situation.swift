// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The aim of a command, which decides the remedy for its failure.
///
/// The same failure has different remedies: a new key does not open what is sealed, and newer keys
/// of an issuer do not help to sign.
package enum Situation: CaseIterable, Sendable {
    case makingKeys, lookingAtTokens
    case signing, signingClaims
    case encrypting, decrypting
    case verifying, verifyingClaims, verifyingIDToken, verifyingAccessToken
    case fetchingKeys
    case sealing, opening
    /// Commands on a vault.
    case usingVault
    /// Commands with a second file or vault, which may be at fault.
    case movingItems
    case signingIn, usingSession
    case checkingAddress
    /// Commands on reports of the audit, and the audit. Their words begin with its word, so they
    /// come first.
    case checkingReports, comparingReports, auditing

    /// The commands, by their words.
    package var commands: [String] {
        switch self {
        case .makingKeys: ["jwk generate", "jwk public", "jwk convert"]
        case .lookingAtTokens: ["jwt inspect", "jwk thumbprint"]
        case .signing: ["jws sign"]
        case .signingClaims: ["jwt sign"]
        case .encrypting: ["jwe encrypt"]
        case .decrypting: ["jwe decrypt"]
        case .verifying: ["jws verify"]
        case .verifyingClaims: ["jwt verify"]
        case .verifyingIDToken: ["idtoken verify"]
        case .verifyingAccessToken: ["accesstoken verify"]
        case .fetchingKeys: ["jwks fetch"]
        case .sealing: ["seal"]
        case .opening: ["open"]
        case .usingVault:
            [
                "vault init", "vault set", "vault get", "vault list", "vault search",
                "vault copy", "vault remove", "vault passwd", "vault slot list", "vault slot add",
                "vault slot remove", "vault rotate data", "vault rotate root", "vault verify",
                "vault export", "vault backup", "vault compact", "run",
            ]
        case .movingItems: ["vault import", "vault migrate", "vault restore", "vault salvage"]
        case .signingIn: ["login"]
        case .usingSession: ["whoami", "token", "logout", "account list", "account delete"]
        case .checkingAddress: ["email check"]
        case .checkingReports: ["audit verify"]
        case .comparingReports: ["audit diff"]
        case .auditing: ["audit"]
        }
    }

    /// The situation of a command line; nil for a line that names no command.
    init?(line: [String]) {
        let found = Self.allCases.first { situation in
            situation.commands.contains { command in
                let words = command.split(separator: " ")
                return words.count <= line.count
                    && zip(words, line).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
            }
        }
        guard let found else { return nil }
        self = found
    }
}
