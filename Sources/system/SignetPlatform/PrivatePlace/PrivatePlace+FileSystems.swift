// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension PrivatePlace {
    /// Whether a file system of this type (`f_type` of statfs) is reached over a network, or from a
    /// guest machine.
    ///
    /// FUSE is not covered: sshfs uses it, but so do many local file systems.
    package static func isNetworked(fileSystemType type: Int64) -> Bool {
        networkedTypes.contains(type)
    }

    /// From the kernel's headers (linux/magic.h) and those of the file systems themselves.
    private static let networkedTypes: Set<Int64> = [
        0x6969,  // NFS
        0xff53_4d42,  // CIFS
        0xfe53_4d42,  // SMB 2 and 3
        0x517b,  // SMB 1
        0x564c,  // NCP
        0x5346_414f,  // AFS (OpenAFS)
        0x6b41_4653,  // AFS (the kernel's)
        0x7375_7245,  // Coda
        0x00c3_6400,  // Ceph
        0x0102_1997,  // 9P: a folder of the host in a guest, drives of Windows in WSL
        0x0bd0_0bd0,  // Lustre
        0x4750_4653,  // GPFS
        0x786f_4256,  // VirtualBox's shared folders
        0xbacb_acbc,  // VMware's shared folders
    ]
}
