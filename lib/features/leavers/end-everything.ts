import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { describeFacts } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSignInSetSteps } from '../../accounts/outbox/security-notices.ts'
import {
  type EndChoice,
  endsWithSessions,
  type HoldingEnd,
  type HoldingRow,
} from '../../accounts/users/holding-row.ts'
import type { FieldChanges, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { editUserEndingSessions } from '../../accounts/users/write-users.records.ts'
import type { AuditedFields } from '../../kernel/contract/field-changes.ts'
import type { Services } from '../../services.ts'
import { everything } from '../everything.ts'
import { type HoldingsWith, holdings } from '../leaked-credentials/holdings.records.ts'
import { type EndedKindName, endedKinds } from './models.ts'

/** The kinds that end only if the request says so. */
export type OptionalKind = HoldingsWith<'everything', 'option'>

/** A kind that ends, and that answers have no name for. The build fails if there is one. */
type Unnamed = Exclude<keyof typeof everything, EndedKindName>
type RequireNone<Rest extends never> = Rest
export type NoKindIsUnnamed = RequireNone<Unnamed>

const isOptional = (kind: EndedKindName): kind is OptionalKind => holdings[kind].ends.everything === 'option'

/** Whether a kind ends with everything, or only if the request says so. */
export const describeEnd = (kind: EndedKindName) => (isOptional(kind) ? 'if_asked' : 'always')

const rows: Readonly<Record<EndedKindName, HoldingRow | typeof endsWithSessions>> = everything

const findRow = (kind: EndedKindName): HoldingRow | undefined => {
  const row = rows[kind]
  return row === endsWithSessions ? undefined : row
}

/** The kinds that a request ends, in the order of `endedKinds`. */
export const chooseKinds = (asked: Readonly<Record<OptionalKind, boolean>>): readonly EndedKindName[] =>
  endedKinds.filter((kind) => !isOptional(kind) || asked[kind])

/** How many a user holds of each kind. Null for what is in no list. */
export const countHoldings = async (
  services: Services,
  user: UserRecord,
  kinds: readonly EndedKindName[] = endedKinds,
): Promise<ReadonlyMap<EndedKindName, number | null>> =>
  new Map(
    await Promise.all(
      kinds.map(async (kind) => [kind, (await findRow(kind)?.count(services, user)) ?? null] as const),
    ),
  )

/** Events say how many there were of each kind, and which API tokens keep working. */
const auditFields: AuditedFields = Object.fromEntries(
  [...endedKinds, 'kept_api_tokens'].map((name) => [name, { inEvents: 'value' }] as const),
)

/**
 * The write that everything ends with. It ends the sessions, because more could be made with them. Returns the user afterwards, and what
 * they held before. `also` is written along with it.
 *
 * @throws EditConflict if the user was changed since they were read
 */
export const writeEnd = async (
  services: Services,
  user: UserRecord,
  kinds: readonly EndedKindName[],
  choice: EndChoice,
  also: HoldingEnd = {},
) => {
  const { context, keptApiTokens } = choice
  const before = await countHoldings(services, user, kinds)
  const plans = await Promise.all(kinds.map((kind) => findRow(kind)?.plan?.(services, user, choice) ?? {}))
  const changes: FieldChanges = Object.fromEntries(
    [...plans, also].flatMap(({ changes: planned = {} }) => Object.entries(planned)),
  )
  const held = [...before].filter(([, count]) => count !== null)
  const facts = describeFacts({
    fields: auditFields,
    before: Object.fromEntries(held),
    after: {
      ...Object.fromEntries(held.map(([kind]) => [kind, kind === 'api_token' ? keptApiTokens.length : 0])),
      ...(keptApiTokens.length > 0 && { kept_api_tokens: keptApiTokens.map(({ id }) => id) }),
    },
  })
  const setsSignIn = kinds.some((kind) => isOptional(kind) && before.get(kind))
  const edited = await editUserEndingSessions(services.table, user, changes, {
    extraSteps: [
      auditStep(context, 'user.everything_ended', { user: user.id, ...facts }),
      ...[...plans, also].flatMap(({ steps = [] }) => steps),
      ...(setsSignIn ? await buildSignInSetSteps(services, context, user) : []),
    ],
  })
  return { edited, before }
}

/** Ends what is stored elsewhere, after `writeEnd`. */
export const endRest = async (
  services: Services,
  user: UserRecord,
  kinds: readonly EndedKindName[],
  context: RequestContext,
  isInTime: () => boolean,
): Promise<void> => {
  for (const kind of kinds) await findRow(kind)?.endRest?.(services, user, { context, isInTime })
}
