import ipaddr from 'ipaddr.js'

/** The part of IPv6 that is given out to networks of the internet (RFC 4291 2.4); what else there is has other uses. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/**
 * Whether an address is one of the public internet, by its bits: no network of ours, no link, no multicast, no
 * documentation, and none of the forms of IPv6 that carry an IPv4 address, which may be any of those.
 */
export const isPublicAddress = (text: string): boolean => {
  const address = parse(text)
  if (!address) return false
  const isUnicast = address.range() === 'unicast'
  return address.kind() === 'ipv4' ? isUnicast : isUnicast && (address as ipaddr.IPv6).match(globalUnicast)
}

export const isLoopbackAddress = (text: string): boolean => parse(text)?.range() === 'loopback'

/** Four plain numbers or an IPv6 address without a zone: one spelling, so that nobody else reads another address. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : undefined
}
