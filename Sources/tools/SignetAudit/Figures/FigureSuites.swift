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
                            override: row.override, isSlow: row.isSlow, body: try make(row)))
                }
                return cases
            }
        }
    }
}

extension FigureFile {
    typealias CheckMaker = (FigureRow) throws(AuditError) -> AuditCase.Body

    /// The function that makes checks from rows of this kind.
    func caseMaker() throws(AuditError) -> CheckMaker {
        switch kind {
        case "mac": { (row) throws(AuditError) in try mac(row) }
        case "aead": { (row) throws(AuditError) in try sealing(row, algorithm: AESGCM.self) }
        case "xaes": { (row) throws(AuditError) in try sealing(row, algorithm: XAES256GCM.self) }
        case "xaes-accumulated": { (row) throws(AuditError) in try accumulated(row) }
        case "hkdf": { (row) throws(AuditError) in try hkdf(row) }
        case "pbkdf2": { (row) throws(AuditError) in try pbkdf2(row) }
        case "scrypt": { (row) throws(AuditError) in try scrypt(row) }
        case "rsa-verify": { (row) throws(AuditError) in try rsa(row) }
        case "ecdsa-verify": { (row) throws(AuditError) in try ecdsa(row) }
        case "ec-public-key": { (row) throws(AuditError) in try publicKey(row) }
        case "ec-key-pair": { (row) throws(AuditError) in try keyPair(row) }
        case "ed25519": { (row) throws(AuditError) in try ed25519(row) }
        case "base64url": { (row) throws(AuditError) in try base64URL(row) }
        case "jws": { (row) throws(AuditError) in try token(row) }
        case "jwt": { (row) throws(AuditError) in try claims(row) }
        case "jwk": { (row) throws(AuditError) in try jsonKey(row) }
        case "jwk-set": { (row) throws(AuditError) in try keySet(row) }
        case "thumbprint": { (row) throws(AuditError) in try thumbprint(row) }
        case "mailbox": { (row) throws(AuditError) in try mailbox(row) }
        case "business-domain": { (row) throws(AuditError) in try businessDomain(row) }
        default:
            throw AuditError(.malformed, "\(shown: name): the kind \(shown: kind) is not known.")
        }
    }
}
