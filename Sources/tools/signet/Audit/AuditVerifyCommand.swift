// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetJOSE
internal import SignetPlatform

/// `signet audit verify`
struct AuditVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify that a report is the very file that was signed.",
        discussion: """
            Reads REPORT, and its signature in REPORT.jws. Exit status 0 if the key has signed \
            these very bytes under this name, 1 if not. Neither file may be a link. A good \
            signature says who vouches for the file; it does not say that the audit ran, or that \
            what the report says is true.

            EXAMPLES
              signet audit --html audit.html --sign key.json
              signet jwk public --key key.json > jwks.json
              signet audit verify audit.html --key jwks.json
            """)

    @Argument(file: "The report.")
    var report: String

    @OptionGroup var key: KeyOption
    @OptionGroup var algorithm: ReportAlgorithmOption

    @Flag(help: "Accept a report that was signed under another name.")
    var anyName = false

    @OptionGroup var form: AuditFormOption
    @OptionGroup(visibility: .private) var others: AuditOptions

    /// The longest report, in bytes.
    private static let maximumByteCount = 1 << 26

    func run() throws {
        try others.refuse(for: "audit verify")
        try require(
            report != "-", otherwise: "The report is a file, with its signature beside it.",
            advice: "Name the file.")
        let file = try KeyFile.read(key.key)
        try ReportSignature.checkIsPair(file)
        let keys = try file.publicKeys(algorithm: algorithm.algorithm)
        let token = Input.withoutOuterSpace(
            try Input.regularFile(
                ReportSignature.path(for: report),
                maximumByteCount: ReportSignature.maximumByteCount))
        let verified = try keys.verifier.verify(token)
        let signature = try ReportSignature(verified)
        let bytes = try Input.regularFile(report, maximumByteCount: Self.maximumByteCount)
        let digest = try signature.check(bytes)
        let signedName = try checkedName(signature)
        // Each key is asked alone, because the set says no more than the name of the right key.
        let signing = try keys.all.first { (try? JWSVerifier(key: $0).verify(token)) != nil }
            .map { try $0.jwk.thumbprint() }
        let thumbprint = signing ?? "unknown"
        let other = signedName.map { ", signed under the name \($0.onOneLine)" } ?? ""
        try Output.printResult(
            json: form.json,
            members: [
                "valid": true, "report": .path(report), "sha256": .string(digest),
                "length": .integer(Int64(bytes.count)),
                "signedName": signedName.map(JSONValue.string),
                "algorithm": .string(verified.header.algorithm), "thumbprint": .string(thumbprint),
                "keyID": verified.keyID.map(JSONValue.string),
            ],
            text: """
                \(report.onOneLine): \(bytes.count) bytes\(other)
                SHA-256: \(digest)
                Signed with: \(thumbprint) (RFC 7638), \(verified.header.algorithm)
                Shown: this key signed these bytes. Not shown: when, that the audit ran, or that \
                what it says is true.
                """)
    }

    /// The name that the report was signed under, if it is another and was allowed to be.
    private func checkedName(_ signature: ReportSignature) throws -> String? {
        let bytes = PathText.bytes(of: PrivateFile.split(report).name)
        guard !signature.name.utf8.elementsEqual(bytes) else { return nil }
        let name = signature.name.swiftString()
        guard anyName else {
            throw CommandFailure.refused(
                "nameMismatch", "The report was signed under another name: \(shown: name)",
                advice: "If you know why, accept it: --any-name")
        }
        return name
    }
}
