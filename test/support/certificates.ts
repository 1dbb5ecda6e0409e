import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

export interface TestCertificate {
  readonly pem: string
  /** The certificate as DER, encoded as base64 in one line. */
  readonly base64: string
  /** The private key as PKCS #8 in PEM. */
  readonly keyPem: string
  readonly keys: CryptoKeyPair
  readonly name: string
}

export interface CertificateFacts {
  readonly name?: string
  /** The length of an RSA key. Default: 2048. */
  readonly bits?: number
  /** The curve, for an elliptic-curve key instead of an RSA key. */
  readonly curve?: 'P-256' | 'P-384'
  readonly days?: { readonly from: number; readonly to: number }
  readonly hosts?: readonly string[]
  readonly addresses?: readonly string[]
  readonly issuer?: TestCertificate
  readonly isAuthority?: boolean
  /** A certificate whose key is used again. */
  readonly keysOf?: TestCertificate
}

type CryptoKeyPair = webcrypto.CryptoKeyPair

const day = 24 * 60 * 60_000

/** Creates a certificate. It is self-signed unless there is an issuer. */
export const makeCertificate = async (facts: CertificateFacts = {}): Promise<TestCertificate> => {
  const { name = 'test', bits = 2048, curve, days = { from: -1, to: 365 }, issuer } = facts
  const algorithm = curve
    ? { name: 'ECDSA', namedCurve: curve, hash: 'SHA-256' }
    : {
        name: 'RSASSA-PKCS1-v1_5',
        hash: 'SHA-256',
        modulusLength: bits,
        publicExponent: new Uint8Array([1, 0, 1]),
      }
  const keys =
    facts.keysOf?.keys ??
    ((await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair)
  const names = [
    ...(facts.hosts ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(facts.addresses ?? []).map((value) => ({ type: 'ip' as const, value })),
  ]
  const certificate = await X509CertificateGenerator.create({
    serialNumber: `00${randomBytes(8).toString('hex')}`,
    subject: `CN=${name}`,
    issuer: `CN=${issuer?.name ?? name}`,
    notBefore: new Date(Date.now() + days.from * day),
    notAfter: new Date(Date.now() + days.to * day),
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(facts.isAuthority ?? false, undefined, true),
      ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
    ],
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return {
    name,
    keys,
    pem: `${certificate.toString('pem')}\n`,
    base64: Buffer.from(certificate.rawData).toString('base64'),
    keyPem: `-----BEGIN PRIVATE KEY-----\n${wrapBase64(pkcs8)}\n-----END PRIVATE KEY-----\n`,
  }
}

/** Breaks base64 into lines of 64 characters. */
export const wrapBase64 = (base64: string): string => base64.replaceAll(/(.{64})(?!$)/g, '$1\n')
