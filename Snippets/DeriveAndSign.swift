// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto

// One strong key, and another key from it for each use.
let master = try SecretKey.generate()
let forCookies = try KeyDerivation.hkdf(
    master, info: "example.org cookies 1".utf8, byteCount: 32)

// From a passphrase: expensive on purpose. The salt is random and kept beside what is sealed.
let salt = try SecureRandom.bytes(count: 32)
let fromPassphrase = try KeyDerivation.scrypt(
    password: SecretBytes(copying: "correct horse battery staple".utf8), salt: salt,
    cost: 1 << 14)
print(fromPassphrase == forCookies)

// A code that shows who wrote a message. It is compared in constant time.
let codes = try MACKey(forCookies, hash: .sha256)
let code = try codes.authenticationCode(for: "user-1093".utf8)
print(try codes.isValid(code, for: "user-1093".utf8))

// A signature. Hash and curve are named; the signature is r ‖ s, never DER.
let key = try ECPrivateKey.generate(curve: .p256)
let signature = try key.signature(for: "a release".utf8, hash: .sha256)
print(try key.publicKey.isValidSignature(signature, for: "a release".utf8, hash: .sha256))

let digest = try MessageDigest.digest("a release".utf8, using: .sha256)
print(digest.count, CryptoProvider.self)
