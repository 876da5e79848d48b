// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A member's name or an element's position, as a coding key.
struct JSONKey: CodingKey {
    /// The key that the standard library's containers give an object's base class.
    static let `super` = JSONKey(stringValue: "super")

    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}

extension JSONError {
    /// An error at a path, as text that is safe to log.
    init(code: Code, at path: [any CodingKey], foundationType: FoundationType? = nil) {
        var text = ""
        for key in path {
            if let position = key.intValue {
                text += "[\(position)]"
            } else {
                if !text.isEmpty { text += "." }
                // The document chooses its names freely.
                text += key.stringValue.printableName
            }
        }
        self.init(code: code, path: text, foundationType: foundationType)
    }
}
