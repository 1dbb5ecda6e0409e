import { AsyncLocalStorage } from 'node:async_hooks'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { type Grant, keyPatternOf, listIndexGrants } from '../../infra/grants/grant-parts.ts'
import { grants } from '../../infra/grants/grants.ts'
import { type CallBody, writeCallBody } from '../../lib/kernel/table/call-body.ts'
import { TableClient } from '../../lib/kernel/table/table-client.ts'
import { neededPermissions, type Permission } from '../infra/needed-permissions.ts'
import { fits } from '../infra/policies.ts'
import { refuseExpressions } from '../runner/strict-table/expression-limits.ts'
import { refuseKeys } from '../runner/strict-table/key-limits.ts'
import type { JsonValue } from './client.ts'
import { operationKeyOf } from './operation-key.ts'
import { watchDeclaredWrites } from './watch-declared-writes.ts'
import { watchOrganizationTraces } from './watch-organization-traces.ts'
import { watchSignInDecisions } from './watch-sign-in-decisions.ts'

interface Caller {
  /** The name of the function. */
  readonly name: string
  /** Called with each call that succeeded. */
  readonly noteWrites: (action: string, input: CallBody) => void
  readonly denials: Set<string>
}

/** The function that runs. Handlers of all functions share the process of a test. */
const running = new AsyncLocalStorage<Caller>()

/** The patterns of the keys that each function may use, by action or by index. */
const patternsOf: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = new Map(
  Object.entries<Grant>(grants).map(([name, grant]) => {
    const byAction = Object.entries(grant.table).map(
      ([action, keys]) => [`dynamodb:${action}`, keys] as const,
    )
    const lists = [...byAction, ...listIndexGrants(grant)]
    return [name, new Map(lists.map(([action, keys]) => [action, keys.map(keyPatternOf)]))]
  }),
)

/** Whether the grants of a function allow a call, as `infra/parts/functions.ts` passes them on to its role. */
const isGranted = (name: string, { action, resource, leadingKeys = [] }: Permission): boolean => {
  const [, index] = resource.split('/index/')
  const patterns = patternsOf.get(name)?.get(index ?? action) ?? []
  return leadingKeys.every((key) => patterns.some((pattern) => fits(pattern, key)))
}

/** The calls that a call can lead to: if the answer to an update was lost, its item is read. */
const listCalls = (action: string, input: JsonValue) => [
  { action, input },
  ...(input.ReturnValues === 'ALL_NEW' ? [{ action: 'GetItem', input }] : []),
]

/** Whether a call does nothing but read items by their keys. */
const readsByKey = (input: CallBody): boolean =>
  !Object.keys(input).some((name) => /^(Item|TransactItems)$|Expression$/.test(name))

/** What DynamoDB refuses about a call, although the engine accepts it. */
const findRefusal = (action: string, input: CallBody): string | undefined => {
  if (readsByKey(input)) return undefined
  const call = { action, input: JSON.parse(writeCallBody(input)), accessKeyId: '' }
  return (refuseExpressions(call) ?? refuseKeys(call))?.body
}

type Send = TableClient['send']

const check = ({ name, denials }: Caller, [action, input]: Parameters<Send>): void => {
  const needed = listCalls(action, input).flatMap((call) => neededPermissions(call, () => ''))
  for (const permission of needed)
    if (!isGranted(name, permission))
      denials.add(
        `${name} has no grant: ${permission.action}${permission.resource} ${permission.leadingKeys}`,
      )
  const refusal = findRefusal(action, input)
  if (refusal !== undefined) denials.add(`${name} ${action}: ${refusal}`)
}

const { send } = TableClient.prototype
Object.defineProperty(TableClient.prototype, 'send', {
  // Tests can observe calls as well.
  configurable: true,
  writable: true,
  value(this: TableClient, ...given: Parameters<Send>) {
    const caller = running.getStore()
    if (caller) check(caller, given)
    const sent: ReturnType<Send> = Reflect.apply(send, this, given)
    if (!caller) return sent
    return sent.then((answer) => {
      caller.noteWrites(given[0], given[1])
      return answer
    })
  },
})

/**
 * Collects table calls of functions that their grants do not allow, or that DynamoDB would refuse, and what they write without
 * declaring it.
 */
export const watchTableCalls = () => {
  const denials = new Set<string>()
  const writes = watchDeclaredWrites()
  const decisions = watchSignInDecisions()
  const traces = watchOrganizationTraces()
  return {
    /** Runs a handler as a function, and as the operation of a request if there is one. */
    runAs: <Result>(
      name: string,
      work: () => Promise<Result>,
      event?: APIGatewayProxyEventV2,
    ): Promise<Result> => {
      const note = writes.noteAs(event ? operationKeyOf(event) : name)
      const noteDecisions = event && decisions.noteAs(event)
      const noteTraces = traces.noteAs(event ? operationKeyOf(event) : name)
      const noteWrites: Caller['noteWrites'] = (action, input) => {
        note(action, input)
        noteDecisions?.(action, input)
        noteTraces(action, input)
      }
      return running.run({ name, denials, noteWrites }, work)
    },
    /** @throws Error that lists the calls. */
    verify: (): void => {
      if (denials.size > 0) throw new Error(`calls that fail when deployed:\n${[...denials].join('\n')}`)
      writes.verify()
      decisions.verify()
      traces.verify()
    },
  }
}
