// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension WycheproofFile {
    func token(_ test: WycheproofTest) throws(AuditError) -> Check { Check("JWS") { .failed("") } }
    func keySet(_ test: WycheproofTest) throws(AuditError) -> Check { Check("JWK") { .failed("") } }
}
