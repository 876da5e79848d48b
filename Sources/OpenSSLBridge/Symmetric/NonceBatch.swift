// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Random bytes for nonces, drawn from libcrypto's generator some thousand at a time; each thread has a batch of its own.
///
/// A nonce must never be used in two processes. The batch lies on a page that the kernel gives a child as zeros
/// (`MADV_WIPEONFORK`, Linux 4.14): the child finds that nothing is left, however it was made, by `fork` or by a system
/// call that no library sees. Where the kernel cannot do that there is no batch, and each nonce is drawn by itself.
///
/// Only synchronous code uses it, without giving up the thread, hence two uses cannot overlap.
@safe
struct NonceBatch {
    /// What a refill draws. Longer makes nothing faster: it is 1 % of the work already.
    private static var byteCount: Int { 4096 - headByteCount }
    /// How many bytes at the end are left, before the bytes themselves.
    private static var headByteCount: Int { 16 }

    private let page: UnsafeMutableRawPointer

    /// Writes `count` bytes, at most 64, which are never given to anyone else.
    static func draw(_ base: UnsafeMutablePointer<UInt8>, count: Int) throws(OpenSSLFailure) {
        guard let batch = current() else {
            return try unsafe fillWithRandomBytes(base, count: count)
        }
        try unsafe batch.draw(base, count)
    }

    private func draw(_ base: UnsafeMutablePointer<UInt8>, _ count: Int) throws(OpenSSLFailure) {
        var left = unsafe page.load(as: Int.self)
        if left < count {
            try refill()
            left = Self.byteCount
        }
        guard count > 0, count <= left, left <= Self.byteCount else {
            throw OpenSSLFailure(.invalidLength, "nonce")
        }
        // First the bytes are no longer there, then they are used.
        unsafe page.storeBytes(of: left - count, as: Int.self)
        let next = unsafe page + (Self.headByteCount + Self.byteCount - left)
        unsafe UnsafeMutableRawPointer(base).copyMemory(from: next, byteCount: count)
        unsafe next.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    @inline(never)
    private func refill() throws(OpenSSLFailure) {
        unsafe page.storeBytes(of: 0, as: Int.self)
        let first = unsafe (page + Self.headByteCount).assumingMemoryBound(to: UInt8.self)
        try unsafe fillWithRandomBytes(first, count: Self.byteCount)
        unsafe page.storeBytes(of: Self.byteCount, as: Int.self)
    }

    // MARK: One for each thread

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        let returnCode = unsafe pthread_key_create(&key) { stored in
            // glibc calls this at the end of a thread with what was stored. The kernel wipes what it takes back.
            if let stored = unsafe stored { unsafe munmap(stored, NonceBatch.pageByteCount) }
        }
        return returnCode == 0 && NonceBatch.isWipedOnFork ? key : nil
    }()

    private static let pageByteCount = max(sysconf(Int32(_SC_PAGESIZE)), 4096)

    private static func current() -> NonceBatch? {
        guard let key else { return nil }
        if let stored = unsafe pthread_getspecific(key) { return unsafe NonceBatch(page: stored) }
        return make(key)
    }

    @inline(never)
    private static func make(_ key: pthread_key_t) -> NonceBatch? {
        guard let page = unsafe wipedPage() else { return nil }
        guard unsafe pthread_setspecific(key, page) == 0 else {
            unsafe munmap(page, pageByteCount)
            return nil
        }
        return unsafe NonceBatch(page: page)
    }

    /// A page of zeros that is a page of zeros in a child, too.
    private static func wipedPage() -> UnsafeMutableRawPointer? {
        guard
            let page = unsafe mmap(
                nil, pageByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe page != MAP_FAILED
        else { return nil }
        guard unsafe madvise(page, pageByteCount, MADV_WIPEONFORK) == 0 else {
            unsafe munmap(page, pageByteCount)
            return nil
        }
        return unsafe page
    }

    /// Whether the kernel means what it answers: an emulator that says yes to advice that there is not, does nothing.
    private static let isWipedOnFork: Bool = {
        guard let page = unsafe wipedPage() else { return false }
        defer { unsafe munmap(page, pageByteCount) }
        return unsafe madvise(page, pageByteCount, -1) != 0
    }()
}
