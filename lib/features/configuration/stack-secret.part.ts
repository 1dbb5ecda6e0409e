import { createHash } from 'node:crypto'
import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { hashCredential, mintCredential, parseCredential } from '../../kernel/secrets/credentials.ts'
import { replacedMs } from '../../kernel/secrets/rotation.ts'
import {
  addSecretVersion,
  findSecretVersion,
  promoteSecretVersion,
} from '../../kernel/secrets/secrets-manager.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { editUniqueNameRecord } from '../../kernel/table/unique-name-records.ts'
import type { CredentialKind } from '../../kernel/util/credential-prefixes.ts'
import type { Services } from '../../services.ts'
import { buildTokenExpiryStep } from '../api-tokens/records.ts'
import { buildNextSecrets, clientKind, findClientById, listValidSecrets } from '../oauth/clients.records.ts'
import type { Values } from './kind.part.ts'
import { buildSecretStep, claimSecret, findManaged, type ManagedRecord } from './managed.records.ts'
import { listValidTokens, renewToken } from './service-account-kind.part.ts'

/** A secret in Secrets Manager that belongs to a custom resource, and the version that its stack asks for. */
export interface StackSecret {
  readonly arn: string
  readonly version: number
  /** Names a version of the secret. The same event always leads to the same name. */
  readonly nameVersion: (attempt: number) => string
}

/** @throws AppError `invalid_request` */
export const readStackSecret = (
  { StackId, LogicalResourceId, ResourceProperties }: CloudFormationCustomResourceEvent,
  key: string,
): StackSecret | undefined => {
  const { Secret: arn, SecretVersion: text = '1' } = ResourceProperties
  if (arn === undefined) return undefined
  // CloudFormation turns numbers into texts.
  if (!secretArn.test(String(arn)) || !/^[1-9]\d{0,8}$/.test(String(text)))
    throw new AppError('invalid_request', {
      detail: 'Secret must be the ARN of a secret, and SecretVersion a number from 1.',
    })
  const version = Number(text)
  const nameVersion = (attempt: number) =>
    createHash('sha256')
      .update(JSON.stringify([StackId, LogicalResourceId, key, version, attempt]))
      .digest('hex')
  return { arn: String(arn), version, nameVersion }
}

const secretArn = /^arn:aws[\w-]*:secretsmanager:[\w-]+:\d{12}:secret:[\w/+=.@-]+$/

/**
 * Fails if the function may not read the secret, or if it is that of something else, whose product would lose its secret. From then
 * on, it is that of this thing, also if the event ends early.
 *
 * @throws AppError `conflict`
 */
export const probeSecret = async (
  { table }: Services,
  { arn, nameVersion }: StackSecret,
  thing: Pick<ManagedRecord, 'kind' | 'key'>,
): Promise<undefined> => {
  await findSecretVersion(arn, nameVersion(0))
  await claimSecret(table, arn, thing)
  return undefined
}

/** What gets the secrets: a client, or the account of a program. */
interface Holder {
  readonly kind: CredentialKind
  readonly id: number
  /** The hashes of the secrets that work. */
  readonly accepted: ReadonlySet<string>
  /** Makes a secret the newest one, together with a step that notes it. */
  readonly accept: (hash: string, note: Step) => Promise<unknown>
}

/** The kinds of things that a secret can be made for. */
export const secretKinds = ['client', 'service_account'] as const
type SecretKind = (typeof secretKinds)[number]

interface Opened {
  readonly entry: Values
  /** How long the secrets before a new one work. Null while products of other resources read them. */
  readonly keepMs: number | null
}

const openHolder: Readonly<
  Record<
    SecretKind,
    (services: Services, context: RequestContext, id: number, opened: Opened) => Promise<Holder>
  >
> = {
  client: async ({ table }, context, id, { keepMs }) => {
    const client = await findClientById(table, id)
    if (!client) throw new Error('The client does not exist.')
    return {
      ...{ kind: 'oidc_client_secret', id },
      accepted: new Set(listValidSecrets(client, context.at).map(({ hash }) => hash)),
      accept: (hash, note) =>
        editUniqueNameRecord(table, clientKind, client, {
          // A stack repeats an event with the same value, so it never loses one.
          changes: { secrets: buildNextSecrets(client, hash, { nowMs: context.at, keepMs }).secrets },
          extraSteps: [auditStep(context, 'oidc_client.secret_renewed', { target: String(id) }), note],
        }),
    }
  },
  service_account: async (services, context, id, { entry: { scopes }, keepMs }) => {
    const tokens = await listValidTokens(services, id)
    return {
      ...{ kind: 'api_token', id, accepted: new Set(tokens.map(({ hash }) => hash)) },
      accept: (hash, note) =>
        renewToken(services, context, {
          ...{ id, tokens, hash, note, keepMs, scopes: scopes as readonly string[] },
        }),
    }
  },
}

/**
 * Gives a thing the version of the secret that its stack asks for. First the secret has the version, then the service accepts it, and
 * then products read it. Each step finds out whether it was made, so that a second run goes on where the first one stopped.
 *
 * A value that ended at the service never works again. If a stack returns to its version, the version gets another value. Returns the hash of
 * the value, unless somebody replaced it at the service.
 */
export const placeSecret = async (
  services: Services,
  context: RequestContext,
  { arn, version, nameVersion }: StackSecret,
  { kind, key, entry }: { readonly kind: SecretKind; readonly key: string; readonly entry: Values },
): Promise<string | undefined> => {
  const record = await findManaged(services.table, kind, key)
  if (!record) throw new Error('The stack does not manage it.')
  const keepMs = (record.claims?.length ?? 0) > 1 ? null : replacedMs
  const holder = await openHolder[kind](services, context, record.id, { entry, keepMs })
  const placed = record.secret?.arn === arn ? record.secret : undefined
  const isPlaced = placed?.version === version
  for (let attempt = 0; ; attempt++) {
    const versionId = nameVersion(attempt)
    const found = await findSecretVersion(arn, versionId)
    // Somebody replaced the secret at the service. Only a higher version replaces it again.
    if (found === undefined && isPlaced && attempt > 0) return undefined
    const value = found ?? (await mint(arn, holder, { versionId, version }))
    const hash = hashCredential(value)
    const isAccepted = holder.accepted.has(hash)
    const isNew = found === undefined || version > (placed?.upTo ?? 0)
    if (!isSecretOf(value, holder) || !(isNew || isAccepted)) continue
    if (!isPlaced || !isAccepted)
      await holder.accept(
        hash,
        buildSecretStep(record, { arn, version, upTo: Math.max(version, placed?.upTo ?? 0) }),
      )
    await promoteSecretVersion(arn, versionId, (label) => isOutdated(label, version))
    return hash
  }
}

/** Ends the secret of a resource that was removed, a day later, while another resource of the stack has the thing. */
export const endSecretOfClaim = async (
  services: Services,
  context: RequestContext,
  { kind, id }: Pick<ManagedRecord, 'kind' | 'id'>,
  hash: string,
): Promise<void> => {
  const { table } = services
  const expiresAt = context.at + replacedMs
  if (kind === 'client') {
    const client = await findClientById(table, id)
    const secret = client?.secrets.find((one) => one.hash === hash && one.expiresAt === null)
    if (!client || !secret) return
    const secrets = client.secrets.map((one) => (one === secret ? { ...one, expiresAt } : one))
    await editUniqueNameRecord(table, clientKind, client, {
      changes: { secrets },
      extraSteps: [auditStep(context, 'oidc_client.secret_ended', { target: String(id) })],
    })
    return
  }
  const token = (await listValidTokens(services, id)).find((one) => one.hash === hash)
  if (!token || token.expiresAt !== undefined) return
  await table.transact([
    buildTokenExpiryStep(token, expiresAt),
    auditStep(context, 'api_token.changed', { user: id, target: String(token.id) }),
  ])
}

/** What was deleted and created again has another ID, which its secrets contain. */
const isSecretOf = (value: string, { kind, id }: Holder): boolean => {
  const credential = parseCredential(value)
  return credential?.kind === kind && credential.subject === id
}

const mint = (
  arn: string,
  { kind, id }: Holder,
  { versionId, version }: { readonly versionId: string; readonly version: number },
): Promise<string> =>
  addSecretVersion(arn, {
    versionId,
    label: `${labelStart}${version}`,
    value: mintCredential(kind, id).value,
  })

const labelStart = 'latchkey-'

/** Versions keep their labels, and so their values, as far as a rollback can go. */
const isOutdated = (label: string, version: number): boolean =>
  label.startsWith(labelStart) && Math.abs(Number(label.slice(labelStart.length)) - version) > 5
