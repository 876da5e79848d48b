// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import TestSupport
import Testing

@Suite("Unlock with a systemd credential")
struct SystemdCredentialUnlockTests {
    private static let key = [UInt8](100..<132)

    @Test(
        "The file with that name in the folder is read with any mode (systemd sets access lists)"
    )
    func reading() throws {
        try UnlockSample.withFolder { folder in
            try UnlockSample.write(Self.key, folder + "/vault", mode: 0o440)
            let method = SystemdCredentialUnlock(
                name: "vault", environment: ["CREDENTIALS_DIRECTORY": folder])
            #expect(try UnlockSample.key(method, UnlockSample.slot(.rawKey)) == Self.key)
            #expect(try UnlockSample.opensItsOwnSlot(method))
            #expect(try UnlockSample.key(method, UnlockSample.slot(.scrypt)) == nil)
            try UnlockSample.write(Array("no key".utf8), folder + "/other")
            let other = SystemdCredentialUnlock(
                name: "other", environment: ["CREDENTIALS_DIRECTORY": folder])
            #expect(FormatSample.code { _ = try UnlockSample.newSlot(other) } == .invalidValue)
            let none = SystemdCredentialUnlock(
                name: "none", environment: ["CREDENTIALS_DIRECTORY": folder])
            #expect(FormatSample.code { _ = try UnlockSample.newSlot(none) } == .unavailable)
        }
    }

    @Test(
        "A name that leads elsewhere is refused",
        arguments: [
            "", ".", "..", "/", "a/b", "../key", "/etc/passwd", "a\0b",
            String(repeating: "n", count: 256),
        ])
    func names(name: String) throws {
        try UnlockSample.withFolder { folder in
            let method = SystemdCredentialUnlock(
                name: name, environment: ["CREDENTIALS_DIRECTORY": folder + "/inner"])
            try UnlockSample.write(Self.key, folder + "/key")
            #expect(FormatSample.code { _ = try UnlockSample.newSlot(method) } == .invalidParameter)
        }
    }

    @Test(
        "Without credentials the error names the variable",
        arguments: [
            [:], ["CREDENTIALS_DIRECTORY": ""], ["CREDENTIALS_DIRECTORY": "relative"],
        ])
    func missing(environment: [String: String]) {
        let method = SystemdCredentialUnlock(name: "vault", environment: environment)
        let error = #expect(throws: StoreError.self) { try UnlockSample.newSlot(method) }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("CREDENTIALS_DIRECTORY") == true)
    }
}
