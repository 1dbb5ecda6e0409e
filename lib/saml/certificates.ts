import { createHash, type KeyObject, X509Certificate } from 'node:crypto'
import { certificatesPerField, rsaBits } from '../core/limits.ts'

/** A certificate whose key is strong enough to be relied on. */
export interface Certificate {
  readonly x509: X509Certificate
  /** PEM of one certificate, ending in a line end. */
  readonly pem: string
  /** Tells certificates apart; part of a SHA-256. */
  readonly fingerprint: string
  /** The same of the public key alone. */
  readonly keyFingerprint: string
  /** Epoch milliseconds. */
  readonly endsAt: number
}

/** What a text says of certificates, and what is wrong with it: sentences that go on from the field's name. */
export interface CertificateReading {
  readonly certificates: readonly Certificate[]
  readonly faults: readonly string[]
}

/**
 * Reads one certificate or several, as PEM (RFC 7468) or as bare base64 of their DER, one after the other. Nothing else
 * may stand there: whoever pastes its private key along must not have it published. An expired one is read as well.
 */
export const readCertificates = (text: string): CertificateReading => {
  const blocks = blocksOf(text)
  if (typeof blocks === 'string') return { certificates: [], faults: [blocks] }
  if (blocks.length > certificatesPerField)
    return { certificates: [], faults: [`must hold at most ${certificatesPerField} certificates`] }
  const readings = blocks.map((der, at) => readCertificate(der, blocks.length === 1 ? '' : ` ${at + 1}`))
  return {
    certificates: readings.filter((reading) => typeof reading !== 'string'),
    faults: readings.filter((reading) => typeof reading === 'string'),
  }
}

/** The same of what was read before. @throws Error */
export const findTrustedCertificates = (text: string): readonly Certificate[] => {
  const { certificates, faults } = readCertificates(text)
  if (faults[0] !== undefined) throw new Error(`a stored certificate can't be read: it ${faults[0]}`)
  return certificates
}

/** Each certificate once, one PEM after the other. */
export const joinCertificates = (certificates: readonly Certificate[]): string =>
  removeDuplicateCertificates(certificates)
    .map(({ pem }) => pem)
    .join('')

export const removeDuplicateCertificates = (certificates: readonly Certificate[]): readonly Certificate[] => [
  ...new Map(certificates.map((certificate) => [certificate.fingerprint, certificate])).values(),
]

/** Base64 of the DER in one line, as XML has it. */
export const toBareBase64 = ({ x509 }: Certificate): string => x509.raw.toString('base64')

export const getKeyFingerprint = (publicKey: KeyObject): string =>
  fingerprintOf(publicKey.export({ type: 'spki', format: 'der' }))

/** The DER of each certificate, or why there is none to be had. */
const blocksOf = (text: string): readonly Buffer[] | string => {
  if (/PRIVATE KEY/.test(text)) return 'must hold certificates alone: a private key does not belong here'
  const blocks = [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g)]
  const rest = text.replaceAll(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g, '').trim()
  if (blocks.length === 0) return bareBlocks(text)
  if (rest !== '') return 'must hold certificates alone, each from BEGIN CERTIFICATE to END CERTIFICATE'
  return blocks.map(([, content = '']) => Buffer.from(/[^\s\w+/=]/.test(content) ? '' : content, 'base64'))
}

/** Bare base64: where a certificate ends, its own length says. */
const bareBlocks = (text: string): readonly Buffer[] | string => {
  const content = text.replaceAll(/[\s,;]+/g, '')
  if (content === '' || !/^[A-Za-z0-9+/=]+$/.test(content)) return 'must be a certificate as PEM or base64'
  const blocks: Buffer[] = []
  for (let at = 0; at < content.length; ) {
    const { length } = derLength(Buffer.from(content.slice(at, at + 8), 'base64'))
    const end = at + 4 * Math.ceil(length / 3)
    blocks.push(Buffer.from(content.slice(at, end), 'base64'))
    at = end
  }
  return blocks
}

/** The bytes of a sequence with its head (X.690 8.1.3); all that there is when it isn't one. */
const derLength = (head: Buffer): { readonly length: number } => {
  if (head[0] !== 0x30) return { length: Number.POSITIVE_INFINITY }
  const [, size = 0] = head
  if (size < 0x80) return { length: 2 + size }
  const count = size & 0x7f
  if (count < 1 || count > 3 || head.length < 2 + count) return { length: Number.POSITIVE_INFINITY }
  return { length: 2 + count + head.readUIntBE(2, count) }
}

const readCertificate = (der: Buffer, place: string): Certificate | string => {
  const x509 = parse(der)
  const key = x509 && publicKeyOf(x509)
  if (!x509 || !key) return `holds a certificate${place} that can't be read`
  const weakness = weaknessOf(key)
  if (weakness) return `holds a certificate${place} whose key ${weakness}`
  return {
    x509,
    pem: `${x509.toString().trim()}\n`,
    fingerprint: fingerprintOf(x509.raw),
    keyFingerprint: getKeyFingerprint(key),
    endsAt: x509.validToDate.getTime(),
  }
}

const parse = (der: Buffer): X509Certificate | undefined => {
  try {
    const x509 = new X509Certificate(der)
    return x509.raw.equals(der) && !Number.isNaN(x509.validToDate.getTime()) ? x509 : undefined
  } catch {
    return undefined
  }
}

const publicKeyOf = (x509: X509Certificate): KeyObject | undefined => {
  try {
    return x509.publicKey
  } catch {
    return undefined
  }
}

const curves = ['prime256v1', 'secp384r1', 'secp521r1']

const weaknessOf = ({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): string | undefined => {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails
  if (asymmetricKeyType === 'ec')
    return curves.includes(namedCurve) ? undefined : 'must be on the curve P-256, P-384 or P-521'
  if (asymmetricKeyType !== 'rsa' && asymmetricKeyType !== 'rsa-pss') return 'must be RSA or elliptic'
  return modulusLength < rsaBits.min || modulusLength > rsaBits.max
    ? `must have ${rsaBits.min} to ${rsaBits.max} bits`
    : undefined
}

const fingerprintOf = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
