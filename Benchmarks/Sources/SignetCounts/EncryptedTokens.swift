// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TokenFixtures

/// Opening encrypted tokens, and refusing those of the same size that a stranger made.
///
/// A refusal at the key and one at the tag must count alike: no sender may learn how far a token
/// came (RFC 7516, section 11.5). `Scripts/bench-counts.py` compares them.
enum EncryptedTokens {
    /// Together with the rest, a token of some 4,200 bytes: as long as a header may be.
    private static let content = [UInt8](repeating: 0x61, count: 3072)

    static func workloads() -> [Workload] {
        let direct = Kind(name: "dir", algorithm: .direct, iterations: 100)
        let wrapped = Kind(name: "a256kw", algorithm: .a256KW, iterations: 100)
        let agreed = Kind(name: "ecdhes", algorithm: .ecdhESA256KW, iterations: 20)
        let encrypted = Kind(name: "rsaoaep256", algorithm: .rsaOAEP256, iterations: 8)
        return [
            opening(direct), refusing(direct, .tag), refusing(direct, .header),
            opening(wrapped), refusing(wrapped, .key), refusing(wrapped, .tag),
            opening(agreed), refusing(agreed, .key), refusing(agreed, .tag),
            opening(encrypted), refusing(encrypted, .key), refusing(encrypted, .tag),
        ]
    }

    private struct Kind {
        let name: String
        let algorithm: KeyManagementAlgorithm
        let iterations: Int
    }

    /// What a stranger changes.
    private enum Change: String {
        case key, tag
        /// A header of as many members as fit, and a tag that is wrong.
        case header
    }

    private static func opening(_ kind: Kind) -> Workload {
        Workload("jwe.open.\(kind.name)", kind.iterations) {
            let key = try DecryptionKey.generate(kind.algorithm)
            let decrypter = JWEDecrypter(key: key)
            let token = try token(for: key)
            return { try decrypter.decrypt(token).payload.count == content.count }
        }
    }

    private static func refusing(_ kind: Kind, _ change: Change) -> Workload {
        Workload("jwe.refuse.\(kind.name).\(change.rawValue)", kind.iterations) {
            let key = try DecryptionKey.generate(kind.algorithm)
            let decrypter = JWEDecrypter(key: key)
            let token = try changed(token(for: key), change)
            return {
                do throws(TokenError) {
                    return try decrypter.decrypt(token).payload.isEmpty
                } catch {
                    return error.code == .decryptionFailed
                }
            }
        }
    }

    private static func token(for key: DecryptionKey) throws -> String {
        try JWEEncrypter(to: key.encryptionKey(), content: .a256GCM).encrypt(content)
    }

    private static func changed(_ token: String, _ change: Change) throws -> String {
        var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5 else { throw FixtureError(name: "not an encrypted token") }
        switch change {
        case .key: parts[1] = altered(parts[1])
        case .tag: parts[4] = altered(parts[4])
        case .header:
            let members = (10..<39).map { "\"\($0)\":0" }.joined(separator: ",")
            let header = "{\"alg\":\"dir\",\"enc\":\"A256GCM\",\(members)}"
            parts[0] = Base64URL.encode(Array(header.utf8))
            parts[3] = ""
        }
        return parts.joined(separator: ".")
    }

    /// Another character in the middle, which belongs to whole bytes.
    private static func altered(_ part: String) -> String {
        var bytes = Array(part.utf8)
        let middle = bytes.count / 2
        bytes[middle] = bytes[middle] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }
}
