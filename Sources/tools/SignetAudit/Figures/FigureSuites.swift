// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE
public import TestVectors

extension AuditSuite {
    /// The suites of a folder of figures.
    /// - Throws: ``AuditError`` if the manifest is missing or not valid.
    public static func figures(in vectors: TestVectors) throws(AuditError) -> [AuditSuite] {
        figures(of: try FigureManifest(vectors), in: vectors)
    }

    static func figures(of manifest: FigureManifest, in vectors: TestVectors) -> [AuditSuite] {
        manifest.entries.map { entry in
            AuditSuite(
                name: entry.name,
                origin: AuditOrigin(
                    document: entry.document, version: entry.version,
                    sha256: entry.digest.hexadecimalText),
                subject: entry.algorithms.joined(separator: ", "),
                declaredCount: entry.count
            ) { () throws(AuditError) in
                let file = try FigureFile(entry, in: vectors)
                let make = try file.caseMaker()
                var cases: [AuditCase] = []
                cases.reserveCapacity(file.rows.count)
                for row in file.rows {
                    cases.append(
                        AuditCase(
                            suite: entry.name, localID: row.id, source: entry.document,
                            algorithm: row.algorithm, expectation: row.expectation,
                            override: row.override, isSlow: row.isSlow, need: try file.need(row),
                            body: try make(row)))
                }
                return cases
            }
        }
    }
}

extension FigureFile {
    typealias CheckMaker = (FigureRow) throws(AuditError) -> AuditCase.Body

    /// The omission of FIPS providers that a row meets, if any.
    func need(_ row: FigureRow) throws(AuditError) -> FIPSOmission? {
        switch kind {
        case "scrypt": .scrypt
        case "agreement" where row.algorithm == "X25519": .x25519
        case "jwe" where row.algorithm.hasSuffix(" X25519"): .x25519
        case "mac": .key(try row.cells.bytes("key"))
        // HKDF-Extract's salt is the key of its HMAC.
        case "hkdf": .key(try row.cells.bytes("salt"))
        default: nil
        }
    }

    /// The function that makes checks from rows of this kind.
    func caseMaker() throws(AuditError) -> CheckMaker {
        switch kind {
        case "mac": mac
        case "aead": { (row) throws(AuditError) in try sealing(row, algorithm: AESGCM.self) }
        case "xaes": { (row) throws(AuditError) in try sealing(row, algorithm: XAES256GCM.self) }
        case "xaes-accumulated": accumulated
        case "hkdf": hkdf
        case "pbkdf2": pbkdf2
        case "scrypt": scrypt
        case "key-wrap": keyWrap
        case "content": content
        case "agreement": agreement
        case "concat-kdf": concatKDF
        case "rsa-verify": rsa
        case "ecdsa-verify": ecdsa
        case "ec-public-key": publicKey
        case "ec-key-pair": keyPair
        case "ed25519": ed25519
        case "base64url": base64URL
        case "jws": token
        case "jwe": encryptedToken
        case "jwt": claims
        case "jwk": jsonKey
        case "jwk-set": keySet
        case "thumbprint": thumbprint
        case "mailbox": mailbox
        case "business-domain": businessDomain
        default:
            throw AuditError(.malformed, "\(shown: name): the kind \(shown: kind) is not known.")
        }
    }
}
