// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE

extension IdentityProvider {
    /// Example ID. Its documentation states the issuer, ES256, and a plan in every token.
    static func exampleID(clientIDs: [String]) throws(IdentityConfigurationError) -> Self {
        var provider = try IdentityProvider.openID(
            issuer: "https://id.example", clientIDs: clientIDs, algorithms: [.es256])
        provider.maximumLifetime = .seconds(3_600)
        provider.requiredClaims = ["plan"]
        provider.acceptedValues = ["plan": ["business"]]
        provider.check = { (identity: VerifiedIdentity) throws(IdentityError) in
            // A check that no rule expresses. It runs last, on a token that has passed all rules.
            guard identity.subject.utf8.starts(with: "user-".utf8) else {
                throw IdentityError(.subject, claim: "sub", "The subject is no user.")
            }
        }
        return provider
    }
}

// Try it without a network, with a key of your own in the provider's place.
let key = try SigningKey.generate(.es256)
let verifier = try IDTokenVerifier(
    .exampleID(clientIDs: ["shop"]), keys: .inHand(KeySet([key.verificationKey])))

func token(plan: String, subject: String = "user-1093") throws -> String {
    let claims = [
        "iss": "https://id.example", "aud": "shop", "sub": subject, "plan": plan,
    ]
    return try TokenSigner(key: key).sign(claims, lifetime: .seconds(300))
}

print(try await verifier.verify(token(plan: "business")).identityKey)

// One test for each reason to refuse.
for refused in [try token(plan: "free"), try token(plan: "business", subject: "robot-7")] {
    do {
        _ = try await verifier.verify(refused)
    } catch {
        print(error.code == .valueNotAccepted || error.code == .subject, error.claim ?? "")
    }
}
