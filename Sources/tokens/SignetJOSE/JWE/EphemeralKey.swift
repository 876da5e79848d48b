// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// What ECDH-ES takes from a header (RFC 7518, section 4.6.1): the sender's fresh public key
/// (`epk`, a JWK) and, if present, the names of the sender (`apu`) and of the receiver (`apv`):
///
/// ```
/// {"alg":"ECDH-ES","enc":"A256GCM","apu":"QWxpY2U","apv":"Qm9i",
///  "epk":{"kty":"EC","crv":"P-256","x":"gI0GAILBdu7T53ak…","y":"SLW_xSffzlPWrHEV…"}}
/// ```
///
/// All of it comes from an unknown sender. The key is read when the receiver's curve is known.
struct EphemeralKey {
    /// The object `epk`.
    let node: JSONNode
    /// `apu`, decoded; empty if it is absent.
    let partyUInfo: [UInt8]
    /// `apv`, decoded; empty if it is absent.
    let partyVInfo: [UInt8]

    /// Enough for any name. A longer text would be hashed with each agreement.
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
        partyUInfo = try Self.readParty("apu", in: header.root)
        partyVInfo = try Self.readParty("apv", in: header.root)
    }

    /// The sender's key, on the curve of the receiver's key.
    func publicKey(on curve: EllipticCurve) throws(TokenError) -> ECPublicKey {
        try checkCurve(curve.rawValue, keyType: "EC")
        let x = try readCoordinate("x", on: curve)
        let y = try readCoordinate("y", on: curve)
        return try Self.translatingErrors { () throws(CryptographyError) in
            try ECPublicKey(curve: curve, x: x, y: y)
        }
    }

    /// The sender's key, for a receiver with an X25519 key.
    func x25519PublicKey() throws(TokenError) -> X25519PublicKey {
        try checkCurve("X25519", keyType: "OKP")
        let x = try readCoordinate("x")
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

    /// A coordinate in its full length, read as in a JWK: on an EC curve (nil for X25519) it may
    /// lack its leading zeros.
    private func readCoordinate(
        _ name: String, on curve: EllipticCurve? = nil
    ) throws(TokenError) -> [UInt8] {
        let byteCount = curve?.coordinateByteCount ?? X25519PublicKey.byteCount
        if let text = node.text(of: name), let decoded = KeyDocument.decoded(text.utf8) {
            let bytes = curve?.withLeadingZeros(decoded) ?? decoded
            if bytes.count == byteCount { return bytes }
        }
        throw TokenError(
            .malformed,
            "The \"\(shown: name)\" of the header's \"epk\" is not \(byteCount) bytes in base64url."
        )
    }

    private static func readParty(_ name: String, in root: JSONNode) throws(TokenError) -> [UInt8] {
        guard let member = root.member(name) else { return [] }
        guard let text = member.text, let bytes = Base64.url.decode(text.utf8.span),
            bytes.count <= maximumPartyByteCount
        else {
            throw TokenError(
                .malformed,
                "The header's \"\(shown: name)\" is not base64url of at most \(maximumPartyByteCount) bytes."
            )
        }
        return bytes
    }

    /// Calls SignetCrypto. A key that it refuses is the token's fault.
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
