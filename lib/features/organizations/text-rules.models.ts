/** The form of a slug. It begins with a letter, so that it is never the ID of an organization. */
export const slugForm = /^(?=.{2,50}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/** The form of the key of a role. */
export const roleForm = /^[a-z][a-z0-9_-]{0,39}$/

/**
 * Whether a name could lead people to another place. Mail programs make links of host names, and an invitation shows the name of
 * an organization that anybody may have chosen.
 */
export const hasAddress = (name: string): boolean =>
  /[@\uff20<>\\]|\/\/|:\/|[\p{L}\p{N}][.\u3002\uff0e\uff61]\p{L}{2}/u.test(name.normalize('NFKC'))

/** How a slug looks. Two slugs with the same look cannot both exist. */
export const getSlugLook = (slug: string): string =>
  slug
    .replaceAll('-', '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
