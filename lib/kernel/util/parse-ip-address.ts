import ipaddr from 'ipaddr.js'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/** Accepts only four decimal numbers or IPv6 without a zone, because other tools may read other notations differently. */
export const parseIpAddress = (text: string): IpAddress | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : undefined
}

/** The IPv4 address that an IPv6 address maps (RFC 4291 2.5.5.2), or else the same address. */
export const unmapIpv4 = (address: IpAddress): IpAddress => {
  if (address.kind() === 'ipv4') return address
  const ipv6 = address as ipaddr.IPv6
  return ipv6.isIPv4MappedAddress() ? ipv6.toIPv4Address() : ipv6
}
