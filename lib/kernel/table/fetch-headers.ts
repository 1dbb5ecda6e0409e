/** The headers of a signed call without those that `fetch` sets itself. */
export const toFetchHeaders = (signed: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(signed)
      .filter(([name]) => !/^(?:host|content-length)$/i.test(name))
      .map(([name, value]) => [name, String(value)]),
  )
