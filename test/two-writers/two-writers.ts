import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CallBody, readCallBody } from '../../lib/kernel/table/call-body.ts'
import type { Key } from '../../lib/kernel/table/keys/keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { TableClient } from '../../lib/kernel/table/table-client.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import type { TableCall, TableHooks } from '../infra/dynamodb-proxy.ts'
import type { StubAnswer } from '../infra/stub-server.ts'
import {
  describeCondition,
  falsify,
  listAssigned,
  nameKey,
  nameKind,
  readStep,
  readSteps,
  type SentStep,
  type Way,
} from './sent-conditions.ts'

/* Plays a second writer, who changes an item just before a transaction that has a condition about it. */

/** What a use case answers. Functions without requests answer as well, so that all are judged alike. */
export interface Outcome {
  readonly status: number
}

export interface TwoWriters {
  readonly hooks: TableHooks
  /**
   * Runs a use case once for each of its trials, each time on the table as it was, and then once undisturbed. Returns the outcome of
   * the last run.
   */
  readonly run: <Result extends Outcome>(useCase: string, work: () => Promise<Result>) => Promise<Result>
  /** The conditions that use cases sent, each as the use case, a colon and the shape. */
  readonly conditions: ReadonlySet<string>
  readonly report: Report
}

interface Report {
  /** Conditions of transactions that were made false. */
  readonly falsified: ReadonlySet<string>
  /** What went wrong, each in one line. */
  readonly findings: readonly string[]
  /** Conditions whose use case answered with success, although nothing was written after the refusal. */
  readonly unwritten: ReadonlySet<string>
}

interface Options {
  /** The endpoint of the engine. */
  readonly engine: string
  readonly tableName: () => string
  /** Whether a second writer can make this condition false. */
  readonly canBeFalse: (condition: string) => boolean
}

/** What the table calls of one run of a use case were. */
interface Recording {
  readonly transactions: (readonly SentStep[])[]
  /** The items before the run, by their keys. `null` if there was none. */
  readonly before: Map<string, Item | null>
  target?: Target
}

/** A step of a transaction whose condition is made false. */
interface Target {
  /** The use case, a colon and the shape of the step. */
  readonly condition: string
  readonly way: Way
  /** The place of the step in its transaction. */
  at?: number
  /** The call whose condition was made false. */
  sent?: string
  key?: Key
  isImpossible?: true
  wasRefused?: boolean
  wasReadAgain?: boolean
  /** Whether a transaction was written after the refusal. */
  wroteLater?: boolean
  problem?: string
}

const shapeOf = (step: SentStep): string => `${step.kind} ${nameKind(step.key)}: ${describeCondition(step)}`

const readsOf: Readonly<Record<string, (input: CallBody, key: Key) => boolean>> = {
  GetItem: (input, key) => nameKey(input['Key'] as Key) === nameKey(key),
  BatchGetItem: (input, key) => JSON.stringify(input).includes(JSON.stringify(key)),
  Query: (input, { pk }) => JSON.stringify(input).includes(JSON.stringify(pk)),
}

/** Counters of IDs are never set back: a process keeps the IDs that it took. */
const isKept = ({ pk }: Key): boolean => pk.startsWith(partitions.counter)

/** Attributes of items that no use case stores before another one needs their absence. */
const firstSamples: readonly (readonly [kind: string, item: Readonly<Record<string, unknown>>])[] = [
  ['guest-email# guest-email', { userId: 1 }],
  [
    'user# security-report#',
    { result: { isEmailRestored: false, isPasswordInvalidated: true, isResetEmailSent: false } },
  ],
]

export const createTwoWriters = ({ engine, tableName, canBeFalse }: Options): TwoWriters => {
  const table = new TableClient({ endpoint: engine, isEmbeddedEngine: true })
  const conditions = new Set<string>()
  const samples = new Map(firstSamples.map(([kind, item]) => [kind, new Map(Object.entries(item))]))
  const done = new Set<string>()
  const falsified = new Set<string>()
  const findings: string[] = []
  const unwritten = new Set<string>()
  let recording: Recording | undefined
  let current = ''
  let inFlight = 0

  const read = async (key: Key): Promise<Item | undefined> =>
    (
      await table.send<{ readonly Item?: Item }>('GetItem', {
        TableName: tableName(),
        Key: key,
        ConsistentRead: true,
      })
    ).Item

  const write = async (changes: readonly (readonly [Key, Item | null])[]): Promise<void> => {
    for (let at = 0; at < changes.length; at += 100)
      await table.send('TransactWriteItems', {
        TransactItems: changes
          .slice(at, at + 100)
          .map(([key, item]) =>
            item
              ? { Put: { TableName: tableName(), Item: item } }
              : { Delete: { TableName: tableName(), Key: key } },
          ),
      })
  }

  /** Notes the item before its first change in this run. */
  const keepBefore = async ({ before }: Recording, keys: readonly Key[]): Promise<void> => {
    const missing = keys.filter((key) => !isKept(key) && !before.has(nameKey(key)))
    if (missing.length === 0) return
    for (const key of missing) before.set(nameKey(key), null)
    const { Responses } = await table.send<{ readonly Responses: Readonly<Record<string, readonly Item[]>> }>(
      'BatchGetItem',
      {
        RequestItems: {
          [tableName()]: { Keys: missing, ConsistentRead: true },
        },
      },
    )
    for (const item of Responses[tableName()] ?? []) {
      before.set(nameKey({ pk: item.pk, sk: item.sk }), item)
      noteSample(item, Object.entries(item))
    }
  }

  const noteSample = (key: Key, attributes: readonly (readonly [string, unknown])[]): void => {
    const known = samples.get(nameKind(key)) ?? new Map<string, unknown>()
    samples.set(nameKind(key), known)
    for (const [name, value] of attributes) known.set(name, value)
  }

  const noteShapes = (steps: readonly SentStep[], target: Target | undefined): void => {
    for (const step of steps) {
      if (step.ConditionExpression && !target) conditions.add(`${current}: ${shapeOf(step)}`)
      noteSample(step.key, listAssigned(step))
    }
  }

  /** Makes the condition of the target false, if the call has it. */
  const interfere = async (target: Target, steps: readonly SentStep[], sent: string): Promise<void> => {
    const { way, condition } = target
    const at = steps.findIndex(
      (step) => step.ConditionExpression && `${current}: ${shapeOf(step)}` === condition,
    )
    const step = steps[at]
    if (target.sent !== undefined || target.isImpossible || !step) return
    const changed = falsify(step, await read(step.key), way, samples.get(nameKind(step.key)) ?? new Map())
    if (changed === undefined) {
      target.isImpossible = true
      return
    }
    target.sent = sent
    target.at = at
    target.key = step.key
    await write([[step.key, changed]])
  }

  const stepsOf = ({ action, input }: TableCall): readonly SentStep[] => {
    const body = readCallBody(JSON.stringify(input))
    if (action === 'TransactWriteItems') return readSteps(body['TransactItems'] as readonly object[])
    return /^(?:Put|Update|Delete)Item$/.test(action) ? [readStep(action, body)] : []
  }

  const refuse = async (call: TableCall): Promise<undefined> => {
    const running = recording
    if (!running) return
    inFlight++
    await prepare(running, call).catch((error: unknown) => {
      inFlight--
      throw error
    })
  }

  const prepare = async (running: Recording, call: TableCall): Promise<void> => {
    const steps = stepsOf(call)
    if (steps.length === 0) return
    noteShapes(steps, running.target)
    await keepBefore(
      running,
      steps.map(({ key }) => key),
    )
    if (call.action !== 'TransactWriteItems') return
    running.transactions.push(steps)
    if (running.target) await interfere(running.target, steps, JSON.stringify(call.input))
  }

  const alterAnswer = (call: TableCall, answer: StubAnswer): StubAnswer => {
    const target = recording?.target
    if (!recording) return answer
    inFlight--
    if (!target?.key) return answer
    const body = readCallBody(JSON.stringify(call.input))
    if (JSON.stringify(call.input) === target.sent) {
      const reasons = JSON.parse(answer.body ?? '{}').CancellationReasons ?? []
      target.wasRefused = reasons[target.at ?? -1]?.Code === 'ConditionalCheckFailed'
      return answer
    }
    if (!target.wasRefused) return answer
    if (readsOf[call.action]?.(body, target.key)) target.wasReadAgain = true
    const steps = stepsOf(call)
    if (steps.length === 0 || answer.status !== 200) return answer
    if (call.action === 'TransactWriteItems') target.wroteLater = true
    const name = nameKey(target.key)
    const again = steps.find(({ key }) => nameKey(key) === name)
    if (again && !target.wasReadAgain)
      target.problem = `wrote ${shapeOf(again)} without reading what had changed`
    return answer
  }

  const settle = async (): Promise<void> => {
    while (inFlight > 0) await nextTurn()
  }

  const record = async <Result>(
    target: Target | undefined,
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly recording: Recording }> => {
    const own: Recording = { transactions: [], before: new Map(), ...(target ? { target } : {}) }
    recording = own
    try {
      return { result: await work(), recording: own }
    } finally {
      await settle()
      recording = undefined
    }
  }

  const undo = ({ before }: Recording): Promise<void> =>
    write(
      [...before].map(([name, item]) => {
        const [pk, sk] = JSON.parse(name)
        return [{ pk, sk }, item] as const
      }),
    )

  const judge = (target: Target, { status, error = '' }: Outcome & { readonly error?: string }): void => {
    const { condition, way } = target
    const report = (problem: string) => findings.push(`${condition}, ${way}: ${problem}`)
    if (target.isImpossible) return
    falsified.add(condition)
    if (target.sent === undefined) report('the transaction was not sent again')
    else if (!target.wasRefused) report('the transaction was not refused')
    if (status >= 500) report(`answered ${status} ${error}`)
    if (target.problem) report(target.problem)
    if (status < 400 && target.wasRefused && !target.wroteLater) unwritten.add(condition)
  }

  const listTargets = (useCase: string, { transactions }: Recording): readonly Target[] => {
    const sent = transactions.flat().filter((step) => step.ConditionExpression !== undefined)
    const added = new Set(
      sent.map((step) => `${useCase}: ${shapeOf(step)}`).filter((condition) => !done.has(condition)),
    )
    for (const condition of added) done.add(condition)
    return [...added]
      .filter(canBeFalse)
      .flatMap((condition) => (['change', 'removal'] as const).map((way) => ({ condition, way })))
  }

  return {
    hooks: { refuse, alterAnswer },
    run: async (useCase, work) => {
      current = useCase
      const first = await record(undefined, work)
      const targets = listTargets(useCase, first.recording)
      if (targets.length === 0) return first.result
      await undo(first.recording)
      for (const target of targets) {
        const { result, recording: disturbed } = await record(target, () =>
          work().catch((error: unknown) => ({ status: 500, error: String(error) })),
        )
        judge(target, result)
        await undo(disturbed)
      }
      return (await record(undefined, work)).result
    },
    conditions,
    report: { falsified, findings, unwritten },
  }
}
