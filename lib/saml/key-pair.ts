import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  verify,
  webcrypto,
} from 'node:crypto'
import { spCertificateLifetimeMs, spRsaBits } from '../core/limits.ts'
import { type Certificate, getKeyFingerprint, readCertificates } from './certificates.ts'

/** A private key of ours; its text is what gets encrypted and never shown. */
export interface PrivateKey {
  readonly key: KeyObject
  /** Base64 of PKCS #8. */
  readonly text: string
  /** That of its public key, as certificates have it. */
  readonly fingerprint: string
}

/** A certificate with its private key. */
export interface SpKeyPair {
  readonly certificate: Certificate
  readonly key: PrivateKey
}

/**
 * Reads a private key: PEM, or base64 of PKCS #8 or PKCS #1. Returns a sentence that goes on from the field's name where
 * it is none that requests can be signed with; nothing of the key is in it.
 */
export const readPrivateKey = (text: string): PrivateKey | string => {
  if (/ENCRYPTED/.test(text)) return 'must not be protected by a passphrase'
  const key = parse(text)
  if (!key) return 'must be a private key as PEM'
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType !== 'rsa') return 'must be an RSA key: requests are signed by rsa-sha256'
  if (modulusLength < spRsaBits.min || modulusLength > spRsaBits.max)
    return `must have ${spRsaBits.min} to ${spRsaBits.max} bits`
  return privateKeyOf(key)
}

/** Whether what the key signs is what the certificate vouches for. */
export const isMatchingPair = ({ key }: PrivateKey, { x509 }: Certificate): boolean => {
  const probe = randomBytes(16)
  try {
    return verify('sha256', probe, x509.publicKey, sign('sha256', probe, key))
  } catch {
    return false
  }
}

/** The key again that `text` was kept of. */
export const restorePrivateKey = (text: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })

/**
 * Makes an RSA key and a certificate that it signs itself, good for ten years. SAML partners know us by the key alone,
 * so what the certificate says besides is for people.
 */
export const generateSpKeyPair = async (commonName: string, nowMs: number): Promise<SpKeyPair> => {
  // Needed when a provider is made, by a library that takes its time to load.
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
    // Clocks differ.
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
  const [made] = readCertificates(certificate.toString('base64')).certificates
  if (!made) throw new Error('the certificate that was made is none')
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  return { certificate: made, key: privateKeyOf(restorePrivateKey(pkcs8.toString('base64'))) }
}

const privateKeyOf = (key: KeyObject): PrivateKey => ({
  key,
  text: key.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  fingerprint: getKeyFingerprint(createPublicKey(key)),
})

const parse = (text: string): KeyObject | undefined => {
  const bare = text.replaceAll(/\s+/g, '')
  const der = { key: Buffer.from(bare, 'base64'), format: 'der' } as const
  const ways = /-----BEGIN/.test(text)
    ? [() => createPrivateKey(text.trim())]
    : [() => createPrivateKey({ ...der, type: 'pkcs8' }), () => createPrivateKey({ ...der, type: 'pkcs1' })]
  for (const way of ways)
    try {
      return way()
    } catch {
      // The next way may know it; the library's own words may hold parts of the key.
    }
  return undefined
}
