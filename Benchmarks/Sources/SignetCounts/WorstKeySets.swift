// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TokenFixtures

/// The most expensive JWK sets within the limits of their reader, of one real key each.
///
/// Each takes at most 0.1 s of processor time: `time signet-counts NAME 10`. libcrypto's allocations
/// show whether a reader computes with the private halves, which it drops. Instructions differ by up
/// to 5 % from run to run, so their thresholds are the highest count seen and 4 % more.
enum WorstKeySets {
    static func workloads() -> [Workload] {
        [
            // Up to the first prime: n, e and d.
            publicKeys("rsa8192.ned") {
                PublishedKeys.rsa8192.split(separator: ",\"p\":").prefix(1).joined() + "}"
            },
            publicKeys("rsa8192.private") { PublishedKeys.rsa8192 },
            publicKeys("rsa8192.public") { try JWK(PublishedKeys.rsa8192).publicJSON() },
            publicKeys("p256.private") { PublishedKeys.p256 },
            publicKeys("p521.private") { PublishedKeys.p521 },
            publicKeys("p256.public") { try JWK(PublishedKeys.p256).publicJSON() },
            publicKeys("p521.public") { try JWK(PublishedKeys.p521).publicJSON() },
            secrets(),
        ]
    }

    private static func publicKeys(
        _ name: String, _ member: @escaping () throws -> String
    ) -> Workload {
        Workload("jwks.worst.\(name)", 1, allocationIterations: 1) {
            let (document, count) = document(try member(), KeySet.maximumKeyCount)
            return { try KeySet(jwks: document, rsaAlgorithm: .rs256).keys.count == count }
        }
    }

    /// Secrets as long as the document's limit allows.
    private static func secrets() -> Workload {
        Workload("jwks.worst.secrets", 1, allocationIterations: 1) {
            // Text in base64, in which the search for key files looks again.
            let secret = String(repeating: "QUFB", count: 112)
            let (document, count) = document(
                #"{"kty":"oct","alg":"HS256","k":"\#(secret)"}"#, HMACKeySet.maximumKeyCount)
            return { try HMACKeySet(jwks: document).keys.count == count }
        }
    }

    /// The member under as many names as fit.
    private static func document(
        _ member: String, _ maximumKeyCount: Int
    ) -> (document: [UInt8], count: Int) {
        let numbered = { (number: Int) in "{\"kid\":\"\(number)\"," + member.dropFirst() }
        let room = KeySet.maximumByteCount - 16
        let count = min(maximumKeyCount, room / (numbered(maximumKeyCount).utf8.count + 1))
        let members = (0..<count).map(numbered).joined(separator: ",")
        return (Array("{\"keys\":[\(members)]}".utf8), count)
    }
}
