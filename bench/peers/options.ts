import { parseArgs } from 'node:util'

export const peerNames = ['django', 'better-auth', 'openauth', 'saml-jackson'] as const
export type PeerName = (typeof peerNames)[number]

export interface Options {
  readonly peers: readonly PeerName[]
  readonly passes: number
  readonly seconds: number
  /** Numbers of users, ascending, whose lists are measured. */
  readonly rows: readonly number[]
  /** Prints a CPU profile of each scenario instead of comparing. */
  readonly isProfile: boolean
  /** Writes the result into docs/benchmarks.md. */
  readonly writes: boolean
}

const readNumber = (name: string, text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number above 0.`)
  return value
}

const readPeers = (text: string): PeerName[] =>
  text.split(',').map((given) => {
    const name = peerNames.find((known) => known === given)
    if (!name) throw new Error(`--peers must be a list of ${peerNames.join(', ')}.`)
    return name
  })

/** Reads the arguments after `--peers`. @throws Error that names the invalid one. */
export const readOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    // `--peers` alone compares with all.
    args: args.map((arg) => (arg === '--peers' ? `--peers=${peerNames.join(',')}` : arg)),
    options: {
      peers: { type: 'string', default: peerNames.join(',') },
      passes: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '5' },
      rows: { type: 'string', default: '10,1000,100000' },
      profile: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  const rows = values.rows.split(',').map((text) => readNumber('rows', text))
  return {
    peers: readPeers(values.peers),
    passes: readNumber('passes', values.passes),
    seconds: readNumber('seconds', values.seconds),
    rows: rows.toSorted((left, right) => left - right),
    isProfile: values.profile,
    writes: values.write,
  }
}
