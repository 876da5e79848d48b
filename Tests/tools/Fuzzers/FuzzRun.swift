// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import FuzzTargets
import Glibc

/// The target that the environment names, in a process of libFuzzer's.
///
/// A tool: it ends with `abort` where an invariant is broken, because that is what libFuzzer keeps
/// an input for.
enum FuzzRun {
    private static let target: FuzzTarget = {
        let name = unsafe getenv("SIGNET_FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
        guard let target = FuzzTarget.named(name) else {
            stop(
                "SIGNET_FUZZ_TARGET is one of \(FuzzTarget.all.map(\.name).joined(separator: " "))")
        }
        return target
    }()
    private static let executor = CallerExecutor()
    // libFuzzer runs one input after the other, in one thread.
    nonisolated(unsafe) private static var acceptedCount = 0

    /// Writes the target's seeds where SIGNET_FUZZ_SEEDS names a folder, and ends.
    static func prepare() {
        guard let folder = unsafe getenv("SIGNET_FUZZ_SEEDS") else {
            _ = atexit { unsafe print("signet: accepted \(FuzzRun.acceptedCount)") }
            return
        }
        do {
            for (number, seed) in try target.seeds().enumerated() {
                let path = unsafe "\(String(cString: folder))/seed-\(number)"
                guard let file = unsafe fopen(path, "w") else { stop("no file \(path)") }
                unsafe fwrite(seed, 1, seed.count, file)
                unsafe fclose(file)
            }
        } catch {
            stop("no seeds: \(error)")
        }
        exit(0)
    }

    static func feed(_ input: [UInt8]) {
        executor.run {
            do {
                if try await target.accepts(input) { unsafe acceptedCount += 1 }
            } catch {
                stop("broken: \(error)")
            }
        }
    }

    private static func stop(_ sentence: String) -> Never {
        let text = Array("signet: \(sentence)\n".utf8)
        unsafe write(STDERR_FILENO, text, text.count)
        abort()
    }
}
