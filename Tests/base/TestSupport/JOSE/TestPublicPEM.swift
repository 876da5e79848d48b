// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The public halves of ``TestPrivatePEM``, made by `openssl`.
package enum TestPublicPEM {
    /// SubjectPublicKeyInfo.
    package static let rsa = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA3HddL0aXvHcVU2eOagZN
        IzCyz/hf0bcLab3PXSoulR5kurGAXh0mC8eoKrDTY6lxvEFhpGuFsCwn71/iXFkU
        0uyxCS3jsSl+lI0212RsU6PKoVlKyFS6tJJ3PTibdhcpEow/r44W0nnGhfb+2PfH
        b11y4aaeVPOW2mXDGcz3sRIwtY0GMrEJGqXPUyQDTDDdxmhXS3GafPNkTHBSsBYn
        z1IYW1Zq+bnAhYBLz+XXElk+KBzANghTc2xmDKX/LeYKdjA4PcjNfZTj5tzTHhUR
        VNXKum+y0BDBHpORG/t3qYnWe/dPVIZ/uub6sRn7eIxYKToZld5kdMvr8rKT6y52
        fwIDAQAB
        -----END PUBLIC KEY-----
        """

    /// The same key as PKCS#1.
    package static let rsaPKCS1 = """
        -----BEGIN RSA PUBLIC KEY-----
        MIIBCgKCAQEA3HddL0aXvHcVU2eOagZNIzCyz/hf0bcLab3PXSoulR5kurGAXh0m
        C8eoKrDTY6lxvEFhpGuFsCwn71/iXFkU0uyxCS3jsSl+lI0212RsU6PKoVlKyFS6
        tJJ3PTibdhcpEow/r44W0nnGhfb+2PfHb11y4aaeVPOW2mXDGcz3sRIwtY0GMrEJ
        GqXPUyQDTDDdxmhXS3GafPNkTHBSsBYnz1IYW1Zq+bnAhYBLz+XXElk+KBzANghT
        c2xmDKX/LeYKdjA4PcjNfZTj5tzTHhURVNXKum+y0BDBHpORG/t3qYnWe/dPVIZ/
        uub6sRn7eIxYKToZld5kdMvr8rKT6y52fwIDAQAB
        -----END RSA PUBLIC KEY-----
        """

    /// SubjectPublicKeyInfo.
    package static let p256 = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEiVXol3YLBHEoAIXYWYD9qUU0uTGt
        sBKapC7Bt0vsxXnguqeA0JJs3ZLHq8BUXbTDAMLz83G3ZblZNeCBkaERCw==
        -----END PUBLIC KEY-----
        """

    /// The same key with a compressed point.
    package static let p256Compressed = """
        -----BEGIN PUBLIC KEY-----
        MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADiVXol3YLBHEoAIXYWYD9qUU0uTGt
        sBKapC7Bt0vsxXk=
        -----END PUBLIC KEY-----
        """

    /// SubjectPublicKeyInfo.
    package static let ed25519 = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAlJHuizDC+h1GHZQp6V8V/IvEAX+GZX2fh+JqwZUWewM=
        -----END PUBLIC KEY-----
        """
}
