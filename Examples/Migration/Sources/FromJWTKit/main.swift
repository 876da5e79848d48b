// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetJOSE

// Each side verifies what the other has signed.
let key = try SigningKey.generate(.es256, keyID: "2026-11")
let pem = try key.exportPrivatePEM().withExposedBytes { bytes in
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
}
let jwks = try KeySet([key.verificationKey]).jwksJSON()
try expect(await There.verify(Here.sign(with: pem), jwks: jwks) == "user-1093", "there, of here")
try expect(await Here.verify(There.sign(with: pem), jwks: jwks) == "user-1093", "here, of there")

// What jwt-kit accepts and Signet refuses, each with the code that it gives.
let secret = "0123456789abcdef0123456789abcdef"
var wrong = 0
for difference in try differences(secret: secret) {
    let there = difference.there == nil ? nil : await answerThere(difference)
    var here = "accepted"
    do {
        _ = try Here.verify(difference.token, secret: difference.secret)
    } catch let error as TokenError {
        here = error.code.rawValue
    } catch let error as KeyError {
        here = error.code.rawValue
    }
    print("\(difference.name): \(there ?? "not tried") there, \(here) here")
    if there != difference.there || here != difference.here {
        print("  not as Documentation/FROM-JWT-KIT.md says: \(difference.here)")
        wrong += 1
    }
}
guard wrong == 0 else { exit(1) }

// A published set with a key that neither library knows.
let mixed = #"{"keys":[{"kty":"AKP","kid":"pq-1","alg":"ML-DSA-44"},"# + jwks.dropFirst(9)
try expect(KeySet(jwks: mixed).keys.count == 1, "a set with a member of no use, here")
do {
    _ = try await There.verify(Here.sign(with: pem), jwks: mixed)
    throw Mismatch(name: "a set with a member of no use, there")
} catch let error where !(error is Mismatch) {
    print("a set with a member of no use: refused there, accepted here")
}

func answerThere(_ difference: Difference) async -> String {
    do {
        _ =
            try await difference.isUnchecked
            ? There.verifyUnchecked(difference.token, secret: difference.secret)
            : There.verify(difference.token, secret: difference.secret)
        return "accepted"
    } catch {
        return "refused"
    }
}
