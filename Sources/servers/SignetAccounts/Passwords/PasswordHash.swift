// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetJSON

/// A password's stored form: algorithm, parameters, salt and hash, as a text in the form of the
/// Password Hashing Competition (PHC), which other libraries also read and write:
///
///     $scrypt$ln=17,r=8,p=1$SALT$HASH
///     $argon2id$v=19$m=65536,t=3,p=4$SALT$HASH
///     $pbkdf2-sha256$i=600000,l=32$SALT$HASH     where l is the length of HASH
///
/// SALT and HASH are Base64 without padding, of 8 to 64 and of 16 to 64 bytes. Printing shows
/// nothing.
public struct PasswordHash: Sendable, Equatable, Redacted {
    private static let maximumByteCount = 512

    /// The algorithm and parameters that made the hash.
    public let algorithm: PasswordAlgorithm
    let salt: [UInt8]
    let hash: [UInt8]

    init(algorithm: PasswordAlgorithm, salt: [UInt8], hash: [UInt8]) {
        self.algorithm = algorithm
        self.salt = salt
        self.hash = hash
    }

    /// Reads a stored text in its only accepted spelling: parameters in order, numbers without
    /// leading zeros, Base64 without padding.
    ///
    /// A salt has 8 to 64 bytes, a hash 16 to 64, and the parameters are within limits (256 MiB,
    /// and 4 times the work of the defaults), so a foreign text cannot exhaust the machine. Argon2
    /// must have version 19 and kind `id`, PBKDF2 the hash SHA-256.
    ///
    /// - Throws: `invalidPasswordHash`.
    public init(_ text: String) throws(AccountError) {
        guard text.utf8.count <= Self.maximumByteCount,
            let hash = PasswordHash(parsing: Array(text.utf8))
        else {
            throw AccountError(
                .invalidPasswordHash,
                "A stored password hash is not scrypt, Argon2id or PBKDF2 in PHC form within the limits."
            )
        }
        self = hash
    }

    private init?(parsing text: [UInt8]) {
        let fields = text.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard let (algorithm, saltAndHash) = Self.readAlgorithm(of: fields), algorithm.isAllowed
        else { return nil }
        guard saltAndHash.count == 2, let salt = saltAndHash.first.flatMap(Self.decodedBase64),
            let hash = saltAndHash.last.flatMap(Self.decodedBase64)
        else { return nil }
        guard (8...64).contains(salt.count), (16...64).contains(hash.count) else { return nil }
        self.init(algorithm: algorithm, salt: salt, hash: hash)
    }

    /// The algorithm with its parameters, and the fields after it: salt and hash, which the caller
    /// counts.
    private static func readAlgorithm(
        of fields: [ArraySlice<UInt8>]
    ) -> (PasswordAlgorithm, saltAndHash: ArraySlice<ArraySlice<UInt8>>)? {
        // The text begins with a $, so the first field is empty.
        guard fields.count >= 5, fields[0].isEmpty else { return nil }
        let name = fields[1]
        if name.elementsEqual("scrypt".utf8),
            let numbers = readNumbers(fields[2], named: ["ln", "r", "p"])
        {
            let algorithm = PasswordAlgorithm.scrypt(
                logCost: numbers[0], blockSize: numbers[1], parallelism: numbers[2])
            return (algorithm, fields[3...])
        }
        if name.elementsEqual("argon2id".utf8), fields[2].elementsEqual("v=19".utf8),
            let numbers = readNumbers(fields[3], named: ["m", "t", "p"])
        {
            let algorithm = PasswordAlgorithm.argon2id(
                memoryKiB: numbers[0], passes: numbers[1], lanes: numbers[2])
            return (algorithm, fields[4...])
        }
        // l bytes are so many characters of Base64.
        if name.elementsEqual("pbkdf2-sha256".utf8),
            let numbers = readNumbers(fields[2], named: ["i", "l"]),
            fields[4].count == (numbers[1] * 4 + 2) / 3
        {
            return (.pbkdf2(iterations: numbers[0]), fields[3...])
        }
        return nil
    }

    /// `ln=17,r=8,p=1` gives 17, 8 and 1: decimal numbers of up to 9 digits without leading zeros,
    /// each after its name, and exactly as many as there are names.
    private static func readNumbers(_ field: ArraySlice<UInt8>, named names: [String]) -> [Int]? {
        let parts = field.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == names.count else { return nil }
        var numbers: [Int] = []
        for (part, name) in zip(parts, names) {
            let prefix = "\(name)=".utf8
            guard part.starts(with: prefix) else { return nil }
            let digits = part.dropFirst(prefix.count)
            guard (1...9).contains(digits.count), digits.allSatisfy(\.isASCIIDigit),
                digits.first != UInt8(ascii: "0")
            else { return nil }
            numbers.append(digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
        }
        return numbers
    }

    /// The text to store. Anyone who has it can try passwords.
    public var exposedText: String {
        var text: String
        switch algorithm {
        case .scrypt(let logCost, let blockSize, let parallelism):
            text = "$scrypt$ln=\(logCost),r=\(blockSize),p=\(parallelism)$"
        case .argon2id(let memoryKiB, let passes, let lanes):
            text = "$argon2id$v=19$m=\(memoryKiB),t=\(passes),p=\(lanes)$"
        case .pbkdf2(let iterations):
            text = "$pbkdf2-sha256$i=\(iterations),l=\(hash.count)$"
        }
        text += Self.base64(salt) + "$" + Self.base64(hash)
        return text
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let text = Base64URL.encode(bytes).utf8.map { substituted($0, from: "-_", to: "+/") }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text in base64 without padding (RFC 4648, section 4): base64url differs in
    /// two characters.
    private static func decodedBase64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard !text.contains(where: { "-_".utf8.contains($0) }) else { return nil }
        let base64URL = text.map { substituted($0, from: "+/", to: "-_") }
        // Every error means that the text is not base64, which the caller reports.
        return try? Base64URL.decode(String(decoding: base64URL, as: UTF8.self))
    }

    /// The character of `to` at the place that `octet` has in `from`; else `octet` itself.
    private static func substituted(_ octet: UInt8, from: String, to: String) -> UInt8 {
        for (old, new) in zip(from.utf8, to.utf8) where old == octet { return new }
        return octet
    }
}
