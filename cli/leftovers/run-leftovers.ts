import * as z from 'zod/mini'
import { getErrorMessage } from '../../lib/kernel/util/error-message.ts'
import { stackTag } from '../../lib/kernel/util/stack-tag.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { wrapText } from '../report.ts'
import { listResources, read } from '../verify/account.ts'
import { type Aws, AwsError, listMembers, openAws, orMissing, textOf } from '../verify/aws.ts'
import type { LeftoversCommand } from './command.ts'

type Options = Extract<LeftoversCommand, { name: 'leftovers' }>

/** Something that no stack has now. */
interface Leftover {
  readonly kind: KindName
  readonly name: string
  /** What to do about it, or why it stays. */
  readonly note: string
  /** Instead of that of its kind. */
  readonly cost?: string
  /** Only for what may be removed. */
  readonly remove?: () => Promise<unknown>
}

type Draft = Pick<Leftover, 'note' | 'cost' | 'remove'>

interface Kind {
  /** The name, or what CloudFormation calls the physical ID, in the ARN. */
  readonly arn: RegExp
  readonly label: string
  readonly cost: string
}

/** What the templates retain, and what AWS may refuse to delete with a stack. */
const kinds = {
  webAcl: { arn: /:wafv2:.*\/webacl\/(.+)$/, label: 'web ACL', cost: 'about 10 USD a month' },
  logGroup: { arn: /:logs:.*:log-group:([^:]+)/, label: 'log group', cost: 'the price of its content' },
  vault: { arn: /:backup-vault:(.+)$/, label: 'backup vault', cost: 'the price of its content' },
  table: { arn: /:dynamodb:.*:table\/([^/]+)$/, label: 'table', cost: 'the price of its content' },
  bucket: { arn: /:s3:::([^/]+)$/, label: 'bucket', cost: 'the price of its content' },
  secret: { arn: /^(.*:secretsmanager:.*:secret:.+)$/, label: 'secret', cost: '0.40 USD a month' },
  key: { arn: /:kms:.*:key\/([\w-]+)$/, label: 'KMS key', cost: '1 USD a month' },
} as const satisfies Readonly<Record<string, Kind>>
type KindName = keyof typeof kinds
const kindNames = Object.keys(kinds) as readonly KindName[]

interface Candidate {
  readonly kind: KindName
  readonly name: string
  readonly arn: string
}

const readArn = (arn: string): Candidate | undefined => {
  for (const kind of kindNames) {
    const [, name] = kinds[kind].arn.exec(arn) ?? []
    if (name !== undefined) return { kind, name, arn }
  }
  return undefined
}

/** Prints what remains of a stack, and removes what is safe if that was asked for. Returns the exit code. */
export const runLeftovers = async (options: Options, signal: AbortSignal): Promise<number> => {
  try {
    return await listAndRemove(options, await openAws(signal))
  } catch (error) {
    if (signal.aborted) {
      process.stdout.write('Interrupted. Run the same command again.\n')
      return exitCodes.interrupted
    }
    throw error instanceof TypeError
      ? new CommandFailure('AWS cannot be reached. Run the same command again.')
      : error
  }
}

const listAndRemove = async ({ stack, removes }: Options, aws: Aws): Promise<number> => {
  const found = await findLeftovers(aws, stack)
  if (found.length === 0) {
    process.stdout.write(`Nothing with the tag ${stackTag} of ${stack} remains in this region.\n`)
    return exitCodes.done
  }
  let refused = 0
  for (const one of found) {
    let { note } = one
    // A key may encrypt what could not be removed.
    if (removes && one.kind === 'key' && one.remove && refused > 0)
      note = 'It stays, because something else could not be removed.'
    else if (removes && one.remove) {
      const problem = await describeRefusal(one.remove)
      if (problem !== undefined) refused++
      note = problem ?? (one.kind === 'key' ? 'KMS deletes it in 30 days.' : 'Removed.')
    }
    const { label, cost } = kinds[one.kind]
    process.stdout.write(`${label} ${one.name}\n${wrapText(`Costs ${one.cost ?? cost}. ${note}`, '  ')}\n`)
  }
  if (!removes && found.some(({ remove }) => remove))
    process.stdout.write(`\nTo remove what is safe, add: --remove ${stack}\n`)
  return refused > 0 ? exitCodes.someRefused : exitCodes.done
}

/** AWS itself refuses to remove what is in use. Missing permissions and a lost connection end the command. */
const describeRefusal = async (remove: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    await orMissing(remove())
    return undefined
  } catch (error) {
    if (error instanceof AwsError) return `It stays. ${getErrorMessage(error)}`
    throw error
  }
}

/** Everything that the stack left, in the order in which it can be removed: keys last. */
const findLeftovers = async (aws: Aws, stack: string): Promise<readonly Leftover[]> => {
  const region = await readRegion(aws)
  const tagged = (await listTagged(aws, stack)).flatMap((arn) => readArn(arn) ?? [])
  const candidates = new Map(tagged.map((one) => [one.arn, one]))
  const keys = new Set(tagged.filter(({ kind }) => kind === 'key').map(({ arn }) => arn))
  for (const { arn, keyArn } of region.encrypted) {
    const one = readArn(arn)
    // People may use the key for vaults of their own, which have other names.
    const isOurs = one?.kind === 'table' || one?.name.startsWith('Latchkey-')
    if (one && isOurs && keys.has(keyArn)) candidates.set(arn, one)
  }
  const existing = await orMissing(listResources(aws, stack))
  const inStack = new Set((existing ?? []).map(({ name }) => name))
  const found: (Leftover & { readonly arn: string })[] = []
  for (const one of candidates.values()) {
    if ((await isInStack(aws, one, inStack)) || (one.kind === 'vault' && !region.vaults.has(one.arn)))
      continue
    const draft = await drafts[one.kind](aws, one, region)
    if (draft) found.push({ ...one, ...draft })
  }
  // After a change of vaultKeyArn, the table of the stack still has values of the former key.
  const use = existing
    ? `It stays while the stack ${stack} exists here, because values in its table may need it.`
    : findUseOfKeys(found, region)
  return found
    .map((one) => {
      if (one.kind !== 'key' || !one.remove || use === undefined) return one
      const { remove: _, ...kept } = one
      return { ...kept, note: use }
    })
    .toSorted((a, b) => kindNames.indexOf(a.kind) - kindNames.indexOf(b.kind))
}

/** Asks CloudFormation, because also another stack may have imported a resource. */
const isInStack = async (
  aws: Aws,
  { kind, name, arn }: Candidate,
  inStack: ReadonlySet<string>,
): Promise<boolean> => {
  const [first = '', second = ''] = name.split('/')
  const scope = arn.includes(':global/') ? 'CLOUDFRONT' : 'REGIONAL'
  const PhysicalResourceId = kind === 'webAcl' ? `${first}|${second}|${scope}` : name
  if (inStack.has(PhysicalResourceId)) return true
  const owner = await orMissing(aws.query('cloudformation', 'DescribeStackResources', { PhysicalResourceId }))
  if (owner === undefined) return false
  return listMembers(owner, 'StackResources').some(
    (resource) =>
      textOf(resource, 'PhysicalResourceId') === PhysicalResourceId &&
      !/^DELETE_(?:COMPLETE|SKIPPED)$/.test(textOf(resource, 'ResourceStatus')),
  )
}

const Tagged = z.object({
  ResourceTagMappingList: z.array(z.object({ ResourceARN: z.string() })),
  PaginationToken: z.optional(z.string()),
})

const listTagged = (aws: Aws, stack: string): Promise<readonly string[]> =>
  readPages(async (PaginationToken) => {
    const input = {
      TagFilters: [{ Key: stackTag, Values: [stack] }],
      ...(PaginationToken && { PaginationToken }),
    }
    const page = read(Tagged, await aws.json('tagging', 'GetResources', input))
    return [page.ResourceTagMappingList.map(({ ResourceARN }) => ResourceARN), page.PaginationToken]
  })

/** More pages than any account has. An answer that names itself as the next page must end, too. */
const maxPages = 5000

/** Reads a list to its end: a part of it would make something that is in use look unused. */
const readPages = async <Item>(
  readPage: (token: string) => Promise<readonly [items: readonly Item[], next: string | null | undefined]>,
): Promise<readonly Item[]> => {
  const all: Item[] = []
  let token = ''
  for (let at = 0; at < maxPages; at++) {
    const [items, next] = await readPage(token)
    all.push(...items)
    if (!next) return all
    token = next
  }
  throw new CommandFailure('AWS returned a list without an end.')
}

const Vaults = z.object({
  BackupVaultList: z.array(
    z.object({
      BackupVaultName: z.string(),
      BackupVaultArn: z.string(),
      EncryptionKeyArn: z.nullish(z.string()),
      NumberOfRecoveryPoints: z.number(),
    }),
  ),
  NextToken: z.nullish(z.string()),
})
type Vault = z.output<typeof Vaults>['BackupVaultList'][number]
const Tables = z.object({ TableNames: z.array(z.string()), LastEvaluatedTableName: z.optional(z.string()) })
const Table = z.object({
  Table: z.object({
    TableArn: z.string(),
    SSEDescription: z.optional(z.object({ KMSMasterKeyArn: z.optional(z.string()) })),
  }),
})
const Functions = z.object({
  Functions: z.array(z.looseObject({ FunctionName: z.string() })),
  NextMarker: z.nullish(z.string()),
})
const Secrets = z.object({
  SecretList: z.array(z.object({ ARN: z.string(), KmsKeyId: z.optional(z.string()) })),
  NextToken: z.optional(z.string()),
})

/** What may use a key in the region. */
interface Region {
  readonly vaults: ReadonlyMap<string, Vault>
  /** Tables and vaults with the keys that encrypt them. */
  readonly encrypted: readonly { readonly arn: string; readonly keyArn: string }[]
  /** Functions and secrets, as AWS describes them. Functions have keys as variables. */
  readonly others: readonly { readonly label: string; readonly text: string }[]
}

const readRegion = async (aws: Aws): Promise<Region> => {
  const vaults = await readPages(async (token) => {
    const next = token ? `?nextToken=${encodeURIComponent(token)}` : ''
    const page = read(Vaults, await aws.get('backup', `/backup-vaults/${next}`))
    return [page.BackupVaultList, page.NextToken]
  })
  const names = await readPages(async (token) => {
    const input = token ? { ExclusiveStartTableName: token } : {}
    const page = read(Tables, await aws.json('dynamodb', 'ListTables', input))
    return [page.TableNames, page.LastEvaluatedTableName]
  })
  const encrypted = vaults.map((one) => ({ arn: one.BackupVaultArn, keyArn: one.EncryptionKeyArn ?? '' }))
  for (const TableName of names) {
    const answer = await orMissing(aws.json('dynamodb', 'DescribeTable', { TableName }))
    if (answer === undefined) continue
    const { TableArn: arn, SSEDescription: encryption } = read(Table, answer).Table
    encrypted.push({ arn, keyArn: encryption?.KMSMasterKeyArn ?? '' })
  }
  const functions = await readPages(async (token) => {
    const next = token ? `?Marker=${encodeURIComponent(token)}` : ''
    const page = read(Functions, await aws.get('lambda', `/2015-03-31/functions/${next}`))
    return [page.Functions, page.NextMarker]
  })
  const secrets = await readPages(async (NextToken) => {
    const page = read(
      Secrets,
      await aws.json('secretsmanager', 'ListSecrets', NextToken ? { NextToken } : {}),
    )
    return [page.SecretList, page.NextToken]
  })
  return {
    vaults: new Map(vaults.map((one) => [one.BackupVaultArn, one])),
    encrypted,
    others: [
      ...functions.map((one) => ({ label: `function ${one.FunctionName}`, text: JSON.stringify(one) })),
      ...secrets.map(({ ARN, KmsKeyId = '' }) => ({ label: `secret ${ARN}`, text: KmsKeyId })),
    ],
  }
}

/** One sentence if any key must stay. All keys of a service stay together, because data under one has values under another. */
const findUseOfKeys = (
  found: readonly (Leftover & { readonly arn: string })[],
  { encrypted, others }: Region,
): string | undefined => {
  const isKept = ({ kind, remove }: Leftover) => kind !== 'key' && kind !== 'webAcl' && !remove
  const kept = found.find(isKept)
  if (kept) return `It stays while the ${kinds[kept.kind].label} ${kept.name} exists.`
  const removable = new Set(found.filter(({ remove }) => remove).map(({ arn }) => arn))
  const keys = found.filter(({ kind }) => kind === 'key')
  for (const { name, arn } of keys) {
    const data = encrypted.find((one) => one.keyArn === arn && !removable.has(one.arn))
    if (data) return `It stays, because ${data.arn} is encrypted with a key of this stack.`
    const other = others.find(({ text }) => text.includes(name))
    if (other) return `It stays, because the ${other.label} uses a key of this stack.`
  }
  return undefined
}

const Groups = z.object({
  logGroups: z.array(z.object({ logGroupName: z.string(), storedBytes: z.optional(z.number()) })),
  nextToken: z.optional(z.string()),
})
const Streams = z.object({ logStreams: z.array(z.unknown()) })
const WebAcl = z.object({ LockToken: z.string() })
const KeyDescription = z.object({
  KeyMetadata: z.object({
    KeyState: z.string(),
    MultiRegionConfiguration: z.optional(
      z.object({
        MultiRegionKeyType: z.string(),
        ReplicaKeys: z.optional(z.array(z.object({ Region: z.string() }))),
      }),
    ),
  }),
})

const draftLogGroup = async (aws: Aws, logGroupName: string): Promise<Draft | undefined> => {
  const groups = await readPages(async (nextToken) => {
    const input = { logGroupNamePrefix: logGroupName, ...(nextToken && { nextToken }) }
    const page = read(Groups, await aws.json('logs', 'DescribeLogGroups', input))
    return [page.logGroups, page.nextToken]
  })
  const group = groups.find((one) => one.logGroupName === logGroupName)
  if (!group) return undefined
  // CloudWatch counts bytes late, so that a group with streams may have a content of 0 bytes.
  const streams = await orMissing(aws.json('logs', 'DescribeLogStreams', { logGroupName, limit: 1 }))
  if (streams === undefined) return undefined
  const { logStreams } = read(Streams, streams)
  if (group.storedBytes || logStreams.length > 0)
    return {
      note: `It has content. To delete it: aws logs delete-log-group --log-group-name ${logGroupName}`,
    }
  return {
    note: 'It is empty and can be removed.',
    remove: () => aws.json('logs', 'DeleteLogGroup', { logGroupName }),
  }
}

const draftWebAcl = async (aws: Aws, { name, arn }: Candidate): Promise<Draft | undefined> => {
  const [Name = '', Id = ''] = name.split('/')
  const acl = { Name, Id, Scope: arn.includes(':global/') ? 'CLOUDFRONT' : 'REGIONAL' }
  const answer = await orMissing(aws.json('wafv2', 'GetWebACL', acl))
  if (answer === undefined) return undefined
  const { LockToken } = read(WebAcl, answer)
  return {
    note: 'It can be removed if nothing uses it. AWS refuses otherwise.',
    remove: () => aws.json('wafv2', 'DeleteWebACL', { ...acl, LockToken }),
  }
}

const draftKey = async (aws: Aws, { arn: KeyId }: Candidate): Promise<Draft | undefined> => {
  const answer = await orMissing(aws.json('kms', 'DescribeKey', { KeyId }))
  if (answer === undefined) return undefined
  const { KeyState: state, MultiRegionConfiguration: regions } = read(KeyDescription, answer).KeyMetadata
  if (/^Pending(?:Replica)?Deletion$/.test(state))
    return { cost: 'nothing', note: 'KMS is about to delete it.' }
  const replicas = regions?.MultiRegionKeyType === 'PRIMARY' ? (regions.ReplicaKeys ?? []) : []
  if (replicas.length > 0)
    return { note: `It stays while it has replicas in ${replicas.map(({ Region }) => Region).join(', ')}.` }
  return {
    note: 'It can be removed. KMS then deletes it in 30 days. Until then, aws kms cancel-key-deletion keeps it.',
    remove: () => aws.json('kms', 'ScheduleKeyDeletion', { KeyId, PendingWindowInDays: 30 }),
  }
}

const draftVault = (aws: Aws, name: string, points: number): Draft =>
  points > 0
    ? {
        note: `It has ${points} backups. Delete them in AWS Backup, or wait until they expire. Then run this command again.`,
      }
    : {
        note: 'It is empty and can be removed.',
        remove: () => aws.delete('backup', `/backup-vaults/${encodeURIComponent(name)}`),
      }

const drafts: Readonly<
  Record<KindName, (aws: Aws, candidate: Candidate, region: Region) => Promise<Draft | undefined>>
> = {
  webAcl: draftWebAcl,
  logGroup: (aws, { name }) => draftLogGroup(aws, name),
  vault: async (aws, { name, arn }, { vaults }) =>
    draftVault(aws, name, vaults.get(arn)?.NumberOfRecoveryPoints ?? 1),
  table: async (_, { name, arn }, { encrypted }) =>
    encrypted.some((one) => one.arn === arn)
      ? {
          note: `Look at its items first. To delete it, turn its deletion protection off, and then: aws dynamodb delete-table --table-name ${name}`,
        }
      : undefined,
  bucket: async (_, { name }) => ({
    note: `Look at its objects first. Empty it, and then: aws s3 rb s3://${name}`,
  }),
  secret: async (_, { arn }, { others }) =>
    others.some(({ label }) => label === `secret ${arn}`)
      ? { note: `To delete it: aws secretsmanager delete-secret --secret-id ${arn}` }
      : undefined,
  key: draftKey,
}
