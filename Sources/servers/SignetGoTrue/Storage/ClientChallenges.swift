// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetCrypto
internal import SignetJOSE

/// The member `challenge` of answers and requests: the challenge of a code, and a proof that this
/// service gave it to a client.
///
/// The database stores the challenge alone. A reader of a copy must not pass for the client: a
/// request with the challenge can replace the password of a waiting sign-up.
struct ClientChallenges: Sendable {
    /// The challenge and the proof have 128 bits each, in base64url.
    private static let partByteCount = 22
    private static let proofByteCount = 16

    private let secret: AccountSecret

    init(_ secret: AccountSecret) { self.secret = secret }

    /// The text for the client: 44 characters.
    func text(of challenge: CodeChallenge) throws(AccountError) -> String {
        challenge.text + (try proof(of: challenge))
    }

    /// The challenge in a text; nil for a malformed text. If the proof is wrong, as after a
    /// replacement of the secret, the result is a challenge that names no code.
    func challenge(in text: String) throws(AccountError) -> CodeChallenge? {
        // offset  size  field
        //      0    22  the challenge
        //     22    22  the proof, 16 bytes of HMAC-SHA-256; each in base64url
        let shown = text.utf8.prefix(Self.partByteCount)
        let shownProof = text.utf8.dropFirst(Self.partByteCount)
        guard let challenge = CodeChallenge(String(decoding: shown, as: UTF8.self)),
            CodeChallenge(String(decoding: shownProof, as: UTF8.self)) != nil
        else { return nil }
        let proof = try proof(of: challenge)
        return ConstantTime.areEqual(proof.utf8, shownProof) ? challenge : CodeChallenge(proof)
    }

    private func proof(of challenge: CodeChallenge) throws(AccountError) -> String {
        let code = try secret.code("gotrue challenge", over: [Array(challenge.text.utf8)])
        return Base64URL.encode(code.prefix(Self.proofByteCount))
    }
}
