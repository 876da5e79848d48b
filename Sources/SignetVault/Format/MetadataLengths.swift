// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How long the texts of a record may be, in octets of UTF-8: what a reader accepts. ``ItemLimits`` says it to writers.
enum MetadataLengths {
    static let itemClass = 1...64
    static let accessGroup = 0...ItemLimits.accessGroup
    static let service = 1...ItemLimits.service
    static let account = 0...ItemLimits.account
    static let label = 0...ItemLimits.label
    static let comment = 0...ItemLimits.comment
    static let valueType = 1...ItemLimits.valueType
    static let attributeName = 1...ItemLimits.attributeName
    static let attributeValue = 0...ItemLimits.attributeValue
}
