import type { KeyObject } from 'node:crypto'
import { type Certificate, findTrustedCertificates } from '../../saml/certificates.ts'
import { generateSpKeyPair, type PrivateKey, restorePrivateKey, type SpKeyPair } from '../../saml/key-pair.ts'
import type { Services } from '../../services.ts'
import type { SamlProviderRecord, StoredKey, StoredPair } from '../../store/records/saml-provider-record.ts'

/*
 * Our keys, one pair a provider: requests are signed with it, and assertions are encrypted for it. They lie in the
 * table encrypted, and are opened by the functions of the SAML flow alone. Whether a key fits a certificate can be told
 * without opening it, by the fingerprint beside it.
 */

/** What a key is encrypted for: its provider, and nothing else that is ever encrypted. */
export const getKeyContext = (providerId: number) => ({ purpose: 'saml', provider: String(providerId) })

export const encryptKey = async (
  { vault }: Services,
  providerId: number,
  { text, fingerprint }: PrivateKey,
): Promise<StoredKey> => ({ cipher: await vault.encrypt(text, getKeyContext(providerId)), fingerprint })

/** A new pair under the name of our host. */
export const generateKeyPair = ({ config, now }: Services): Promise<SpKeyPair> =>
  generateSpKeyPair(new URL(config.publicUrl).hostname, now())

export const encryptKeyPair = async (
  services: Services,
  providerId: number,
  { certificate, key }: SpKeyPair,
): Promise<StoredPair> => ({
  certificate: certificate.pem,
  key: await encryptKey(services, providerId, key),
})

/** Our certificates for a provider, as its metadata shows them: those in use, then those that wait. */
export const getSpCertificates = ({
  spCertificate,
  spCertificateKey,
  nextSpPair,
}: SamlProviderRecord): {
  readonly signing: readonly Certificate[]
  readonly encryption: readonly Certificate[]
} => {
  const fits = ({ keyFingerprint }: Certificate) => keyFingerprint === spCertificateKey?.fingerprint
  // Without a key, a certificate is nothing that anything could be signed with or encrypted for.
  const own = spCertificate === null || !spCertificateKey ? [] : findTrustedCertificates(spCertificate)
  const next = nextSpPair ? findTrustedCertificates(nextSpPair.certificate) : []
  return {
    signing: [...own.filter(fits), ...own.filter((certificate) => !fits(certificate)), ...next],
    encryption: [...own.filter(fits), ...next],
  }
}

/** The key that requests to a provider are signed with, opened; undefined when there is none. */
export const openSigningKey = async (
  services: Services,
  { id, spCertificateKey }: SamlProviderRecord,
): Promise<KeyObject | undefined> => (spCertificateKey ? open(services, id, spCertificateKey) : undefined)

/** The keys that an assertion may be encrypted for: one that is published, or was before the last switch. */
export const openDecryptionKeys = (
  services: Services,
  { id, spCertificateKey, nextSpPair, previousSpPair }: SamlProviderRecord,
): Promise<readonly KeyObject[]> =>
  Promise.all(
    [spCertificateKey, nextSpPair?.key, previousSpPair?.key]
      .filter((key) => key !== null && key !== undefined)
      .map((key) => open(services, id, key)),
  )

const open = async ({ vault }: Services, providerId: number, { cipher }: StoredKey): Promise<KeyObject> =>
  restorePrivateKey(await vault.decrypt(cipher, getKeyContext(providerId)))
