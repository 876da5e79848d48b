// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSessionTokens
import Testing

// Written by Interop/Scripts/authjs_figures.py of SignetIdentityTests, which says from what.

/// Session tokens as Auth.js makes them. All are of the second 1,800,000,000 and valid for 30 days.
enum AuthJSFigures {
    struct Figure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: AuthJSSessions.Version
        let cookieName: String
        let secret: String
        let subject: String
        let token: String
    }

    static let secret = "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE="
    static let newerSecret = "bmV3ZXItb2YtdGhlLWZpZ3VyZXMtdGhpcnR5LTIhISE="

    static let all = [
        Figure(
            testDescription: "named by its key, https",
            version: .v5, cookieName: "__Secure-authjs.session-token",
            secret: "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE=",
            subject: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoieEU5SWJmZ3lObGZ6MUZUTmEy\
                QmJpYjl6MTdpMHk5V09wemN2OEcxejYtNlplODNpblFDMnhSMnR2ZFQyVkdPZ2ZaS2daSGc5ZHJ0ZVRs\
                aXpyWmhVQ3cifQ..BsTh8l7hBwpNcZQbIKSi-Q.lzLk0kcURZTRI8BfnHstiZOYYiEQaC0vV-_k095Ft\
                IbYFAtvc5T2_QXf_1PvBX04VdW1q2f6pIWpzYFjZ7Aq1rH2r6TWxr09UZMKa504jxaDq-Z2Lkux-h457\
                LCjkL5-BEhQFU_Nrw82hYhCO1PJIKRgkzuPFzj0_Dcx-yulhNmjarTT3xAg1hb0mtDfny3wANyo7qFeq\
                psYiRn3YC3WBos-7pHulnQr1trucV51NktchLKBRv_YIqDz10DGTFWAjIjxbBP6tXdUqtPIZT9Il9jOn\
                nrNVaO7ZhvcqRrjYOA.uaRLDE7vEJ9-8j1RysWpKpl3uDHlnBpQfMCS9JWi3rQ
                """),
        Figure(
            testDescription: "named by its key, http",
            version: .v5, cookieName: "authjs.session-token",
            secret: "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE=",
            subject: "user-2",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoid2lHTGp2RlNNYVVXRDFveHNy\
                LXFaZGRhMXVoWEkzZFhWc3BVOHNUekVzaGFocU84Q24xN0xRcnR6V0tnMzFzTl9GbnQxRTNVajdSZU1R\
                OVhJQlZwSncifQ..7BL1Fk_D-VXADEUUI8wwpQ.YQOp-V6v6DiLwuh3Uc89nYi7RmYxQRXjbECxn4mLy\
                ik_2vj7kPNgI42_72b3Tqtpjb1_LqeraZEc5rhJiyH-HCk-Tw9EvZuioK0wTPCcz9PHZXgDRmiP1mJUT\
                0HX0cJ2.HuhRLbXcWn1QKT6gbPpNBOUlDXjKSkTw_mTKuHAyVS0
                """),
        Figure(
            testDescription: "newer secret",
            version: .v5, cookieName: "__Secure-authjs.session-token",
            secret: "bmV3ZXItb2YtdGhlLWZpZ3VyZXMtdGhpcnR5LTIhISE=",
            subject: "user-3",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiVUFXTmpka29wajlIeVllU3kz\
                TXIyX1JtOFpBT21oWDdUUHY3d2FoZ1ptSWdGOW5xemIzbEJOc3FkSlB5Q3VBZU1QUVVVSnBDNFpLTGRO\
                ZWFLUURNQmcifQ..646kYewUqvxI6BWjjBOKzA.CqCDcDKIx7I6UuxRAIRBJwZe-xxWakys9qbl2xwqJ\
                PBTDCEoBdPrdj9kVR6IYWIHjrHJkutCzSIF4W_xLohSB5DBuCRwEAM1kOBq7bUAK-Y.ssJb3Yk_RS2cD\
                EGQZh9Bn1TvKrxPlmShHIar6JYiutM
                """),
        Figure(
            testDescription: "without kid",
            version: .v5, cookieName: "__Secure-authjs.session-token",
            secret: "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE=",
            subject: "user-4",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIn0..-FgD8fBCSZvBtEvuFBPjIw.jKAl3c5f\
                cfM1mqhcKma_Btt-m-VrDG2zP_uwVS0LaX21MZ3Zrb-Rdk-JXiGam3OgJpKaZ_cglPQKU5c60kdrrmJu\
                H6fRfjwqUX0E967PMHw.DeKVkworgxQAmLaX0hR5g9rDo9UQs6zwOwZDPIpJh3Q
                """),
        Figure(
            testDescription: "a cookie of the program's own name",
            version: .v5, cookieName: "__Host-site.session",
            secret: "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE=",
            subject: "user-5",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiNXNhY21fVkw3ZUhOTVQtdXpR\
                RGo4UFh3cHYxaUFRcnVTczJmdndQZHdNemtvSW5TZnhkT1FPZjd5SUpISUZtbDJWd3dXTV9vamFKamVk\
                a3k1T1FycGcifQ..b4OcK7oe9KiIdOhtrlW8rw.jTNGjFAb-xfLlJ-R5eZqDNpdCtuBo-SFsp3eUF8nF\
                tlQkDcU-b_u7Lwb_pR8V4y7RSx0vKZcrB-yJ4H8zM3e7bdcxFhu8mTLx8lLX6AAlkM.-xTNsi0fNab95\
                FoSXntekSCRKRT2XMM697wXtLWSstU
                """),
        Figure(
            testDescription: "a secret outside ASCII",
            version: .v5, cookieName: "__Secure-authjs.session-token",
            secret: "Schlüssel-für-die-Sitzung-ünïcödé",
            subject: "user-6",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiVnNvV3Zja2dHUzVYbFdPazJE\
                encxX1IwM3JfZEVSRzdHRk51Y1VhaW9ocmRBY0pqbXpfbGJPb1JoeW05Y1FGME8wQzZiYjZlR2xZNVVy\
                RXlhM1JaZWcifQ..ZqEYY1_GYxFupJQF9yCKoQ.8vgLR1-nQyEM_R2sh8284ipK0mvUgLr6ATQnzAQDP\
                Q9fp1WZYksAndcj48gJkx3f_ICWrviVJNoo5ez8P9LT1m97tMOT25lraJbSFyh3umU._ajy4ygW1YoEI\
                fWYYX2McWhXWDiNNmN2VnHaOvgHCTY
                """),
        Figure(
            testDescription: "a short secret",
            version: .v5, cookieName: "__Secure-authjs.session-token",
            secret: "secret",
            subject: "user-7",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiN0UzWUlHQXhSdG42ZGpUR3kx\
                VWpackZ2WEVMSEt6TTl2ZldsMG5RNGI4OEVzbnJtbVgwZ3JOMFZLaXM3RzNmamdCNjI2VFhtX2xFdEJH\
                MU4wRTdYeWcifQ..V-sqlfx-50N9UMgX5C8Hjw.ySALVcb03ywUPayWWCydvVijv8PTup6ZMqsKnTY1o\
                9vMLKvfOJ44AVmXwadwm4aDnVqrTp7Qkd4BJkMkr0liXWOaTc79j1BIC5hYx_FZL-8.Iya0AszbC11jz\
                dpbblSLmmcVcAvMtW8_DGFIhrz7nCA
                """),
        Figure(
            testDescription: "no profile",
            version: .v5, cookieName: "__Secure-authjs.session-token",
            secret: "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE=",
            subject: "user-8",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoieEU5SWJmZ3lObGZ6MUZUTmEy\
                QmJpYjl6MTdpMHk5V09wemN2OEcxejYtNlplODNpblFDMnhSMnR2ZFQyVkdPZ2ZaS2daSGc5ZHJ0ZVRs\
                aXpyWmhVQ3cifQ..wQtUJPbzQ75dTnOcrhRYQg.8hM4uf5LH2Hd2Qqyd6Jlo02lHfmk_pm-H3EnP6URa\
                KuBCfkALku1Vq8bbR3uXZXK-L7I6RQ6qFRFfSIEO1dP8k7i7m9IyQEyM5Jd9AM4QAhzP1RNvxB6y0231\
                UpSV6vvQrWqmH1AQqO5X6NEZDE9Ew.GMKY5gG707QX2q2ZyvI1Ym_z9UrK0Mve8e6bZP0XugY
                """),
        Figure(
            testDescription: "version 4, https",
            version: .v4, cookieName: "__Secure-next-auth.session-token",
            secret: "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE=",
            subject: "117584285732048297471",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..txJP1Hmti_MIEaDZ.m-o9tICqnH7UhKHVtpM6gQ\
                5Mn9ovkcbn0x6WwHGeDRKyM7iHPXoUT6rA1qLOy7TOf66z75zMx54Kcsmv04lLxmn-fkJfGkGXXGh6qO\
                HzLaezzYvNonqj5QQSn1_GprjT3n-TzOkgQS2Xb5LZd05LH-VpotXHSJvj5VMWsNtrzQ.28Md6nSLZTU\
                b3dG18lqNAg
                """),
        Figure(
            testDescription: "version 4, http",
            version: .v4, cookieName: "next-auth.session-token",
            secret: "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE=",
            subject: "user-10",
            token: """
                eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..hZ9fNbKeH1WsXV7i.XFDgBO-JkCsji9WXuCn3WT\
                l221N7CvYlQtrBPlU5G8_ybIbr5xu68yTvc06GpGfWEIW9buG_RMMjMorI27yd151R.S2lqUyBdzK0wD\
                PlYyjcHQg
                """),
    ]
}
