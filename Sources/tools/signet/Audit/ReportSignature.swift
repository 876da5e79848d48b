// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE
internal import SignetPlatform

/// What the signature of a report is made over: the file's name, its length and its SHA-256, as the
/// payload of a compact JWS (RFC 7515).
///
/// ```
/// header   {"alg":"ES256","kid":"…","typ":"signet-audit+jws"}
/// payload  {"length":48213,"name":"audit.html","sha256":"9f86d081…"}
/// ```
///
/// It shows that the key signed these bytes, and nothing about what they say.
struct ReportSignature {
    /// The `typ` of the header. No other token of the same key is taken for a report's signature.
    private static let type = "signet-audit+jws"
    /// The longest signature that is read: a name has at most 255 bytes, and RSA's longest
    /// signature 1,366 characters.
    static let maximumByteCount = 16_384

    /// The name of the file, without its folder.
    let name: ReceivedText
    private let byteCount: Int64
    private let sha256: ReceivedText

    /// Where the signature of a report is.
    static func path(for report: String) -> String { report + ".jws" }

    /// Describes a report that is to be at a path.
    init(of bytes: [UInt8], at path: String) throws {
        name = ReceivedText(utf8: PathText.bytes(of: PrivateFile.split(path).name)[...])
        byteCount = Int64(bytes.count)
        sha256 = ReceivedText(utf8: Array(try Self.digest(bytes).utf8)[...])
    }

    /// Reads a payload whose signature has verified.
    init(_ verified: VerifiedPayload) throws {
        guard let type = verified.header.type, type.utf8.elementsEqual(Self.type.utf8) else {
            throw CommandFailure.refused(
                "typeMismatch",
                "The key has signed this, but not as the signature of a report: its typ is not "
                    + "\(shown: Self.type).")
        }
        let malformed = CommandFailure.refused(
            "malformed", "The signature names no report by its name, length and SHA-256.")
        let document: JSONDocument
        do {
            document = try JSONDocument(
                verified.payload, maximumByteCount: Self.maximumByteCount, maximumDepth: 1)
        } catch {
            throw malformed
        }
        guard let name = document.root.member("name")?.text,
            let byteCount = document.root.member("length")?.int64Value,
            let sha256 = document.root.member("sha256")?.text
        else { throw malformed }
        self.name = name
        self.byteCount = byteCount
        self.sha256 = sha256
    }

    /// The description as JSON.
    var payload: [UInt8] {
        get throws {
            Array(
                try JSONOutput.line([
                    "name": .string(String(decoding: name.utf8, as: UTF8.self)),
                    "length": .integer(byteCount),
                    "sha256": .string(String(decoding: sha256.utf8, as: UTF8.self)),
                ]).utf8)
        }
    }

    /// Refuses a report that is not the described one, to the byte.
    ///
    /// - Returns: its SHA-256.
    func check(_ bytes: [UInt8]) throws -> String {
        guard byteCount == Int64(bytes.count) else {
            throw CommandFailure.refused(
                "reportMismatch",
                "The report has \(bytes.count) bytes, and \(byteCount) were signed.")
        }
        let digest = try Self.digest(bytes)
        guard sha256.isEqual(to: digest) else {
            throw CommandFailure.refused(
                "reportMismatch",
                "The report was changed after it was signed: its SHA-256 is another.")
        }
        return digest
    }

    private static func digest(_ bytes: [UInt8]) throws -> String {
        try MessageDigest.digest(bytes, using: .sha256).hexadecimalText
    }

    // MARK: Keys

    /// A signer of reports. A shared secret is refused: those who verify with it could forge.
    static func signer(_ file: KeyFile, algorithm: String?) throws -> JWSSigner {
        try checkIsPair(file)
        let key = try SigningKey(
            jwk: file.single(), algorithm: KeyFile.signature(algorithm))
        return JWSSigner(key: key, type: type)
    }

    /// Refuses a shared secret.
    static func checkIsPair(_ file: KeyFile) throws {
        guard file.isSymmetric else { return }
        throw CommandFailure.refused(
            "wrongKeyClass",
            "A shared secret signs no report: everyone who verifies it could make it.",
            advice: "Take a key pair: EC, Ed25519 or RSA.")
    }
}
