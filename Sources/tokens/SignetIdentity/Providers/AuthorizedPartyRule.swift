// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// When a token must name the requesting client (`azp`; for Entra also `appid`). A named client
/// must always be among the clients or authorized parties.
public enum AuthorizedPartyRule: Sendable, Hashable {
    /// If `aud` holds several audiences (OpenID Connect Core 3.1.3.7, step 4). The default.
    case requiredWithSeveralAudiences
    /// Always. For tokens that another application of the same provider could request with this
    /// application's audience.
    case required
    /// Never, since k3s writes several audiences and no `azp`. Each audience must still be a client
    /// or a trusted audience.
    case optional

    /// Whether a token for these audiences is rejected without `azp`. Repeats of an audience count
    /// once.
    func asksForParty(of audience: [ReceivedText]) -> Bool {
        switch self {
        case .required: true
        case .optional: false
        case .requiredWithSeveralAudiences:
            audience.first.map { first in !audience.allSatisfy(first.isEqual) } ?? false
        }
    }
}
