// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity

// snippet.BusinessEmailPolicy
let policy = try BusinessEmailPolicy(allowing: [
    "yourcompany.example", .includeSubdomains("partner.example"),
])
// snippet.hide

// The status for a person who has signed in.
func status(for identity: VerifiedIdentity) -> Int {
    // snippet.show
    guard policy.verdict(for: identity.email).isAllowed else { return 403 }
    // snippet.end
    return 200
}

// An address from a form proves nothing about who typed it; the call says so.
for text in [
    "Ada@YourCompany.example", "attacker@evil.example,x@yourcompany.example", "ada@gmail.com",
] {
    print(policy.verdict(forUnverifiedText: text))
}

// A mistake in the configuration is found when the program starts.
do {
    _ = try BusinessEmailPolicy(allowing: [.includeSubdomains("co.uk")])
} catch {
    print(error)
}
