// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import SignetVault

/// `signet vault set`
struct VaultSetCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Keep a value, in place of the one that is there.",
        discussion: """
            The value is standard input to its end, byte for byte; at a terminal it is asked for. It is never an \
            argument. A label, comment or attribute that is not given stays as it is.

            EXAMPLES
              signet vault set --service api.example --account me --prompt
              printf %s "$TOKEN" | signet vault set --service ci --class token
              signet vault set --service tls --class key --value-file key.pem
              signet vault set --service s --account a --if-absent < value
            """)

    @OptionGroup(title: "The item") var item: ItemOptions
    @OptionGroup(title: "The item") var details: DetailOptions
    @OptionGroup(title: "The value") var value: ValueOptions
    @OptionGroup(title: "The store") var place: StorePlaceOptions
    @OptionGroup(title: "Unlocking a file") var current: WayOptions<CurrentWay>
    @OptionGroup var reading: ReadingOptions
    @OptionGroup(title: "The keyring") var keyring: KeyringOptions

    @Flag(name: .long, help: "Refuse when there is such an item already.")
    var ifAbsent = false

    @Flag(name: .long, help: "Print a JSON object about the item, without its value.")
    var json = false

    func run() throws {
        try failing {
            try value.check()
            try store.check(reading: value.source)
            _ = try details.attributes()
            var read: SecretValue?
            // What is not typed is read first: nobody types a passphrase for a file that is not there.
            let opened = try store.open { if !value.asks { read = try value.value() } }
            if ifAbsent, read == nil,
                try waiting({ () throws(StoreError) in try await opened.item(key) }) != nil
            {
                throw StoreError(.alreadyExists, "There is such an item already.")
            }
            try write(read ?? value.value(), to: opened)
            guard json else { return try Output.line("kept \(item.inWords)".onOneLine) }
            guard let kept = try waiting({ () throws(StoreError) in try await opened.item(key) })
            else {
                throw item.absent
            }
            try Output.line(JSONOutput.line(ItemReport.json(kept)))
        }
    }

    private var key: ItemKey { item.key }

    private func write(_ value: SecretValue, to store: any SecureStore) throws {
        let key = key
        if ifAbsent {
            let fresh = try details.details(over: nil)
            _ = try waiting { () throws(StoreError) in
                try await store.replace(value, for: key, details: fresh, ifRevision: nil)
            }
            return
        }
        if details.isEmpty {
            _ = try waiting { () throws(StoreError) in
                try await store.set(value, for: key, details: nil)
            }
            return
        }
        try merge(value, key, store)
    }

    /// Reads the details and writes them back with the value; once more when somebody else wrote meanwhile.
    private func merge(_ value: SecretValue, _ key: ItemKey, _ store: any SecureStore) throws {
        for attempt in 1... {
            let old = try waiting { () throws(StoreError) in try await store.item(key) }
            let merged = try details.details(over: old?.details)
            do throws(StoreError) {
                _ = try waiting { () throws(StoreError) in
                    try await store.replace(
                        value, for: key, details: merged, ifRevision: old?.revision)
                }
                return
            } catch {
                guard attempt < 20, error.code == .conflict || error.code == .alreadyExists else {
                    throw error
                }
            }
        }
    }
}
