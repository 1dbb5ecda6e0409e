import { nameProvider, type OfProvider, type ProviderName } from '../../public-providers.models.ts'
import { apple } from './apple.ts'
import { anyProvider, company } from './generic.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import { microsoft } from './microsoft.ts'
import type { ProviderRow } from './provider-row.ts'

/** Each provider has one row here, and a file of its own. */
const rows: Readonly<Record<ProviderName, ProviderRow>> = {
  google,
  microsoft,
  apple,
  github,
  oidc: anyProvider,
  company,
}

const byName: ReadonlyMap<string, ProviderRow> = new Map(Object.entries(rows))

export const providerRows: readonly ProviderRow[] = [...byName.values()]

/** @throws RangeError if there is no such provider, which only code of another version can have stored */
export const getProviderRow = (connection: OfProvider): ProviderRow => {
  const row = byName.get(nameProvider(connection))
  if (!row) throw new RangeError('A connection has an unknown provider.')
  return row
}
