/**
 * Returns the network that rate limits count: an IPv4 address itself, or the first 64 bits of an IPv6 address, because
 * one customer usually has a whole network of that size. A text that is not an address is returned unchanged.
 */
export const getNetwork = (address: string): string => {
  const host = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1)
  if (host === undefined) return address
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(host)
  if (mapped) return formatIpv4(Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16))
  const [head = '', tail] = host.split('::')
  const [front, back] = [splitGroups(head), splitGroups(tail ?? '')]
  const zeros = tail === undefined ? [] : Array<string>(8 - front.length - back.length).fill('0')
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`
}

const splitGroups = (text: string): string[] => (text === '' ? [] : text.split(':'))

const formatIpv4 = (high: number, low: number): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.')
