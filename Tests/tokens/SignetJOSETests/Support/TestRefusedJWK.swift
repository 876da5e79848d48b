// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

enum TestRefusedJWK {
    /// n, e and d alone, where n is the eighth power of a prime of 1024 bits, and d fits its order.
    static let powerOfPrime = """
        {"kty":"RSA","n":"rBXWjIhwJMAyoPUnqn9DzAr37c4R-\
        Dpdt2FENXRYHmhCh_LYV3Y0GieMeifPIsgnYKI2tmPiTgg_dCjXTaEgc8-\
        cCMdaNOj2TNJh9GP4BiANgzGqMS8qJT44gvydH5XJ488vj6MhfvRmrcwZ0201I5ihdhB5eoDIztrIiyK5jBIhf7fmZ\
        2hwpi3TDYqg68Rdf4s85KbC_Sc-ZOeMy4K1OGnPvNBoT1NeTRhmfwcqwIl4dm6srUrdi6IaA7NT8Yg0dSnvHl34Vj2\
        P6-\
        1IpEN3ba86MIqBzf3JhwuXGFQRbWhch0p7rwJk1a6wbiqtWzqcSGz9wLp67ynGIfplXGE8aGVIQZBZpmS1mD3cOIs7\
        4C4O9h8MsPWssZcqGIBfvbqttI4S3R9ST6F9hX2_d4JUbgFUOaxyWYsRgTv5xnXoJCHv7vZRh6XXFuDUYkoHamZWaa\
        QvBQ2C15Zg80AsXrQ5N-\
        a6abBmBmE6GRGSIpTty_UYyumuw5GFki9iJZ5POjsu2mBiEwJghw3vNJdWBkb7KzMR3fhfoRhxWOI7JL5x_LWJDz1Y\
        4yeK2T1j1ckWeQTNbxbp30b6JKSbapQdEqjSDhi6vAjoDIeiT7XeffxyvZguzayMHQQVyzROqMBg97Q2isb2xfkOfC\
        j8Ce-iYUIIp44VmXJJR42oCY9pqBUx4eFxCo4nthjI9LGOXM2yqeCP8bRuosHepo_-IQJgaZ6e4A7XTUnCdneD4atg\
        3HTT6-WM9Z3NZNlg2LhcXgcwUo3ZG3RiXvTlPeEJWgxqkLgUTRpqDMFlq2HmxWW0307dSYbN-qwXOgbTuMleuTXF8a\
        XBHlNvohY8poz3r-\
        VlBXKGOyWYfq2YRMOv_fYhrUXaieYe3YrbiACZwtt6FQyQUqTUzxd_7pkt6oKTowNOAiQi0DlQMKMdI8vh-Rucr_rd\
        bxQiHPUl2pjVn0QexNFbLaUxLDB3VolSRDSCPfiGpTxNxFD2b6k-\
        UVJjfhV8LbNLpupnMoaP_MmTU9phrs6kXV2sOUhH-\
        dLNiOGhVFmhLHI6CqybswgdfjcLwswTfi6vvjAG6lyCIWT8lCtMwC1DTVnFAanj5-SxTXFxWhHA4hA0d4SCpC-Giv-\
        QSEy8mf656VvIUUkE4W5OB-Uy9PoMtk7YYRYdyifSr-\
        oBTCasdntgU4lq4VYy20wRzZpgo7y5gLUSZac6Pl4PwIGXlMEol9hnUFUQS4aG4z5JYr-uwQiIL4uQpUwpz41vh-\
        Cu05PLRIoU8Gg_kghnRMF0u4j28zuFr_k05Ksm_zKsfMDUlGqrTUFEp5ULkTp-Ssg9h8KLPQvrlGnP0_nvYNa0Rs3I\
        WzrHMeVBT0EMAvM0otlVcO9_wQ","e":"AQAB","d":"J-gQjxp81yjzFLyFbFaDBGhuwmkNZcEzRnl59eN7I-\
        INu7UnUnEI-B-_xfxBXtGHwDMd-QIE0w-6l1d5RnldKz4z8x034Bk-NOZ87M3aEKGSQKBd1XYYkfZx6H5oeZCk9v1v\
        DCJKfER1I0y3mH402oJkvxpm8W-4IbA-\
        3XU6Di9kQRohSW96OjlSi2aecYAumDKKVOIG1ntrVHEdWatalw68Sw9rtYRoaWBOnJUm_MPwPvy1rgrAsKH6V-\
        P69INy_Ym4XyKE4k3UYdPTFtmqfiUYYbIEofipiHczdW_TmNkIUm9HtJd6RPWSmk0ZQq-L3ywind-\
        1oCHoVZFZN42plbJjOqO-MjQXxzLm9vSzl4a3S5PhQIdEPb_t0xzI0qLnVnLwienSDp3lJ4SphZiWlTow6m54nWa5N\
        DjZTosn9FSy660ELqc2ITZPL3UjU4vi8BVcyyNtX17kq1-VXwD5-N-B72_bWMzx4GkH47-\
        PUGCGDiKJHSCzz6_Jge9wvAnIAdxb1qUfEL-Ohc4vmJHs5ySHTetKpc-T5CVeQLFyklYyillvQRR-\
        T1U1Un19RJep421K6M6gM7UNnqd5py9iYlc_noVIOzmg04oXbRj-Mp-ZbeJt1FPu1B42ImBCuW2aljOybvEwr9XRbt\
        wNKx_OBpyBmVNYyJaoSYeZ60ft5S9MNAI4E0m5xJz_6EESe7rWY31r9eCQvltKYqNacubQnr0QNECIIiQ5ymDFsgRv\
        Et7_9bSrEUHVljXQeRrjy_G1iUigcHTSbbyl1jOIgIpdAHuQL9BKHLvi5pMak32fsfr2gSzOu83E3P6UPf6ez3wAOo\
        2EeUhkQDIGyzDI405JdXIa3cfvTUz73KM-omPj7OO3wLa70myKsPFK8gpI3tPUVSyvC9yXiK5Yi7v7Z1l-\
        iesgZvmDKBQW_49F4RyuUixDA8B76uHHLfDhHd-\
        0V3m7PjuIrNKcpW3tGe5gXeriuQYb9Fptk4be3EO8BP61vwMmpHxn1Nht8Mt7jY7yy1NP-e-J3E-\
        i0nMnTivMo0GjIzvkegcVtdvWfAFOrZ2APSR-\
        05O8jvJuo7QuO4CO6zthPYhKL0u5lMIKZH8ui6xUxym18xZqtqfmpmb3sUxCdYciLEmW9N8-\
        z6K3jbT4O2MkihyfJujaZtNnTHLoUYKDJuD9hWgjBJO-bwtYX_yE9niGu3NRtOpZJtgxw5iOILV8CeUKfR6kg6Cm8h\
        3FyRTdcJ4ZLsJeoYHUwJpPxjOqJfhEdBa0_ICZ8RCvfUgLw4UflStFFbUgA-CbvlIAnqkaBsB8uHis-\
        dpelhzYzJTuDDYSF6TrCZIHxmQ3ITAU316o6fJCeLtqLjJgyUKHhgpObQ"}
        """
}
