// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension AccountCheck {
    static let clients = [
        AccountCheck("a client is known where it has signed in, for 30 days") { scope in
            try await FactorScope.run(scope) { own in
                let device = try await own.remember(nil, from: "192.0.2.1")
                try await own.expectKnown(device, address: nil, is: true, named: "the device")
                try await own.expectKnown(nil, address: "192.0.2.1", is: true, named: "its address")
                try await own.expectKnown(
                    device, address: "198.51.100.1", is: true, named: "it elsewhere")
                try await own.expectKnown(
                    nil, address: "198.51.100.1", is: false, named: "another address")
                try await own.expectKnown(
                    try DeviceSecret(), address: nil, is: false, named: "another device")
                try await own.pass(.seconds(20 * 86_400))
                _ = try await own.remember(device, from: "198.51.100.1")
                try await own.pass(.seconds(10 * 86_400))
                try await own.expectKnown(
                    device, address: nil, is: true, named: "the device, signed in again")
                try await own.expectKnown(
                    nil, address: "192.0.2.1", is: false, named: "an address of 30 days ago")
                try await own.expectKnown(
                    nil, address: "198.51.100.1", is: false,
                    named: "the address of a client with a secret")
                try await own.limits().sweep()
                try await own.expectKnown(
                    device, address: nil, is: true, named: "the device, after a sweep")
                let user = scope.name
                try await own.database(0).transaction {
                    (transaction) throws(AccountError) in
                    try await AccountUsers.delete(user, in: transaction)
                }
                try await own.expectKnown(
                    device, address: nil, is: false, named: "a deleted user's device")
            }
        },
        AccountCheck("many sign-ins of one client at once all succeed") { scope in
            try await FactorScope.run(scope) { own in
                let device = try await own.remember(nil, from: "192.0.2.1")
                let remembered = try await runAtOnce(24) { number in
                    let shown = number % 2 == 0 ? device : nil
                    return try await own.remember(shown, from: "192.0.2.1", on: number)
                }
                try scope.expect(
                    remembered.count, is: 24, named: "the count of those that succeeded")
                try await own.expectKnown(device, address: nil, is: true, named: "the device")
            }
        },
    ]
}

extension FactorScope {
    private var clients: KnownClients { KnownClients(secret: secret) }

    /// Records a sign-in of the check's user: from an address, with the secret that the device has.
    fileprivate func remember(
        _ device: DeviceSecret?, from address: String, on number: Int = 0
    ) async throws -> DeviceSecret {
        let clients = clients
        let phone = phone
        let user = scope.name
        return try await database(number).transaction { (transaction) throws(AccountError) in
            try await AccountUsers.add(user, in: transaction)
            return try await clients.remember(
                device: device, address: ClientAddress(address), at: phone, of: user,
                in: transaction)
        }
    }

    fileprivate func expectKnown(
        _ device: DeviceSecret?, address: String?, is known: Bool, named what: String
    ) async throws {
        let clients = clients
        let phone = phone
        let found = try await database(0).transaction { (transaction) throws(AccountError) in
            try await clients.find(
                device: device, address: address.flatMap(ClientAddress.init), at: phone,
                in: transaction)
        }
        try scope.expect(found != nil, is: known, named: "whether this is known: \(what)")
    }
}
