// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// X.509 certificates of keys made for these tests, until November 2036.
enum TestCertificatePEM {
    /// P-256, PKCS#8.
    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLu+trTfT7DLGwJE8
        t0Z50RjjsrT0AjoCyo2ju6qB/LahRANCAATN45U6vRRFBRKcHiQQl67O0NcGkA2f
        seUvTj14gQIFk3Qu6O5ekvpazY9pYi6KVk0LfK7HGFMcmAYPR7PBAsQ5
        -----END PRIVATE KEY-----
        """

    /// Of ``key``: key usage digitalSignature, signed by ``authority``.
    static let leaf = """
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
        """

    /// Another P-256 key, self-signed: key usage keyCertSign.
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBjzCCATWgAwIBAgIUS2+B4adzkahreimOSKEhJEMdA2EwCgYIKoZIzj0EAwIw
        FTETMBEGA1UEAwwKY2EuZXhhbXBsZTAeFw0yNjExMjMwMjE1MzVaFw0zNjExMjAw
        MjE1MzVaMBUxEzARBgNVBAMMCmNhLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAATB1fy2kIMvXHFbzAYKi6s+CneTl4rkQERRMW2gheQabss7+5eP4VZA
        b3QhOa2Ohh2jHN/1xGnAYYxvy5OJn/2Wo2MwYTAdBgNVHQ4EFgQUaB7i07SqpIjI
        VjFPIzdsgb+NFmcwHwYDVR0jBBgwFoAUaB7i07SqpIjIVjFPIzdsgb+NFmcwDwYD
        VR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAgQwCgYIKoZIzj0EAwIDSAAwRQIh
        AMeIgu0h8fQB4XYgaLf0p/37pJKF9GKj7i59y3ZLI0nQAiBLLTK1+WlcioJa3CS6
        lWWZWKCxNDyBLCsRG3qS6Sn2Eg==
        -----END CERTIFICATE-----
        """

    /// Of ``key`` again: key usage keyAgreement.
    static let agreement = """
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
        """

    /// Ed25519, self-signed, no key usage.
    static let ed25519 = """
        -----BEGIN CERTIFICATE-----
        MIIBPjCB8aADAgECAhRrWOvPgLv0mrYV32VePY7Tf+9jXTAFBgMrZXAwFTETMBEG
        A1UEAwwKZWQuZXhhbXBsZTAeFw0yNjExMjMwMjE1MzVaFw0zNjExMjAwMjE1MzVa
        MBUxEzARBgNVBAMMCmVkLmV4YW1wbGUwKjAFBgMrZXADIQAcpkeQvV/wET90UpYC
        rDI04CU27UBfgl5q/ITlMEZodKNTMFEwHQYDVR0OBBYEFIBI3Hqf6qBtW+f9DG0F
        wMV2CxGJMB8GA1UdIwQYMBaAFIBI3Hqf6qBtW+f9DG0FwMV2CxGJMA8GA1UdEwEB
        /wQFMAMBAf8wBQYDK2VwA0EArjXlbBo5K0gO3l1rkaLVN9uF/oOPNa0HSIjHX+cq
        xpB9P6AgluNdQpNTFbEjnlIf/b/QnqsufSuNPzbTRbT2BQ==
        -----END CERTIFICATE-----
        """
}
