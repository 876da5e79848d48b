// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import Testing

/// Why a key was refused; nil when it was not. Any other error fails the test.
func keyRefusal<Result>(_ body: () throws -> Result) -> KeyError? {
    do {
        _ = try body()
        return nil
    } catch let error as KeyError {
        return error
    } catch {
        Issue.record("not a KeyError: \(error)")
        return nil
    }
}
