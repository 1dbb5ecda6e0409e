import { readFileSync, writeFileSync } from 'node:fs'
import type { StormReport } from '../test/proof-of-work/bot-storm.ts'
import type { Cost } from './cost-meter.ts'

/** A storm of bots, and what the table took for it, with its emails. */
export interface RecordedBotStorm extends Omit<StormReport, 'people' | 'accounts'> {
  readonly networks: number
  /** How many people signed up at the same time. Each of them got their account. */
  readonly people: number
  readonly cost: Pick<Cost, 'readUnits' | 'writeUnits'>
}

const path = 'bench/recorded-bot-storm.json'

export const readBotStorm = (): RecordedBotStorm => JSON.parse(readFileSync(path, 'utf8'))

export const writeBotStorm = (storm: RecordedBotStorm): void =>
  writeFileSync(path, `${JSON.stringify(storm, null, 2)}\n`)
