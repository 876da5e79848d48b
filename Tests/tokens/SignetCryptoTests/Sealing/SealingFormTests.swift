// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import TestSupport
import Testing

/// The ways to hand bytes over: each is a function of its own.
enum SealingForm: String, CaseIterable {
    case spans
    case arrays
    case slices
    case data
    /// No storage that could be lent.
    case lazy

    func seal(_ sealer: Sealer, _ plain: [UInt8], _ key: SecretKey, nonce: [UInt8], _ data: [UInt8])
        throws
        -> [UInt8]
    {
        let isXAES = sealer == .xaes256GCM
        switch self {
        case .spans:
            return isXAES
                ? try XAES256GCM.seal(
                    plain.span, using: key, nonce: nonce.span, authenticating: data.span)
                : try AESGCM.seal(
                    plain.span, using: key, nonce: nonce.span, authenticating: data.span)
        case .arrays:
            return isXAES
                ? try XAES256GCM.seal(plain, using: key, nonce: nonce, authenticating: data)
                : try AESGCM.seal(plain, using: key, nonce: nonce, authenticating: data)
        case .slices:
            return try collections(
                isXAES, ([1] + plain)[1...], key, nonce: (nonce + [1])[..<nonce.count],
                ([2] + data)[1...])
        case .data: return try collections(isXAES, Data(plain), key, nonce: Data(nonce), Data(data))
        case .lazy:
            return try collections(
                isXAES, plain.lazy.map { $0 }, key, nonce: nonce.lazy.map { $0 },
                data.lazy.map { $0 })
        }
    }

    func seal(_ sealer: Sealer, _ plain: [UInt8], _ key: SecretKey, _ data: [UInt8])
        throws -> [UInt8]
    {
        let isXAES = sealer == .xaes256GCM
        switch self {
        case .spans:
            return isXAES
                ? try XAES256GCM.seal(plain.span, using: key, authenticating: data.span)
                : try AESGCM.seal(plain.span, using: key, authenticating: data.span)
        case .arrays:
            return isXAES
                ? try XAES256GCM.seal(plain, using: key, authenticating: data)
                : try AESGCM.seal(plain, using: key, authenticating: data)
        case .slices: return try collections(isXAES, ([1] + plain)[1...], key, ([2] + data)[1...])
        case .data: return try collections(isXAES, Data(plain), key, Data(data))
        case .lazy:
            return try collections(isXAES, plain.lazy.map { $0 }, key, data.lazy.map { $0 })
        }
    }

    func open(_ sealer: Sealer, _ sealed: [UInt8], _ key: SecretKey, _ data: [UInt8]) throws
        -> [UInt8]
    {
        let isXAES = sealer == .xaes256GCM
        switch self {
        case .spans:
            return isXAES
                ? try XAES256GCM.open(sealed.span, using: key, authenticating: data.span)
                : try AESGCM.open(sealed.span, using: key, authenticating: data.span)
        case .arrays:
            return isXAES
                ? try XAES256GCM.open(sealed, using: key, authenticating: data)
                : try AESGCM.open(sealed, using: key, authenticating: data)
        case .slices: return try open(isXAES, ([1] + sealed)[1...], key, ([2] + data)[1...])
        case .data: return try open(isXAES, Data(sealed), key, Data(data))
        case .lazy: return try open(isXAES, sealed.lazy.map { $0 }, key, data.lazy.map { $0 })
        }
    }

    private func collections(
        _ isXAES: Bool, _ plain: some Collection<UInt8>, _ key: SecretKey,
        nonce: some Collection<UInt8>,
        _ data: some Collection<UInt8>
    ) throws -> [UInt8] {
        isXAES
            ? try XAES256GCM.seal(plain, using: key, nonce: nonce, authenticating: data)
            : try AESGCM.seal(plain, using: key, nonce: nonce, authenticating: data)
    }

    private func collections(
        _ isXAES: Bool, _ plain: some Collection<UInt8>, _ key: SecretKey,
        _ data: some Collection<UInt8>
    ) throws -> [UInt8] {
        isXAES
            ? try XAES256GCM.seal(plain, using: key, authenticating: data)
            : try AESGCM.seal(plain, using: key, authenticating: data)
    }

    private func open(
        _ isXAES: Bool, _ sealed: some Collection<UInt8>, _ key: SecretKey,
        _ data: some Collection<UInt8>
    ) throws -> [UInt8] {
        isXAES
            ? try XAES256GCM.open(sealed, using: key, authenticating: data)
            : try AESGCM.open(sealed, using: key, authenticating: data)
    }
}

@Suite("Sealing spans, arrays and other collections")
struct SealingFormTests {
    @Test("Each form gives the published values", arguments: SealingForm.allCases)
    func knownAnswers(form: SealingForm) throws {
        let nonce = Array("ABCDEFGHIJKLMNOPQRSTUVWX".utf8)
        let sealed = try form.seal(
            .xaes256GCM, Array("XAES-256-GCM".utf8), key(repeating: 3, 32), nonce: nonce,
            Array("c2sp.org/XAES-256-GCM".utf8))
        #expect(
            hex(sealed) == hex(nonce) + "986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d")
        // The designers' test cases 13 and 14.
        let zeros = [UInt8](repeating: 0, count: 12)
        #expect(
            hex(try form.seal(.aes256GCM, [], key(repeating: 0, 32), nonce: zeros, []))
                == hex(zeros) + "530f8afbc74536b9a963b4f1c4cb738b")
        let block = [UInt8](repeating: 0, count: 16)
        #expect(
            hex(try form.seal(.aes256GCM, block, key(repeating: 0, 32), nonce: zeros, []))
                == hex(zeros) + "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919")
    }

    @Test(
        "Each form opens what the others sealed", .tags(.vectors, .sampled),
        arguments: SealingForm.allCases,
        Sealer.allCases)
    func crosswise(form: SealingForm, sealer: Sealer) throws {
        let key = try SecretKey.generate(bitCount: sealer.keyByteCount * 8)
        let short = [(0, 0), (0, 1), (1, 0), (64, 13)]
        for (count, dataCount) in Effort.isFull ? short + [(17, 3 << 20), (1 << 20, 0)] : short {
            let plain = [UInt8](repeating: 0x5a, count: count)
            let data = [UInt8](repeating: 0xa5, count: dataCount)
            let sealed = try form.seal(sealer, plain, key, data)
            #expect(sealed.count == sealer.nonceByteCount + count + 16)
            // The long ones in their own form alone: a debug build takes seconds for each lazy one.
            for other in SealingForm.allCases where count + dataCount < 1 << 20 || other == form {
                #expect(try other.open(sealer, sealed, key, data) == plain)
            }
        }
    }

    @Test("Each form refuses the same input", arguments: SealingForm.allCases, Sealer.allCases)
    func refusals(form: SealingForm, sealer: Sealer) throws {
        let key = try SecretKey.generate(bitCount: sealer.keyByteCount * 8)
        let sealed = try form.seal(sealer, [1, 2, 3], key, [4])
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 0x80
            #expect(code { _ = try form.open(sealer, changed, key, [4]) } == .authenticationFailure)
            let short = Array(sealed.prefix(index))
            #expect(code { _ = try form.open(sealer, short, key, [4]) } == .authenticationFailure)
        }
        #expect(code { _ = try form.open(sealer, sealed, key, []) } == .authenticationFailure)
        #expect(try form.open(sealer, sealed, key, [4]) == [1, 2, 3])
        for count in [0, 11, 13, 23, 25] {
            let nonce = [UInt8](repeating: 1, count: count)
            #expect(
                code { _ = try form.seal(sealer, [1], key, nonce: nonce, []) } == .invalidNonceSize)
        }
        let short = TestSupport.key(repeating: 1, 15)
        #expect(code { _ = try form.seal(sealer, [1], short, []) } == .invalidKeySize)
        #expect(code { _ = try form.seal(sealer, [1], short, nonce: [], []) } == .invalidKeySize)
        #expect(code { _ = try form.open(sealer, [], short, []) } == .invalidKeySize)
    }

    /// Text lies in the string itself up to 15 bytes, elsewhere from 16 on, and in another string's where it is a part.
    @Test("The UTF-8 of strings seals and opens, short and long", arguments: Sealer.allCases)
    func text(sealer: Sealer) throws {
        let key = try SecretKey.generate(bitCount: sealer.keyByteCount * 8)
        let form = SealingForm.arrays
        let letters = "abcdefghijklmnopqrstuvwxyz\u{e4}\u{1f511}"
        for count in 0...28 {
            let plain = String(letters.prefix(count))
            let data = String(plain.reversed())
            let nonce = String(repeating: "n", count: sealer.nonceByteCount)
            let expected = try form.seal(
                sealer, Array(plain.utf8), key, nonce: Array(nonce.utf8), Array(data.utf8))
            let part = ("<" + plain + ">").dropFirst().dropLast()
            let isXAES = sealer == .xaes256GCM
            let whole =
                isXAES
                ? try XAES256GCM.seal(
                    plain.utf8, using: key, nonce: nonce.utf8, authenticating: data.utf8)
                : try AESGCM.seal(
                    plain.utf8, using: key, nonce: nonce.utf8, authenticating: data.utf8)
            let partly =
                isXAES
                ? try XAES256GCM.seal(
                    part.utf8, using: key, nonce: nonce.utf8, authenticating: data.utf8)
                : try AESGCM.seal(
                    part.utf8, using: key, nonce: nonce.utf8, authenticating: data.utf8)
            #expect(whole == expected && partly == expected, "\(count)")
            let opened =
                isXAES
                ? try XAES256GCM.open(whole, using: key, authenticating: data.utf8)
                : try AESGCM.open(whole, using: key, authenticating: data.utf8)
            #expect(opened == Array(plain.utf8), "\(count)")
        }
    }
}
