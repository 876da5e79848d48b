// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import SignetPlatform

/// The published figures of this package (format: `TestVectors/README.md`), wherever they were installed.
///
/// SwiftPM's `Bundle.module` ends the process when the resources are absent, which a program that was copied
/// without them must not do: the folder is looked for here, and its absence is an error with advice.
public struct TestVectors: Sendable {
    /// The variable that names the folder and is asked first.
    public static let environmentVariable = "SIGNET_TEST_VECTORS"

    /// The folder that holds `MANIFEST.json`.
    public let folder: String

    /// Takes a folder of figures.
    /// - Throws: ``TestVectorsError`` `notFound` when it holds no manifest.
    public init(folder: String) throws(TestVectorsError) {
        guard Self.holdsManifest(folder) else {
            throw TestVectorsError(
                .notFound,
                "There is no \(shown: Self.manifestName) in \(path: folder). (\(shown: Self.environmentVariable) names the folder, if set.)"
            )
        }
        self.folder = folder
    }

    /// Finds the figures: `SIGNET_TEST_VECTORS`, then beside the executable as SwiftPM puts them, then as `make
    /// install` puts them.
    /// - Throws: ``TestVectorsError`` `notFound`, with the places that were tried.
    public static func located(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(TestVectorsError) -> TestVectors {
        if let folder = environment[environmentVariable], !folder.isEmpty {
            return try TestVectors(folder: folder)
        }
        let candidates = candidates()
        for folder in candidates where holdsManifest(folder) {
            return try TestVectors(folder: folder)
        }
        throw TestVectorsError(
            .notFound,
            """
            The test vectors were not found. Set \(shown: Self.environmentVariable) to the folder that holds \
            \(shown: Self.manifestName) (TestVectors/Figures in the sources), or install it as \
            share/signet/TestVectors beside bin. Tried: \(candidates.map { "\(path: $0)" }, separator: ", ").
            """)
    }

    /// The bytes of the manifest.
    public func manifest() throws(TestVectorsError) -> [UInt8] { try bytes(at: Self.manifestName) }

    /// The bytes of a suite, by the path that its manifest entry gives.
    /// - Throws: ``TestVectorsError`` `unreadable`; also for a path that leaves the folder.
    public func bytes(at path: String) throws(TestVectorsError) -> [UInt8] {
        guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            throw TestVectorsError(
                .unreadable, "\(path: path) is not a path inside the folder of test vectors.")
        }
        do throws(SystemFailure) {
            return try PrivateFile.read(
                path: "\(folder)/\(path)", maximumByteCount: Self.maximumByteCount
            ).bytes
        } catch {
            throw TestVectorsError(.unreadable, "\(error).")
        }
    }

    private static let maximumByteCount = 1 << 28
    private static let manifestName = "MANIFEST.json"
    private static let resourceFolder = "signet_TestVectors.resources/Figures"
    private static let installedFolder = "share/signet/TestVectors"

    private static func holdsManifest(_ folder: String) -> Bool {
        let path = "\(folder)/\(manifestName)"
        return (try? PrivateFile.read(path: path, maximumByteCount: maximumByteCount)) != nil
    }

    private static func candidates() -> [String] {
        var programs: [String] = []
        if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            programs.append(path)
        }
        // A test runner may load the tests from elsewhere: SwiftPM names their product on the command line.
        programs += CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
        programs.append(Bundle.main.bundlePath + "/program")
        var folders: [String] = []
        for program in programs {
            let directory = URL(fileURLWithPath: program).deletingLastPathComponent()
            for place in [directory.path, directory.deletingLastPathComponent().path] {
                for suffix in [resourceFolder, installedFolder]
                where !folders.contains("\(place)/\(suffix)") {
                    folders.append("\(place)/\(suffix)")
                }
            }
        }
        return folders
    }
}
