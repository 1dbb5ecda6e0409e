import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { createRandom } from '../../bench/soak/random.ts'
import { textTable } from '../support/text-table.ts'
import { parseWholeNumber } from '../support/whole-number.ts'
import { drawMutants } from './draw-mutants.ts'
import { findMutants, type Mutant } from './find-mutants.ts'
import { judgeMutant, type Verdict } from './judge-mutant.ts'
import { measureReach } from './reach.ts'
import { createTestClient } from './test-client.ts'
import { copyProject, listMutated, restoreSources } from './tree.ts'

/*
 * Makes small changes to the sources, one after another and in a copy, and looks for the tests that notice. A run that was stopped
 * continues with the same command.
 */

const options = new Command('npm run mutate --')
  .description('Makes small changes to the sources, and looks for the tests that notice.')
  .option('--seed <number>', 'decides which changes are made', parseWholeNumber, 1)
  .option('--count <number>', 'how many changes are made, each in another file', parseWholeNumber, 60)
  .option('--in <folder>', 'changes only files below it', '')
  .option(
    '--again',
    'tries survivors and inconclusive mutants of the last run with this seed on the current sources',
  )
  .allowExcessArguments(false)
  .parse()
  .opts<{ seed: number; count: number; in: string; again?: true }>()

/** A mutant with what became of it. */
interface Judged {
  readonly mutant: Mutant
  readonly verdict: Verdict | undefined
}

const cache = join(homedir(), '.cache/latchkey-mutate')
const folder = join(cache, `seed-${options.seed}${options.in.replaceAll('/', '-')}`)
const results = join(folder, 'results.jsonl')
const tree = join(folder, 'tree')
const report = (line: string): void => void process.stderr.write(`${line}\n`)

/** Reads the mutants of the last run. The first lines list them, and later ones have the verdicts. */
const readResults = (): readonly Judged[] => {
  if (!existsSync(results)) return []
  const lines: readonly Judged[] = readFileSync(results, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return [...Map.groupBy(lines, ({ mutant }) => JSON.stringify(mutant)).values()].flatMap(
    (same) => same.at(-1) ?? [],
  )
}

const writeResults = (judged: readonly Judged[]): void =>
  writeFileSync(results, judged.map((one) => `${JSON.stringify(one)}\n`).join(''))

/** Finds the same change in a source that may have changed elsewhere. */
const findAgain = (mutant: Mutant): Mutant | undefined =>
  existsSync(mutant.file)
    ? findMutants(mutant.file, readFileSync(mutant.file, 'utf8')).find((one) =>
        (['kind', 'scope', 'original', 'replacement'] as const).every((name) => one[name] === mutant[name]),
      )
    : undefined

const before = readResults()
if (options.again) {
  rmSync(tree, { recursive: true, force: true })
  writeResults(
    before.flatMap(({ mutant, verdict }) => {
      if (verdict?.outcome !== 'survived' && verdict?.outcome !== 'inconclusive') return { mutant, verdict }
      const again = findAgain(mutant)
      return again ? { mutant: again, verdict: undefined } : []
    }),
  )
} else if (before.every(({ verdict }) => verdict)) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const files = listMutated().filter((file) => file.startsWith(options.in))
  const random = createRandom(options.seed)
  const drawn = drawMutants({
    files,
    count: options.count,
    random,
    readSource: (file) => readFileSync(file, 'utf8'),
  })
  writeResults(drawn.map((mutant) => ({ mutant, verdict: undefined })))
} else report('The last run with this seed is continued, on the sources of that time.')

copyProject(tree)
restoreSources(tree)
process.chdir(tree)
const reach = await measureReach(tree, join(cache, 'reach.json'), report)
const client = createTestClient(tree)
const stop = (): void => void client.end().finally(() => process.exit(130))
process.on('SIGINT', stop).on('SIGTERM', stop)

const shorten = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 70)

const describeChange = ({ file, start, original, replacement, kind }: Mutant): string => {
  const line = readFileSync(file, 'utf8').slice(0, start).split('\n').length
  return `${file}:${line} ${kind}: ${shorten(original)} => ${shorten(replacement)}`
}

const judged = readResults()
for (const { mutant } of judged.filter(({ verdict }) => !verdict)) {
  const verdict = await judgeMutant(mutant, { tree, reach, client })
  appendFileSync(results, `${JSON.stringify({ mutant, verdict })}\n`)
  report(
    `${verdict.outcome} in ${verdict.seconds} s: ${describeChange(mutant)}\n    ${verdict.by.slice(0, 200)}`,
  )
}
await client.end()

const all = readResults()
const listed = all.flatMap(({ mutant, verdict }) => (verdict ? [{ mutant, ...verdict }] : []))
const countOf = (outcome: Verdict['outcome']): number =>
  listed.filter((one) => one.outcome === outcome).length
const [killed, refused, survived] = [countOf('killed'), countOf('refused by types'), countOf('survived')]
const inconclusive = countOf('inconclusive')
for (const { mutant, outcome, by } of listed)
  process.stdout.write(`${outcome}: ${describeChange(mutant)}\n    ${shorten(by)}\n`)
const share = ((100 * killed) / Math.max(1, killed + survived)).toFixed(0)
process.stdout.write(
  `\n${textTable(
    [`seed ${options.seed}`, 'mutants'],
    [
      ['killed by a test', killed],
      ['refused by types', refused],
      ['survived', survived],
      ['inconclusive: the test process crashed', inconclusive],
      ['killed of those that types accept, in percent', share],
    ],
  )}\nSurvivors without an effect do not count. Look at each: it needs a test, or has no effect.\n`,
)
if (inconclusive > 0) {
  process.stdout.write('Nothing is known about inconclusive mutants. Run the command with --again.\n')
  process.exitCode = 1
}
