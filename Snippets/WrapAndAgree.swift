// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto

// A key under another key that both sides have.
let wrappingKey = try SecretKey.generate(bitCount: 128)
let wrapped = try AESKeyWrap.wrap(try SecretKey.generate(), using: wrappingKey)
let key = try AESKeyWrap.unwrap(wrapped, using: wrappingKey)

// A key to the owner of an RSA key. It does not say who sent it.
let recipient = try RSAPrivateKey.generate()
let sent = try RSAOAEP.wrap(key, to: recipient.publicKey, hash: .sha256)
let received = try RSAOAEP.unwrap(sent, using: recipient, hash: .sha256)
print(received == key)

// A key that two pairs have in common, for the purpose that both name.
let agreement = try KeyAgreement(algorithmID: "A256GCM".utf8)
let alice = try X25519PrivateKey.generate()
let bob = try X25519PrivateKey.generate()
let ours = try agreement.key(of: alice, with: bob.publicKey)
let theirs = try agreement.key(of: bob, with: alice.publicKey)
print(ours == theirs)
