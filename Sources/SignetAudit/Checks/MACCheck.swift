// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// HMAC: a published tag against a key and a message.
struct MACCheck: Sendable {
    let key: [UInt8]
    let message: [UInt8]
    let tag: [UInt8]
    let hash: HashAlgorithm

    func observation() -> AuditObservation {
        .observing { () throws(CryptoError) in
            let mac = try MACKey(SecretKey(copying: key), hash: hash)
            let code = try mac.authenticationCode(for: message)
            guard tag.count <= code.count, !tag.isEmpty else {
                return .rejected(.malformed, "the tag is longer than the hash, or empty")
            }
            let isWhole = tag.count == code.count
            // The interface takes whole codes only: a truncated one must not pass, even when it is the right one.
            if !isWhole, try mac.isValid(tag, for: message) {
                return .differed("a truncated tag was accepted")
            }
            guard ConstantTime.areEqual(code.prefix(tag.count), tag) else {
                if isWhole, try mac.isValid(tag, for: message) {
                    return .differed("a wrong tag was accepted")
                }
                return .rejected(.authentication, "the tag is another one")
            }
            if isWhole, try !mac.isValid(tag, for: message) {
                return .differed("the right tag was not accepted")
            }
            if try mac.isValid(code.altered, for: message) {
                return .differed("a changed tag was accepted")
            }
            return .accepted
        }
    }
}
