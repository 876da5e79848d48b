// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetCurl
import SignetIdentity

// For Scripts/load.sh: the same verification as in the example beside it, without a server. Each
// line of input says how often to verify the token; when that is done, it writes a line.
let arguments = CommandLine.arguments
guard arguments.count == 4 else { fatalError("usage: verification-alone ISSUER AUDIENCE TOKEN") }
let verifier = try AccessTokenVerifier(
    .rfc9068(issuer: arguments[1], resources: [arguments[2]]), keys: .fetched(over: CurlTransport())
)
// The first verification fetches the keys.
_ = try await verifier.verify(arguments[3])
while let line = readLine(), let count = Int(line) {
    for _ in 0..<count { _ = try await verifier.verify(arguments[3]) }
    print("verified")
    fflush(nil)
}
