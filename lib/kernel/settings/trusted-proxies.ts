import { BlockList, isIP } from 'node:net'

const maxEntries = 100

/** The shortest prefixes, so that a mistyped range does not trust a large part of the internet. */
const shortestPrefix = { ipv4: 8, ipv6: 7 } as const
const addressBits = { ipv4: 32, ipv6: 128 } as const

/** Reads addresses and CIDR ranges of proxies. Returns undefined if there are none, and what is wrong if one is invalid. */
export const readTrustedProxies = (entries: readonly string[]): BlockList | string | undefined => {
  if (entries.length === 0) return undefined
  if (entries.length > maxEntries) return `must have at most ${maxEntries} entries`
  const proxies = new BlockList()
  for (const entry of entries) {
    const range = readRange(entry)
    if (!range)
      return 'must contain only addresses and CIDR ranges such as 10.0.0.0/16, from /8 for IPv4 and from /7 for IPv6'
    proxies.addSubnet(range.address, range.prefix, range.family)
  }
  return proxies
}

interface Range {
  readonly address: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

const readRange = (entry: string): Range | undefined => {
  const [address = '', suffix, ...rest] = entry.split('/')
  const version = isIP(address)
  // A zone has no meaning on another machine, and the mapped form of an IPv4 address has its own notation.
  if (version === 0 || rest.length > 0 || /%|^::ffff:/i.test(address)) return undefined
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const prefix = suffix === undefined ? addressBits[family] : /^\d{1,3}$/.test(suffix) ? Number(suffix) : -1
  return prefix >= shortestPrefix[family] && prefix <= addressBits[family]
    ? { address, prefix, family }
    : undefined
}
