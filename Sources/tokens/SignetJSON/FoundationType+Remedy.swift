// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension FoundationType {
    /// Says what is wrong, and what to declare instead.
    var remedy: ErrorMessage {
        switch self {
        case .date:
            "Foundation's Date counts seconds from 2001 and claims count from 1970: declare the "
                + "claim as NumericDate, which SignetFoundation converts from and to Date."
        case .url:
            "Foundation's URL encodes itself as an object: declare the claim as String and make "
                + "the URL of it."
        case .data:
            "Foundation's Data encodes itself as an array of numbers: declare the claim as String "
                + "and use Base64URL, or base64 where its readers expect that."
        case .decimal:
            "Foundation's Decimal encodes itself as its parts: declare the claim as String, since "
                + "readers of JSON round numbers to Double."
        }
    }
}
