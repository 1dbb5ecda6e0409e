import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import { hashCredential, isSameHash, mintCredential } from '../../kernel/secrets/credentials.ts'
import { replacedMs } from '../../kernel/secrets/rotation.ts'
import type { CredentialKind } from '../../kernel/util/credential-prefixes.ts'
import { readOwn } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { findClientById, listValidSecrets } from '../oauth/clients.records.ts'
import { renewOidcClientSecret } from '../oauth/clients.use-cases.ts'
import { type ConfigurationDocument, thingLists } from './document.models.ts'
import { createRunner } from './kinds.part.ts'
import { listManaged, type ManagedRecord } from './managed.records.ts'
import { listValidTokens, renewToken } from './service-account-kind.part.ts'

/*
 * The secret of a client, and the token of a service account, are shown once. So the one who applies a document mints their random part, keeps
 * it, and then sends it: an answer that is lost loses nothing, because the next run sends the same.
 */

/** What the caller keeps of a secret: its random part if the service has not confirmed it yet, or the hash of the whole. */
export interface HeldSecret {
  readonly random?: string | undefined
  readonly hash?: string | undefined
}

/** By the paths of entries, such as `clients.web`. */
export type HeldSecrets = Readonly<Record<string, HeldSecret>>

export interface CheckedSecret {
  /** `works`: the service accepts what the caller keeps. `other`: it accepts another one. `missing`: the caller keeps none. */
  readonly state: 'works' | 'other' | 'missing'
  /** The whole secret, if only its random part was kept. */
  readonly value?: string
}

export type CheckedSecrets = Readonly<Record<string, CheckedSecret>>

/** The kinds that have a secret, with its name in the outputs. */
export const secretOutputs = { client: 'client_secret', service_account: 'token' } as const
type HolderKind = keyof typeof secretOutputs
const holderKinds = Object.keys(secretOutputs) as readonly HolderKind[]
const credentials: Readonly<Record<HolderKind, CredentialKind>> = {
  client: 'oidc_client_secret',
  service_account: 'api_token',
}

export interface Holder {
  readonly kind: HolderKind
  readonly key: string
  readonly path: string
}

/** What has a secret among the things of a document. */
export const listHolders = (document: ConfigurationDocument): readonly Holder[] =>
  holderKinds.flatMap((kind) =>
    Object.entries(document[thingLists[kind]] ?? {})
      .filter(([, entry]) => kind !== 'client' || isConfidential(entry))
      .map(([key]) => ({ kind, key, path: `${thingLists[kind]}.${key}` })),
  )

/** Whether a client with these fields has a secret. */
export const isConfidential = ({
  type = 'confidential',
  public_keys: keys = [],
}: {
  readonly type?: unknown
  readonly public_keys?: unknown
}): boolean => type === 'confidential' && Array.isArray(keys) && keys.length === 0

export interface HeldRequest {
  readonly document: ConfigurationDocument
  readonly held: HeldSecrets
  /** The paths of those that get a new secret. */
  readonly renew: readonly string[]
}

/** @throws AppError `invalid_request` for a path that has no secret, or no random part of the new one */
export const requireRenewable = ({ document, held, renew }: HeldRequest): void => {
  const paths = listHolders(document).map(({ path }) => path)
  const errors = renew.flatMap((path): readonly FieldError[] =>
    paths.includes(path) && readOwn(held, path)?.random !== undefined
      ? []
      : [{ field: path, message: 'is no client or service account of this document that has a secret' }],
  )
  if (errors.length > 0) throw invalidRequest(errors)
}

/**
 * Gives new secrets to those that shall have one, and says what the service accepts of what the caller keeps. A second run changes nothing.
 *
 * @throws AppError `conflict` if a client has as many secrets as it can have
 */
export const renewAndCheckSecrets = async (
  services: Services,
  context: RequestContext,
  { document, held, renew }: HeldRequest,
): Promise<CheckedSecrets> => {
  const managed = await listManaged(services.table)
  const checked: [string, CheckedSecret][] = []
  for (const { kind, key, path } of listHolders(document)) {
    const record = managed.find(
      (one) =>
        one.kind === kind && one.key === key && one.owner === document.owner && one.deletedAt === undefined,
    )
    if (!record) continue
    const { random, hash } = readOwn(held, path) ?? {}
    const own = random === undefined ? undefined : mintCredential(credentials[kind], record.id, random)
    const kept = own?.hash ?? hash
    const accepts = async () => {
      const accepted = await listAccepted(services, context, kind, record.id)
      return kept !== undefined && accepted.some((one) => isSameHash(one, kept))
    }
    const isAccepted = await accepts()
    if (own && !isAccepted && renew.includes(path))
      await renewSecret(services, { ...context, presetRandom: random }, record, {
        kind,
        entry: document[thingLists[kind]]?.[key] ?? {},
        hash: own.hash,
      })
    const works = isAccepted || (renew.includes(path) && (await accepts()))
    const state = works ? 'works' : hash === undefined ? 'missing' : 'other'
    checked.push([path, { state, ...(works && own && { value: own.value }) }])
  }
  return Object.fromEntries(checked)
}

/** The hashes that a holder proves itself with now. */
const listAccepted = async (
  services: Services,
  { at }: RequestContext,
  kind: HolderKind,
  id: number,
): Promise<readonly string[]> => {
  if (kind === 'service_account') return (await listValidTokens(services, id)).map(({ hash }) => hash)
  const client = await findClientById(services.table, id)
  return client ? listValidSecrets(client, at).map(({ hash }) => hash) : []
}

const renewSecret = async (
  services: Services,
  context: RequestContext,
  { id }: ManagedRecord,
  { kind, entry, hash }: { readonly kind: HolderKind; readonly entry: object; readonly hash: string },
): Promise<void> => {
  if (kind === 'client') {
    const body = { keep_previous_for: replacedMs / 1000 }
    await createRunner(services, context).run(renewOidcClientSecret, { params: { id }, body })
    return
  }
  const { scopes = [] } = entry as { readonly scopes?: readonly string[] }
  const tokens = await listValidTokens(services, id)
  await renewToken(services, context, { id, tokens, hash, keepMs: replacedMs, scopes })
}

/** What the caller of a document keeps of a secret that it has as a whole. */
export const holdWhole = (secret: string): HeldSecret => ({ hash: hashCredential(secret) })
