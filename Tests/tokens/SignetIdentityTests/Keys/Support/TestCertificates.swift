// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Self-signed certificates whose private keys are gone. They are valid in the year 2030, which is a matter of the clocks that tests inject.
enum TestCertificates {
    /// When all of them are valid.
    static var now: Double { Source.now }
    /// The end of ``first``, 2030-02-01T00:00:00Z: its last valid second.
    static var endOfFirst: Double { 1_896_134_400 }

    /// RSA, 2030-01-01 to 2030-02-01 (00:00:00Z), key usage digitalSignature.
    static let first = """
        -----BEGIN CERTIFICATE-----
        MIIDADCCAeigAwIBAgIBATANBgkqhkiG9w0BAQsFADAXMRUwEwYDVQQDDAxrZXlz
        LmV4YW1wbGUwHhcNMzAwMTAxMDAwMDAwWhcNMzAwMjAxMDAwMDAwWjAXMRUwEwYD
        VQQDDAxrZXlzLmV4YW1wbGUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIB
        AQCJF3V+/f80wFsQzZ2EZanmGQIgtT2LP1z7ZdIvXf9F3XEdqozoGYtGXcKmHWEQ
        vWILLzXdktGQZwU+y5F3zDLvjv3qAyBUnNW43n2GKYRRDBLZf94wsM93YbAqjkvH
        3oMCKMA9qs8L0U/NfJeTt5sLEXoo4c95AkddmwNJSWkwxg1ZTO3iMa/N+rjWMV3I
        G6BaEdgW1gyM2v+X5jxBgobW1sXvLREciFAfHnha/FIHI1PizwwdcJmHAjgd2nR9
        S+qhx8QSN5Mx+EXjMIEQ0hLy403yPdNdn+ysuMhh4vlWNXI2Z0RiAu7hsfVrfYaL
        uS4uZ+IIHdsQpJyxrXVkhGTnAgMBAAGjVzBVMAwGA1UdEwEB/wQCMAAwDgYDVR0P
        AQH/BAQDAgeAMBYGA1UdJQEB/wQMMAoGCCsGAQUFBwMCMB0GA1UdDgQWBBQwzZDD
        Y18srMivgAaGVUO55rhm8TANBgkqhkiG9w0BAQsFAAOCAQEAeXjkjGhRaZd7g0hL
        1sBu0eEAIJIDCTrC8VqHPasgpIh2d0XGb7Bu4vb6XvDA/IbiK4+AOyyFhQN1I9fI
        KYt5GZ/N+qVf0nlcvxBMQvyu2tihFXQB2jVz+Q6ay/Goq91RNr9+Rx/Tm3NnH6pe
        oCj9VJbuf+bymA3eREZCJ9FzzRzfe76D0NYpWzEjSM/yH4MT9+zPw6rLwwU2j9vp
        uTLYsR1bjuoUqLPQ5oE5kbeoLCDQCcqElWRX9cBozYqfyguKOhE+c0Qzkfzh/R3h
        GDdqLJ8pcgFgqpY5+acHeXmUamS4+9TUkueYWKCrk7nux9cB9czrxwXokOWn8bRV
        A/BCUQ==
        -----END CERTIFICATE-----
        """

    /// Another RSA key, 2030-01-10 to 2030-02-10, no key usage.
    static let second = """
        -----BEGIN CERTIFICATE-----
        MIICyjCCAbKgAwIBAgIBATANBgkqhkiG9w0BAQsFADAXMRUwEwYDVQQDDAxrZXlz
        LmV4YW1wbGUwHhcNMzAwMTEwMDAwMDAwWhcNMzAwMjEwMDAwMDAwWjAXMRUwEwYD
        VQQDDAxrZXlzLmV4YW1wbGUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIB
        AQCnwViJ5eeF5Fl40tbkXnKD9BNYnEBwXk6xhCk5CBs/6+NvyCKXPnooflLkb4o/
        YOvin0hmaC2XkaaHFR2CtRWTHPVGr5Fhm3oSHLiBxdIVpmYkQvkmTtx5t9jeKzr4
        QwfefnOY3itt8dbljClrE5R4fw+V+NTmTlnfs0IQ1ppu9XmVFbc1uDgk1D+NlPJa
        eVI95meMe+YRgwBaMnPFugqvSlMDPgQF8Ge9sH9+wsaCnQdo9dGjebaSrs/JQXHb
        DVDtcuWSVv55ixXz5+nVGiAIQmomfDAUHv2MgJ1llsSZpRu/2kMGNdKxn9QOAm6j
        Y/OVY5NN2OGgyOLMw+ZNA+FTAgMBAAGjITAfMB0GA1UdDgQWBBRn5aJUU4YRSHQR
        ON8mLttoln7lnzANBgkqhkiG9w0BAQsFAAOCAQEAOC3+EciW5qG8zNcz8sse65xl
        v8CQfaX8ME685IbgN53ETj43jztvMe2tHbYvjQXo/G+PLniuxXh65AgME1jlJxlE
        hk3l5/HuZ9BYH2HEfwQ7EjrLI0atVziDk5lF/Bb0OyoIKdm6FnN93Y9AXCtKqknR
        aeK/j5fxEl7c5q3mOeku3SgmbxuxjVO2KHXtgn7Tz5W95MOAbmAx4ugeAeHbm6ds
        ixBPGnG1Ylf7tozuUVRMT1HI7e/XCHHd9UM7T/avNRva1OGNaqtQuYhHm+qwAAfp
        HeG43r9AwyRtxY+iyAEegUasndMkG3GgeLcIyKUDKiA/A6+gc7ELjTg/V5w7tA==
        -----END CERTIFICATE-----
        """

    /// P-256, as the first one otherwise.
    static let ec = """
        -----BEGIN CERTIFICATE-----
        MIIBczCCARqgAwIBAgIBATAKBggqhkjOPQQDAjAXMRUwEwYDVQQDDAxrZXlzLmV4
        YW1wbGUwHhcNMzAwMTAxMDAwMDAwWhcNMzAwMjAxMDAwMDAwWjAXMRUwEwYDVQQD
        DAxrZXlzLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARIWl0nqIXi
        mPNdaDlqziiFlBZpuHGFTj7iyh7SrzCIiwlZUw65+geAj3hK58jC99HEpfS6Lh4H
        3qA0f41NxTrJo1cwVTAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDAWBgNV
        HSUBAf8EDDAKBggrBgEFBQcDAjAdBgNVHQ4EFgQUdUN97nXD65rg7enDNUqEBIN/
        5BowCgYIKoZIzj0EAwIDRwAwRAIgZcAYd/xebatziwjw6IgF0YYcyVsWY2bycVXg
        WKYlNqkCIFc5S0pH8P7yrBr14pnAgWjaSBga3648lyOLvCZuwGIG
        -----END CERTIFICATE-----
        """

    /// RSA with 1024 bits.
    static let small = """
        -----BEGIN CERTIFICATE-----
        MIIB+zCCAWSgAwIBAgIBATANBgkqhkiG9w0BAQsFADAXMRUwEwYDVQQDDAxrZXlz
        LmV4YW1wbGUwHhcNMzAwMTAxMDAwMDAwWhcNMzAwMjAxMDAwMDAwWjAXMRUwEwYD
        VQQDDAxrZXlzLmV4YW1wbGUwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBANL0
        vfZqhYO0CLSfxaS8XMBKRiDbU84/nWkjCojCPj5LOl39y51T7xiTqzwe05eI3AFj
        3y9WKwun7Dp/zT9f/z7jNqwjfiiDKG045+KauCor3KA0UPFMqhEpTLE3/xtyT/VD
        I9JyAyag2aUN2ePexdo52zkxHbM02+6RXe0aOH5JAgMBAAGjVzBVMAwGA1UdEwEB
        /wQCMAAwDgYDVR0PAQH/BAQDAgeAMBYGA1UdJQEB/wQMMAoGCCsGAQUFBwMCMB0G
        A1UdDgQWBBRY6TzCyraWYPQkfV9zinREtO/wAjANBgkqhkiG9w0BAQsFAAOBgQAm
        3YTQS+TnTIFCydc0wsvLQ8YpNXu/kK6Iu1oUThFFmzZcte1hceWGVIs/y+TlLK6T
        6wn9ud78v+2sxzrXSVlTqSCziPL2HQ7dHeTWJx9MyocvnuiJIOSXSL6gmLocJbqV
        uA+C1UJMlgjDdhs8yKazcSeDUy83KlDxVk8sYC8/yg==
        -----END CERTIFICATE-----
        """

    /// The first one's key, key usage keyEncipherment.
    static let encryption = """
        -----BEGIN CERTIFICATE-----
        MIIC6DCCAdCgAwIBAgIBATANBgkqhkiG9w0BAQsFADAXMRUwEwYDVQQDDAxrZXlz
        LmV4YW1wbGUwHhcNMzAwMTAxMDAwMDAwWhcNMzAwMjAxMDAwMDAwWjAXMRUwEwYD
        VQQDDAxrZXlzLmV4YW1wbGUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIB
        AQCJF3V+/f80wFsQzZ2EZanmGQIgtT2LP1z7ZdIvXf9F3XEdqozoGYtGXcKmHWEQ
        vWILLzXdktGQZwU+y5F3zDLvjv3qAyBUnNW43n2GKYRRDBLZf94wsM93YbAqjkvH
        3oMCKMA9qs8L0U/NfJeTt5sLEXoo4c95AkddmwNJSWkwxg1ZTO3iMa/N+rjWMV3I
        G6BaEdgW1gyM2v+X5jxBgobW1sXvLREciFAfHnha/FIHI1PizwwdcJmHAjgd2nR9
        S+qhx8QSN5Mx+EXjMIEQ0hLy403yPdNdn+ysuMhh4vlWNXI2Z0RiAu7hsfVrfYaL
        uS4uZ+IIHdsQpJyxrXVkhGTnAgMBAAGjPzA9MAwGA1UdEwEB/wQCMAAwDgYDVR0P
        AQH/BAQDAgUgMB0GA1UdDgQWBBQwzZDDY18srMivgAaGVUO55rhm8TANBgkqhkiG
        9w0BAQsFAAOCAQEAHRCzAek7VMQTHU54YVmWpY6DPnf4cMOaFw7dyY2AL+ET2jGV
        pti1KhvVK21pUjrZK2uCLSBb3/aXIQE9MYjR/uA8EuEvFj8hfP11MaGnqVU8x6q2
        1wqeu+EdaxQCLWpQZpizSAryceaWYLrekQj3qXk8BpZMJsBpyd/Bjj5NC30FMfzB
        DwwhwC5mOMjb7cFen5yA4r1CSFCVThS0pnBDm4uHa6U/MT03GRaYcHpM7HBYIXCk
        MArtNwrVd8aLXFcyhZ2sR0YEgqOtv8ECPdS6JU0xDav5vVolHUzBw5f/nriPE3VA
        FGxp8wFkvsB8tAHjsLB7g5A297CnQNpOomXSPQ==
        -----END CERTIFICATE-----
        """

    /// A JSON object of these by name.
    static func map(_ certificates: (name: String, pem: String)...) -> String {
        let members = certificates.map { name, pem in
            "\"\(name)\":\"" + pem.replacing("\n", with: "\\n") + "\""
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
