/**
 * The network that limits are counted for: an IPv4 address as it is, of an IPv6 address its first 64 bits, since
 * whoever has one has a whole such network of them. Whatever isn't an address stands for itself.
 */
export const getNetwork = (address: string): string => {
  const host = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1)
  if (host === undefined) return address
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(host)
  if (mapped) return mappedIpv4(Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16))
  const [head = '', tail] = host.split('::')
  const [front, back] = [groupsOf(head), groupsOf(tail ?? '')]
  const zeros = tail === undefined ? [] : Array<string>(8 - front.length - back.length).fill('0')
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`
}

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'))

const mappedIpv4 = (high: number, low: number): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.')
