// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestVectors

/// Keys of the published vectors, in each form that is read.
enum SeedKeys {
    static func texts() throws -> [String] {
        let vectors = try TestVectors.located()
        return try ["rfc7517-jwk", "rfc7520-jwk", "rfc8037-jwk"].flatMap { name in
            let bytes = try vectors.bytes(at: "rfc/\(name).json")
            return keys(in: try StrictJSON.decode(JSONValue.self, from: bytes))
        }
    }

    static func sets() throws -> [[UInt8]] {
        let texts = try texts()
        return [texts, Array(texts.prefix(2))].map {
            Array("{\"keys\":[\($0.joined(separator: ","))]}".utf8)
        }
    }

    static func pem() throws -> [[UInt8]] {
        try texts().flatMap { text -> [[UInt8]] in
            let key = try? JWK(text)
            let secret = key.flatMap { try? copied($0.exportPrivatePEM()) }
            return [(try? key?.publicPEM()).map { Array($0.utf8) }, secret].compactMap(\.self)
        } + certificates.map { Array($0.utf8) }
    }

    /// The contents of the first block.
    static func der(_ pem: [UInt8]) -> [UInt8] {
        let lines = pem.split(separator: UInt8(ascii: "\n"))
        let text = lines.dropFirst().prefix { $0.first != UInt8(ascii: "-") }.flatMap(\.self)
        return Base64Standard.decode(text.span) ?? []
    }

    /// P-256 with the key usages digitalSignature and keyAgreement, and Ed25519 without one.
    static let certificates = [
        """
        -----BEGIN CERTIFICATE-----
        MIIBdzCCAR6gAwIBAgIBAjAKBggqhkjOPQQDAjAVMRMwEQYDVQQDDApjYS5leGFt
        cGxlMB4XDTI2MTEyMzAyMTUzNVoXDTM2MTEyMDAyMTUzNVowFzEVMBMGA1UEAwwM
        bGVhZi5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEzeOVOr0URQUS
        nB4kEJeuztDXBpANn7HlL049eIECBZN0LujuXpL6Ws2PaWIuilZNC3yuxxhTHJgG
        D0ezwQLEOaNdMFswDgYDVR0PAQH/BAQDAgeAMAkGA1UdEwQCMAAwHQYDVR0OBBYE
        FFu/cWZUD5aHlxhH14vbgKsRRpx/MB8GA1UdIwQYMBaAFGge4tO0qqSIyFYxTyM3
        bIG/jRZnMAoGCCqGSM49BAMCA0cAMEQCIB+6xJT9SiXsVT43gWvQxfbtht0F0Dds
        Zvrxs2orvrU9AiBL6BuH3nBzBQ27147H7hAvN0QRFwaXWuDnotg/YqTn5Q==
        -----END CERTIFICATE-----
        """,
        """
        -----BEGIN CERTIFICATE-----
        MIIBbTCCAROgAwIBAgIBAzAKBggqhkjOPQQDAjAVMRMwEQYDVQQDDApjYS5leGFt
        cGxlMB4XDTI2MTEyMzAyMTUzNVoXDTM2MTEyMDAyMTUzNVowFzEVMBMGA1UEAwwM
        bGVhZi5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEzeOVOr0URQUS
        nB4kEJeuztDXBpANn7HlL049eIECBZN0LujuXpL6Ws2PaWIuilZNC3yuxxhTHJgG
        D0ezwQLEOaNSMFAwDgYDVR0PAQH/BAQDAgMIMB0GA1UdDgQWBBRbv3FmVA+Wh5cY
        R9eL24CrEUacfzAfBgNVHSMEGDAWgBRoHuLTtKqkiMhWMU8jN2yBv40WZzAKBggq
        hkjOPQQDAgNIADBFAiEA+Cc0JfAENgGbbEZ0aalOghC6u4PpzxdicjKgEv09XpkC
        IE/Hnvx8kqV/5MwQ21XNAqRw77sscUGEVCOrAqb8hgFE
        -----END CERTIFICATE-----
        """,
        """
        -----BEGIN CERTIFICATE-----
        MIIBPjCB8aADAgECAhRrWOvPgLv0mrYV32VePY7Tf+9jXTAFBgMrZXAwFTETMBEG
        A1UEAwwKZWQuZXhhbXBsZTAeFw0yNjExMjMwMjE1MzVaFw0zNjExMjAwMjE1MzVa
        MBUxEzARBgNVBAMMCmVkLmV4YW1wbGUwKjAFBgMrZXADIQAcpkeQvV/wET90UpYC
        rDI04CU27UBfgl5q/ITlMEZodKNTMFEwHQYDVR0OBBYEFIBI3Hqf6qBtW+f9DG0F
        wMV2CxGJMB8GA1UdIwQYMBaAFIBI3Hqf6qBtW+f9DG0FwMV2CxGJMA8GA1UdEwEB
        /wQFMAMBAf8wBQYDK2VwA0EArjXlbBo5K0gO3l1rkaLVN9uF/oOPNa0HSIjHX+cq
        xpB9P6AgluNdQpNTFbEjnlIf/b/QnqsufSuNPzbTRbT2BQ==
        -----END CERTIFICATE-----
        """,
    ]

    /// The objects with a `kty`, wherever they stand in a file of figures.
    private static func keys(in value: JSONValue) -> [String] {
        switch value {
        case .array(let elements): elements.flatMap(keys)
        case .object(let members) where members["kty"] != nil:
            [(try? StrictJSON.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""]
        case .object(let members): members.values.flatMap(keys)
        default: []
        }
    }
}
