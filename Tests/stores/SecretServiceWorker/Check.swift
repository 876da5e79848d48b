// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault

struct Failed: Error, CustomStringConvertible {
    let description: String
}

func check(
    _ condition: Bool, _ text: @autoclosure () -> String, line: Int = #line, file: String = #fileID
)
    throws
{
    guard condition else { throw Failed(description: "\(file):\(line): \(text())") }
}

func checkEqual<T: Equatable>(
    _ a: T, _ b: T, _ text: String = "", line: Int = #line, file: String = #fileID
)
    throws
{
    guard a == b else { throw Failed(description: "\(file):\(line): \(text) \(a) is not \(b)") }
}

/// Runs what must fail with a code, and says how long it took.
///
/// A call that fails too late ends with `timedOut`, and one that has no end with the scenario.
@discardableResult
func expect<R>(
    _ code: StoreError.Code, line: Int = #line, file: String = #fileID,
    _ body: () async throws -> R
) async throws -> Double {
    let start = now()
    do {
        let result = try await body()
        throw Failed(description: "\(file):\(line): gave \(result) in place of \(code.rawValue)")
    } catch let error as StoreError {
        let taken = now() - start
        guard error.code == code else {
            throw Failed(
                description:
                    "\(file):\(line): \(error) in place of \(code.rawValue), after \(taken) s")
        }
        return taken
    }
}

/// Seconds of a clock that is not set.
func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

func pause(_ seconds: Double) async throws {
    try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
}
