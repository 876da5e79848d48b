// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

/// Array forms of the functions that take spans, which the macros of Swift Testing cannot hold.
func seal(_ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], data: [UInt8] = []) throws -> [UInt8]
{
    let sealed = try AEAD.gcm.seal(
        plaintext.span, key: secret(key), nonce: nonce.span, authenticating: data.span)
    #expect(sealed.starts(with: nonce))
    return Array(sealed.dropFirst(nonce.count))
}

func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], data: [UInt8] = []) throws -> [UInt8] {
    try AEAD.gcm.open(sealed.span, key: secret(key), nonce: nonce.span, authenticating: data.span)
}

func publicKey(_ der: [UInt8], as structure: KeyHandle.PublicStructure = .subjectPublicKeyInfo)
    throws
    -> KeyHandle
{
    try KeyHandle.decode(der.span, as: structure)
}

func verify(_ key: KeyHandle, _ scheme: SignatureScheme, _ signature: [UInt8], _ message: [UInt8])
    throws
    -> Bool
{
    let result = try key.isValid(signature.span, for: message.span, under: scheme)
    #expect(ErrorQueue.isEmpty, "an error was left in the queue")
    return result
}

func digestBytes(_ algorithm: DigestAlgorithm, _ message: [UInt8]) throws -> [UInt8] {
    try digest(algorithm, of: message.span)
}

extension MACState {
    func isValid(_ code: [UInt8], _ message: [UInt8]) throws -> Bool {
        try isValid(code.span, for: message.span)
    }

    func bytes(_ message: [UInt8]) throws -> [UInt8] { exposed(try code(for: message.span)) }
}
