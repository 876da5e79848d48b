// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetCrypto
internal import SignetJOSE

/// The member `challenge` of answers and requests: the challenge of a code, and a proof that this
/// service gave it to a client.
///
/// The database has the challenge alone. Who reads a copy of that must not stand for the client: a
/// request with the challenge can replace the password of a sign-up that waits.
struct ClientChallenges: Sendable {
    /// 128 bits of each, in base64url.
    private static let partByteCount = 22

    private let secret: AccountSecret

    init(_ secret: AccountSecret) { self.secret = secret }

    /// 44 characters.
    func text(of challenge: CodeChallenge) throws(AccountError) -> String {
        challenge.text + (try proof(of: challenge))
    }

    /// The challenge in a text; nil for a text of another form. Where the proof is wrong, it is one
    /// that names no code, as after the secret was replaced.
    func challenge(in text: String) throws(AccountError) -> CodeChallenge? {
        // offset  size  field
        //      0    22  the challenge
        //     22    22  the proof, 16 bytes of HMAC-SHA-256; each in base64url
        let (name, rest) = (
            text.utf8.prefix(Self.partByteCount), text.utf8.dropFirst(Self.partByteCount)
        )
        guard let challenge = CodeChallenge(String(decoding: name, as: UTF8.self)),
            CodeChallenge(String(decoding: rest, as: UTF8.self)) != nil
        else { return nil }
        let proof = try proof(of: challenge)
        return ConstantTime.areEqual(proof.utf8, rest) ? challenge : CodeChallenge(proof)
    }

    private func proof(of challenge: CodeChallenge) throws(AccountError) -> String {
        let code = try secret.code("gotrue challenge", [Array(challenge.text.utf8)])
        return Base64URL.encode(code.prefix(16))
    }
}
