import { createHash } from 'node:crypto'
import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import { AppError } from '../../kernel/errors/errors.ts'
import { hashCredential, mintCredential, parseCredential } from '../../kernel/secrets/credentials.ts'
import {
  addSecretVersion,
  findSecretVersion,
  promoteSecretVersion,
} from '../../kernel/secrets/secrets-manager.ts'
import { editUniqueNameRecord } from '../../kernel/table/unique-name-records.ts'
import { day } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import type { RequestContext } from '../access/request-context.ts'
import { auditStep } from '../audit/write-event.ts'
import {
  buildNextSecrets,
  type ClientRecord,
  clientKind,
  findClientById,
  listValidSecrets,
} from '../oauth/clients.records.ts'
import { buildSecretStep, findManaged, type ManagedRecord } from './managed.records.ts'

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

/** Fails if the function may not read the secret. */
export const probeSecret = async ({ arn, nameVersion }: StackSecret): Promise<undefined> => {
  await findSecretVersion(arn, nameVersion(0))
  return undefined
}

/** How long the secret before works, so that every instance of the product has read the new one by then. */
const keepMs = day

/**
 * Gives a client the version of the secret that its stack asks for. First the secret has the version, then the client accepts it, and
 * then products read it. Each step finds out whether it was made, so that a second run goes on where the first one stopped.
 *
 * A value that ended at the client never works again. If a stack returns to its version, the version gets another value.
 */
export const placeClientSecret = async (
  services: Services,
  context: RequestContext,
  { arn, version, nameVersion, key }: StackSecret & { readonly key: string },
): Promise<void> => {
  const { table } = services
  const record = await findManaged(table, 'client', key)
  const client = record && (await findClientById(table, record.id))
  if (!record || !client) throw new Error('The client does not exist.')
  const placed = record.secret?.arn === arn ? record.secret : undefined
  const isPlaced = placed?.version === version
  const accepted = new Set(listValidSecrets(client, context.at).map(({ hash }) => hash))
  for (let attempt = 0; ; attempt++) {
    const versionId = nameVersion(attempt)
    const found = await findSecretVersion(arn, versionId)
    // Somebody replaced the secret at the service. Only a higher version replaces it again.
    if (found === undefined && isPlaced && attempt > 0) return
    const value = found ?? (await mint(arn, client.id, { versionId, version }))
    const hash = hashCredential(value)
    const isNew = found === undefined || version > (placed?.upTo ?? 0)
    if (!isSecretOf(value, client.id) || !(isNew || accepted.has(hash))) continue
    if (!isPlaced || !accepted.has(hash))
      await accept(services, context, { record, client, hash }, { arn, version, upTo: placed?.upTo ?? 0 })
    await promoteSecretVersion(arn, versionId, (label) => isOutdated(label, version))
    return
  }
}

/** A client that was deleted and created again has another ID, which its secrets contain. */
const isSecretOf = (value: string, client: number): boolean => {
  const credential = parseCredential(value)
  return credential?.kind === 'oidc_client_secret' && credential.subject === client
}

const mint = (
  arn: string,
  client: number,
  { versionId, version }: { readonly versionId: string; readonly version: number },
): Promise<string> =>
  addSecretVersion(arn, {
    versionId,
    label: `${labelStart}${version}`,
    value: mintCredential('oidc_client_secret', client).value,
  })

const labelStart = 'latchkey-'

/** Versions keep their labels, and so their values, as far as a rollback can go. */
const isOutdated = (label: string, version: number): boolean =>
  label.startsWith(labelStart) && Math.abs(Number(label.slice(labelStart.length)) - version) > 5

interface Acceptance {
  readonly record: ManagedRecord
  readonly client: ClientRecord
  readonly hash: string
}

const accept = async (
  { table }: Services,
  context: RequestContext,
  { record, client, hash }: Acceptance,
  { arn, version, upTo }: { readonly arn: string; readonly version: number; readonly upTo: number },
): Promise<void> => {
  await editUniqueNameRecord(table, clientKind, client, {
    changes: { secrets: buildNextSecrets(client, hash, { nowMs: context.at, keepMs }) },
    extraSteps: [
      auditStep(context, 'oidc_client.secret_renewed', { target: String(client.id) }),
      buildSecretStep(record, { arn, version, upTo: Math.max(version, upTo) }),
    ],
  })
}
