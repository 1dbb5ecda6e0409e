import { randomInt } from 'node:crypto'
import type { AccessLinkRecord } from '../../lib/features/access-links/link.records.ts'
import { getLinkVault } from '../../lib/features/access-links/link-vault.ts'
import { buildAccessLinkSteps, findAccessLink } from '../../lib/features/access-links/records.ts'
import { getLinkValueContext } from '../../lib/features/access-links/rules.ts'
import { easySharingKey, type Key } from '../../lib/kernel/table/keys/keys.ts'
import type { Answer, JsonValue } from './client.ts'
import type { TestService } from './service.ts'

/** Returns a random object id. */
export const objectId = (): number => randomInt(1, 2 ** 31)

/** Creates a bundle for a request. Its id is unique. */
export const bundle = <Fields extends object>(fields: Fields = {} as Fields) => ({
  id: objectId(),
  name: 'Trailer, second cut',
  root: 7,
  path: '/projects/trailer/cut-2.mov',
  ...fields,
})

/** The body that shares a bundle by easy sharing. */
export const easySharing = (id: number, given: object = {}) => ({
  bundles: [bundle({ id })],
  is_easy_sharing: true,
  ...given,
})

export const directory = (fields: object = {}) => ({
  id: objectId(),
  name: 'Dailies',
  root: 7,
  path: '/projects/dailies',
  ...fields,
})

export const linksPath = '/api/2/auth/access-tokens'

export const postLink = ({ client }: TestService, bearer: string, given: object = {}): Promise<Answer> =>
  client('POST', linksPath, { bearer, body: { bundles: [bundle()], ...given } })

/** Creates a link over HTTP and returns its body. */
export const addLink = async (
  service: TestService,
  bearer: string,
  given: object = {},
): Promise<JsonValue> => {
  const answer = await postLink(service, bearer, given)
  if (answer.status !== 201) throw new Error(`the link was not created: ${answer.status} ${answer.text}`)
  return answer.body
}

/** Writes copies of a link directly to the table. Their ids start at `firstId`. */
export const seedLinks = async (
  { services }: TestService,
  copiedId: number,
  count: number,
  firstId: number,
  fieldsOf: (at: number) => Partial<AccessLinkRecord> = () => ({}),
): Promise<readonly AccessLinkRecord[]> => {
  const copied = await findAccessLink(services.table, copiedId)
  if (!copied) throw new Error('the link was not found')
  const vault = getLinkVault(services)
  const records = await Promise.all(
    Array.from({ length: count }, async (_, at): Promise<AccessLinkRecord> => {
      const id = firstId + at
      const encryptedValue = await vault.encrypt('lka_value', getLinkValueContext(id))
      return { ...copied, id, encryptedValue, ...fieldsOf(at) }
    }),
  )
  const steps = records.map((record) => buildAccessLinkSteps(record))
  for (let at = 0; at < count; at += 10) await services.table.transact(steps.slice(at, at + 10).flat())
  return records
}

export const getLink = ({ client }: TestService, bearer: string, id: number, path = ''): Promise<Answer> =>
  client('GET', `${linksPath}/${id}${path}`, { bearer })

export const lookUp = ({ client }: TestService, token: string, query = ''): Promise<Answer> =>
  client('GET', `${linksPath}/get/${token}${query}`)

export const deleteLink = ({ client }: TestService, bearer: string, id: number): Promise<Answer> =>
  client('DELETE', `${linksPath}/${id}`, { bearer })

export const redeem = (
  { client }: TestService,
  token: string,
  { bearer, ...body }: { readonly password?: unknown; readonly bearer?: string } = {},
): Promise<Answer> =>
  client('POST', `${linksPath}/redeem`, {
    body: { token, ...body },
    ...(bearer !== undefined && { bearer }),
  })

export const statusesOf = (answers: readonly { readonly status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The key of the uniqueness record that easy sharing stored for a link. */
export const findEasySharingKey = async ({ services }: TestService, linkId: number): Promise<Key> => {
  const { createdBy, easySharing } = (await findAccessLink(services.table, linkId)) ?? {}
  if (createdBy === undefined || easySharing?.terms === undefined)
    throw new Error('the link has no easy sharing')
  return easySharingKey({ createdBy, ...easySharing, terms: easySharing.terms })
}
