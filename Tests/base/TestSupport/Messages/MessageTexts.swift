// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Texts that a message hides, and others that it shows.
package enum MessageTexts {
    /// Each looks like a secret: a token, a key, a long random text.
    package static let secrets = [
        HostileText.token, "eyJhbGciOiJIUzI1NiJ9", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..aaaa",
        "eyIxIjoiMSIsImFsZyI6IkhTMjU2In0", "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz",
        "srt_Q2F0Y2gtbWUtaWYteW91LWNhbi1yZWZyZXNoLXRva2VuLTEyMzQ1Njc4OTAxMjM0NTY",
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIHJl\n-----END PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----",
        "AGE-SECRET-KEY-1QQQSYQCYQ5RQWZQFPG9SCRGWPUGPZYSNZS23V9CCRYDPK8QARC0JQ8U3KE",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ]

    /// Each is a name or an address that messages show.
    package static let names = [
        "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
        "https://oidc.eks.us-east-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B716D3041E",
        "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI",
        "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
        "xvF3FpQ2mYlQ9C3yVdXbUuQGkPn0JZ5rTt8HhLwA1sE=",
        "0b0e2b3c6e8d8e7d0a9a5f1d3c2b1a0f9e8d7c6b", "X5eXk4xyojNFum1kl2Ytv8dlNP4-c57dO6QGTVBwaNk",
        "9188040d-6c67-4c5b-b112-36a304b66dad.9188040d-6c67-4c5b-b112-36a304b66dad",
        "1234567890-abc123def456ghi789jkl012mno345pq.apps.googleusercontent.com",
        "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ", "ann.smith+signet-2026@mail.example.co.uk",
        "/var/lib/docker/overlay2/Signet-Keys-2026/merged/etc/signet/Signing-Key-Of-2026.json",
        "monkeyJoinTableWithoutAnyNumberInIt", "surveyJsonData2026", "PRIVATE KEY",
        "https://claims.example/organisation/Department-Of-Things-2026/role",
        "ecdsa_brainpoolP320r1_sha384_p1363_test.json", "x-----", "beginning",
    ]
}
