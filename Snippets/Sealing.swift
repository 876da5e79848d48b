// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto

// snippet.XAES256GCM
let key = try SecretKey.generate()
let sealed = try XAES256GCM.seal(
    "a database password".utf8, using: key, authenticating: "row 17".utf8)
let opened = try XAES256GCM.open(sealed, using: key, authenticating: "row 17".utf8)
// snippet.end
print(String(decoding: opened, as: UTF8.self))

// Another key, other associated data, a flipped bit, a missing byte: always the same error.
do {
    _ = try XAES256GCM.open(sealed.dropLast(), using: key, authenticating: "row 17".utf8)
} catch {
    print(error.code == .authenticationFailure)
}
