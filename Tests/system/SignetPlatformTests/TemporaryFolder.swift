// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A folder of its own for one test, removed with what is in it.
final class TemporaryFolder {
    let path: String

    init() throws {
        let base = "/tmp/signet-test-\(String(UInt64.random(in: .min ... .max), radix: 16))"
        guard unsafe mkdir(base, 0o700) == 0 else {
            throw TestError("mkdir \(base): errno \(errno)")
        }
        path = base
    }

    deinit {
        for name in names { _ = unsafe unlink("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// The names in the folder, hidden ones too.
    var names: [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func mode(_ name: String) throws -> UInt32 {
        var status = stat()
        guard unsafe lstat(self(name), &status) == 0 else {
            throw TestError("lstat \(name): errno \(errno)")
        }
        return status.st_mode
    }
}

struct TestError: Error {
    let message: String
    init(_ message: String) { self.message = message }
}
