const more = 'http://www.w3.org/2001/04/xmldsig-more#'

export const rsaSha256 = `${more}rsa-sha256`

export interface RedirectAlgorithm {
  readonly keyType: 'rsa' | 'ec'
  readonly hash: 'sha256' | 'sha384' | 'sha512'
}

/** The signature algorithms for queries. SHA-1 is unsafe, and with HMAC the key would be a public certificate. */
export const redirectAlgorithms = new Map<string, RedirectAlgorithm>(
  Object.entries({
    [rsaSha256]: { keyType: 'rsa', hash: 'sha256' },
    [`${more}rsa-sha384`]: { keyType: 'rsa', hash: 'sha384' },
    [`${more}rsa-sha512`]: { keyType: 'rsa', hash: 'sha512' },
    [`${more}ecdsa-sha256`]: { keyType: 'ec', hash: 'sha256' },
    [`${more}ecdsa-sha384`]: { keyType: 'ec', hash: 'sha384' },
    [`${more}ecdsa-sha512`]: { keyType: 'ec', hash: 'sha512' },
  }),
)
