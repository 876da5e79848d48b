// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport

extension AccessTokenFixture {
    static func gitHubActions() throws -> AccessTokenFixture {
        try AccessTokenFixture(
            name: "github actions",
            profile: .gitHubActions(audiences: ["deploy"], ownerIDs: ["1234"]),
            source: .documentation("https://docs.github.com/en/actions/reference/security/oidc"),
            claims: .issued(
                #"""
                {"iss": "https://token.actions.githubusercontent.com", "aud": "deploy",
                 "sub": "repo:company/app:environment:Prüfung", "environment": "Prüfung",
                 "repository": "company/app", "repository_id": "5", "repository_owner": "company",
                 "repository_owner_id": "1234", "repository_visibility": "private", "actor": "alice",
                 "actor_id": "9", "event_name": "push", "ref": "refs/heads/main", "ref_type": "branch",
                 "job_workflow_ref": "company/app/.github/workflows/deploy.yml@refs/heads/main",
                 "run_id": "1", "run_attempt": "1", "sha": "0a", "runner_environment": "github-hosted",
                 "jti": "j", "nbf": 1799999940}
                """#),
            others: [
                ClaimCase(
                    "another owner's", ["repository_owner_id": #""1235""#], .valueNotAccepted,
                    "repository_owner_id"),
                ClaimCase(
                    "no owner", ["repository_owner_id": nil], .claimMissing, "repository_owner_id"),
                otherAPI,
            ])
    }
}

extension ProviderTokens {
    /// There is one kind.
    static func gitHubActions() throws -> ProviderTokens {
        try ProviderTokens("github actions", api: .gitHubActions())
    }
}
