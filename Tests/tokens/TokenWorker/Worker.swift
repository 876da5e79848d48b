// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import FailingMalloc
import Foundation
import SignetCrypto
import SignetJOSE
import Synchronization

/// Verifies tokens while libcrypto fails, for SignetJOSETests: a malloc that fails, or default
/// properties that no provider has, would harm every other test of the process. Each line of its
/// output is the case and the answer: `valid`, or the code of the error.
@main
struct Worker {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let fault = arguments.first
        if fault != "properties", failing_malloc_set(-1, false) < 0 { return print("unavailable") }
        if fault == "first", arguments.count == 4, let request = Int32(arguments[3]) {
            return refuseFirst(request, keys: arguments[1], token: arguments[2])
        }
        for algorithm in ["RS256", "PS256", "ES256", "ES512", "EdDSA", "HS256"] {
            let sample = try Sample(algorithm)
            for (name, token) in [("good", sample.token), ("bad", sample.forged)] {
                for isWarm in [false, true] {
                    let label = "\(algorithm) \(name) \(isWarm ? "warm" : "cold")"
                    switch fault {
                    case "memory":
                        for isLasting in [false, true] {
                            try refuseMemory(label, sample, token, isWarm, isLasting)
                        }
                    case "properties": try takeProviders(label, sample, token, isWarm)
                    default: throw CocoaError(.featureUnsupported)
                    }
                }
            }
        }
    }

    /// Fails libcrypto's first request, then its second and so on, until there are no more.
    static func refuseMemory(
        _ label: String, _ sample: Sample, _ token: String, _ isWarm: Bool, _ isLasting: Bool
    ) throws {
        for request in 0..<10_000 {
            let verifier = try sample.verifier(isWarm)
            let (answer, refused) = onNewThread {
                _ = failing_malloc_set(Int32(request), isLasting)
                let answer = verdict(verifier, token)
                return (answer, failing_malloc_set(-1, false))
            }
            print(label, isLasting ? "from" : "at", refused == 0 ? "end" : "\(request)", answer)
            if refused == 0 { return }
        }
    }

    /// Loads keys and verifies while one of libcrypto's first requests fails, and then again.
    static func refuseFirst(_ request: Int32, keys: String, token: String) {
        _ = failing_malloc_set(request, false)
        let answer = loaded(keys, token)
        let refused = failing_malloc_set(-1, false)
        print(refused == 0 ? "end" : "refused", answer, loaded(keys, token))
    }

    static func loaded(_ keys: String, _ token: String) -> String {
        do throws(KeyError) {
            guard keys.contains("\"oct\"") else {
                return verdict(try JWSVerifier(keys: KeySet(jwks: keys)), token)
            }
            return verdict(try JWSVerifier(hmacKeys: HMACKeySet(jwks: keys.utf8)), token)
        } catch {
            return error.code.rawValue
        }
    }

    static func takeProviders(_ label: String, _ sample: Sample, _ token: String, _ isWarm: Bool)
        throws
    {
        let verifier = try sample.verifier(isWarm)
        unsafe EVP_set_default_properties(nil, "provider=nobodys")
        print(label, "without", "providers", onNewThread { verdict(verifier, token) })
        unsafe EVP_set_default_properties(nil, "")
        print(label, "with", "providers", onNewThread { verdict(verifier, token) })
    }

    static func verdict(_ verifier: JWSVerifier, _ token: String) -> String {
        do throws(TokenError) {
            _ = try verifier.verify(token)
            return "valid"
        } catch {
            return error.code.rawValue
        }
    }

    /// libcrypto keeps its errors, and Signet its contexts, for each thread: these have none yet.
    static func onNewThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value {
        let answer = Mutex<Value?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Thread {
            let own = body()
            answer.withLock { $0 = own }
            isDone.signal()
        }.start()
        isDone.wait()
        guard let answer = answer.withLock({ $0 }) else { exit(2) }
        return answer
    }
}
