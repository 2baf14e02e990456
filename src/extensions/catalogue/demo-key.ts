/**
 * A published key pair. Everybody has its private key, so its signatures prove nothing. It is fixed, not generated at the start:
 * a tutorial can quote it, each command works again after a restart, and the start generates no RSA key. It gives access only to
 * clients of the catalogue, in a sandbox where anybody can sign in as any user anyway. Its `kid` warns people who find the public
 * key somewhere else.
 */
export const demoKey = {
  kty: 'RSA',
  kid: 'grantbox-demo-key-published',
  n: 'pA4vcfDvHw_l1aZ3zaUsAMJBE_TgmpbWJ85ztyd8SC0eTpiLBcFko0945Q_viHF8aOlFkmWtqyKYSTQpfEBz2Qqq48atytvKNEvPbxJMnUrANDcVkrRWkQE6opKItC6wQbN0dgM76Y97ySbaGlIa9KQNe6RaBFeDcwmeKdOYFvvUgIFuI2azMZWmt1srHdpJtpwq7hqGvkme9jHUcaMSK2XncvSio4Eq5yPDheooxn_AG6CmN7vm5IQ7uFCFrkDNj6JVN8cuMVrPW0iDwu3f2OSV7XKds11ZZ7erS9mvahL-hzUIoFt_afa1aYKbvVXTpww2VrnfHtGyEmFeIZNzjQ',
  e: 'AQAB',
} as const;

/** The name of the file that commands read the private key from. */
export const demoKeyFile = 'grantbox-demo-key.pem';

/** The private key, as PEM (PKCS #8). */
export const demoPrivateKey = `\
-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCkDi9x8O8fD+XV
pnfNpSwAwkET9OCaltYnznO3J3xILR5OmIsFwWSjT3jlD++IcXxo6UWSZa2rIphJ
NCl8QHPZCqrjxq3K28o0S89vEkydSsA0NxWStFaRATqikoi0LrBBs3R2Azvpj3vJ
JtoaUhr0pA17pFoEV4NzCZ4p05gW+9SAgW4jZrMxlaa3Wysd2km2nCruGoa+SZ72
MdRxoxIrZedy9KKjgSrnI8OF6ijGf8AboKY3u+bkhDu4UIWuQM2PolU3xy4xWs9b
SIPC7d/Y5JXtcp2zXVlnt6tL2a9qEv6HNQigW39p9rVpgpu9VdOnDDZWud8e0bIS
YV4hk3ONAgMBAAECggEAE98+AwTGylHwKq2T9H6N8neVT3gJnuAnh8HbxXNMfCeu
9KFIscVHzfpp8AE6qCHrCoA7M60KWOEDZlahsdHS1pcStS2TTq/J8gS+1zr1udXc
q1aCz/b1R3JJKnkqgvzmz8aPlF3262c8fNSudaK9biXTFkeFueHp48zl8jYVxa7A
25vr69TuzrvjTTWD2WiuDN7klD867s17CWREpsk38R2M/WF6+Bxb76URFrzcitgg
j5mvL4QdoEse0e0NCEEowCTgdn+YeGAH/gnV3OSvr+voEl9lvtgEumX56PyqIRfl
IpCyh1JdeqlBv78Yd/FtDa0a6kbcHwXFoE28iEWzwQKBgQDPSSMZ8U/8AqASJzz7
gon8dm5er5t+rZKv8WxeMQFnuQmrrv0zLRG4OmwjOVbsqZ+6yw74gqYrUkW/U34G
rnpf7lBth7UrFCRR91B7kEqhcOcD8N3O/8W63CGD3pQLw2TEzvj/g96G4H0YlY4E
PHqDd4Co+XOBNvUnh7w8D8YzIQKBgQDKnDLblI/6tIYZIYeWG+76mQHxOlvHW9rh
DzW3Km7aFQ0cHctG1+0h9UJEvMyoyBcBqdLHIN0iDtuw1/ORUnwc3yKT6We+hhU/
GfcqHX9hqnNOvaJlZ4LNDKb2GtgOoA2G26HKc/bLMhNbflu+9RkA6sV3bGgJc8XA
1BgWBlBe7QKBgQCvGagWJRuc1ZbkXtML3vSzGFQZlhwzQWqVR8p0Ms9uEAgUSCjJ
TzwVtPxeMPS1zIAKqbeGw86c783NVjkyabckTEsSiz3GGyinONR63KO+hoIPeSvV
zYf5VjTVkXLcEP2Rpwj9xyZ2JzJlTwh9mZ0gaxV7J+WjdIpZDzc6QVT7IQKBgGr9
8R1jZmTNz8KVojPyrFBJXG02lCDCsOMIVSVUkxU26KVgVmgivmagTU5fJPQ8NWn7
dAMTp7LEhd7tKwIivMfCTVAugUprI+0emRb0XMAGcr2yBn/mGXyOodx0cIPIoVwF
v3pZoonK983o/Cnq5DlHwN8/r/DN4i/h0JZQ30BBAoGAXAvG5+B+gymU42BZQnkU
38TGCb1IdeyeFCjXeukRUwaJkcsEYBplq3sYe8s8V7jP5EyvLEjWfzNMqI1OSCxJ
q5tiauY5ZNX103WBRN2Sstt4sqSowK55Jr+IMDoo4y4qZnrCnnuJLzTQ/F2kTVMa
xugpX1vQtNZXYl0f/fHjBh8=
-----END PRIVATE KEY-----
`;

/** A self-signed certificate of the key (RFC 8705 §2.2), as PEM. */
export const demoCertificate = `\
-----BEGIN CERTIFICATE-----
MIIDHDCCAgSgAwIBAgIBATANBgkqhkiG9w0BAQsFADAmMSQwIgYDVQQDDBtncmFu
dGJveC1kZW1vLWtleS1wdWJsaXNoZWQwIBcNMjYxMTIzMTQwMDA3WhgPMjEyNjEw
MzAxNDAwMDdaMCYxJDAiBgNVBAMMG2dyYW50Ym94LWRlbW8ta2V5LXB1Ymxpc2hl
ZDCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAKQOL3Hw7x8P5dWmd82l
LADCQRP04JqW1ifOc7cnfEgtHk6YiwXBZKNPeOUP74hxfGjpRZJlrasimEk0KXxA
c9kKquPGrcrbyjRLz28STJ1KwDQ3FZK0VpEBOqKSiLQusEGzdHYDO+mPe8km2hpS
GvSkDXukWgRXg3MJninTmBb71ICBbiNmszGVprdbKx3aSbacKu4ahr5JnvYx1HGj
Eitl53L0oqOBKucjw4XqKMZ/wBugpje75uSEO7hQha5AzY+iVTfHLjFaz1tIg8Lt
39jkle1ynbNdWWe3q0vZr2oS/oc1CKBbf2n2tWmCm71V06cMNla53x7RshJhXiGT
c40CAwEAAaNTMFEwHQYDVR0OBBYEFCSd1hX4MCRLfhdHAoO/A1R6ficqMB8GA1Ud
IwQYMBaAFCSd1hX4MCRLfhdHAoO/A1R6ficqMA8GA1UdEwEB/wQFMAMBAf8wDQYJ
KoZIhvcNAQELBQADggEBABstxR9o6tfyLXXQwY81oEifImApNH3L8cRni+KB3+7V
ix0gxRSjJGkm//fpB/HQqgRu1L2d0xPre9j1Q2NhMfA+ro+aTPV3J2gCeWsJLJIv
SLjyyA4hmR3PaSJOFjvo22/V+F7LK5kR0rshTEoC39ff2zUCa+jGP7UUhqUou+HC
9SEn8pD5l5XlggCURKVkZ8OOXw6Io/GFvxhd6Dq/HCLhzjoLxxzcKPNFEvR3RiHJ
weOwdd8F78i7OwaefisMtcUrq2qH5RwR4gX5OU0LYWytYTTI3LFs5EFuesD7JTOo
TlHd1QQpTpfdlA22tg4MrBjf/pty9C6gxbX35L539jI=
-----END CERTIFICATE-----
`;
