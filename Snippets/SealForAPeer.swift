// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto

// For a peer that prescribes AES-GCM. Your own data is safer with XAES256GCM: its nonces do not run
// out.
// snippet.AESGCM
let key = try SecretKey.generate(bitCount: 128)
let sealed = try AESGCM.seal("a message".utf8, using: key, authenticating: "to bob".utf8)
let opened = try AESGCM.open(sealed, using: key, authenticating: "to bob".utf8)
// snippet.end
print(String(decoding: opened, as: UTF8.self))

// What a peer needs to take it apart: the nonce, the ciphertext and the tag.
let tag = sealed.suffix(AESGCM.tagByteCount)
let ciphertext = sealed.dropFirst(AESGCM.nonceByteCount).dropLast(AESGCM.tagByteCount)
print(ciphertext.count == opened.count, tag.count)

// A changed message, or one shown to another recipient, is an error.
do {
    _ = try AESGCM.open(sealed, using: key, authenticating: "to carol".utf8)
} catch {
    print(error.code == .authenticationFailure)
}
