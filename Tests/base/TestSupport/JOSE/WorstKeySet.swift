// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import Testing

/// The most expensive JWK sets within a reader's limits, of real keys.
package enum WorstKeySet: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case rsaWithExponent = "RSA 8192 with n, e and d"
    case rsaWithAllNumbers = "RSA 8192 with all private numbers"
    case rsaPublic = "RSA 8192, public"
    case p256Private = "P-256 with d"
    case p521Private = "P-521 with d"
    case p256Public = "P-256, public"
    case p521Public = "P-521, public"

    package var testDescription: String { rawValue }

    /// One key, as often as it fits: no reader remembers what it has read before.
    ///
    /// - Parameter renaming: whether the private members get names that no reader knows, so that
    ///   the document is as long but without a private half.
    package func document(
        maximumByteCount: Int, maximumKeyCount: Int, renaming: Bool = false
    ) throws -> String {
        var member = try member()
        if renaming {
            for name in ["d", "p", "q", "dp", "dq", "qi"] {
                member = member.replacing("\"\(name)\":", with: "\"_\(name)\":")
            }
        }
        let numbered = { (number: Int) in "{\"kid\":\"\(number)\"," + member.dropFirst() }
        let count = min(
            maximumKeyCount, (maximumByteCount - 16) / (numbered(maximumKeyCount).utf8.count + 1))
        return "{\"keys\":[\((0..<count).map(numbered).joined(separator: ","))]}"
    }

    private func member() throws -> String {
        switch self {
        case .rsaWithExponent: try Self.rsa(["kty", "n", "e", "d"])
        case .rsaWithAllNumbers: TestPrivateJWK.rsa8192
        case .rsaPublic: try JWK(TestPrivateJWK.rsa8192).publicJSON()
        case .p256Private: try Self.privateJSON(.p256)
        case .p521Private: try Self.privateJSON(.p521)
        case .p256Public: try Self.ec(.p256).publicJSON()
        case .p521Public: try Self.ec(.p521).publicJSON()
        }
    }

    private static func rsa(_ names: [String]) throws -> String {
        let members = try JSONTokenDecoder().decode(
            [String: String].self, from: Array(TestPrivateJWK.rsa8192.utf8))
        return try String(
            decoding: JSONTokenEncoder().encode(members.filter { names.contains($0.key) }),
            as: UTF8.self)
    }

    private static func privateJSON(_ curve: EllipticCurve) throws -> String {
        try ec(curve).exportPrivateJSON().withExposedBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }

    private static func ec(_ curve: EllipticCurve) throws -> JWK {
        JWK(material: .key(.ecPrivate(try ECPrivateKey.generate(curve: curve))), keyID: nil)
    }
}
