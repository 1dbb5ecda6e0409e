import { createHash, type KeyObject, X509Certificate } from 'node:crypto'
import { certificateFieldsCached, certificatesPerField, rsaBits } from '../../../kernel/limits/saml-limits.ts'

/** A certificate with a key that is strong enough. */
export interface Certificate {
  readonly x509: X509Certificate
  readonly publicKey: KeyObject
  /** PEM of one certificate, ending in a line end. */
  readonly pem: string
  /** Identifies the certificate: part of its SHA-256. */
  readonly fingerprint: string
  /** Identifies the public key: part of its SHA-256. */
  readonly keyFingerprint: string
  /** Epoch milliseconds. */
  readonly endsAt: number
}

/** The certificates in a text, and its errors. Each error continues a sentence that starts with the field's name. */
export interface CertificateReading {
  readonly certificates: readonly Certificate[]
  readonly errors: readonly string[]
}

/**
 * Reads one or more certificates as PEM (RFC 7468) or as base64 of DER, one after the other. Expired certificates are
 * accepted. Any other content is an error, so that an accidentally pasted private key is never published.
 */
export const readCertificates = (text: string): CertificateReading => {
  const blocks = readDerBlocks(text)
  if (typeof blocks === 'string') return { certificates: [], errors: [blocks] }
  if (blocks.length > certificatesPerField)
    return { certificates: [], errors: [`must contain at most ${certificatesPerField} certificates`] }
  const readings = blocks.map((der, at) => readCertificate(der, blocks.length === 1 ? '' : ` ${at + 1}`))
  return {
    certificates: readings.filter((reading) => typeof reading !== 'string'),
    errors: readings.filter((reading) => typeof reading === 'string'),
  }
}

/**
 * Reads certificates that were validated before they were stored. Keeps some of them by their whole text, so a replaced
 * certificate is never found. Whether a certificate may be used now is not part of it.
 *
 * @throws Error if they cannot be read.
 */
export const parseStoredCertificates = (text: string): readonly Certificate[] => {
  const known = parsedFields.get(text)
  if (known) return known
  const { certificates, errors } = readCertificates(text)
  if (errors[0] !== undefined) throw new Error(`a stored certificate cannot be read: it ${errors[0]}`)
  parsedFields.set(text, certificates)
  const [oldest = ''] = parsedFields.keys()
  if (parsedFields.size > certificateFieldsCached) parsedFields.delete(oldest)
  return certificates
}

const parsedFields = new Map<string, readonly Certificate[]>()

/** Joins the PEM of all certificates, each once. */
export const joinCertificates = (certificates: readonly Certificate[]): string =>
  removeDuplicateCertificates(certificates)
    .map(({ pem }) => pem)
    .join('')

export const removeDuplicateCertificates = (certificates: readonly Certificate[]): readonly Certificate[] => [
  ...new Map(certificates.map((certificate) => [certificate.fingerprint, certificate])).values(),
]

/** The SHA-256 of each certificate in a stored text, as other programs show it. */
export const listFingerprints = ({ certificate }: { readonly certificate: string }): readonly string[] =>
  readCertificates(certificate).certificates.map(({ x509 }) => x509.fingerprint256)

/** Returns the base64 of the DER in one line, as XML contains it. */
export const toBareBase64 = ({ x509 }: Certificate): string => x509.raw.toString('base64')

export const getKeyFingerprint = (publicKey: KeyObject): string =>
  getFingerprint(publicKey.export({ type: 'spki', format: 'der' }))

/** Returns the DER of each certificate, or the error of the text. */
const readDerBlocks = (text: string): readonly Buffer[] | string => {
  if (/PRIVATE KEY/.test(text)) return 'must contain only certificates: remove the private key'
  const blocks = [...text.matchAll(/-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g)]
  const rest = text.replaceAll(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g, '').trim()
  if (blocks.length === 0) return readBareBlocks(text)
  if (rest !== '') return 'must contain only certificates, each from BEGIN CERTIFICATE to END CERTIFICATE'
  return blocks.map(([, content = '']) => Buffer.from(/[^\s\w+/=]/.test(content) ? '' : content, 'base64'))
}

/** Reads base64 without PEM lines. The length in the DER shows where each certificate ends. */
const readBareBlocks = (text: string): readonly Buffer[] | string => {
  const content = text.replaceAll(/[\s,;]+/g, '')
  if (content === '' || !/^[A-Za-z0-9+/=]+$/.test(content)) return 'must be a certificate as PEM or base64'
  const blocks: Buffer[] = []
  for (let at = 0; at < content.length; ) {
    const bytes = readDerLength(Buffer.from(content.slice(at, at + 8), 'base64'))
    const end = at + 4 * Math.ceil(bytes / 3)
    blocks.push(Buffer.from(content.slice(at, end), 'base64'))
    at = end
  }
  return blocks
}

/** Returns the length of a DER sequence in bytes, with its header (X.690 8.1.3). Infinity if it is not a sequence. */
const readDerLength = (header: Buffer): number => {
  if (header[0] !== 0x30) return Number.POSITIVE_INFINITY
  const [, size = 0] = header
  if (size < 0x80) return 2 + size
  const sizeBytes = size & 0x7f
  if (sizeBytes < 1 || sizeBytes > 3 || header.length < 2 + sizeBytes) return Number.POSITIVE_INFINITY
  return 2 + sizeBytes + header.readUIntBE(2, sizeBytes)
}

const readCertificate = (der: Buffer, position: string): Certificate | string => {
  const x509 = parseDer(der)
  const key = x509 && readPublicKey(x509)
  if (!x509 || !key) return `contains a certificate${position} that cannot be read`
  const weakness = describeWeakness(key)
  if (weakness) return `contains a certificate${position} whose key ${weakness}`
  return {
    x509,
    publicKey: key,
    pem: `${x509.toString().trim()}\n`,
    fingerprint: getFingerprint(x509.raw),
    keyFingerprint: getKeyFingerprint(key),
    endsAt: x509.validToDate.getTime(),
  }
}

const parseDer = (der: Buffer): X509Certificate | undefined => {
  try {
    const x509 = new X509Certificate(der)
    return x509.raw.equals(der) && !Number.isNaN(x509.validToDate.getTime()) ? x509 : undefined
  } catch {
    return undefined
  }
}

const readPublicKey = (x509: X509Certificate): KeyObject | undefined => {
  try {
    return x509.publicKey
  } catch {
    return undefined
  }
}

const curves = ['prime256v1', 'secp384r1', 'secp521r1']

const describeWeakness = ({
  asymmetricKeyType,
  asymmetricKeyDetails = {},
}: KeyObject): string | undefined => {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails
  if (asymmetricKeyType === 'ec')
    return curves.includes(namedCurve) ? undefined : 'must be on the curve P-256, P-384 or P-521'
  if (asymmetricKeyType !== 'rsa' && asymmetricKeyType !== 'rsa-pss') return 'must be RSA or elliptic'
  return modulusLength < rsaBits.min || modulusLength > rsaBits.max
    ? `must have ${rsaBits.min} to ${rsaBits.max} bits`
    : undefined
}

const getFingerprint = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
