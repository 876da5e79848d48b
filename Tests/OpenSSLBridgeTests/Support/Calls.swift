// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

/// What kind of failure `body` threw, or nil when it threw none. The queue of errors is empty afterwards either way.
func failure(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> OpenSSLFailure.Kind? {
    defer {
        #expect(ErrorQueue.isEmpty, "an error was left in the queue", sourceLocation: sourceLocation)
        ErrorQueue.clear()
    }
    do {
        try body()
        return nil
    } catch let failure as OpenSSLFailure {
        return failure.kind
    } catch {
        Issue.record("another error: \(error)", sourceLocation: sourceLocation)
        return nil
    }
}

/// Array forms of the functions that take spans, which the macros of Swift Testing cannot hold.
func seal(
    _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], prefix: [UInt8] = [], data: [UInt8] = []
) throws -> [UInt8] {
    try GCM.seal(
        plaintext.span, key: key.span, nonce: nonce.span, prefix: prefix.span, authenticating: data.span)
}

func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], data: [UInt8] = []) throws -> [UInt8] {
    try GCM.open(sealed.span, key: key.span, nonce: nonce.span, authenticating: data.span)
}

func secret(_ bytes: [UInt8]) -> SecretStorage { SecretStorage(copying: bytes.span) }

func exposed(_ storage: SecretStorage) -> [UInt8] { storage.withBytes { $0.copied() } }

func publicKey(_ der: [UInt8], as structure: KeyHandle.PublicStructure = .subjectPublicKeyInfo) throws
    -> KeyHandle
{
    try KeyHandle.decode(der.span, as: structure)
}

func privateKey(_ der: [UInt8], as structure: KeyHandle.PrivateStructure = .pkcs8) throws -> KeyHandle {
    try KeyHandle.decode(der.span, as: structure)
}

func sign(_ key: KeyHandle, _ scheme: SignatureScheme, _ message: [UInt8]) throws -> [UInt8] {
    try SignatureCreation(key: key, scheme: scheme).signature(for: message.span)
}

func verify(_ key: KeyHandle, _ scheme: SignatureScheme, _ signature: [UInt8], _ message: [UInt8]) throws
    -> Bool
{
    let result = try SignatureVerification(key: key, scheme: scheme)
        .isValid(signature.span, for: message.span)
    #expect(ErrorQueue.isEmpty, "an error was left in the queue")
    return result
}

func digestBytes(_ algorithm: DigestAlgorithm, _ message: [UInt8]) throws -> [UInt8] {
    try digest(algorithm, message.span)
}

extension MACState {
    func isValid(_ code: [UInt8], _ message: [UInt8]) -> Bool { isValid(code.span, for: message.span) }

    func bytes(_ message: [UInt8]) throws -> [UInt8] { exposed(try code(for: message.span)) }
}
