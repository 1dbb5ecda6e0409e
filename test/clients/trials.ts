import { callNpm, type Outcome } from './npm-client.ts'
import { type NpmMethod, npmMethods } from './npm-methods.ts'
import { callPython } from './python-client.ts'
import { type PythonMethod, pythonMethods } from './python-methods.ts'
import type { Answered, Call, Row, Trial, World } from './row.ts'

type Client = 'npm' | 'python'

/** One call of the matrix. */
export interface Case {
  readonly title: string
  readonly row: Row
  readonly client: Client
  /** The optional parameters to send. */
  readonly parameters: readonly string[]
  readonly prepare: (world: World) => Promise<Call>
  readonly send: (url: string, call: Call) => Promise<Outcome>
  readonly verify: (answered: Answered) => Promise<void>
}

const find = <Method extends { readonly id: string }>(methods: readonly Method[], id: string): Method => {
  const method = methods.find((one) => one.id === id)
  if (method === undefined) throw new Error(`no client has the method ${id}`)
  return method
}

export const findNpmMethod = (id: string): NpmMethod => find(npmMethods, id)
export const findPythonMethod = (id: string): PythonMethod => find(pythonMethods, id)

/** The optional parameters of a row that the client has. */
export const trialsOf = (row: Row, client: Client): [string, Trial][] =>
  Object.entries(row.optional ?? {})
    .flatMap(([name, trials]) => [trials].flat().map((trial): [string, Trial] => [name, trial]))
    .filter(([, { only = client }]) => only === client)

/** Whether the parameters of the route are in its query. */
const hasQuery = (route: string): boolean => /^(GET|DELETE) /.test(route)

const addParameters = async (
  call: Call,
  route: string,
  client: Client,
  trials: readonly [string, Trial][],
): Promise<Call> => {
  const given = trials.map(([name, trial]) => {
    const value = client === 'python' && 'python' in trial ? trial.python : trial.value
    return { ...trial.along, [name]: typeof value === 'function' ? value(call) : value }
  })
  const parameters = Object.assign({}, ...given)
  return hasQuery(route)
    ? { ...call, query: { ...call.query, ...parameters } }
    : { ...call, body: { ...call.body, ...parameters } }
}

const casesOfClient = (row: Row, client: Client, id: string): Case[] => {
  const npm = client === 'npm' ? findNpmMethod(id) : undefined
  const python = client === 'python' ? findPythonMethod(id) : undefined
  const route = npm?.route ?? python?.route ?? ''
  const trials = trialsOf(row, client)
  const together = Object.entries(Object.fromEntries(trials.filter(([, { alone }]) => !alone).reverse()))
  const build = (title: string, sent: readonly [string, Trial][]): Case => ({
    title: `${id} ${title}`,
    row,
    client,
    parameters: sent.flatMap(([name, { along }]) => [name, ...Object.keys(along ?? {})]),
    prepare: async (world) => {
      const { arrange = row.arrange } = sent.length === 1 ? (sent[0]?.[1] ?? row) : row
      const call = await arrange(world)
      return sent.length === 0 ? call : addParameters(call, route, client, sent)
    },
    send: (url, call) =>
      npm ? callNpm(url, npm, call) : python ? callPython(url, python, call) : Promise.reject(new Error(id)),
    verify: async (answered) => {
      if (sent.length === 0) await row.expect?.(answered)
      if (sent.length === 1) await sent[0]?.[1].expect?.(answered)
    },
  })
  return [
    build('with its required parameters', []),
    ...trials.map(([name, trial]) => build(`with ${name}${describe(trial)}`, [[name, trial]])),
    ...(together.length > 1 ? [build('with all parameters at once', together)] : []),
  ]
}

const describe = ({ value }: Trial): string =>
  typeof value === 'function' ? '' : ` ${JSON.stringify(value)}`

/** Every method of a row with no optional parameter, with each of them, and with all of them at once. */
export const casesOf = (row: Row): Case[] => [
  ...(row.npm === undefined ? [] : casesOfClient(row, 'npm', row.npm)),
  ...(row.python === undefined ? [] : casesOfClient(row, 'python', row.python)),
]
