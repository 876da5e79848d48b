// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// libFuzzer's own main calls these two. Only `make fuzz` builds them (Package.swift).

import FuzzTargets

/// Before the first input.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeRawPointer, _ arguments: UnsafeRawPointer) -> CInt {
    FuzzRun.prepare()
    return 0
}

/// One input.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzRun.feed(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
