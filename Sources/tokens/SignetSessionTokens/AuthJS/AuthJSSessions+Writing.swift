// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetJOSE

extension AuthJSSessions {
    /// A token as Auth.js writes it with the first secret, for tests. It has only these claims, of
    /// which Auth.js writes `iat`, `exp` and `jti` itself.
    package func makeToken(_ claims: some Encodable) throws(TokenError) -> String {
        guard let key = keys.first else {
            throw TokenError(.signingFailed, "There is no secret.")
        }
        let payload: [UInt8]
        do { payload = try JSONTokenEncoder().encode(claims) } catch {
            throw TokenError(encoding: error)
        }
        let encrypter: JWEEncrypter
        do {
            encrypter = try JWEEncrypter(
                to: EncryptionKey(secret: key.secret, algorithm: .direct, keyID: key.keyID),
                content: key.content)
        } catch {
            throw TokenError(.signingFailed, underlying: error, "\(messageOf: error)")
        }
        return try encrypter.encrypt(payload)
    }

    /// The value of the field `Cookie` with a token, in parts where Auth.js makes parts.
    package func cookieField(_ token: String) -> String {
        let octets = Array(token.utf8)
        guard octets.count > Self.partByteCount else { return "\(cookieName)=\(token)" }
        return stride(from: 0, to: octets.count, by: Self.partByteCount).enumerated().map {
            number, start in
            let part = octets[start..<min(start + Self.partByteCount, octets.count)]
            return "\(cookieName).\(number)=\(String(decoding: part, as: UTF8.self))"
        }.joined(separator: "; ")
    }

    /// 4,096 without what Auth.js 5 reckons for the attributes of a cookie. Version 4 reckons 163.
    private static var partByteCount: Int { 4_096 - 160 }
}
