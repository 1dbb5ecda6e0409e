const longestSlug = 50

/** Makes a slug of a name: its Latin letters and digits. Empty if it has none that a slug can begin with. */
export const suggestSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[-\d]+/, '')
    .slice(0, longestSlug)
    .replace(/-+$/, '')
