// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// The content of a folder of Wycheproof files: suites to run, and files whose algorithm Signet
/// does not offer.
public struct WycheproofSuites: Sendable {
    /// The variable that names the folder.
    public static let environmentVariable = "SIGNET_WYCHEPROOF"

    /// A suite for each file that can be run.
    public let suites: [AuditSuite]
    /// The files that are not run, or, without a folder, the families.
    public let gaps: [AuditGap]

    /// Why Signet differs from a label, or what it decided where a label leaves the choice open:
    /// one reason for each rule.
    public static var recordedReasons: [String] { WycheproofOverride.table.map(\.reason) }

    /// The folder that was read, and its commit; empty without a folder.
    let facts: [AuditEvidence.Fact]

    static let source = "Wycheproof"
    private static let suffix = "_test.json"
    private static let maximumByteCount = 1 << 28
    /// The folder of a checkout in which the files are.
    private static let checkoutFolder = "testvectors_v1"

    /// Reads every file named `…_test.json` in a folder.
    ///
    /// A file that cannot be understood becomes a suite whose cases cannot be read, which is a
    /// deviation. A newer file therefore does not keep the known files from running.
    /// - Parameter place: a checkout of the project or its folder `testvectors_v1`; nil if there is
    ///   none: every family is then listed as not run.
    /// - Throws: ``AuditError`` if the folder cannot be listed or holds no `…_test.json`, or if a
    ///   file cannot be read.
    public init(folder place: String?) throws(AuditError) {
        guard let place else {
            suites = []
            facts = []
            gaps = WycheproofFamily.allCases.map {
                AuditGap(
                    source: Self.source, subject: $0.title, count: nil, reason: .notRun,
                    detail:
                        "give a checkout of Wycheproof by --vectors or \(Self.environmentVariable)")
            }
            return
        }
        let inner = "\(place)/\(Self.checkoutFolder)"
        let folder = PrivatePlace.isFolder(at: inner) ? inner : place
        guard let names = PrivateFile.names(in: folder) else {
            throw AuditError(.unreadable, "The folder \(path: folder) cannot be listed.")
        }
        let commit = GitCheckout.commit(of: folder)
        facts = [
            .init("wycheproof", label: "Wycheproof", value: PathText.shown(folder)),
            .init("wycheproofCommit", label: "Wycheproof's commit", value: commit),
        ]
        var suites: [AuditSuite] = []
        var gaps: [AuditGap] = []
        for fileName in names.sorted() where fileName.hasSuffix(Self.suffix) {
            switch try Self.read(fileName, in: folder, commit: commit) {
            case .suite(let suite): suites.append(suite)
            case .gap(let gap): gaps.append(gap)
            }
        }
        guard !suites.isEmpty else {
            throw AuditError(
                .unreadable,
                "The folder \(path: folder) holds no Wycheproof file (…\(shown: Self.suffix)).")
        }
        self.suites = suites
        self.gaps = gaps
    }

    /// What a file becomes.
    private enum Entry {
        case suite(AuditSuite)
        /// Its algorithm is not offered.
        case gap(AuditGap)
    }

    private static func read(
        _ fileName: String, in folder: String, commit: String?
    ) throws(AuditError) -> Entry {
        let bytes: [UInt8]
        do throws(SystemFailure) {
            bytes = try PrivateFile.read(
                path: "\(folder)/\(fileName)", maximumByteCount: maximumByteCount
            ).bytes
        } catch {
            throw AuditError(.unreadable, "\(error).")
        }
        let name = String(fileName.dropLast(suffix.count))
        let origin = AuditOrigin(
            document: source, version: commit ?? "unknown", sha256: Digest.text(bytes) ?? "unknown")
        let file: WycheproofFile
        do throws(AuditError) {
            file = try WycheproofFile(name: name, bytes: bytes)
        } catch {
            let problem = error
            return .suite(
                AuditSuite(name: name, origin: origin, subject: "a file", declaredCount: 0) {
                    () throws(AuditError) in throw problem
                })
        }
        guard let family = file.offeredFamily else {
            return .gap(
                AuditGap(
                    source: source, subject: file.name, count: file.declaredCount,
                    reason: .notOffered, detail: file.algorithm ?? file.schema))
        }
        return .suite(file.suite(family, origin: origin))
    }
}

extension WycheproofFile {
    func suite(_ family: WycheproofFamily, origin: AuditOrigin) -> AuditSuite {
        AuditSuite(
            name: name, origin: origin, subject: family.title, declaredCount: declaredCount
        ) { () throws(AuditError) in
            var cases: [AuditCase] = []
            cases.reserveCapacity(declaredCount)
            for group in groups {
                for test in group.tests { cases.append(try makeCase(test, family: family)) }
            }
            return cases
        }
    }

    /// The omission of FIPS providers that a test meets, if any.
    private func need(_ test: WycheproofTest, family: WycheproofFamily) throws(AuditError)
        -> FIPSOmission?
    {
        switch family {
        case .mac: .key(try test.object.hexadecimal("key"))
        // HKDF-Extract's salt is the key of its HMAC.
        case .hkdf: .key(try test.object.hexadecimal("salt"))
        case .x25519, .x25519JWK: .x25519
        default: nil
        }
    }

    private func makeCase(_ test: WycheproofTest, family: WycheproofFamily) throws(AuditError)
        -> AuditCase
    {
        let override = WycheproofOverride.first(for: test, of: name)
        let expectation: AuditExpectation =
            if let override {
                override.expectation
            } else {
                switch test.label {
                case .valid: .accept
                case .invalid: .reject(family.failures(of: test))
                case .acceptable: .undecided
                }
            }
        let made = try check(test, family: family)
        return AuditCase(
            suite: name, localID: String(test.id), source: WycheproofSuites.source,
            algorithm: made.algorithm, expectation: expectation, override: override?.reason,
            need: try need(test, family: family), body: made.body)
    }
}
