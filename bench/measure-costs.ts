import { getMemoryMb } from '../infra/parts/functions.ts'
import { operations } from '../lib/features/operations.ts'
import { measureBackground } from './measure-background.ts'
import { measureEveryOperation } from './measure-every-operation.ts'
import { measureParts } from './measure-parts.ts'
import type { RecordedCosts, RecordedOperation } from './recorded-costs.ts'

/** Its events are spread over partitions at random. A partition with more than 4 KB takes a further unit. */
const hasRandomUnits = 'get_audit_events'

const groups = new Map(operations.map(({ id, group }) => [id, group]))

/**
 * Measures everything that the pages about cost and scale compute with, without the calls of functions. What depends on the machine or on chance stays as it was
 * recorded: CPU times, and the read units of `get_audit_events`.
 */
export const measureCosts = async (
  endpoint: string,
  rounds: number,
  recorded: RecordedCosts | undefined,
): Promise<Omit<RecordedCosts, 'functionCalls'>> => {
  const { operations: measured, visits, flows } = await measureEveryOperation(endpoint, rounds)
  const toRecord = ({ id, ...one }: (typeof measured)[number]): readonly [string, RecordedOperation] => {
    const { cpuMs, readUnits } = recorded?.operations[id] ?? one
    const kept = id === hasRandomUnits ? { cpuMs, readUnits } : { cpuMs }
    return [id, { ...one, memoryMb: getMemoryMb(groups.get(id) ?? 'unmatched'), ...kept }]
  }
  return {
    operations: Object.fromEntries(measured.map(toRecord)),
    ...visits,
    ...(await measureBackground(endpoint)),
    parts: measureParts(),
    flows,
  }
}
