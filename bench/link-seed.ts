import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { AccessLinkRecord } from '../lib/features/access-links/link.records.ts'
import { getLinkVault } from '../lib/features/access-links/link-vault.ts'
import { buildAccessLinkSteps } from '../lib/features/access-links/records.ts'
import { getLinkValueContext } from '../lib/features/access-links/rules.ts'
import { mintCredential } from '../lib/kernel/secrets/credentials.ts'
import { counterKey } from '../lib/kernel/table/keys/keys.ts'
import type { Item } from '../lib/kernel/table/transaction.ts'
import type { Services } from '../lib/services.ts'

/** The objects and users whose lists are measured. Each has at least a tenth of all links. */
export interface Measured {
  readonly creator: number
  readonly recipient: number
  readonly bundle: number
  readonly directory: number
  readonly asset: number
}

export interface Seeder {
  /** Writes links until there are `count`. */
  readonly seedTo: (count: number, onProgress?: (written: number) => void) => Promise<void>
  /** The id and value of the newest link. */
  readonly newest: () => { readonly id: number; readonly value: string }
}

const batchSize = 25
const linksAtOnce = 50
const batchesAtOnce = 4
const objects = 100_000
/** Links created over HTTP before have lower ids. */
const idsBefore = 1000
const firstMoment = Date.UTC(2026, 0, 1)

/** Fills a table with links as the store writes them, but in batches, because transactions would take days. */
export const openSeeder = (
  services: Services,
  tableName: string,
  users: readonly number[],
  measured: Measured,
): Seeder => {
  // A million KMS calls cost money, and signed table calls take longer.
  const { config } = services
  if (!config.dynamodbEndpoint || !config.localKeyFile)
    throw new Error('seeding requires a local engine and key')
  const send = senderTo(config.dynamodbEndpoint)
  let count = 0
  let newest = { id: 0, value: '' }

  const itemsOf = async (id: number): Promise<readonly Item[]> => {
    const { value, hash } = mintCredential('access_token', id)
    const record = recordOf(id, users, measured, {
      hash,
      encryptedValue: await getLinkVault(services).encrypt(value, getLinkValueContext(id)),
    })
    if (id > newest.id) newest = { id, value }
    return buildAccessLinkSteps(record).flatMap((step) => ('put' in step ? [step.put] : []))
  }

  const write = async (items: readonly Item[]): Promise<void> => {
    const requests = items.map((item) => ({ PutRequest: { Item: toAttributes(item) } }))
    const output = await send('BatchWriteItem', { RequestItems: { [tableName]: requests } })
    if (Object.keys(output.UnprocessedItems ?? {}).length > 0)
      throw new Error('the engine left items of a batch unwritten')
  }

  const seedTo = async (total: number, onProgress?: (written: number) => void): Promise<void> => {
    const work = async () => {
      while (count < total) {
        const [from, length] = [idsBefore + count + 1, Math.min(linksAtOnce, total - count)]
        count += length
        const ids = Array.from({ length }, (_, at) => from + at)
        const items: Item[] = []
        for (const id of ids) items.push(...(await itemsOf(id)))
        for (let at = 0; at < items.length; at += batchSize) await write(items.slice(at, at + batchSize))
        onProgress?.(count)
      }
    }
    await Promise.all(Array.from({ length: batchesAtOnce }, work))
    await write([
      { ...counterKey('access-token'), last: idsBefore + total, at: firstMoment + idsBefore + total },
      { ...counterKey('link-permission'), last: idsBefore + total },
    ])
  }
  return { seedTo, newest: () => newest }
}

/** Spreads ids evenly and reproducibly over objects. */
const spread = (id: number, over: number): number => ((id * 2_654_435_761) % 4_294_967_296) % over

const recordOf = (
  id: number,
  users: readonly number[],
  measured: Measured,
  secret: Pick<AccessLinkRecord, 'hash' | 'encryptedValue'>,
): AccessLinkRecord => {
  const turn = id % 10
  const person = (salt: number): number => users[spread(id + salt, users.length)] ?? 0
  const bundle = turn === 1 ? measured.bundle : 10 + spread(id, objects)
  const hasAsset = turn === 3 || id % 2 === 0
  const directory = turn === 2 ? measured.directory : turn === 6 ? 10 + spread(id, objects) : undefined
  return {
    id,
    ...secret,
    createdBy: turn === 0 || turn === 4 ? measured.creator : person(1),
    user: turn === 0 || turn === 5 ? measured.recipient : person(2),
    isAnonymous: false,
    createdAt: firstMoment + id,
    expiresAt: id % 3 === 0 ? null : Date.UTC(2040, 0, 1) + spread(id, 1_000_000) * 1000,
    view_limit_enabled: false,
    view_limit_left: 0,
    passwordHash: null,
    require_login: false,
    url: null,
    bundles: [
      {
        id: bundle,
        name: `Trailer ${bundle}, second cut`,
        root: 7,
        path: `/projects/trailer/${bundle}`,
        asset: hasAsset ? (turn === 3 ? measured.asset : 10 + spread(id, objects)) : null,
      },
    ],
    directories:
      directory === undefined
        ? []
        : [{ id: directory, name: `Dailies ${directory}`, root: 7, path: `/projects/dailies/${directory}` }],
    permissions: ['allow_read', 'allow_proxy_download', 'show_markers'],
    roots: [{ id, root: 7 }],
    easySharing: null,
    recentUses: Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [
        String(at + 1),
        { at: firstMoment + at, address: '203.0.113.7' },
      ]),
    ),
  }
}

/** Converts a value to the DynamoDB format. */
const toAttribute = (value: unknown): object => {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: String(value) }
  if (typeof value === 'boolean') return { BOOL: value }
  if (value === null) return { NULL: true }
  return Array.isArray(value) ? { L: value.map(toAttribute) } : { M: toAttributes(value as object) }
}

const toAttributes = (item: object) =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, toAttribute(value)]))

interface Output {
  readonly UnprocessedItems?: object
}

/** Sends requests to a local engine, which needs no signatures. The SDK would take most of the time. */
const senderTo = (endpoint: string) => {
  const { hostname, port } = new URL(endpoint)
  const agent = new Agent({ keepAlive: true })
  return (action: string, input: object): Promise<Output> =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${action}`,
        'x-amz-date': '20260101T000000Z',
        authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=${randomUUID()}`,
      }
      const sent = request({ hostname, port, method: 'POST', agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () =>
          response.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(text)),
        )
      })
      sent.on('error', reject)
      sent.end(JSON.stringify(input))
    })
}
