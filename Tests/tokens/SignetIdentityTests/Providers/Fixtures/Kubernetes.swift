// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

private let issuer = "https://kubernetes.default.svc.cluster.local"
private let proposal = TokenSource.documentation("https://www.kubernetes.dev/resources/keps/1205/")

private func payload(_ audience: String) throws -> TestClaimSet {
    try .issued(
        #"""
        {"iss": "\#(issuer)", "aud": \#(audience), "sub": "system:serviceaccount:default:app", "jti": "j",
         "nbf": 1799999940,
         "kubernetes.io": {"namespace": "default", "node": {"name": "one", "uid": "n"},
           "pod": {"name": "shell", "uid": "p"}, "serviceaccount": {"name": "app", "uid": "s"},
           "warnafter": 1800003547}}
        """#)
}

extension AccessTokenFixture {
    static func kubernetes() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "kubernetes", profile: .kubernetes(issuer: issuer, audiences: ["payments"]),
            source: proposal, claims: payload(#"["payments"]"#), type: nil, others: [otherAPI])
    }
}

extension ProviderTokens {
    static func kubernetes() throws -> ProviderTokens {
        try ProviderTokens(
            "kubernetes", api: .kubernetes(),
            [
                IssuedToken(
                    kind: "every pod's token for the API server", source: proposal,
                    claims: payload(#"["\#(issuer)"]"#), type: nil,
                    api: .refused(.audienceMissing, "aud")),
                IssuedToken(
                    kind: "the same of k3s", source: .knowledge,
                    claims: payload(#"["\#(issuer)", "k3s"]"#),
                    type: nil, api: .refused(.audienceMissing, "aud")),
                // It never ends, and is for everyone.
                IssuedToken(
                    kind: "token of a secret",
                    source: .documentation(
                        "https://github.com/SovereignCloudStack/standards/issues/34"),
                    claims: .issued(
                        #"""
                        {"iss": "kubernetes/serviceaccount", "sub": "system:serviceaccount:default:app",
                         "kubernetes.io/serviceaccount/namespace": "default",
                         "kubernetes.io/serviceaccount/service-account.name": "app"}
                        """#
                    ).changing(["iat": nil, "exp": nil]),
                    type: nil, api: .refused(.issuer, "iss")),
            ])
    }
}
