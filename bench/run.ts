import { execFileSync } from 'node:child_process'
import { functionNames } from '../build/bundle/bundle.ts'
import { findUnknownNames } from '../lib/kernel/options/check-options.ts'
import { withAws } from '../local/aws-environment.ts'
import { startEngine } from '../local/dynamodb.ts'
import { textTable } from '../test/support/text-table.ts'
import { benchHashes } from './hashes/bench-hashes.ts'
import { benchImport } from './import/bench-import.ts'
import { formatInit, printStart } from './init-report.ts'
import { measureInit } from './init-times.ts'
import { benchLocal } from './local/bench-local.ts'
import { measureOperations } from './operation-costs.ts'
import { measureSaml } from './saml.ts'
import { compareVerifiers } from './saml-verifiers.ts'
import { benchSoak } from './soak/bench-soak.ts'
import { benchTableCalls } from './table-calls.ts'

/** Without an option, sizes, starts and costs are measured. A number is how often. */
const knownOptions = [
  ...['--peers', '--saml-session', '--saml', '--soak', '--init', '--lists', '--pages', '--calls', '--import'],
  ...['--hashes', '--local', '--links'],
]

const print = (text: string) => process.stdout.write(text)
const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(0)

const names = process.argv.slice(2).flatMap((text) => (/^\d+$/.test(text) ? [] : (text.split('=')[0] ?? '')))
// These two have more options, which they check.
const problems = ['--peers', '--lists'].some((name) => names.includes(name))
  ? []
  : findUnknownNames(names, knownOptions, 'an option of npm run bench')
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exit(1)
}

// Measures Latchkey beside other services, which are installed first. No other command checks the folder of these tools.
if (process.argv.some((arg) => arg === '--peers' || arg.startsWith('--peers='))) {
  execFileSync('npm', ['test', '--prefix', 'bench/peers'], { stdio: 'inherit' })
  execFileSync(process.execPath, ['bench/peers/run-peers.ts', ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  process.exit()
}

// Measures a SAML response to a session beside node-saml alone. `--saml-session=3` takes three passes.
const samlSession = process.argv.find((text) => /^--saml-session(=|$)/.test(text))
if (samlSession) {
  execFileSync(process.execPath, ['bench/compare-saml.ts', samlSession.split('=')[1] ?? '5'], {
    stdio: 'inherit',
  })
  process.exit()
}

// Measures only SAML responses. This needs no table.
if (process.argv.includes('--saml')) {
  print('SAML: CPU time of a response in milliseconds (median of 31).\n\n')
  const rows = (await measureSaml(31)).map(({ name, size, cpuMs, signatureMs, outcome }) => [
    name,
    kilobytes(size),
    cpuMs.toFixed(1),
    signatureMs?.toFixed(1) ?? '',
    outcome,
  ])
  print(textTable(['response', 'KB', 'ms', 'signature ms', 'outcome'], rows))
  print('\nBoth verifiers compared with node-saml alone (median of 101, alternating).\n\n')
  const compared = (await compareVerifiers(101)).map(({ name, nodeSamlMs, bothMs }) => [
    name,
    nodeSamlMs.toFixed(1),
    bothMs.toFixed(1),
    (bothMs / nodeSamlMs).toFixed(2),
  ])
  print(textTable(['response', 'node-saml ms', 'both ms', 'ratio'], compared))
  process.exit()
}

// Runs mixed load with disruptions, for 30 minutes unless `--soak=5` asks for others.
const soak = process.argv.find((text) => /^--soak(=|$)/.test(text))
if (soak) process.exit(await benchSoak(Number(soak.split('=')[1] ?? 30)))

// Lists what one function loads at its start.
const listed = process.argv.find((text) => text.startsWith('--init='))?.slice('--init='.length)
if (listed) {
  await printStart(listed)
  process.exit()
}

// Measures only a page of a list.
if (process.argv.includes('--lists')) {
  execFileSync(process.execPath, ['bench/lists.ts', ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exit()
}

// Measures only the pages, in Chromium.
if (process.argv.includes('--pages')) {
  execFileSync(process.execPath, ['bench/pages.ts', ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exit()
}

// Measures only calls of the table.
if (process.argv.includes('--calls')) {
  await benchTableCalls()
  process.exit()
}

// Measures only the import of users: 20,000 unless `--import=100000` asks for others.
const imports = process.argv.find((text) => /^--import(=|$)/.test(text))
if (imports) {
  await benchImport(Number(imports.split('=')[1] ?? 20_000))
  process.exit()
}

// Signs in imported users of each kind of password hash: 100 unless `--hashes=10000` asks for others. `--hashes=10000:firebase`
// names kinds.
const hashes = process.argv.find((text) => /^--hashes(=|$)/.test(text))
if (hashes) {
  const [count = '', names = ''] = (hashes.split('=')[1] ?? '100').split(':')
  await benchHashes(Number(count), names.split(',').filter(Boolean))
  process.exit()
}

/** `npm run bench -- 3` gives a quick result, and `npm run bench -- 1` one of a few functions, without the largest tables. */
const rounds = Number(process.argv.slice(2).find((text) => /^\d+$/.test(text)) ?? 11)
const showProgress = (round: number) => {
  if (process.stdout.isTTY) print(`\rround ${round} of ${rounds}${round === rounds ? '\n' : ''}`)
}

// Measures local mode. `--local=20000` sends fewer requests than 100,000 for the memory.
const local = process.argv.find((text) => /^--local(=|$)/.test(text))
if (local) {
  await benchLocal(Number(local.split('=')[1] ?? 100_000), Math.min(rounds, 5))
  process.exit()
}

// Measures only cold starts.
if (process.argv.includes('--init')) {
  print(formatInit(await measureInit(rounds, showProgress), rounds))
  process.exit()
}

print(`Cold start: size of each bundle, and the time of its import in a new process, without the time of
an empty handler (median of ${rounds}). "plain" is the output of esbuild without tuning.\n\n`)
const measured = rounds === 1 ? functionNames().filter((_, at) => at % 6 === 0) : functionNames()
const inits = await measureInit(rounds, showProgress, measured)
print(
  textTable(
    ['function', 'KB', 'plain KB', 'init ms', 'plain ms', 'ratio'],
    inits.map(({ name, tunedBytes, untunedBytes, tuned, untuned }) => [
      name,
      kilobytes(tunedBytes),
      kilobytes(untunedBytes),
      tuned.ms.toFixed(1),
      untuned.ms.toFixed(1),
      (tuned.ms / untuned.ms).toFixed(2),
    ]),
  ),
)

print('\nTable: calls of a request over HTTP, with a session that was used before.\n\n')
const engine = await startEngine({ dataDir: ':memory:' })
process.env = withAws(process.env, { isOwnEngine: true })
try {
  const costs = await measureOperations(engine.endpoint)
  print(
    textTable(
      ['request', 'calls', 'round trips', 'read units', 'write units'],
      costs.map(({ name, calls, roundTrips, readUnits, writeUnits }) => [
        name,
        calls,
        roundTrips,
        readUnits,
        writeUnits,
      ]),
    ),
  )
} finally {
  await engine.close()
}

// In a new process, because handlers read their environment once.
const quick = rounds === 1 ? ['--quick'] : []
execFileSync(process.execPath, ['bench/listing.ts', ...quick], { stdio: 'inherit' })
execFileSync(process.execPath, ['bench/busy-users.ts', ...quick], { stdio: 'inherit' })
// Writing a million links takes half an hour.
if (process.argv.includes('--links'))
  execFileSync(process.execPath, ['bench/access-links.ts'], { stdio: 'inherit' })
