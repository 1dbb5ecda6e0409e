import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  verify,
  webcrypto,
} from 'node:crypto'
import { spCertificateLifetimeMs, spRsaBits } from '../../../kernel/limits/saml-limits.ts'
import { type Certificate, getKeyFingerprint, readCertificates } from './certificates.ts'

/** A private key of this service. */
export interface PrivateKey {
  readonly key: KeyObject
  /** Base64 of PKCS #8. It is stored encrypted and never shown. */
  readonly text: string
  /** The fingerprint of its public key, as in `Certificate.keyFingerprint`. */
  readonly fingerprint: string
}

/** A certificate with its private key. */
export interface SpKeyPair {
  readonly certificate: Certificate
  readonly key: PrivateKey
}

/**
 * Reads a private key: PEM, or base64 of PKCS #8 or PKCS #1. If it cannot sign requests, returns an error that continues
 * a sentence after the field's name. The error contains nothing of the key.
 */
export const readPrivateKey = (text: string): PrivateKey | string => {
  if (/ENCRYPTED/.test(text)) return 'must not be protected by a passphrase'
  const key = parsePrivateKey(text)
  if (!key) return 'must be a private key as PEM'
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType !== 'rsa')
    return 'must be an RSA key, because requests are signed with rsa-sha256'
  if (modulusLength < spRsaBits.min || modulusLength > spRsaBits.max)
    return `must have ${spRsaBits.min} to ${spRsaBits.max} bits`
  return toPrivateKey(key)
}

/** Whether the certificate verifies signatures of the key. */
export const isMatchingPair = ({ key }: PrivateKey, { x509 }: Certificate): boolean => {
  const probe = randomBytes(16)
  try {
    return verify('sha256', probe, x509.publicKey, sign('sha256', probe, key))
  } catch {
    return false
  }
}

/** Restores a key from its stored text. */
export const restorePrivateKey = (text: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })

/**
 * Generates an RSA key and a self-signed certificate that is valid for ten years. Identity providers identify this
 * service by the key only, so the other content of the certificate is just informative.
 */
export const generateSpKeyPair = async (commonName: string, nowMs: number): Promise<SpKeyPair> => {
  // Loaded on demand: only creating a provider needs this library, and it is slow to load.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(
    { ...algorithm, modulusLength: spRsaBits.generated, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  )
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: `00${randomBytes(16).toString('hex')}`,
    name: [{ CN: [commonName] }],
    // Allows for clocks that are slow.
    notBefore: new Date(nowMs - 60 * 60_000),
    notAfter: new Date(nowMs + spCertificateLifetimeMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const [generated] = readCertificates(certificate.toString('base64')).certificates
  if (!generated) throw new Error('the generated certificate cannot be read')
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  return { certificate: generated, key: toPrivateKey(restorePrivateKey(pkcs8.toString('base64'))) }
}

const toPrivateKey = (key: KeyObject): PrivateKey => ({
  key,
  text: key.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  fingerprint: getKeyFingerprint(createPublicKey(key)),
})

const parsePrivateKey = (text: string): KeyObject | undefined => {
  const der = { key: Buffer.from(text.replaceAll(/\s+/g, ''), 'base64'), format: 'der' } as const
  const parsers = /-----BEGIN/.test(text)
    ? [() => createPrivateKey(text.trim())]
    : [() => createPrivateKey({ ...der, type: 'pkcs8' }), () => createPrivateKey({ ...der, type: 'pkcs1' })]
  for (const parse of parsers)
    try {
      return parse()
    } catch {
      // The next parser may succeed. The error itself is dropped, because it may contain parts of the key.
    }
  return undefined
}
