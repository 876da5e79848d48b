// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import TestVectors

/// `MANIFEST.json` of the figures.
struct FigureManifest: Sendable {
    struct Entry: Sendable {
        let name: String
        let path: String
        let kind: String
        let document: String
        let version: String
        let digest: [UInt8]
        let count: Int
        let algorithms: [String]
    }

    let entries: [Entry]
    /// The hash of the manifest itself, which states the hashes of all figure files.
    let sha256: String?

    /// Cases of the published files for which the figures have no row, and suites that Signet
    /// cannot run.
    let gaps: [AuditGap]

    init(_ vectors: TestVectors) throws(AuditError) {
        let bytes: [UInt8]
        do { bytes = try vectors.manifest() } catch {
            throw AuditError(error)
        }
        sha256 = Digest.text(bytes)
        let document = try FigureFile.document(bytes, name: "MANIFEST.json")
        let root = VectorObject(document.root, place: "MANIFEST.json")
        let version = try root.integer("v")
        guard version == FigureFile.version else {
            throw root.malformed("v", because: "is \(version) instead of \(FigureFile.version)")
        }
        var entries: [Entry] = []
        var gaps: [AuditGap] = []
        for (index, node) in try root.node("suites").elements.enumerated() {
            let suite = VectorObject(node, place: "MANIFEST.json: suites[\(index)]")
            let entry = Entry(
                name: try suite.string("name"), path: try suite.string("path"),
                kind: try suite.string("kind"),
                document: try suite.object("source").string("document"),
                version: try suite.object("source").string("version"),
                digest: try suite.hexadecimal("sha256"),
                count: try suite.count("cases"), algorithms: try suite.strings("algorithms"))
            if entry.kind == Self.publicSuffixes {
                gaps.append(Self.listIsNotHere(entry))
            } else {
                entries.append(entry)
            }
            guard suite.has("leftOut") else { continue }
            gaps += try Self.gaps(suite, source: entry.document, prefix: entry.name + ": ")
        }
        gaps += try Self.gaps(root, source: "Other documents", prefix: "")
        self.entries = entries
        self.gaps = gaps
    }

    /// The kind of the public suffix list's own test. It holds only for the list of the same
    /// commit, which is not part of Signet. These figures are for our tests, which know where to
    /// find a list.
    private static let publicSuffixes = "public-suffix"

    private static func listIsNotHere(_ entry: Entry) -> AuditGap {
        AuditGap(
            source: entry.document, subject: entry.name, count: entry.count, reason: .notRun,
            detail: "needs the public suffix list of the same commit, which is not part of Signet")
    }

    private static func gaps(
        _ object: VectorObject, source: String, prefix: String
    ) throws(AuditError) -> [AuditGap] {
        var gaps: [AuditGap] = []
        for node in try object.node("leftOut").elements {
            let entry = VectorObject(node, place: "\(object.place).leftOut")
            gaps.append(
                AuditGap(
                    source: source, subject: prefix + (try entry.string("what")),
                    count: try entry.count("count"),
                    reason: entry.isTrue("offered") ? .notRun : .notOffered,
                    detail: try entry.string("reason")))
        }
        return gaps
    }
}
