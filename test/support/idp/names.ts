/** Names from the specifications. They are repeated here, because tests must not take them from the tested code. */
export const ns = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

export const nameIdFormats = {
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
} as const

export const statuses = {
  success: 'urn:oasis:names:tc:SAML:2.0:status:Success',
  requester: 'urn:oasis:names:tc:SAML:2.0:status:Requester',
  responder: 'urn:oasis:names:tc:SAML:2.0:status:Responder',
  partialLogout: 'urn:oasis:names:tc:SAML:2.0:status:PartialLogout',
  authnFailed: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed',
} as const

export const bearerMethod = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

const old = 'http://www.w3.org/2000/09/xmldsig#'
const more = 'http://www.w3.org/2001/04/xmldsig-more#'

export const signatureMethods = {
  'rsa-sha1': `${old}rsa-sha1`,
  'rsa-sha256': `${more}rsa-sha256`,
  'rsa-sha384': `${more}rsa-sha384`,
  'rsa-sha512': `${more}rsa-sha512`,
  'rsa-pss-sha256': 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  'rsa-md5': `${more}rsa-md5`,
  'dsa-sha1': `${old}dsa-sha1`,
  'ecdsa-sha1': `${more}ecdsa-sha1`,
  'ecdsa-sha256': `${more}ecdsa-sha256`,
  'ecdsa-sha384': `${more}ecdsa-sha384`,
  'ecdsa-sha512': `${more}ecdsa-sha512`,
  'hmac-sha1': `${old}hmac-sha1`,
  'hmac-sha256': `${more}hmac-sha256`,
} as const
export type SignatureMethod = keyof typeof signatureMethods

export const digestMethods = {
  md5: `${more}md5`,
  sha1: `${old}sha1`,
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha384: `${more}sha384`,
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
} as const
export type DigestMethod = keyof typeof digestMethods

export const canonicalizations = {
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  exclusiveWithComments: 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
  inclusive: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  inclusiveWithComments: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments',
} as const
export const envelopedSignature = `${old}enveloped-signature`

export const contentEncryptions = {
  'aes128-cbc': 'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'aes256-cbc': 'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'aes128-gcm': 'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'aes256-gcm': 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'tripledes-cbc': 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc',
} as const
export type ContentEncryption = keyof typeof contentEncryptions

export const keyEncryptions = {
  'rsa-oaep': 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  'rsa-1_5': 'http://www.w3.org/2001/04/xmlenc#rsa-1_5',
} as const
export type KeyEncryption = keyof typeof keyEncryptions
