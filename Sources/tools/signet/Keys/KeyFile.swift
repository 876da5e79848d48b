// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCrypto
internal import SignetJOSE
internal import SignetPlatform

/// A key as people keep it in a file: one JWK, a JWK set, a bare array of JWKs, PEM, or DER of a
/// key or a certificate.
enum KeyFile {
    case one(JWK)
    case set(SetDocument)

    /// Reads `path` once, because a descriptor gives its content only once. `-` is standard input.
    static func read(_ path: String) throws -> KeyFile {
        let contents = try Input.contents(path, maximumByteCount: KeySet.maximumByteCount)
        let file: KeyFile
        do {
            file = try parse(contents.bytes)
        } catch {
            throw CommandFailure(error, in: path)
        }
        if contents.isOpenToOthers, file.holdsSecret { Input.warn(about: path) }
        return file
    }

    static func parse(_ bytes: [UInt8]) throws(KeyError) -> KeyFile {
        if InputShape.beginsDER(bytes.span) { return .one(try der(bytes)) }
        guard isJSON(bytes) else {
            do {
                return .one(try JWK(pem: bytes))
            } catch {
                let shape = InputShape(of: bytes.span, ignoresMark: true)
                guard error.code == .malformed, !bytes.contains(UInt8(ascii: "-")),
                    shape?.isAlphabet ?? true
                else { throw error }
                throw KeyError(.malformed, "This is neither a JWK, nor a JWK set, PEM or DER.")
            }
        }
        let root = try KeyDocument.parse(bytes, maximumByteCount: KeySet.maximumByteCount).root
        guard root.kind == .array || root.member("keys") != nil else { return .one(try JWK(bytes)) }
        return .set(SetDocument(bytes: bytes, root: root))
    }

    /// Whether the text begins as an object, or as an array of objects. Words before PEM may begin
    /// with a bracket.
    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        let marks = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        let rest = bytes.dropFirst(marks).drop { $0 <= 0x20 }
        guard rest.first == UInt8(ascii: "[") else { return rest.first == UInt8(ascii: "{") }
        return rest.dropFirst().first { $0 > 0x20 } == UInt8(ascii: "{")
    }

    private static func der(_ bytes: [UInt8]) throws(KeyError) -> JWK {
        switch DERShape(of: bytes.span) {
        case .key, .encryptedKey, .pkcs12: return try JWK(der: bytes)
        case .certificate, nil:
            do throws(KeyError) {
                return try JWK(certificate: bytes)
            } catch  where error.code == .malformed {
                throw KeyError(
                    .malformed,
                    "This is DER, but neither a certificate nor a key in PKCS#8, SEC1, PKCS#1 or "
                        + "SubjectPublicKeyInfo.")
            }
        }
    }

    /// Whether there is a private or a symmetric key in it.
    private var holdsSecret: Bool {
        switch self {
        case .one(let key): key.isPrivate
        case .set(let document): document.holdsSecret
        }
    }

    /// The only key of the file. A set with a single member will do.
    func single() throws -> JWK {
        switch self {
        case .one(let key): return key
        case .set(let document):
            let members = document.members
            guard members.count == 1, let member = members.first else {
                throw CommandFailure.usage(
                    "The file holds \(members.count) keys where one is needed.",
                    advice: "Put the key that you mean into a file of its own.")
            }
            return try JWK(member)
        }
    }
}
