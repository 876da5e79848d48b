// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

// Each side verifies what the other one has signed.
let key = try SigningKey.generate(.es256, keyID: "2026-11")
let pem = try key.exportPrivatePEM().withExposedBytes { bytes in
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
}
let jwks = try KeySet([key.verificationKey]).jwksJSON()
try expect(await There.verify(Here.sign(with: pem), jwks: jwks) == "user-1093", "there, of here")
try expect(await Here.verify(There.sign(with: pem), jwks: jwks) == "user-1093", "here, of there")

// What jwt-kit accepts and Signet refuses, each with the code that it gives.
let secret = "0123456789abcdef0123456789abcdef"
for difference in try differences(secret: secret) {
    var there = "accepted"
    do {
        _ =
            try await difference.isUnchecked
            ? There.verifyUnchecked(difference.token, secret: difference.secret)
            : There.verify(difference.token, secret: difference.secret)
    } catch {
        there = "refused: \(error)"
    }
    var here = "accepted"
    do {
        _ = try Here.verify(difference.token, secret: difference.secret)
    } catch let error as TokenError {
        here = error.code.rawValue
    } catch let error as KeyError {
        here = error.code.rawValue
    }
    print("\(difference.name): \(there) there, \(here) here")
    try expect(there == difference.there && here == difference.here, difference.name)
}
