// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// PyPI's `cryptography_vectors`, where `Scripts/interop-venv.sh` installs it.
enum CryptographyVectors {
    static let folder: String? = {
        let library = FileManager.default.currentDirectoryPath + "/.cache/interop-venv/lib"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        return versions.map { "\(library)/\($0)/site-packages/cryptography_vectors" }
            .first { FileManager.default.fileExists(atPath: $0 + "/x509") }
    }()

    static var isHere: Bool {
        folder != nil || ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] == "1"
    }

    static let absence = "cryptography_vectors is not here: Scripts/interop-venv.sh installs it"
}
