import type { Protocol } from '../protocol.ts'
import { type SamlConnection, type StoredKey, type StoredPair, samlKind } from './records.ts'
import { getServiceUrls } from './service-provider.ts'

/** The encryption context of a key. It differs for each provider and from that of any other secret. */
export const getSpKeyContext = (providerId: number) => ({
  purpose: 'connection',
  provider: String(providerId),
})

export const samlProtocol: Protocol<SamlConnection> = {
  stored: samlKind,
  getPaths: (id) => ({
    start: `/api/2/auth/saml/${id}/sso`,
    answer: `/api/2/auth/saml/${id}/assertion`,
    end: `/api/2/auth/saml/${id}/sso/return`,
    signOut: `/api/2/auth/saml/${id}/sls`,
  }),
  eventPrefix: 'saml_provider',
  nameAccount: ({ id: providerId, nameid_attribute: attribute }, text) =>
    attribute ? { providerId, attribute, value: text } : { providerId, nameId: text, qualifiers: [] },
  isMapped: false,
  listImpliedQualifiers: ({ publicUrl }, { id, entity_id }) => [
    entity_id,
    getServiceUrls(publicUrl, id).metadata,
  ],
  mapSecrets: async (connection, map) => {
    const { id, spCertificateKey, nextSpPair, previousSpPair } = connection
    const mapKey = async ({ cipher, ...key }: StoredKey): Promise<StoredKey> => ({
      ...key,
      cipher: await map(cipher, getSpKeyContext(id)),
    })
    const mapPair = async (pair: StoredPair | null): Promise<StoredPair | null> =>
      pair && { ...pair, key: await mapKey(pair.key) }
    return {
      ...connection,
      spCertificateKey: spCertificateKey && (await mapKey(spCertificateKey)),
      nextSpPair: await mapPair(nextSpPair),
      previousSpPair: await mapPair(previousSpPair),
    }
  },
  listTrusted: ({ entity_id, certificate, nameid_attribute }) => [entity_id, certificate, nameid_attribute],
}
