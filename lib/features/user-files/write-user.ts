import { createHash } from 'node:crypto'
import { buildEmailState, noEmailState } from '../../accounts/names/email-confirmations.ts'
import { type Claims, findClaims } from '../../accounts/names/user-claims.records.ts'
import { buildUser } from '../../accounts/users/new-user.ts'
import { LooksLikeOther, NotUnique } from '../../accounts/users/stored-user.records.ts'
import { readUserFields } from '../../accounts/users/user-body.ts'
import { completeNewUser } from '../../accounts/users/write-users.records.ts'
import { ConflictError, type FieldError } from '../../kernel/errors/errors.ts'
import { toStoredHash } from '../../kernel/secrets/password-hashes.ts'
import { readTotpKey } from '../../kernel/secrets/totp.ts'
import {
  ConditionFailed,
  canMerge,
  EditConflict,
  formatStepKey,
  mergeAdditions,
  type Step,
} from '../../kernel/table/transaction.ts'
import type { FoundIdentity } from '../connections/imported-identities.records.ts'
import { buildImportSteps, type ImportedUser, importUser } from '../directory/users/import-user.ts'
import { decideRejected, type Importer, lookalikeRule, noClaims } from './import-decision.ts'
import { toPasskey } from './passkey-lines.ts'
import type { UserLine } from './user-line.ts'
import type { UserToWrite, ValidatedLine } from './validate-line.ts'

/** What happened with a line: it was imported, an earlier run had imported it, or the errors apply. */
export type WriteResult = 'imported' | 'known' | readonly FieldError[]

/** Writes a user. Returns errors when the username or email address has been taken since the check. */
export const writeUser = async (importer: Importer, written: UserToWrite): Promise<WriteResult> => {
  const { services, context, retry } = importer
  const { line, user, id } = written
  try {
    await retry(() => importUser(services, id, user, context))
    return 'imported'
  } catch (error) {
    const taken = listTaken(error)
    if (!(error instanceof EditConflict) && !taken) throw error
    const [claims = noClaims] = await retry(() => findClaims(services.table, [line]))
    const decision = await finishUser(importer, user, claims, decideRejected(written, claims))
    if (decision !== 'free') return decision
    return taken ?? [{ field: 'groups', message: 'contains a group that was just deleted' }]
  }
}

/** What another user has that this one needs. Undefined for any other error. */
const listTaken = (error: unknown): readonly FieldError[] | undefined => {
  if (error instanceof LooksLikeOther) return [{ field: 'username', message: lookalikeRule }]
  if (error instanceof NotUnique)
    return error.taken.map((field) => ({ field, message: 'has just been taken' }))
  if (!(error instanceof ConflictError)) return undefined
  if (error.kind === 'passkey_taken')
    return [{ field: 'passkeys', message: 'contains a passkey that another user has' }]
  return error.kind === 'account_taken'
    ? [{ field: 'public_identities', message: 'contains an account that another user has' }]
    : undefined
}

/** Adds groups that an earlier attempt, or an interrupted run, did not add to a user who was written. */
export const finishUser = async <Decision extends WriteResult | 'free'>(
  { services, retry }: Importer,
  { user: { groups } }: ImportedUser,
  { username: claim }: Claims,
  decision: Decision,
): Promise<Decision | readonly FieldError[]> => {
  if (!claim || (decision !== 'imported' && decision !== 'known')) return decision
  try {
    await retry(() => completeNewUser(services.table, claim.userId, groups))
    return decision
  } catch (error) {
    if (!(error instanceof EditConflict)) throw error
    return [
      {
        field: 'groups',
        message: 'contains a group that was just deleted, so the user has only some of them',
      },
    ]
  }
}

/** The stored form of the user of a line. */
export const toImportedUser = (
  line: UserLine,
  {
    groups,
    normalizedSkeleton,
    attributes,
  }: Pick<ValidatedLine, 'groups' | 'normalizedSkeleton' | 'attributes'>,
  identities: readonly FoundIdentity[],
): ImportedUser => {
  const {
    username,
    email = null,
    password_hash,
    password_check,
    totp_seed,
    recovery_codes = [],
    passkeys = [],
    public_identities: _identities,
    email_verified,
    external_id,
    created_at,
    groups: _,
    ...rest
  } = line
  const fields = readUserFields({ ...rest, groups: [...groups] })
  return {
    user: buildUser({
      ...fields,
      attributes,
      username,
      normalizedSkeleton,
      email,
      ...(email ? buildEmailState(email_verified === false ? undefined : 'import') : noEmailState),
      passwordHash: password_hash || null,
      ...(password_check ? { legacySignIn: { username, email: email || null } } : {}),
      ...(external_id ? { externalId: external_id } : {}),
      ...(created_at ? { registeredAt: Date.parse(created_at) } : {}),
    }),
    totpKey: totp_seed ? readTotpKey(totp_seed) : undefined,
    recoveryCodes: recovery_codes,
    passkeys: passkeys.map(toPasskey),
    identities,
    origin: hashLine(line),
  }
}

/** Gives the password hash of a user the form in which it is stored. That takes a while for weak hashes, so only new users get it. */
export const storeHash = async (imported: ImportedUser): Promise<ImportedUser> => {
  const { passwordHash } = imported.user
  if (passwordHash === null) return imported
  return { ...imported, user: { ...imported.user, passwordHash: await toStoredHash(passwordHash) } }
}

/** A digest of a line. It does not depend on the file format or the order of the fields. */
const hashLine = (line: UserLine): string => {
  const fields = Object.entries(line).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64url')
}

/** Users who are written in one transaction, with its steps. */
export interface UserGroup {
  readonly users: readonly UserToWrite[]
  readonly steps: readonly Step[]
}

/** Divides users into groups. A user whom one transaction cannot create has a group without steps. */
export const groupUsers = async (
  { services, context }: Importer,
  users: readonly UserToWrite[],
): Promise<readonly UserGroup[]> => {
  const alone: UserGroup[] = []
  const planned: { readonly user: UserToWrite; readonly steps: readonly Step[] }[] = []
  for (const user of users) {
    const steps = await buildImportSteps(services, user.id, user.user, context)
    if (steps) planned.push({ user, steps })
    else alone.push({ users: [user], steps: [] })
  }
  const packs = packSteps(planned)
  return [
    ...packs.map((pack) => ({ users: pack.map(({ user }) => user), steps: unpackSteps(pack) })),
    ...alone,
  ]
}

/**
 * Writes a group in one transaction. Returns false if it was rejected, maybe because of one of them: see `writeGroup`.
 */
export const writeTogether = async (
  { services, retry }: Importer,
  { users, steps }: UserGroup,
): Promise<boolean> => {
  if (users.length < 2) return false
  try {
    await retry(() => services.table.transact(steps, { recognizesOwnWrites: true }))
    return true
  } catch (error) {
    if (error instanceof EditConflict || listTaken(error) || error instanceof ConditionFailed) return false
    throw error
  }
}

/** Something whose steps must be written together. */
interface StepList {
  readonly steps: readonly Step[]
}

/** DynamoDB allows this many items in a transaction. */
const itemsPerTransaction = 100

interface Pack<List> {
  readonly lists: List[]
  readonly steps: Map<string, Step>
}

/**
 * Packs lists of steps into transactions, in their order if possible. No list is divided. A transaction has each item once:
 * lists that write the same item are in different ones. Equal checks of an item are one step, and so are additions to it. A list
 * that is too long for a transaction is a pack of its own.
 */
export const packSteps = <List extends StepList>(lists: readonly List[]): readonly (readonly List[])[] => {
  const packs: Pack<List>[] = []
  for (const list of lists) {
    const added = list.steps.map((step): KeyedStep => [formatStepKey(step), step])
    let pack = packs.find(({ steps }) => canAdd(steps, added))
    if (!pack) {
      pack = { lists: [], steps: new Map() }
      packs.push(pack)
    }
    pack.lists.push(list)
    for (const [key, step] of added) pack.steps.set(key, step)
  }
  return packs.map((pack) => pack.lists)
}

/** The steps of a pack, with equal checks once. */
export const unpackSteps = (pack: readonly StepList[]): readonly Step[] => {
  const steps = mergeAdditions(pack.flatMap((list) => list.steps))
  return [...new Map(steps.map((step) => [formatStepKey(step), step] as const)).values()]
}

type KeyedStep = readonly [key: string, step: Step]

const canAdd = (steps: ReadonlyMap<string, Step>, added: readonly KeyedStep[]): boolean => {
  let size = steps.size
  for (const [key, step] of added) {
    const known = steps.get(key)
    if (known && !isSameCheck(known, step) && !canMerge(known, step)) return false
    if (!known) size += 1
    if (size > itemsPerTransaction) return false
  }
  return true
}

const isSameCheck = (a: Step, b: Step): boolean => 'check' in a && 'check' in b && a.condition === b.condition
