// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

extension WycheproofOverride {
    /// Every override. The order matters: the first that applies counts.
    static let table: [WycheproofOverride] = [
        // JOSE: defects of the files, and what a strict library must do about them.
        .init(
            "json_web_signature", ids: [367, 370], expectation: .accept,
            reason: "byte for byte the valid tcId 357 (C2SP/wycheproof issue 236)"),
        .init(
            "json_web_signature", ids: [372, 373], expectation: .reject(.malformed),
            reason:
                "a ? stands inside a segment: only a decoder that skips foreign characters takes it"
        ),
        .init(
            "json_web_signature", ids: [346, 350], expectation: .reject(.algorithm),
            reason: "the key says PS256 and the header PS384 (RFC 7520 gives the key no alg)"),
        .init(
            "json_web_signature", ids: [347, 351], expectation: .reject([.key, .algorithm]),
            reason: "the key says ES521, which is no registered name"),

        .init(
            "json_web_encryption", expectation: .reject(.algorithm),
            reason: "RSA1_5 and A*GCMKW are not offered"
        ) { test in
            let algorithm = (try? test.group.node("private"))?.member("alg")?.stringValue ?? ""
            return ["RSA1_5", "A128GCMKW", "A192GCMKW", "A256GCMKW"].contains(algorithm)
        },
        .init(
            "json_web_encryption", expectation: .reject(.critical),
            reason: "compressed content is not read: RFC 8725, section 3.6"
        ) { $0.flags.contains("CompressedPlaintext") },

        // AES-GCM: nonces of only one length.
        .init(
            "aes_gcm", expectation: .reject(.parameter),
            reason: "nonces have 96 bits; other lengths are refused, never cut"
        ) {
            (try? $0.group.integer("ivSize")) != 96
        },

        // Key wrap and key agreement.
        .init(
            "aes_wrap", expectation: .reject(.authentication),
            reason: "RFC 3394, section 2, wraps at least 16 bytes"
        ) { $0.label == .acceptable },
        .init(
            "x25519", expectation: .reject(.key),
            reason: "RFC 7748, section 6.1: a shared secret of zero is refused"
        ) { $0.label == .acceptable && $0.flags.contains("ZeroSharedSecret") },
        .init(
            "x25519", expectation: .accept,
            reason: "RFC 7748, section 5, takes every coordinate"
        ) { $0.label == .acceptable },

        // Ed25519: the rule of libcrypto (that of ref10), which RFC 8032 allows.
        .init(
            "ed25519", expectation: .accept,
            reason: "keys of small and of mixed order are taken, as by ref10"
        ) {
            $0.label == .acceptable
        },

        // RSA.
        .init(
            "rsa_", expectation: .reject(.key), reason: "exponent policy: 2^16 < e < 2^256, odd",
            where: hasSmallExponent
        ),
        .init(
            "rsa_", expectation: .reject(.key), reason: "moduli have 2048 bits or more",
            where: hasSmallModulus),
        .init(
            "rsa_oaep_", expectation: .reject(.key),
            reason: "RSA-OAEP takes moduli of at most 4096 bits",
            where: hasLargeModulus),
        .init(
            "rsa_three_primes_oaep_", expectation: .reject(.key),
            reason: "RSA keys have two primes"
        ) { _ in true },
        .init(
            "rsa_oaep_", expectation: .reject(.authentication),
            reason: "RFC 7518, section 4.3: one SHA-2 hash (or SHA-1) for both purposes, no label"
        ) { WycheproofFile.offeredOAEP($0) == nil },
        .init(
            "rsa_pss_2048_sha256_mgf1_0", ids: [69], expectation: .accept,
            reason:
                "its salt has 32 octets: it is what PS256 asks for, and invalid only by the file's salt length of 0"
        ),
        .init(
            "rsa_pss_", expectation: .reject(.authentication),
            reason: "RFC 7518, section 3.5: salt as long as the hash, MGF1 with the same hash"
        ) { !WycheproofFile.hasOfferedPSSParameters($0.group) },
        .init(
            "rsa_signature_", expectation: .reject(.authentication),
            reason: "RFC 8017, section 9.2: the parameters of DigestInfo are NULL"
        ) { $0.flags.contains("MissingNull") },
        .init(
            "rsa_pkcs1_", expectation: .reject(.authentication),
            reason: "SHA-1 and SHA-224 are not offered"
        ) {
            WycheproofFile.offeredHash($0.group) == nil
        },
    ]

    @Sendable
    private static func hasSmallExponent(_ test: WycheproofTest) -> Bool {
        guard
            let exponent = try? WycheproofFile.rsaNumbers(test.group).hexadecimal("publicExponent")
        else {
            return false
        }
        // The largest exponent that is too small is 2^16, in three octets.
        let significant = exponent.drop { $0 == 0 }
        return significant.count < 3
            || (significant.count == 3 && significant.elementsEqual([1, 0, 0]))
    }

    @Sendable
    private static func hasLargeModulus(_ test: WycheproofTest) -> Bool {
        (try? test.group.integer("keySize")).map { $0 > RSAOAEP.bitCounts.upperBound } ?? false
    }

    @Sendable
    private static func hasSmallModulus(_ test: WycheproofTest) -> Bool {
        (try? test.group.integer("keySize")).map { $0 < 2048 } ?? false
    }
}
