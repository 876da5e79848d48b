// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetEmail
import SignetSignIn
import TestSupport
import Testing

@Suite("Clients that have signed in before", .serialized)
struct KnownClientTests {
    private static let day = Int64(86_400_000)
    private let clients: KnownClients
    private let phone: CodeDestination
    private let home: ClientAddress
    private let elsewhere: ClientAddress

    init() throws {
        clients = KnownClients(secret: try .test())
        phone = try CodeScene.destination()
        home = try #require(ClientAddress("192.0.2.1"))
        elsewhere = try #require(ClientAddress("198.51.100.1"))
    }

    private func signIn(
        _ database: any AccountDatabase, _ device: DeviceSecret?, _ address: ClientAddress?,
        _ destination: CodeDestination? = nil
    ) async throws -> DeviceSecret {
        let (clients, destination) = (clients, destination ?? phone)
        return try await database.transaction { (transaction) throws(AccountError) in
            try await AccountUsers.add("ann", in: transaction)
            return try await clients.remember(
                device: device, address: address, at: destination, of: "ann", in: transaction)
        }
    }

    private func isKnown(
        _ database: any AccountDatabase, _ device: DeviceSecret?, _ address: ClientAddress? = nil,
        _ destination: CodeDestination? = nil
    ) async throws -> Bool {
        let (clients, destination) = (clients, destination ?? phone)
        return try await database.transaction { (transaction) throws(AccountError) in
            try await clients.find(
                device: device, address: address, at: destination, in: transaction) != nil
        }
    }

    @Test("A device is known at its destination by its secret, wherever it is")
    func devices() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let device = try await signIn(database, nil, home)
        #expect(try await isKnown(database, device))
        #expect(try await isKnown(database, device, elsewhere))
        #expect(try await !isKnown(database, DeviceSecret(), elsewhere))
        let mail = CodeDestination.email(try Mailbox("ann@example.com"))
        #expect(try await !isKnown(database, device, home, mail))
        // The same secret for another account.
        let again = try await signIn(database, device, elsewhere, mail)
        #expect(again.exposedText == device.exposedText)
        #expect(try await isKnown(database, device, nil, mail))
        #expect(
            try await isKnown(database, device, nil, .email(try Mailbox("ANN@example.com"))))
        // A client that shows its secret is not known by its address.
        #expect(try await !isKnown(database, nil, elsewhere, mail))
    }

    @Test("After a factor a client is known by its secret, for this factor alone")
    func factors() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let clients = clients
        let signedIn = try await signIn(database, nil, home)
        func isKnown(
            _ device: DeviceSecret?, _ factor: String = "app", of user: String = "ann"
        ) async throws -> Bool {
            try await database.transaction { (transaction) throws(AccountError) in
                try await clients.find(
                    device: device, afterFactor: factor, of: user, in: transaction) != nil
            }
        }
        // A sign-in is not enough.
        #expect(try await !isKnown(signedIn))
        let proven = try await database.transaction { (transaction) throws(AccountError) in
            try await clients.remember(
                device: nil, afterFactor: "app", of: "ann", in: transaction)
        }
        #expect(try await isKnown(proven))
        #expect(try await !isKnown(nil))
        #expect(try await !isKnown(DeviceSecret()))
        #expect(try await !isKnown(proven, of: "bob"))
        #expect(try await !isKnown(proven, "another app"))
        #expect(try await !self.isKnown(database, proven, elsewhere))
        let again = try await database.transaction { (transaction) throws(AccountError) in
            try await clients.remember(
                device: signedIn, afterFactor: "app", of: "ann", in: transaction)
        }
        #expect(again.exposedText == signedIn.exposedText)
        #expect(try await isKnown(signedIn))
    }

    @Test("A client without a secret is known by its address, of IPv6 by the first 64 bits")
    func addresses() async throws {
        let database = try await SQLiteAccounts.inMemory()
        _ = try await signIn(database, nil, home)
        _ = try await signIn(database, nil, ClientAddress("2001:db8:1:2::1"))
        // A secret that is not known there does not take away what the address has.
        let others: [DeviceSecret?] = [nil, try DeviceSecret()]
        for device in others {
            #expect(try await isKnown(database, device, home))
            #expect(try await isKnown(database, device, ClientAddress("2001:db8:1:2::9")))
            for address in [nil, elsewhere, ClientAddress("2001:db8:1:3::1")] {
                #expect(try await !isKnown(database, device, address))
            }
        }
        // Without an address only the secret is remembered.
        let device = try await signIn(database, nil, nil)
        #expect(try await isKnown(database, device))
    }

    @Test("A client is known for 30 days after its last sign-in, to the millisecond")
    func lifetime() async throws {
        let moments = try Moments()
        let device = try await signIn(try await moments.after(0), nil, home)
        let end = 30 * Self.day
        for (time, isThere) in [(0, true), (end - 1, true), (end, false)] {
            let database = try await moments.after(time)
            #expect(try await isKnown(database, device) == isThere)
            #expect(try await isKnown(database, nil, home) == isThere)
        }
        _ = try await signIn(try await moments.after(Self.day), device, home)
        #expect(try await isKnown(try await moments.after(end), device))
        #expect(try await !isKnown(try await moments.after(end), nil, home))
        // What a clock that was far ahead wrote does not stay for as long.
        _ = try await signIn(try await moments.after(365 * Self.day), device, nil)
        #expect(try await !isKnown(try await moments.after(Self.day), device))
        await moments.close()
    }

    @Test("Ended clients are swept with the limits, and others stay")
    func swept() async throws {
        let moments = try Moments()
        _ = try await signIn(try await moments.after(0), nil, home)
        for (time, count) in [(30 * Self.day - 1, Int64(2)), (30 * Self.day, 0)] {
            let database = try await moments.after(time)
            try await RateLimits(database, secret: try .test()).sweep()
            let rows = try await database.run("SELECT count(*) FROM signet_known_clients")
            #expect(try rows.first?.integer(0) == count)
        }
        await moments.close()
    }

    @Test("A deleted user's clients are forgotten")
    func deleted() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let device = try await signIn(database, nil, home)
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await AccountUsers.delete("ann", in: transaction)
        }
        #expect(try await !isKnown(database, device, home))
        #expect(try await database.run("SELECT key FROM signet_known_clients").isEmpty)
    }

    @Test("The file holds neither the secret nor the number nor the address")
    func hidden() async throws {
        let moments = try Moments()
        let device = try await signIn(try await moments.after(0), nil, home)
        await moments.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: moments.path))
        #expect(bytes.range(of: Data("signet_known_clients".utf8)) != nil)
        for text in ["4155551234", device.exposedText] {
            #expect(bytes.range(of: Data(text.utf8)) == nil)
        }
        #expect(!"\(device)".contains(device.exposedText))
        #expect(!String(reflecting: device).contains(device.exposedText))
    }

    @Test("A secret is 22 characters that are read back, and nothing else is one")
    func texts() throws {
        let device = try DeviceSecret()
        let text = device.exposedText
        #expect(text.utf8.count == 22 && DeviceSecret(text)?.exposedText == text)
        #expect(try DeviceSecret().exposedText != text)
        for other in [
            "", String(text.dropLast()), text + "A", text.replacing(text.suffix(1), with: "!"),
            String(repeating: "é", count: 11), String(repeating: "A", count: 21) + "B",
        ] { #expect(DeviceSecret(other) == nil, "\(other)") }
    }

    @Test("Ten tries of a known client are its own: strangers use up only theirs")
    func ownTries() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let limits = RateLimits(database, secret: try .test())
        let device = try await signIn(database, nil, home)
        let (clients, phone) = (clients, phone)
        func tries(_ device: DeviceSecret?, _ address: ClientAddress?) async throws -> Int {
            var count = 0
            for _ in 0..<12 {
                let error = await accountError { () throws(AccountError) in
                    try await database.transaction { (transaction) throws(AccountError) -> Void in
                        let known = try await clients.find(
                            device: device, address: address, at: phone, in: transaction)
                        try await limits.take(
                            .passwordTries, name: "passwords",
                            for: known.map { .known($0) } ?? .destination(phone), in: transaction)
                    }
                }
                if error == nil { count += 1 }
            }
            return count
        }
        #expect(try await tries(nil, elsewhere) == 10)
        #expect(try await tries(DeviceSecret(), nil) == 0)
        #expect(try await tries(nil, home) == 10)
        #expect(try await tries(device, elsewhere) == 10)
        #expect(try await tries(device, home) == 0)
    }
}
