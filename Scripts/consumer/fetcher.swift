// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity

// Someone else's program that fetches keys over libcurl. Here no server answers.
let keys = try RemoteKeySet(
    issuer: "https://idp.example", location: .keySet(EndpointURL("http://127.0.0.1:1/keys")),
    transport: .curl
)
do throws(KeySourceError) {
    _ = try await keys.refresh()
} catch {
    print(error)
}
