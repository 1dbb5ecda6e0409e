import type { TableCall } from '../infra/dynamodb-proxy.ts'
import { type Facts, resolve } from '../infra/intrinsics.ts'
import { resourcesOf, type Template } from '../infra/synthesis.ts'
import type { JsonValue } from '../support/client.ts'
import type { Authorizer } from './authorizer.ts'
import { type BatchRules, deliverBatch } from './batch-delivery.ts'
import type { DeadLetters } from './dead-letters.ts'
import { matchesPattern } from './event-filter.ts'
import { createStreamRecords, type StreamRecord } from './stream-records.ts'

export interface StreamSourceOptions {
  readonly template: Template
  readonly facts: Facts
  readonly authorizer: Authorizer
  readonly deadLetters: DeadLetters
  readonly invoke: (functionId: string, event: unknown) => Promise<JsonValue>
  readonly retryAfterMs: number
}

export interface StreamSources {
  /** Adds the records of a successful write. */
  readonly add: (call: TableCall) => void
  /** Resolves when all records are delivered or abandoned. */
  readonly whenIdle: () => Promise<void>
  /** Stops delivering. */
  readonly close: () => void
}

interface Mapping {
  readonly functionId: string
  readonly patterns: readonly JsonValue[]
  readonly rules: BatchRules
  readonly failureQueue: string | undefined
  readonly waiting: StreamRecord[]
  working?: Promise<void> | undefined
}

const readMapping = (facts: Facts, { FunctionName, ...properties }: JsonValue): Mapping => ({
  functionId: FunctionName.Ref,
  patterns: properties.FilterCriteria.Filters.map(({ Pattern }: JsonValue) => JSON.parse(Pattern)),
  rules: {
    batchSize: properties.BatchSize,
    retryAttempts: properties.MaximumRetryAttempts,
    bisects: properties.BisectBatchOnFunctionError === true,
    reportsFailures: properties.FunctionResponseTypes?.includes('ReportBatchItemFailures') === true,
  },
  failureQueue: resolve(properties.DestinationConfig?.OnFailure?.Destination ?? null, facts) ?? undefined,
  waiting: [],
})

const readingActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams']

/** Delivers the writes of the table to functions as the event source mappings of the template declare it. */
export const startStreamSources = (options: StreamSourceOptions): StreamSources => {
  const { template, facts, authorizer, deadLetters } = options
  const [[tableId, table] = []] = resourcesOf(template, 'AWS::DynamoDB::Table')
  const streamArn = facts[`${tableId}.StreamArn`] ?? ''
  if (table && table.Properties.StreamSpecification.StreamViewType !== 'KEYS_ONLY')
    throw new Error('The runner knows only streams of keys.')
  const mappings = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) =>
    readMapping(facts, Properties),
  )
  const toRecords = createStreamRecords(streamArn)
  let isClosed = false

  /** Lambda reads streams with the role of the function. */
  const mayRead = ({ functionId }: Mapping): boolean => {
    const ofStream = readingActions.map((name) => ({
      action: `dynamodb:${name}`,
      resource: name === 'ListStreams' ? '*' : streamArn,
    }))
    return ofStream.every((call) => authorizer.may({ functionId, ...call }))
  }
  const work = async (mapping: Mapping): Promise<void> => {
    while (mapping.waiting.length > 0 && !isClosed && mayRead(mapping))
      await deliverBatch(mapping.waiting.splice(0, mapping.rules.batchSize), mapping.rules, {
        invoke: async (Records) =>
          isClosed ? { batchItemFailures: [] } : options.invoke(mapping.functionId, { Records }),
        abandon: (records) => {
          const { functionId, failureQueue: queueArn } = mapping
          if (queueArn) deadLetters.send({ queueArn, functionId, content: records })
        },
        retryAfterMs: options.retryAfterMs,
      })
    mapping.working = undefined
  }
  return {
    add: (call) => {
      const records = toRecords(call)
      for (const mapping of mappings) {
        const matching = records.filter((record) =>
          mapping.patterns.some((pattern) => matchesPattern(pattern, record)),
        )
        if (matching.length === 0 || isClosed) continue
        mapping.waiting.push(...matching)
        mapping.working ??= work(mapping)
      }
    },
    whenIdle: async () => {
      while (mappings.some(({ working }) => working))
        await Promise.all(mappings.map(({ working }) => working))
    },
    close: () => {
      isClosed = true
    },
  }
}
