// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension SenderRule {
    func check(_ claims: ClaimReader) throws(IdentityError) {
        guard let claim = refusedClaim(in: claims.root) else { return }
        throw IdentityError(.senderBound, claim: claim, Self.message)
    }
}
