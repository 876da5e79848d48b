// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A cloud of Microsoft Entra. National clouds have their own issuers and keys.
public enum EntraCloud: String, Sendable, Hashable, CaseIterable {
    /// `login.microsoftonline.com`
    case global
    /// Azure Government: `login.microsoftonline.us`
    case usGovernment = "us-government"
    /// Azure in China, operated by 21Vianet: `login.partner.microsoftonline.cn`
    case china

    var host: String {
        switch self {
        case .global: "login.microsoftonline.com"
        case .usGovernment: "login.microsoftonline.us"
        case .china: "login.partner.microsoftonline.cn"
        }
    }
}
