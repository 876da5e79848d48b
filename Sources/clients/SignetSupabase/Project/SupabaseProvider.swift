// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// A provider by GoTrue's name for it.
public struct SupabaseProvider: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name.
    public let name: String

    /// A provider by its name: `github`, `linkedin_oidc`, `custom:acme`.
    public init(_ name: String) { self.name = name }

    /// A provider by its name.
    public init(stringLiteral value: String) { self.init(value) }

    /// Sign in with Apple.
    public static let apple = SupabaseProvider("apple")
    /// Google.
    public static let google = SupabaseProvider("google")
    /// Microsoft Entra ID.
    public static let azure = SupabaseProvider("azure")

    /// The longest name, in bytes.
    static let maximumNameByteCount = 64

    /// Whether a request may contain it.
    var isValid: Bool {
        (1...Self.maximumNameByteCount).contains(name.utf8.count)
            && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-:.".utf8.contains($0) }
    }

    /// The name that people know. A text that looks like a secret, given by mistake, is not shown.
    var displayName: String {
        switch self {
        case .apple: "Apple"
        case .google: "Google"
        case .azure: "Microsoft"
        default: SecretShape.begins(in: name, within: .max) ? SecretShape.hidden : name
        }
    }
}
