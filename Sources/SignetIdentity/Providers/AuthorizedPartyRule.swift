// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// When a token must name the client that asked for it (`azp`; for Entra `appid` too). Where it
/// names one, that is checked in any case: it must be one of the clients, or of the authorized
/// parties.
public enum AuthorizedPartyRule: Sendable, Hashable {
    /// Where `aud` holds several audiences (OpenID Connect Core 3.1.3.7, step 4). The default.
    case requiredWithSeveralAudiences
    /// Always. For tokens that another application of the same provider could ask for with this
    /// one's audience.
    case required
    /// Never, as k3s writes several audiences and no `azp`. Each audience must be a client or a
    /// trusted audience all the same.
    case optional

    /// Whether a token for these audiences without `azp` is refused. The same audience twice is
    /// one.
    func asksForParty(of audience: [ReceivedText]) -> Bool {
        switch self {
        case .required: true
        case .optional: false
        case .requiredWithSeveralAudiences:
            audience.first.map { first in !audience.allSatisfy(first.isEqual) } ?? false
        }
    }
}
