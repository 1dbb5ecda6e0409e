import type { Refusal, TableCall } from '../infra/dynamodb-proxy.ts'
import type { TestService } from './service.ts'
import { useService } from './use-service.ts'

type Watch = (call: TableCall) => Refusal | Promise<Refusal>

export interface WatchedService extends TestService {
  /** Calls `watch` before each table call from now on. A returned string denies it, an answer replaces it. */
  readonly watch: (watch: Watch) => void
  /** Stops watching: all calls succeed again. */
  readonly restore: () => void
  /** Rejects all calls after the first one that matches. */
  readonly failAfter: (isLast: (call: TableCall) => boolean) => void
  /** Loses the answers to the calls that match, after the table did the work. */
  readonly loseAnswers: (isMatch: (call: TableCall) => boolean) => void
  /** Does the work just before the first call that matches. */
  readonly justBefore: (isMatch: (call: TableCall) => boolean, work: () => Promise<unknown>) => void
}

/** Starts the service of a test file, with a table that can fail at any call, or change before it. */
export const useWatchedService = async (
  settings: Readonly<Record<string, string>> = {},
): Promise<WatchedService> => {
  const none: Watch = () => undefined
  const noLoss = () => false
  let current = none
  let losesAnswer: (call: TableCall) => boolean = noLoss
  const service = await useService(settings, {
    // Table calls of the mailer are not part of a request.
    sendsMail: false,
    tableHooks: { refuse: (call) => current(call), losesAnswer: (call) => losesAnswer(call) },
  })
  const watch = (next: Watch) => {
    current = next
  }
  return {
    ...service,
    watch,
    restore: () => {
      watch(none)
      losesAnswer = noLoss
    },
    loseAnswers: (isMatch) => {
      losesAnswer = isMatch
    },
    failAfter: (isLast) => {
      let isOver = false
      watch((call) => {
        if (isOver) return 'the table fails'
        isOver = isLast(call)
        return undefined
      })
    },
    justBefore: (isMatch, work) => {
      let first: { readonly input: string; readonly done: Promise<unknown> } | undefined
      watch(async (call) => {
        const input = JSON.stringify(call.input)
        if (!first && isMatch(call)) first = { input, done: work() }
        // On a busy machine, the SDK repeats the call while the work is not done.
        if (first?.input === input) await first.done
        return undefined
      })
    },
  }
}

/** Matches transactions with such a step (`Put`, `Delete`, …) for an item of this partition. */
export const hasStep =
  (kind: 'Put' | 'Update' | 'Delete' | 'ConditionCheck', pk: string | RegExp, sk?: string) =>
  ({ action, input }: TableCall): boolean => {
    if (action !== 'TransactWriteItems') return false
    const steps: readonly Record<string, { Key?: WireKey; Item?: WireKey }>[] = input.TransactItems
    return steps.some((step) => {
      const key = step[kind]?.Key ?? step[kind]?.Item
      if (!key) return false
      const isPartition = typeof pk === 'string' ? key.pk.S === pk : pk.test(key.pk.S)
      return isPartition && (sk === undefined || key.sk.S === sk)
    })
  }

interface WireKey {
  readonly pk: { readonly S: string }
  readonly sk: { readonly S: string }
}
