import { afterAll, expect, it, vi } from 'vitest'
import { costMeter } from '../../bench/cost-meter.ts'
import { writeBotStorm } from '../../bench/recorded-bot-storm.ts'
import { rateLimitDefaults } from '../../lib/kernel/limits/rate-limits.ts'
import { startProxy } from '../infra/dynamodb-proxy.ts'
import { runBotStorm, stormSettings } from '../proof-of-work/bot-storm.ts'
import { useService } from '../support/use-service.ts'

/*
 * Sign-ups of a storm of bots within an hour: see `test/proof-of-work`. `npm run bot-storm` sends 50,000 from 500 networks and measures
 * what they cost.
 */

const { BOT_STORM_REQUESTS = '5000', BOT_STORM_RECORD } = process.env
const isRecorded = BOT_STORM_RECORD === 'true'
const requests = Number(BOT_STORM_REQUESTS)
const networks = requests / 100
const solvers = Math.ceil(networks / 50)

vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
afterAll(() => vi.useRealTimers())
const meter = costMeter()
const engine = process.env['DYNAMODB_ENDPOINT'] ?? ''
const proxy = isRecorded ? await startProxy({ endpoint: engine, onCall: meter.onCall }) : undefined
process.env['DYNAMODB_ENDPOINT'] = proxy?.url ?? engine
afterAll(() => proxy?.close())
const service = await useService(stormSettings, { keepsLog: false })

it(
  `keeps ${requests} sign-ups of bots within the policy, and lets people through`,
  async () => {
    let cost = meter.take()
    const onSent = () => {
      cost = meter.take()
    }
    const report = await runBotStorm(service, { requests, networks, solvers, onSent })
    const { readUnits, writeUnits } = cost
    process.stdout.write(`${JSON.stringify({ ...report, cost })}\n`)
    const { answers, emails, accounts, botLinks, people } = report
    expect(report.requests).toBe(requests)
    expect(answers.accepted + answers.asked + answers.limited).toBe(requests)
    const { signUpsPerAddress, signUpsPerRecipient, signUpsPerDomain } = rateLimitDefaults
    // A proof for each is the only way to more than half of the limit of a network.
    expect(report.mostWithoutProof).toBeLessThanOrEqual(signUpsPerAddress.max / 2)
    expect(emails).toBeLessThanOrEqual(answers.accepted + people.length)
    expect(report.mostOfRecipient).toBeLessThanOrEqual(signUpsPerRecipient.max)
    expect(botLinks).toBeLessThanOrEqual(signUpsPerDomain.max)
    // Nobody without a link gets an account, and each link makes one.
    expect(accounts).toEqual([0, botLinks])
    // Bots without proofs get what a network may send without one, until the whole service is under pressure.
    expect(answers.accepted - report.proofs).toBeLessThan(1000)
    expect(people).toEqual(Array(5).fill('account'))
    const { people: _, accounts: __, ...numbers } = report
    if (isRecorded)
      writeBotStorm({ networks, ...numbers, people: people.length, cost: { readUnits, writeUnits } })
  },
  // Mostly the proofs of a network that solves, whose price grows.
  360_000 + requests * 20,
)
