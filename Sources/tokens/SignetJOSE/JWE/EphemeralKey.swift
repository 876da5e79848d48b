// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// What ECDH-ES takes from a header (RFC 7518, section 4.6.1): the sender's fresh public key and
/// the names of the two parties.
struct EphemeralKey {
    let node: JSONNode
    let partyUInfo: [UInt8]
    let partyVInfo: [UInt8]

    private static let maximumPartyByteCount = 512

    init(_ header: EncryptedTokenHeader) throws(TokenError) {
        guard let node = header.root.member("epk"), node.kind == .object else {
            throw TokenError(.malformed, "The header's \"epk\" is not a JWK.")
        }
        // A sender that gives its private half away has misunderstood something.
        guard node.member("d") == nil else {
            throw TokenError(.malformed, "The header's \"epk\" has a private half.")
        }
        self.node = node
        partyUInfo = try Self.party("apu", in: header.root)
        partyVInfo = try Self.party("apv", in: header.root)
    }

    /// The sender's key, on the curve of the receiver's key.
    func publicKey(on curve: EllipticCurve) throws(TokenError) -> ECPublicKey {
        try checkCurve(curve.rawValue, keyType: "EC")
        let x = try coordinate("x", byteCount: curve.coordinateByteCount)
        let y = try coordinate("y", byteCount: curve.coordinateByteCount)
        return try Self.translatingErrors { () throws(CryptographyError) in
            try ECPublicKey(curve: curve, x: x, y: y)
        }
    }

    /// The sender's key, for a receiver with an X25519 key.
    func x25519PublicKey() throws(TokenError) -> X25519PublicKey {
        try checkCurve("X25519", keyType: "OKP")
        let x = try coordinate("x", byteCount: X25519PublicKey.byteCount)
        return try Self.translatingErrors { () throws(CryptographyError) in
            try X25519PublicKey(rawRepresentation: x)
        }
    }

    private func checkCurve(_ name: String, keyType: String) throws(TokenError) {
        guard node.text(of: "kty")?.isEqual(to: keyType) == true,
            node.text(of: "crv")?.isEqual(to: name) == true
        else {
            throw TokenError(
                .malformed, "The header's \"epk\" is not on \(shown: name), as the key is.")
        }
    }

    /// A coordinate, leading zeros included (RFC 7518, section 6.2.1.2).
    private func coordinate(_ name: String, byteCount: Int) throws(TokenError) -> [UInt8] {
        let bytes = node.text(of: name).flatMap { Base64.url.decode($0.utf8.span) }
        guard let bytes, bytes.count == byteCount else {
            throw TokenError(
                .malformed,
                "The \"\(shown: name)\" of the header's \"epk\" is not \(byteCount) bytes in base64url."
            )
        }
        return bytes
    }

    private static func party(_ name: String, in root: JSONNode) throws(TokenError) -> [UInt8] {
        guard let member = root.member(name) else { return [] }
        guard let bytes = member.text.flatMap({ Base64.url.decode($0.utf8.span) }),
            bytes.count <= maximumPartyByteCount
        else {
            throw TokenError(
                .malformed,
                "The header's \"\(shown: name)\" is not base64url of at most \(maximumPartyByteCount) bytes."
            )
        }
        return bytes
    }

    private static func translatingErrors<Value>(
        _ call: () throws(CryptographyError) -> Value
    ) throws(TokenError) -> Value {
        do {
            return try call()
        } catch {
            guard error.code == .invalidKey else { throw TokenError(cannotDecrypt: error) }
            throw TokenError(
                .malformed, underlying: error, "The header's \"epk\" is no point of its curve.")
        }
    }
}
