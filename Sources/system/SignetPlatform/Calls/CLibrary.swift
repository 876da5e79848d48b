// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

// Functions of the C library whose names are also methods here.

/// The error number of the call just made on this thread.
var lastErrno: Int32 { errno }

func cOpen(_ path: UnsafePointer<CChar>, flags: Int32) -> Int32 { unsafe open(path, flags) }

func cRead(_ number: Int32, into buffer: UnsafeMutableRawPointer?, count: Int) -> Int {
    unsafe read(number, buffer, count)
}

func cWrite(_ number: Int32, from buffer: UnsafeRawPointer?, count: Int) -> Int {
    unsafe write(number, buffer, count)
}

func cRename(_ from: UnsafePointer<CChar>, to: UnsafePointer<CChar>) -> Int32 {
    unsafe rename(from, to)
}

/// Makes a call again for as long as a signal interrupts it.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
