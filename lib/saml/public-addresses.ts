import ipaddr from 'ipaddr.js'

/** The part of IPv6 that is assigned to the internet (RFC 4291 2.4). All other parts have other uses. */
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/**
 * Whether an address belongs to the public internet. This excludes private, link-local, multicast and documentation
 * addresses, and all IPv6 forms that contain an IPv4 address, because that may be any of those.
 */
export const isPublicAddress = (text: string): boolean => {
  const address = parse(text)
  if (!address) return false
  const isUnicast = address.range() === 'unicast'
  return address.kind() === 'ipv4' ? isUnicast : isUnicast && (address as ipaddr.IPv6).match(globalUnicast)
}

export const isLoopbackAddress = (text: string): boolean => parse(text)?.range() === 'loopback'

/** Accepts only four decimal numbers or IPv6 without a zone, because other tools may read other notations differently. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : undefined
}
