// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

/// What refusing 10 MB costs, measured in a process of its own by the kernel's high-water mark.
@Suite("The memory that refusing a token takes")
struct TokenMemory {
    static let byteCount = 10_000_000

    /// Kibibytes that `body` added to the peak of resident memory.
    static func growth(_ body: () -> Void) -> Int {
        // Sets the high-water mark down to what is resident now (proc(5)).
        guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return .max }
        file.write(Data("5".utf8))
        let before = peak()
        body()
        return peak() - before
    }

    static func peak() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }

    @Test("A 10 MB token is refused with less than 1 MB of extra memory")
    func hostileToken() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            let verifier = try TestKeys.verifier(.rs256)
            let jws = JWSVerifier(key: try TestKeys.verification(.rs256))
            func refuseAll(_ text: String, _ bytes: [UInt8]) {
                let repeated = repeatElement(UInt8(ascii: "."), count: bytes.count)
                let growth = TokenMemory.growth {
                    _ = refusal { try verifier.verify(text) }
                    _ = refusal { try verifier.verify(text, as: JSONValue.self) }
                    _ = refusal { try verifier.verify(bytes, as: JSONValue.self) }
                    // Not contiguous: it would have to be copied to be read.
                    _ = refusal { try verifier.verify(repeated, as: JSONValue.self) }
                    _ = refusal { try jws.verify(text) }
                    _ = refusal { try jws.verify(bytes) }
                    _ = refusal { try jws.verify(repeated) }
                    _ = refusal { try UnverifiedToken(text) }
                    _ = keyRefusal { try JWK(text) }
                    _ = keyRefusal { try JWK(pem: text) }
                    _ = keyRefusal { try KeySet(jwks: text) }
                }
                let line =
                    "\(bytes.count) bytes of \"\(text.prefix(20))\": \(growth) KiB more at the peak\n"
                FileHandle.standardError.write(Data(line.utf8))
                guard growth < 1_000 || bytes.count < TokenMemory.byteCount else { exit(1) }
            }
            // All of them exist before the first measurement and stay until the last: freed memory
            // that the process keeps would hide a copy. A short one runs first, for what is
            // allocated once per process.
            let texts =
                ["short"]
                + [".", "A", "eyJhbGciOiJub25lIn0."].map {
                    String(repeating: $0, count: TokenMemory.byteCount / $0.utf8.count)
                }
            let bytes = texts.map { Array($0.utf8) }
            for index in texts.indices { refuseAll(texts[index], bytes[index]) }
            // The measurement itself works: a copy is seen.
            let copied = TokenMemory.growth {
                let copy = [UInt8](repeating: 1, count: TokenMemory.byteCount)
                guard copy.count == TokenMemory.byteCount else { exit(2) }
            }
            FileHandle.standardError.write(Data("control, one copy of it: \(copied) KiB\n".utf8))
            guard copied > 8_000, texts.count == bytes.count else { exit(3) }
        }
        print(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self))
    }
}
