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
