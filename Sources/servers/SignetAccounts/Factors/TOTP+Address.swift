// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension TOTP {
    /// The key in Base32 without padding, to type.
    public var exposedKey: String {
        String(
            decoding: hotp.key.withExposedBytes { key in
                Base32.text(of: key.indices.map { key[$0] })
            }, as: UTF8.self)
    }

    /// The `otpauth://` address that an app reads from a QR code. It contains the key: show it
    /// once, on a page that is not cached, and never log it.
    ///
    /// - Parameters:
    ///   - issuer: the service's name, which the app shows above the code. 1 to 100 bytes.
    ///   - account: the account to show: an address or a name. 1 to 320 bytes.
    /// - Throws: `invalidParameter` for lengths out of these ranges, or a colon in the issuer,
    ///   which apps take for its end.
    public func exposedAddress(issuer: String, account: String) throws(AccountError) -> String {
        if let fault = ParameterRange.fault(
            .init("issuer.utf8.count", value: issuer.utf8.count, in: 1...100),
            .init("account.utf8.count", value: account.utf8.count, in: 1...320))
        {
            throw AccountError(.invalidParameter, fault)
        }
        guard !issuer.utf8.contains(UInt8(ascii: ":")) else {
            throw AccountError(
                .invalidParameter, "The issuer has a colon, which apps take for its end.")
        }
        let issuer = Self.encoded(issuer)
        let account = Self.encoded(account)
        return "otpauth://totp/\(issuer):\(account)?secret=\(exposedKey)&issuer=\(issuer)"
            + "&algorithm=\(hotp.hash.rawValue)&digits=\(hotp.digitCount)&period=\(period)"
    }

    /// The text with all but the unreserved characters percent-encoded (RFC 3986, section 2.3).
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            if byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + CollectionOfOne(byte).hexDigits.uppercased()
            }
        }
    }
}
