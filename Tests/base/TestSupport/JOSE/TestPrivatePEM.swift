// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Private keys made by `openssl` for these tests. They are published here, so they protect nothing.
package enum TestPrivatePEM {
    /// PKCS#8, 2048 bits.
    package static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDcd10vRpe8dxVT
        Z45qBk0jMLLP+F/Rtwtpvc9dKi6VHmS6sYBeHSYLx6gqsNNjqXG8QWGka4WwLCfv
        X+JcWRTS7LEJLeOxKX6UjTbXZGxTo8qhWUrIVLq0knc9OJt2FykSjD+vjhbSecaF
        9v7Y98dvXXLhpp5U85baZcMZzPexEjC1jQYysQkapc9TJANMMN3GaFdLcZp882RM
        cFKwFifPUhhbVmr5ucCFgEvP5dcSWT4oHMA2CFNzbGYMpf8t5gp2MDg9yM19lOPm
        3NMeFRFU1cq6b7LQEMEek5Eb+3epidZ7909Uhn+65vqxGft4jFgpOhmV3mR0y+vy
        spPrLnZ/AgMBAAECggEAZ3Rl2HTuaESTT8+k/zDUysIj7r61LCKSqvykjanpMRWR
        nCAGRmO0QkvfKKVQlRBi7D3cFX1VPz4BQW2DueUdhfsG+nE7yxtXKFt51CpuQPN3
        9y4BDy/fazPd228wWIJ2xhrlGbr6D6uQUrX8khD319UIv0XiP6gM7pBZNMa/pqmt
        D+YOyPYp1m8m0P4vVSCgDsAMmchFjtLUWAFp5l6eILMkdKgS1g6I9OhV9WK2rIKn
        2J/KFolwxduT6caS63O/81lpfm9TcDduanjwm4KUsk2vGMf7BVpE/QbaeYc/FRVE
        CS0DxuIssu+n+3I9BuYWbZh+TXA1GXnuLOfM2XKNwQKBgQDxCctpo0UZYYkWhOmf
        nxPqqjXZFTpRDwGkYzQsMiCPNR5zIJLFvFB/iT9d14/wQ3WtLKTITzSPNsYOFOED
        jG0Dng0vM6omPZajJ1NB+zxkVAXQMOsQE3ZGhtuNJ+mD18ZG2/ZlwIbQmI+mBD4J
        e12dsJc4Ku1ZqJNRq3xkNoV4wQKBgQDqJqvXlDzV1Xb2i54MfmKeMxm86EXZ+JcE
        nd+Sq/RzmB9iBWwTCSX8ROSPgjvWfaIUousQ6uGB35tNrAXjwr9gNnGIywxg44uK
        FwBkD4ll5OkW8JjC37iWyvKVu6Ar4Wkd9CDJUGxApkgjwcOBZvyuJUk//XxgnomP
        FmtThu5/PwKBgHRV5N58leo1ICRFTDjlX4iAVHMNAtOCqak81D6Mhxh3a9XnH8/e
        HwAfLv1NAETXWmGVzYZ8bAK/TgIX466BxU/cpcJlbjb8vMrMPSv4ZWKLBy8/nQRq
        UEij6C2N2O/wYdtraNYdgTQGnjZjj8mlyD5GsAXE+j+u1EOzv9riUbNBAoGAawi+
        aM9kd8ManFz6JG/pmLN3QnlS5O7T6dJZDuz305doUSB1ZMY7zPOZH1jDDatkWdaX
        aaZU609R6NGH57NwVATPJV7cC7Y4ZSlajmLjxeY7/raAviQSdyvSdEvOTgC+Umj0
        S9Itief49g9u1UpEmz6EG3I+VtRhwTzYVthJUXUCgYEAg8G2Ym+3iTllvTIhBWwv
        4O+Lyo9Dgu2CNfcfM3TRs0dOfFfaUXLIMhljYrQgWOrnAwwWdyKMEva39/Lak1Al
        4qaHp/mYzYSw4sfWoCfKF8XpEbU408szz4hcECULY8kADhD9Lhyrg+ViD5wvZRl/
        2Kg6BypMBuRs8d5S20KNA0w=
        -----END PRIVATE KEY-----
        """

    /// The same key as PKCS#1.
    package static let rsaPKCS1 = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIEowIBAAKCAQEA3HddL0aXvHcVU2eOagZNIzCyz/hf0bcLab3PXSoulR5kurGA
        Xh0mC8eoKrDTY6lxvEFhpGuFsCwn71/iXFkU0uyxCS3jsSl+lI0212RsU6PKoVlK
        yFS6tJJ3PTibdhcpEow/r44W0nnGhfb+2PfHb11y4aaeVPOW2mXDGcz3sRIwtY0G
        MrEJGqXPUyQDTDDdxmhXS3GafPNkTHBSsBYnz1IYW1Zq+bnAhYBLz+XXElk+KBzA
        NghTc2xmDKX/LeYKdjA4PcjNfZTj5tzTHhURVNXKum+y0BDBHpORG/t3qYnWe/dP
        VIZ/uub6sRn7eIxYKToZld5kdMvr8rKT6y52fwIDAQABAoIBAGd0Zdh07mhEk0/P
        pP8w1MrCI+6+tSwikqr8pI2p6TEVkZwgBkZjtEJL3yilUJUQYuw93BV9VT8+AUFt
        g7nlHYX7BvpxO8sbVyhbedQqbkDzd/cuAQ8v32sz3dtvMFiCdsYa5Rm6+g+rkFK1
        /JIQ99fVCL9F4j+oDO6QWTTGv6aprQ/mDsj2KdZvJtD+L1UgoA7ADJnIRY7S1FgB
        aeZeniCzJHSoEtYOiPToVfVitqyCp9ifyhaJcMXbk+nGkutzv/NZaX5vU3A3bmp4
        8JuClLJNrxjH+wVaRP0G2nmHPxUVRAktA8biLLLvp/tyPQbmFm2Yfk1wNRl57izn
        zNlyjcECgYEA8QnLaaNFGWGJFoTpn58T6qo12RU6UQ8BpGM0LDIgjzUecyCSxbxQ
        f4k/XdeP8EN1rSykyE80jzbGDhThA4xtA54NLzOqJj2WoydTQfs8ZFQF0DDrEBN2
        RobbjSfpg9fGRtv2ZcCG0JiPpgQ+CXtdnbCXOCrtWaiTUat8ZDaFeMECgYEA6iar
        15Q81dV29oueDH5injMZvOhF2fiXBJ3fkqv0c5gfYgVsEwkl/ETkj4I71n2iFKLr
        EOrhgd+bTawF48K/YDZxiMsMYOOLihcAZA+JZeTpFvCYwt+4lsrylbugK+FpHfQg
        yVBsQKZII8HDgWb8riVJP/18YJ6JjxZrU4bufz8CgYB0VeTefJXqNSAkRUw45V+I
        gFRzDQLTgqmpPNQ+jIcYd2vV5x/P3h8AHy79TQBE11phlc2GfGwCv04CF+OugcVP
        3KXCZW42/LzKzD0r+GViiwcvP50EalBIo+gtjdjv8GHba2jWHYE0Bp42Y4/Jpcg+
        RrAFxPo/rtRDs7/a4lGzQQKBgGsIvmjPZHfDGpxc+iRv6Zizd0J5UuTu0+nSWQ7s
        99OXaFEgdWTGO8zzmR9Yww2rZFnWl2mmVOtPUejRh+ezcFQEzyVe3Au2OGUpWo5i
        48XmO/62gL4kEncr0nRLzk4AvlJo9EvSLYnn+PYPbtVKRJs+hBtyPlbUYcE82FbY
        SVF1AoGBAIPBtmJvt4k5Zb0yIQVsL+Dvi8qPQ4LtgjX3HzN00bNHTnxX2lFyyDIZ
        Y2K0IFjq5wMMFncijBL2t/fy2pNQJeKmh6f5mM2EsOLH1qAnyhfF6RG1ONPLM8+I
        XBAlC2PJAA4Q/S4cq4PlYg+cL2UZf9ioOgcqTAbkbPHeUttCjQNM
        -----END RSA PRIVATE KEY-----
        """

    /// PKCS#8, P-256.
    package static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVqaACV5nGS7tkVCO
        FBFdmvEpVDNrLMmDZ7PGge/CriqhRANCAASJVeiXdgsEcSgAhdhZgP2pRTS5Ma2w
        EpqkLsG3S+zFeeC6p4DQkmzdkserwFRdtMMAwvPzcbdluVk14IGRoREL
        -----END PRIVATE KEY-----
        """

    /// The same key as `openssl ecparam -genkey` writes it: parameters first, then SEC1.
    package static let p256SEC1 = """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIFamgAleZxku7ZFQjhQRXZrxKVQzayzJg2ezxoHvwq4qoAoGCCqGSM49
        AwEHoUQDQgAEiVXol3YLBHEoAIXYWYD9qUU0uTGtsBKapC7Bt0vsxXnguqeA0JJs
        3ZLHq8BUXbTDAMLz83G3ZblZNeCBkaERCw==
        -----END EC PRIVATE KEY-----
        """

    /// PKCS#8, P-384.
    package static let p384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDAWwesSmJSmyi/1jH0
        h3vkXRsO57wrm6K2qREGiANf84qpgaaP5KgZ9SyGYjW94+2hZANiAAQUybAbFv57
        MqdxNnoh3fcBnE2NrqCsdgKihj3fvDkJaj5ZpveHw9hXV00UZc2os/lJpH/gLJam
        H4hU20gburo8n4ga15/N6QJNpEMJ5msXND9C9bNUsk2L3dyXkIRY1QA=
        -----END PRIVATE KEY-----
        """

    /// PKCS#8, P-521.
    package static let p521 = """
        -----BEGIN PRIVATE KEY-----
        MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIAydWnsrC0MGxGYpyt
        vHOXzXVlfc0I7taRVAauAsYfMYg6BCZiLmXRqD5iAeY7rmJXZVABuhtNMPnVEJT7
        /inDtjChgYkDgYYABAA18Z4iSQD5oKBHnfFKv0aIzob30LyLRKd0v/CcVHr50WK9
        57/PADYQr9F/G2BJQoA3l8Jvu7f2SPU+A31LjIGt2AAZviROn2QOScRZqgOCYk5+
        xkJc5WfOzG8GTMbzGF/7Wuh4gsuC9MDoR+TPrkbOQfM6YMmzV4MdmQwTYvdRf3/l
        pg==
        -----END PRIVATE KEY-----
        """

    /// PKCS#8, Ed25519.
    package static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJGSOcCXR5OOIEhKdR4ztDSS91uv4sV5uSv7NzS6Ezsl
        -----END PRIVATE KEY-----
        """
}
