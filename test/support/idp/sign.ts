import { constants, createHash, createHmac, createSign, sign } from 'node:crypto'
import { SignedXml } from 'xml-crypto'
import type { TestCertificate } from '../certificates.ts'
import {
  canonicalizations,
  type DigestMethod,
  digestMethods,
  envelopedSignature,
  type SignatureMethod,
  signatureMethods,
} from './names.ts'

/** How the signature of a part differs from a usual one. */
export interface SigningFacts {
  readonly signer?: TestCertificate
  readonly method?: SignatureMethod
  readonly digest?: DigestMethod
  readonly canonicalization?: keyof typeof canonicalizations
  readonly transforms?: readonly string[]
  /** Prefixes that exclusive canonicalization treats as inclusive, for the signed part and for the signature. */
  readonly prefixes?: readonly string[]
  /** The content of KeyInfo: the certificate of the signer, nothing, or another certificate. */
  readonly keyInfo?: 'certificate' | 'none' | TestCertificate
  /** The secret of an HMAC. */
  readonly secret?: string
  /** Uses URI="" instead of a reference by ID. */
  readonly isWholeDocument?: boolean
}

/** The options of the library to sign one part of a document. */
type Signer = SignedXml['SignatureAlgorithms'][string]

/**
 * Adds an enveloped signature after the Issuer of the element that `xpath` finds, as the schema requires it (SAML Core
 * 5.4.2). The element is the root or an assertion in it.
 */
export const signXml = (
  xml: string,
  xpath: string,
  signer: TestCertificate,
  facts: SigningFacts = {},
): string => {
  const by = facts.signer ?? signer
  const method =
    facts.method ?? (by.keys.privateKey.algorithm.name === 'ECDSA' ? 'ecdsa-sha256' : 'rsa-sha256')
  const shown = facts.keyInfo ?? 'certificate'
  const signed = new SignedXml({
    privateKey: by.keyPem,
    signatureAlgorithm: signatureMethods[method],
    canonicalizationAlgorithm: canonicalizations[facts.canonicalization ?? 'exclusive'],
    inclusiveNamespacesPrefixList: [...(facts.prefixes ?? [])],
    ...(shown === 'none' ? {} : { publicCert: shown === 'certificate' ? by.pem : shown.pem }),
  })
  for (const name of Object.keys(signatureMethods) as SignatureMethod[])
    signed.SignatureAlgorithms[signatureMethods[name]] = signerOf(name, by.keyPem, facts.secret ?? '')
  for (const name of Object.keys(digestMethods) as DigestMethod[])
    signed.HashAlgorithms[digestMethods[name]] = hasherOf(name)
  signed.addReference({
    xpath,
    digestAlgorithm: digestMethods[facts.digest ?? 'sha256'],
    transforms: [...(facts.transforms ?? [envelopedSignature, canonicalizations.exclusive])],
    inclusiveNamespacesPrefixList: [...(facts.prefixes ?? [])],
    isEmptyUri: facts.isWholeDocument ?? false,
  })
  const hasIssuer = /^<[^>]+><saml:Issuer/.test(xml)
  signed.computeSignature(xml, {
    prefix: 'ds',
    location: hasIssuer
      ? { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' }
      : { reference: xpath, action: 'prepend' },
  })
  return signed.getSignedXml()
}

export interface OctetSigning {
  readonly keyPem: string
  /** The secret of an HMAC. */
  readonly secret?: string
  /** Encodes elliptic curve signatures as in certificates, not as the two concatenated numbers of XML. */
  readonly isDer?: boolean
}

/** Signs octets with a method. */
export const signOctets = (
  method: SignatureMethod,
  octets: string,
  { keyPem, secret = '', isDer = false }: OctetSigning,
): string => {
  const hash = /(md5|sha\d+)$/.exec(method)?.[1] ?? 'sha256'
  if (method.startsWith('hmac')) return createHmac(hash, secret).update(octets).digest('base64')
  if (method.startsWith('ecdsa'))
    return createSign(hash)
      .update(octets)
      .sign({ key: keyPem, dsaEncoding: isDer ? 'der' : 'ieee-p1363' }, 'base64')
  if (method.startsWith('rsa-pss')) {
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    return sign(hash, Buffer.from(octets), { key: keyPem, ...padding }).toString('base64')
  }
  return createSign(hash).update(octets).sign(keyPem, 'base64')
}

const signerOf = (method: SignatureMethod, keyPem: string, secret: string): Signer =>
  class {
    getAlgorithmName = () => signatureMethods[method]
    getSignature = (octets: string): string => signOctets(method, octets, { keyPem, secret })
    verifySignature = (): never => {
      throw new Error('the identity provider signs and verifies nothing by this')
    }
  } as unknown as Signer

const hasherOf = (method: DigestMethod): SignedXml['HashAlgorithms'][string] =>
  class {
    getAlgorithmName = () => digestMethods[method]
    getHash = (octets: string): string => createHash(method).update(octets).digest('base64')
  } as unknown as SignedXml['HashAlgorithms'][string]
