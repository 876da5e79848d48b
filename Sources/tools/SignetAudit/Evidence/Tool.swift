// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SignetPlatform

/// System programs that tell what no file states plainly.
enum Tool {
    /// A program's output, without its final line end; nil if it is absent, fails or writes
    /// nothing.
    ///
    /// From this process's environment it gets only the search path and the home directory.
    static func output(
        _ program: String, arguments: [String], environment: [String: String] = [:]
    ) -> String? {
        guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let own = ProcessInfo.processInfo.environment.filter {
            $0.key == "PATH" || $0.key == "HOME"
        }
        process.environment = own.merging(environment) { _, new in new }.merging(["LC_ALL": "C"]) {
            _, new in
            new
        }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? ProcessPrivacy.startingProgram({ try process.run() })) != nil else {
            return nil
        }
        let data = (try? pipe.fileHandleForReading.readToEnd()) ?? nil
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0, let data else {
            return nil
        }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}

/// Debian's packages.
enum DebianPackage {
    private static let program = "/usr/bin/dpkg-query"

    /// The package that installed a file, with its version: "libssl3:amd64 3.0.19-1". The file may
    /// have changed since: compare its SHA-256.
    static func owner(of file: LoadedFile) -> String? {
        // The database may know the file by its path from before /lib became a link to /usr/lib.
        let names =
            [file.path] + (file.path.hasPrefix("/usr/lib") ? [String(file.path.dropFirst(4))] : [])
        for name in names {
            guard
                let found = Tool.output(program, arguments: ["--search", name])?.split(
                    separator: "\n"
                ).last,
                let end = found.range(of: ": ")
            else { continue }
            let package = String(found[..<end.lowerBound])
            return Tool.output(
                program,
                arguments: ["--show", "--showformat=${binary:Package} ${Version}", package])
        }
        return nil
    }
}

/// The commit of a Git checkout.
enum GitCheckout {
    /// The last commit of the checkout that changed a folder; nil if the folder belongs to none.
    /// The files may differ from the commit: compare their SHA-256.
    static func commit(of folder: String) -> String? {
        // Runs no program that the checkout's configuration names.
        Tool.output(
            "/usr/bin/env", arguments: ["git", "-C", folder, "rev-list", "-1", "HEAD", "--", "."],
            environment: ["GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"])
    }
}
