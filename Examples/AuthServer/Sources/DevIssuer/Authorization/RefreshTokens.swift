// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE
internal import Synchronization

/// Refresh tokens that are good once. Using one again ends its family (RFC 9700, section 4.14.2).
final class RefreshTokens: Sendable {
    private struct Family {
        let clientID: String
        var number = 1
    }

    private static let maximumCount = 1_000

    private let families = Mutex<[String: Family]>([:])

    /// The first token of a new family; nil if there are too many families.
    func begin(clientID: String) throws -> String? {
        let name = Base64URL.encode(try SecureRandom.bytes(count: 32))
        return families.withLock { families in
            guard families.count < Self.maximumCount else { return nil }
            families[name] = Family(clientID: clientID)
            return "\(name).1"
        }
    }

    /// The next token; nil if the token is unknown, used, or another client's.
    func exchange(_ token: String, clientID: String) -> String? {
        guard let (name, number) = Self.parts(token) else { return nil }
        return families.withLock { families in
            guard let family = families[name], family.clientID == clientID else { return nil }
            guard family.number == number else {
                families[name] = nil
                return nil
            }
            families[name]?.number = number + 1
            return "\(name).\(number + 1)"
        }
    }

    /// Ends a family (RFC 7009). An unknown one is no error.
    func revoke(_ token: String, clientID: String) {
        guard let (name, _) = Self.parts(token) else { return }
        families.withLock { families in
            if families[name]?.clientID == clientID { families[name] = nil }
        }
    }

    private static func parts(_ token: String) -> (name: String, number: Int)? {
        let parts = token.split(separator: ".")
        guard parts.count == 2, let number = Int(parts[1]), number < .max else { return nil }
        return (String(parts[0]), number)
    }
}
