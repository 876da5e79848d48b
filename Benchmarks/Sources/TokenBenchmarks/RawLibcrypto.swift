// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CRawLibcrypto

// The only file here that hands addresses to C. Each object belongs to one thread at a time.

/// HMAC-SHA-256 with reused contexts.
@safe
final class RawHMAC {
    private let pointer: OpaquePointer

    init(key: [UInt8]) throws {
        guard let made = unsafe raw_hmac_new(key, key.count) else {
            throw BenchmarkError.setup("raw HMAC")
        }
        unsafe pointer = made
    }

    deinit { unsafe raw_hmac_free(pointer) }

    func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
        unsafe code.count == 32 && raw_hmac_verify(pointer, message, message.count, code) == 1
    }

    func compute(_ message: [UInt8], into code: inout [UInt8]) -> Bool {
        unsafe code.count == 32 && raw_hmac_compute(pointer, message, message.count, &code) == 1
    }
}

/// One key for one signature scheme, with reused contexts.
@safe
final class RawKey {
    private let pointer: OpaquePointer
    private var signature = [UInt8](repeating: 0, count: 512)

    init(signingWith pem: String, _ scheme: raw_scheme) throws {
        guard let made = unsafe raw_key_signing(pem, pem.utf8.count, scheme) else {
            throw BenchmarkError.setup("raw signing key")
        }
        unsafe pointer = made
    }

    init(verifyingWith pem: String, _ scheme: raw_scheme) throws {
        guard let made = unsafe raw_key_verifying(pem, pem.utf8.count, scheme) else {
            throw BenchmarkError.setup("raw verification key")
        }
        unsafe pointer = made
    }

    deinit { unsafe raw_key_free(pointer) }

    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        unsafe raw_key_verify(pointer, signature, signature.count, message, message.count) == 1
    }

    /// Signs into a buffer of its own.
    func sign(_ message: [UInt8]) -> Bool {
        var count = 0
        return unsafe raw_key_sign(pointer, message, message.count, &signature, &count) == 1
    }

    static func importRSA(modulus: [UInt8], exponent: [UInt8]) -> Bool {
        unsafe raw_rsa_import(modulus, modulus.count, exponent, exponent.count) == 1
    }
}

/// AES-256-GCM and XAES-256-GCM with kept contexts and buffers.
@safe
final class RawCipher {
    private let pointer: OpaquePointer
    private var output: [UInt8]

    init(key: [UInt8], largest: Int) throws {
        guard key.count == 32, let made = unsafe raw_cipher_new(key) else {
            throw BenchmarkError.setup("raw cipher")
        }
        unsafe pointer = made
        output = [UInt8](repeating: 0, count: largest + 64)
    }

    deinit { unsafe raw_cipher_free(pointer) }

    func sealGCM(_ plaintext: [UInt8]) -> Bool {
        unsafe raw_gcm_seal(pointer, plaintext, plaintext.count, &output) == 1
    }

    func openGCM(_ sealed: [UInt8]) -> Bool {
        unsafe raw_gcm_open(pointer, sealed, sealed.count, &output) == 1
    }

    /// Opens a compact JWE with the expected encoded header.
    func openToken(_ token: [CChar], header: [CChar]) -> Bool {
        var count = 0
        return unsafe raw_jwe_open(pointer, header, token, token.count - 1, &output, &count) == 1
    }

    func sealXAES(_ plaintext: [UInt8]) -> Bool {
        unsafe raw_xaes_seal(pointer, plaintext, plaintext.count, &output) == 1
    }

    func openXAES(_ sealed: [UInt8]) -> Bool {
        unsafe raw_xaes_open(pointer, sealed, sealed.count, &output) == 1
    }
}

enum RawLibrary {
    static var version: String { unsafe String(cString: raw_library_version()) }
}
