// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSessionTokens

extension AuthJSFigures {
    /// Session tokens that Auth.js itself has written: `encode` of nextauthjs/next-auth
    /// (packages/core/src/jwt.ts at a1a16a5a, for version 4 packages/next-auth/src/jwt/index.ts at
    /// d857eec5), unchanged, with panva/jose 6.2.10 (afbc6649) and panva/hkdf 1.2.1 (22c52632),
    /// bundled by esbuild 0.17.0 and run in Node 20.20.2, whose time stood at 1,800,000,000. In the
    /// place of the package uuid stood Node's own.
    static let recorded = [
        Figure(
            testDescription: "Auth.js, https",
            version: .v5, cookieName: "__Secure-authjs.session-token",
            secret: "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE=",
            subject: "01e7f0e0-5e3c-4e5a-8d4b-2a3b1f0c7d11",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoieEU5SWJmZ3lObGZ6MUZUTmEy\
                QmJpYjl6MTdpMHk5V09wemN2OEcxejYtNlplODNpblFDMnhSMnR2ZFQyVkdPZ2ZaS2daSGc5ZHJ0ZVRs\
                aXpyWmhVQ3cifQ..u11qwTgsnOf2nFeZFY8rwA.ncwkB9-uHDfJcTw9x4nN443g1woBqYDeJLdhDh_DT\
                NKXT0cFoa3q8UBQIS3257p_uKqXZffBxNDGnlX_aKuosWbTGX5Uu1wYjv6E6laudnhb9tXqY-xMa-V3E\
                sfKY9WEireO3XQcc6aZdzisoH9gAWlXC4LcJKfwqxlSkpQulRjG7pdDD4uN9fHCqdezY9u0CjqqcXn8I\
                ZwNARmc4WA3noGleYJoXtaUOyYhdtoySoPcJlMaZpwuF-cb347lBAN2c8K4o7AjSGKNnNzrNToiI4vE2\
                PCLVFYJXzT92pwJ0XM.1PCla5misaakWY11921PG1EmB17ZVwPjzkmdusV_BAE
                """),
        Figure(
            testDescription: "Auth.js, http, the first of two secrets",
            version: .v5, cookieName: "authjs.session-token",
            secret: "bmV3ZXItb2YtdGhlLWZpZ3VyZXMtdGhpcnR5LTIhISE=",
            subject: "user-12",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiZzRBNVZqdGttRWo0T1FSYjFx\
                V3NzdWZPd01uYXl5TnJtdTBXQVJIWEJfYkRMVHFVSmRNc1VKTTdCVTlMTFB6dHVubUlQTEpyRjV0RmxI\
                YlBxUnpSUWcifQ.._n_c6Y9oTMrpPXPKChkJ9w.Az_Ji9NAl4xbBW-idjTzcHvqLxFJ9a2nn6k9Edht1\
                JcU9yWA36D7uR6pmjohCyzokSGPHjslIVDyYRJ2l7CL2nLn7Fii8Tl4u_9jp2c3ChBTxi2AWdo5BReiy\
                f5v0hgPAaqT_pMcd6JkqPrpXS7E1w.p5A1Iq5xthU9r1lr9mQOL0zSouvcI_ySuTXJ15MbQW8
                """),
        Figure(
            testDescription: "NextAuth.js, https",
            version: .v4, cookieName: "__Secure-next-auth.session-token",
            secret: "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE=",
            subject: "117584285732048297471",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..HKcXOivbCT19o8go.iDaknaVJjriWHX__baFsVA\
                zV3Eow3sMz6AIa2kZYx109e1ZH2S9AqKRIL3E-kJ-TwQo3IOJ9-X8peNyrgelw-LscErxI1kbSC5BWx0\
                TVtobM54R1A2pbBqeVYp4WARdTD-D0RdEDMcs6lnLHAoSxR2YPjLKmhHModJ_IcoHcGpPrgkNQ4lgub-\
                Yc12lsNf02qUaseqN5uBZ9Qj30Dw.bOFyxbRkjhnD0RNFbIxnlA
                """),
    ]
}
