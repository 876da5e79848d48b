// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE

/// Opening compact JWEs with `dir` and A256GCM, by a key that is parsed once.
struct OpeningWork {
    private let decrypter: JWEDecrypter

    init(data: URL) throws {
        let jwk = try String(contentsOf: data.appending(path: "dir.jwk"), encoding: .utf8)
        let key = try DecryptionKey(jwk: JWK(jwk), content: [.a256GCM])
        decrypter = JWEDecrypter(key: key)
    }

    func open(_ token: String) -> String {
        do {
            let plaintext = try decrypter.decrypt(token).payload
            return "opened \(String(decoding: plaintext, as: UTF8.self))"
        } catch {
            return "refused \(error)"
        }
    }

    func timeOpen(_ token: String, milliseconds: Double) throws -> Double {
        try measure(milliseconds) { try decrypter.decrypt(token).payload }
    }
}
