import { startProxy, type TableCall } from '../infra/dynamodb-proxy.ts'
import { startService, type TestService } from './service.ts'

type Watch = (call: TableCall) => string | undefined | Promise<string | undefined>

export interface WatchedService extends TestService {
  /** Shows each call to the table from now on before it is made: what comes back refuses it. */
  readonly watch: (watch: Watch) => void
  /** Lets everything through again. */
  readonly calm: () => void
  /** Lets the first call through that this holds for, and refuses all that come after it. */
  readonly failAfter: (isLast: (call: TableCall) => boolean) => void
  /** Does something just before the first call is made that this holds for. */
  readonly justBefore: (isIt: (call: TableCall) => boolean, work: () => Promise<unknown>) => void
}

/** A service whose table can fail, or be overtaken, at any call. */
export const startWatchedService = async (
  settings: Readonly<Record<string, string>> = {},
): Promise<WatchedService> => {
  const engine = process.env['DYNAMODB_ENDPOINT'] ?? ''
  const none: Watch = () => undefined
  let current = none
  const proxy = await startProxy({ endpoint: engine, refuse: (call) => current(call) })
  process.env['DYNAMODB_ENDPOINT'] = proxy.url
  // Looking into the outbox is no part of a request.
  const service = await startService(settings, { sendsMail: false })
  const watch = (next: Watch) => {
    current = next
  }
  return {
    ...service,
    watch,
    calm: () => watch(none),
    failAfter: (isLast) => {
      let isOver = false
      watch((call) => {
        if (isOver) return 'the table fails'
        isOver = isLast(call)
        return undefined
      })
    },
    justBefore: (isIt, work) =>
      watch(async (call) => {
        if (!isIt(call)) return undefined
        watch(none)
        await work()
        return undefined
      }),
    close: async () => {
      await service.close()
      await proxy.close()
      process.env['DYNAMODB_ENDPOINT'] = engine
    },
  }
}

/** Whether a call is a transaction that does this (`Put`, `Delete`, …) with an item of this partition. */
export const does =
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
