import { readFileSync, writeFileSync } from 'node:fs'
import type { StormReport } from '../test/proof-of-work/bot-storm.ts'
import type { Cost } from './cost-meter.ts'

/** A storm of bots, and what the table took for it, with its emails. */
export interface RecordedBotStorm extends StormReport {
  readonly networks: number
  readonly cost: Pick<Cost, 'readUnits' | 'writeUnits'>
}

const path = 'bench/recorded-bot-storm.json'

export const readBotStorm = (): RecordedBotStorm => JSON.parse(readFileSync(path, 'utf8'))

export const writeBotStorm = (storm: RecordedBotStorm): void =>
  writeFileSync(path, `${JSON.stringify(storm, null, 2)}\n`)
