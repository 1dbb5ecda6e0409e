import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const folder = import.meta.dirname
const generated = join(folder, 'generated')

/** The generators, each with its script and arguments. */
const generators = {
  'openapi-fetch': (document: string, out: string) => [
    'openapi-typescript/bin/cli.js',
    document,
    '--output',
    join(out, 'schema.ts'),
  ],
  'hey-api': (document: string, out: string) => [
    '@hey-api/openapi-ts/bin/run.js',
    '--input',
    document,
    '--output',
    out,
    '--client',
    '@hey-api/client-fetch',
  ],
  oazapfts: (document: string, out: string) => ['oazapfts/dist/cli.js', document, join(out, 'api.ts')],
}
export type Generator = keyof typeof generators
export const generatorNames = Object.keys(generators) as Generator[]

/** Runs a script of an installed package and returns what it printed. @throws Error with its output if it fails. */
const runScript = async ([script = '', ...args]: readonly string[], cwd: string): Promise<string> => {
  try {
    const { stdout, stderr } = await run(process.execPath, [script, ...args], { cwd, maxBuffer: 2 ** 26 })
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    throw new Error(`${script} failed:\n${stdout}${stderr}`)
  }
}

/** Generates all clients from the text of an OpenAPI document. */
export const generateClients = async (document: string): Promise<void> => {
  await rm(generated, { recursive: true, force: true })
  await mkdir(generated)
  const path = join(generated, 'openapi.json')
  await writeFile(path, document)
  for (const [name, getArguments] of Object.entries(generators)) {
    const out = join(generated, name)
    await mkdir(out)
    const [script = '', ...args] = getArguments(path, out)
    await runScript([join(folder, 'node_modules', script), ...args], folder)
  }
}

/** Compiles the clients and the journeys with all strict options. Resolves with the messages of the compiler. */
export const compileClients = (): Promise<string> =>
  runScript([join(folder, 'node_modules/typescript/bin/tsc'), '--project', folder], folder)
