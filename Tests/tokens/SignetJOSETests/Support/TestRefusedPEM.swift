// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Keys made by `openssl` that Signet must not use.
enum TestRefusedPEM {
    /// The RSA key, encrypted as PKCS#8 (PBES2).
    static let encryptedPKCS8 = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIIFLTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQI5LSEB+7cD2cCAggA
        MAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAECBBDkn9gaNmrgguvz4DxIqSM/BIIE
        0A8uE1DSyIzIFfzJVvEVd4loxnbg5PTHlnW8jVJ5H5qGUrPI2cof7F72004dQc+f
        kceezp9YHDQEx9TOuce/pZsIwZhLmLYv0c6m+ahz3GYsKnCBsoH2oxduVBsSAkqL
        8RBNA8BN++JyuPDTfINSCg9g8ywnuhfjzRRayc83TCO7FlZ8TEDuoOMBnsUCyBJk
        x2JRKbs1d1cQRmkVzUEhLTBeWBh6Ip3ANdtETywzIQhqtUMSNEX1scpAa6ym7CC/
        Wp60WPvU8ms/mqNWOYJ1A4/250+QlFSPElYtFgaZLLFmh/ZEFqzDQ+kwADjr5h5z
        sUysKFy9Zjhu/nWGRUOkrDH+82d4mqgOJW6PyEZcj24Cs8V+pkGhGZnHCc8ozcQc
        6e8YFnRdjWFS1Az8wmsapue3Q0i4FfFxf4XicTzIL3iKMZUzxOhdjIdrIcZv/LdJ
        yc8psPio63yqDUIAwO9D7Ije25qaRQmk4AmFcthNbAcoPSBLD++vb367wsXXVoIp
        m+XuqPnD+w06kLbnPdDXnXUjZE73mF+Sh631JNSG4ApN2h/ZOuMZ/NWm74tStwnt
        /ui442QVVGMKnvKTbtgB+ldmaNIw1qpdJwrnuT9t1XMt2ki1Wk1J4OOeMnyGssT1
        GnGekAotpE8ol3kdat7TGGqS1SSf4JuuJ7OPqSmiOcG+TlNdVeVqGj4CntQ5IBjj
        midwOSCKUiq7zQw5q97MMonJ89bJj7XyC6x6maizU3IPPodiG3LeQ41x9+J6/DEU
        mHJUcI6t2P0GTXOYTCUXI43UKNh6r/zSaNv0ZGbt8QYjIQb6k3N+X12WHtvikNRE
        IeHtfbDaAbiNBi1cVvK/w1NI9W9u08CnUR7iIkO77iOOog9/aMLqEAXMQDWs5VDI
        fCR2KYQI5oiRQ3RVNd5hKhPU/v55O+3seHf8Pevg4rjEgFKK3qiJLAP6UKEryts+
        a9AkdSXjOy+Ykw9kpmkMvk5m5bSUeZ8q5BbZ4Yx03zhjZ8C3vdwrLp30RLNtxva9
        N4wUyAaD0Eq3s/Py40f4mmZftuwcL/r7aL9D/795RMnGWiXSAmPLwoNdWoBGpkte
        RVn4ZnmY5aMFAo+haDONulYytsSGdPPm43zC7MvS2LFAj/RwAimhijBV7n13DH9Y
        QMtLLm0oMgul5IvgZQYglReM4NYBJ6V/iy05tDa5Qu+Y2FsOadfoDM6DXJl9mA7J
        Zizwbi7yjBIJayA8HqEp0UbAVCWWtkGRDCe9SPsnU5pUz4CdaNdtp/A1Rhv8fENf
        vC7HHRsXoXDTJhcxbjAlusQ7FSXDbsbfC3BdW/+Zd6uFj0x1MKLm2bB3R720ql/u
        DcMEBQLoUTOkJPVsc23bsJ/oJAK6FeYYlb4RLH01bHHhT9Hur3JGxnQm96TfFZvn
        MzXJo1VFLNgyDECBDYCkTvfagTieGq+tiHpLsLdv3gkufJdCpZXv5uZXM5FzfHof
        oPFz2KpJ3Tgbb1L5Ji1F35RTVEQwjEK2LXPnd3852464CcTLcP/z1+mm/pI8kdY8
        0R3F7JwMjtXOrdwkaFB6k2r6tfixL1BBm7jpT2synQvMwzgJHal1Yq+jOQOjMu5U
        BFiY/EYCf4Qcer4qg6BeXE7azdgBmR8zWjMv92uM+qCR
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// The RSA key, encrypted as RFC 1421 has it.
    static let encryptedTraditional = """
        -----BEGIN RSA PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,7984496CFBBA6791382442745CD6830D

        nOWH7kqaRnxe94i2UHk5aOj3BjQTEq3P2WEV1/EiSK1WXhtsIih4GaS9AcJ94nCL
        PeLCth7r8lGp8TdFZ/KkUVz0Jy0Lm4dwFnWgjdGdEW//krlGI9G1ExL4Kj9zY4av
        oOS/YWJ0tnuUEG6/Ncja8AA5m6aG5z97QhTNkMxsZq+3C+clFZ+BT8d3n84sYoeB
        q+ddgsB++d+qnQyNZcAuOSZaeXP9XRb2MCvrda3Ov0JEVDMka0dJbJrczyX14xU+
        oqecTxYvgbkh+mLWQk7y4bY/vQjANGrrUO+9XTYJEHWb6leRoM3JkFk9sd6/juul
        J2es+4QPzMh7u/TnbWFT8WZFhpuTuov5SAP+VxiYdqIKu0G20UAcHObKuOJGPC66
        8UsR1n0XfEs9hShKK7x2mVYgdWeq6/giJiFWEa5Qa/rSxhc+hKLdJbIuy6ZkOsam
        LVaJluEDxWpGK3xbIzB71OIBtdc5OJ5dXUJs7VvjBertufra193su0X+vdYno8ZO
        dNPsloC7cjEY7Bvg9E0wID7eCq4z9zlS1QOGVLKFDLNNKT7SsRBySR+F3OkiDPQY
        AjPph9EYJ6ZDhh/hDFmqtjzpRPnw8PuVnP1O0ww1W+Z8i4k/BSalj4ISu+mY0hE4
        PkU98ZzUsHePEXJC1uYeTvxULuS4v7Va1HdKQaTYFe2WAk95s3/3mG1nCO9fm2tn
        2f4IwvpM8CYmiUAhBPHDtRZQq8LNF7YvkAX19tyxcXPsnxB90JV9Jx+SuZKRRuig
        EwHxT6qQb7ZDi0fwyDyIwt8WVyyA37I+QviqOSfirpz3tt85RFwALDx7b9zlvo4Z
        FA7PeEQ+4FUYvJlbUI/U16HN65Zwj9tOqZhKgMlzp+RhFkskTk3/KFFro2CnNquM
        G7zJ19WkzPjr09JKRxIXN1u+4Bnht9iUZVhdvvGIbef+C454dpE2y6XY8BgaqUOH
        G3SGVz5qHC6fARakbwcJnuPoV19pxA76zK9iv1Mv5goMahCBcgrWNE9imfTn0bk/
        e5i0KQTMlfYnM36GRFcdBJGWJ2Q88D5OwkS8/sseFyKU1ZM1Q2ZS8t0FwM5Sq59A
        nSk7a7P/lLMQeuxZ92XEi/US1ssyZ3GjbWFImhRXKr5BVGR5Dn8vlSJV3Hc6Z7eG
        w13VbMkhrrDhZUvzriPux45w7SHlxCI34Mf/T9IauLiunmjrb0rJivuZN+G0zxoi
        Ty3/VcGlo2VCPsE+FAPq7Yyd1vzjXAzE5eDzrHP9UUwJ43KITzp/N89xHUkBb/md
        zsUxowI89KBUC6V5EaDcidfeLkmTtURrW8/6S5BpgiAK4VWfkdZ192uMoqY2pnlK
        q/nN2o3Olit5ocpppGzEKGSFGKYXcQFqlJx5esOBnjNN/ZAZDZ1C5yAAI2jNzP9u
        i+V1e7ICw8DPG7q8wKt53TI8YkbBEsOlLhH4imH0Bja+CZyKuAeOWfYQT/oJLGUE
        fRrtmMQ9HQtimD7WjNBYZLRL0XeVIKpkW9mLm4WniEititJyidlG5tAHldulfIak
        cDeh+KzDysSRDaP2RUzedjFnK9+Ox7vQQJ6eoPWclBINevIDJdZ0Ucxhy4+Va6fZ
        -----END RSA PRIVATE KEY-----
        """

    /// An RSA key of 1024 bits.
    static let rsa1024 = """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCxQJ1nfHlJ1IPF3mowIqzSlwzL
        NB9LDy/nsb35tNhyMqZVtmYjEztomRq1LZY2SJ1ddUCOIhLqRn3ymS26E6Lvxe+Y
        jGCAeeBdbCn65AEJS6cxuAlW9KuFO9h1CwxzjkTVzF/EZxSRxYpXl2AH7ePB4trn
        Oc/yVUb06jIDNz6jrwIDAQAB
        -----END PUBLIC KEY-----
        """

    /// Its private half.
    static let rsa1024Private = """
        -----BEGIN PRIVATE KEY-----
        MIICdQIBADANBgkqhkiG9w0BAQEFAASCAl8wggJbAgEAAoGBALFAnWd8eUnUg8Xe
        ajAirNKXDMs0H0sPL+exvfm02HIyplW2ZiMTO2iZGrUtljZInV11QI4iEupGffKZ
        LboTou/F75iMYIB54F1sKfrkAQlLpzG4CVb0q4U72HULDHOORNXMX8RnFJHFileX
        YAft48Hi2uc5z/JVRvTqMgM3PqOvAgMBAAECgYBw3RXdCTMpwbnOSlsPH2UwCqJI
        2X17i8YTH+g5kd+oh3vGZAgRGXPgnGyXJNna4s3g7oIWfrfQmOYljUfCjjJWrquG
        gATDXlI2s2rYFbz0tTWP/ySZR3Ur916KNsfzQbwWolqhXMX5bMTXvLu7ulEGQ6kc
        Z5NAD/Ubx7CA/CqFMQJBAOPd/bfkRoFq7/2YBznkMVwk9ImCYaYtM5ldbCtJKNhZ
        msLkFR0MzbqiCc0HM/9QElVa3pZiqaVkGxmRqnGS9psCQQDHIuKYo8+mZD593Et8
        JTI5hzA7toxnQA4y8vhZ9u7s8Eur6+0t8AX8Xdp5MEAS3XIN9sz35CbQ9QX6zn/7
        G059AkBJyYrtT2hdZCmOrvo4DuLE+dqN5MCGNUDuOshaQ/iMBogM8Bq+K3U7KFmQ
        IPL/jAhDx4con45b1kzIPNk6qeJdAkAqq4v4fylwkwxc9cZq/KFteE1ajjw5p50j
        R7L1vBboSHk+hphU/piZwhadXzxrjm3xFhBHkejLX6V/X55G1UwVAkAE/8az3f1w
        En35ZCs9uAhJbkc0N7JjLv+pRpDnZONSNdsJCNDBf+e54jkc5nIAVXRbT/Vk+xzf
        yo4XEZAkQ9ld
        -----END PRIVATE KEY-----
        """

    /// An RSA key with e = 3.
    static let rsaExponent3 = """
        -----BEGIN PUBLIC KEY-----
        MIIBIDANBgkqhkiG9w0BAQEFAAOCAQ0AMIIBCAKCAQEAzm+yt/9FjlxX0V+rQPeP
        x0LBqRliOeuc0qKDMGiK2ApqooptuHCyLREGeo+1HTjKDirewwul9bvuspMCyRgB
        Ak0c5a/xWrD54+J9/dOG+Vqn8+xFddmfgjXpWVAzj0sOx7c4j3QvI/mKkZ9I/tVt
        bbtoJLJniQjaGxFO/FHMzFmQZm7TGDs2qCoOVX0rKA3A12KkxS1xUkb9GGfIfjj4
        VgkleJGXlITeeDSTo6rZkY1aq/5dRPVrYFz1GKLUqUc1p7hGhKge9dfREMQID2kL
        FTKC7ihb1lkgqokAtL5KrYarU4V0ka8UE2rJteY8zP1FdjOy9GrcAF5cAHv3pcRr
        WwIBAw==
        -----END PUBLIC KEY-----
        """

    /// A key whose algorithm identifier is id-RSASSA-PSS.
    static let rsaPSSOnly = """
        -----BEGIN PUBLIC KEY-----
        MIIBIDALBgkqhkiG9w0BAQoDggEPADCCAQoCggEBAMCEnpGb5QqM7z3fwT/eXd1R
        lbsCeBj3hJkyBI948mjv8yDkjwL1sGkI8ClUoy44+k7H+k3X/dw73IaHlHX2gdLD
        7fg7Xvq8svpM9IEWpqm8qVjqDTlemgo2bYjo7WmKx+Py1l7nOzYoIG+ojdLFtfTD
        6i4YMd6TcglgneLdFa+faqvS4PQ/boMq7CA82u87uoHpT/1r+tCw0+SWlBQ/RxWC
        Vyppf5QKO4Ow/YdrIDd49iE9OrIvcuvl9c08XYDtdk4DwcekSXBIbDZ5N3UBoWP/
        pMVbzKjg6Qd/eAYl+Hu2UAURT30yVHiJztYJnzfPg0xWI+9/8yUbD6VZ8g8C4d0C
        AwEAAQ==
        -----END PUBLIC KEY-----
        """

    /// P-256 by explicit parameters (CVE-2020-0601).
    static let p256Explicit = """
        -----BEGIN PUBLIC KEY-----
        MIIBSzCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAA
        AAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA////
        ///////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSd
        NgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5
        RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA
        //////////+85vqtpxeehPO5ysL8YyVRAgEBA0IABIlV6Jd2CwRxKACF2FmA/alF
        NLkxrbASmqQuwbdL7MV54LqngNCSbN2Sx6vAVF20wwDC8/Nxt2W5WTXggZGhEQs=
        -----END PUBLIC KEY-----
        """

    /// A curve that Signet does not use.
    static let secp256k1 = """
        -----BEGIN PUBLIC KEY-----
        MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEncAt/e+xT1y0fuSljqHhkj1oOuSfVC9I
        X7gP2FdoqHZUNBVyW6E3weoee2xWyyeDLJ4xVWEzBuJhKTS2xDChrg==
        -----END PUBLIC KEY-----
        """

    /// An Edwards curve that Signet does not use.
    static let ed448 = """
        -----BEGIN PUBLIC KEY-----
        MEMwBQYDK2VxAzoAjBc8xaisgGnaIHSnWSqGZlxWHyJUgpUaESATJScdHrznkQLi
        CcKinm5hteqXhuFKWQUH9mMiYwYA
        -----END PUBLIC KEY-----
        """

    /// An RSA key of three primes.
    static let multiPrime = """
        -----BEGIN PRIVATE KEY-----
        MIIE8gIBADANBgkqhkiG9w0BAQEFAASCBNwwggTYAgEBAoIBAQCePFDiFtnL7rgR
        IFmad8BzFPwN6SNvLWY/EQnIJBeFPdncD8lB5Tix27mVuHEyKuQcaDY2gDRmo175
        OExWwkvDrXWY6SVP8oHSVlSuioieEzA7LK/AZlyeFbfQvoUZ+lR504DmZGK3EBPE
        9w8P8bNBbDImuu3IEFtUz+CPHEIOfYWDsNaDGYKTe4v11MesTZY4RtXz67BVYybV
        VpHHiGoNPbQoNMXX7ZT4ulyzTrUA5OdL2yNFZwSjKC90uw5MCVRboF7i/tw7kEFs
        zhk53VUjc+RM0mwWzvWmy+2WRdGqV22vxolyTYZ4LzAI5hMWy/sVaQ9jhFF67tN8
        tuwhreVxAgMBAAECggEAEyicZnN71VxG/xPapYBAVe7BgfGrb6egjJxEge4UxvYx
        LZrftFHLpoVDGCSn1/onemUHw1uMfKzlL+moHI0T3VJgPa5k7SQgodYAFM4DMpiC
        K3gCo47Vdo2eNM/dSeVJHFdZcDvZQTBMnh2qG05lfzMYRDIvtGlj5oMX/GZMpUd6
        AAQQDKZghH0oOFxlnokELSpw1gTS8q35rvNdTFFduzacuQKhUut7Sr5CGmplqEgg
        dZjNXDklCC1ewlHAFzoeyY6p8YR1In3/2u1gB4z3YpS+CGx94G4BsymegajgIrdv
        HtipJLedlYT7eiGypZ9ZCWAnMal+uGyJ4oZwO2LOEQJWBzjiYclB9eTXWocLSfLF
        vrqbfDRXCpnOErbqZiInoTNixD8Help8VmQZ5Q6FfqiPu9yT0AOOVq51xsJquSvV
        U6jUx0EeaV8yJceKkPq4DrwNcTvDnUMCVgY3oNoAIOT/fdFZVYKGsPgvoAL1p4EQ
        3wp1XQQZhNTQxIVMZkpdEX5JZgnYxzazGIspzRu/eONJSNKuaGKxI//a7kgrv+rn
        zkDuqvxxhMjBI1qQFVC/AlYGAXWvX07sjanPa/ElQy7RVhgqBtRCynek9FqjJ8/Q
        qwx8qPUs98XhiUhHQ/Yax00PKXP5TJu21Ui3ScC5zwuMkB6wuyPw9+qZo/9EZFle
        V17ORKZ8RQJWArQ/KZHUvMTCnEMWhea/IbLVDXR6nhAQciQJiLbwpv8F+lP4SW+h
        JCQYVUALpSbQDfboVqE4muJM4hUpIYOZ/LXj3U/p8OlRM7yacaGN9yLJlaIFI1EC
        VV6KHyEJLLhfp+ulE8LXCZ9GE7Ga22LkizjRVfh9lG/tDXjMcjo30weuZjbtAZvn
        fPH5kEyAixHhxlD1/RzWSaiZpzpR8PzTYGr+VDMWoKzQXGRvhhgwggEMMIIBCAJW
        A4YjMY5/PcKsVsvqODZkzPAH5AoTM13yMlRJqN/i9mJUBip8KpPhspuAJ0Zu7jyV
        f55FFOGrR/iQ9enhf6az3OYNQd/4aiJiv+QmvrPU4NWKm1ZgpoUCVgJmYyeH7X5J
        S4edPnlkCghMXINgnSz5iU3fe37oYzD7TFAatQ9mQWqbXo7g+AGF/ya3ykJrYnQU
        g90GmI2QIaSKhHLdrtfRbUFUh1KPNKaep9Qc4pvlAlYA1iRlC42jW5cCeoUyJRob
        PRb4O3VFFSHcXgBKnIB4MCcszRqPCSz0rZ4tcz32+uamKBdxY9xYonJszxFnbXRo
        Gh0v5XcQFQP/T05MFFsvDg2pIzX6tQ==
        -----END PRIVATE KEY-----
        """
}
