// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A token that PyJWT 2.15.1 minted, and the key set of its issuer (Scripts/make-demo-token.py).
enum ForeignToken {
    static let madeBy = "PyJWT 2.15.1"
    static let issuer = "https://idp.example"
    static let audience = "shop-api"
    /// Seconds since 1970: the demonstration holds the clock between the two.
    static let issuedAt: Double = 1_790_000_000
    static let expiresAt: Double = 1_790_003_600
    static let jwks = """
        {"keys":[{"kty":"EC","kid":"wallet-1","crv":"secp256k1","alg":"ES256K","x":"MTIzNDU2Nzg5\
        MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI","y":"MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI"},{"kt\
        y":"RSA","kid":"demo-2026","use":"sig","alg":"RS256","n":"newYos2OQDGfp2wwPFz7Z73OUDSvWE\
        YjbXcetMOvJbhh5Uqf7-n7c0XGcnbN1htWVKg5_jGBVBMfy5LQnTSzaWFd449xtIaUqTJdP1u9d33ruRutszB72j\
        Xzynz_0hMPRfBNexmd7op4mS6T6j4eSjZhNlvv4NoHJXPAZtcVm0J_CmjCPA6Skon9hpnlqCZoDjvDItvRLidNjP\
        DJBki5WwRN8d5wAB8Rywnkck3HQEO-psnbJ4ReM9AP4c6DWQ1eJaJOswWLg8_4v5prwUN9x37vzKPeZY-4B9Vya4\
        pNIFEo8Y4oLUpc5eLV1PyKtAmX7sDxBxBxasiKlqtZ1H60jw","e":"AQAB"}]}
        """
    static let compact = """
        eyJhbGciOiJSUzI1NiIsImtpZCI6ImRlbW8tMjAyNiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJodHRwczovL2lkcC5\
        leGFtcGxlIiwiYXVkIjoic2hvcC1hcGkiLCJzdWIiOiJ1c2VyLTEwOTMiLCJlbWFpbCI6ImphbmVAZXhhbXBsZS5\
        jb20iLCJpYXQiOjE3OTAwMDAwMDAsImV4cCI6MTc5MDAwMzYwMH0.brZ4uW6zsTSGxH6GE-_MXcQapP19rJXastj\
        8pDl_uC_3LIiPXh1baXqf4U_ASQg8uFyKj5atNb4nkOqt2xEQuX3eHQEKBcfmsOh2G-HYbgp0pXHYeLuMg64MORm\
        Q89Hmb6zdPQx8hhXj36-h01YU0pm4OzR287bDBPZzaMcZnlZTKd7dCLLfVagwNWVqfMfdKMvIlc_h-Bzl8t3c1pV\
        uIKEXkdnXSMZILpZbUMrCsJl4IHzolpDybjrC-1L-QoDzNChMD2iJGsrCcptSegv0laKayHd6rAuOtoq7v5LoWjQ\
        _KvsOk46JbzIdT9yPErNqOvTNWLamIq-8A4h1crSPyQ
        """
}
