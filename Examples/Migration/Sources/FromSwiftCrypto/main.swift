// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Both libraries in one file: they have no name in common.
import Crypto
import Foundation
import SignetCrypto

struct Mismatch: Error {
    let name: String
}

func expect(_ holds: Bool, _ name: String) throws {
    guard holds else { throw Mismatch(name: name) }
    print(name)
}

let message = Array("a database password".utf8)
let row = Array("row 17".utf8)

// The same key for both. Its bytes are secret on both sides.
let octets = [UInt8](0..<32)
let there = SymmetricKey(data: octets)
let here = SecretKey(copying: octets)

let sealedThere = try There.seal(Data(message), key: there, row: Data(row)) ?? Data()
try expect(
    try Here.open(Array(sealedThere), key: here, row: row) == message, "AES-GCM, sealed there")
let sealedHere = try Here.seal(message, key: here, row: row)
try expect(
    Array(try There.open(Data(sealedHere), key: there, row: Data(row))) == message,
    "AES-GCM, sealed here")

let code = There.code(for: Data(message), key: there)
try expect(try Here.code(for: message, key: here) == Array(code), "HMAC, equal")
try expect(try Here.isValid(Array(code), for: message, key: here), "HMAC, made there")
try expect(There.isValid(code, for: Data(message), key: there), "HMAC, checked there")

let derived = try Here.derive(from: here, info: row).withExposedBytes { bytes in
    bytes.indices.map { bytes[$0] }
}
let derivedThere = There.derive(from: there, info: Data(row)).withUnsafeBytes { Array($0) }
try expect(derived == derivedThere, "HKDF, equal")
try expect(
    try Here.digest(of: message) == Array(There.digest(of: Data(message))), "SHA-256, equal")

// A private key of swift-crypto goes over as its scalar, a public key as x and y.
let keyThere = P256.Signing.PrivateKey()
let keyHere = try ECPrivateKey(
    curve: .p256, privateScalar: SecretKey(copying: keyThere.rawRepresentation))
let point = Array(keyThere.publicKey.rawRepresentation)
let publicHere = try ECPublicKey(
    curve: .p256, x: Array(point.prefix(32)), y: Array(point.suffix(32)))
try expect(
    try Here.isValid(
        Array(There.sign(Data(message), key: keyThere)), for: message, key: publicHere),
    "ECDSA, signed there")
try expect(
    try There.isValid(
        Data(Here.sign(message, key: keyHere)), for: Data(message), key: keyThere.publicKey),
    "ECDSA, signed here")

let edThere = Curve25519.Signing.PrivateKey()
let edHere = try Ed25519PrivateKey(seed: SecretKey(copying: edThere.rawRepresentation))
try expect(
    try edHere.publicKey.isValidSignature(There.sign(Data(message), key: edThere), for: message),
    "Ed25519, signed there")
try expect(
    edThere.publicKey.isValidSignature(try Here.sign(message, key: edHere), for: Data(message)),
    "Ed25519, signed here")

// What swift-crypto accepts and Signet refuses.
func refusal(_ body: () throws(CryptographyError) -> Void) -> String {
    do throws(CryptographyError) {
        try body()
        return "accepted"
    } catch {
        return error.code.rawValue
    }
}
try expect(
    HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: [UInt8]())).byteCount
        == 32
        && refusal { () throws(CryptographyError) in
            _ = try MACKey(SecretKey(copying: [UInt8]()), hash: .sha256)
        } != "accepted", "an HMAC key of no bytes: accepted there, refused here")
