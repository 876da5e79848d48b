// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform
internal import SignetVault

/// The service and the account of an item.
struct ItemName {
    let service: String
    let account: String

    init(service: String, account: String) {
        self.service = service
        self.account = account
    }

    /// The item `SERVICE/ACCOUNT`. The last slash divides, because a service may be a URL.
    ///
    /// - Returns: nil unless both parts are there.
    init?(_ text: String) {
        // By bytes, because "/" and a combining mark after it are another Character.
        let bytes = text.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        service = String(decoding: bytes[..<slash], as: UTF8.self)
        account = String(decoding: bytes[slash...].dropFirst(), as: UTF8.self)
        guard !service.isEmpty, !account.isEmpty else { return nil }
    }

    /// The item that an argument names.
    ///
    /// - Parameter subject: the argument, as a message names it.
    static func checked(_ text: String, as subject: ErrorMessage = "The item") throws -> ItemName {
        guard let name = ItemName(text) else {
            // The text is not shown: it may be a value.
            throw CommandFailure.usage(
                "\(subject) is not written as SERVICE/ACCOUNT.",
                advice: "The last / divides, and neither part is empty.")
        }
        return name
    }

    func key(_ kind: ItemKindOptions) -> ItemKey {
        ItemKey(
            service: service, account: account, itemClass: kind.itemClass, accessGroup: kind.group)
    }

    /// The item's name, as messages write it.
    var inWords: String { "service '\(service)', account '\(account)'" }
}

extension ItemKey {
    /// What names this item to `signet vault get`, as words of a shell. Where `SERVICE/ACCOUNT`
    /// does not, the words are options.
    var arguments: String {
        var words: [String] = []
        // A word that begins with a dash would be an option.
        if let name = ItemName("\(service)/\(account)"), service.utf8.first != UInt8(ascii: "-"),
            name.service.utf8.elementsEqual(service.utf8)
        {
            words = [Self.word("\(service)/\(account)")]
        } else {
            words = [Self.option("--service", of: service)]
            if !account.isEmpty { words.append(Self.option("--account", of: account)) }
        }
        if itemClass != .generic { words.append(Self.option("--class", of: itemClass.rawValue)) }
        if !accessGroup.isEmpty { words.append(Self.option("--group", of: accessGroup)) }
        return words.joined(separator: " ")
    }

    /// An option and its value. The parser drops a value `--`, unless it is part of the option's word.
    private static func option(_ name: String, of value: String) -> String {
        name + (value.utf8.first == UInt8(ascii: "-") ? "=" : " ") + word(value)
    }

    /// A text as one word of a shell, in which a terminal obeys nothing.
    private static func word(_ text: String) -> String {
        let isBare = text.utf8.allSatisfy {
            $0 >= 0x80 || $0.isDigit || $0.isLetter || plain.contains($0)
        }
        let isShown = !text.unicodeScalars.contains { $0.isObeyed || $0.properties.isWhitespace }
        return isBare && isShown && !text.isEmpty ? text : PathText.quotedWord(text)
    }

    private static let plain = Array("/._-@:+,%".utf8)
}
