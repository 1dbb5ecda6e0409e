import type { ReferenceEntry } from '../../../lib/client/generated/models.ts'
import { findEntries } from '../../reference/find-entries.ts'

const shownGuides = 4

let index: Promise<readonly ReferenceEntry[]> | undefined

/** Loads what the search of the documentation finds, once. A service can have no documentation. */
const loadGuides = (): Promise<readonly ReferenceEntry[]> => {
  index ??= fetchGuides().catch(() => {
    index = undefined
    return []
  })
  return index
}

const fetchGuides = async (): Promise<readonly ReferenceEntry[]> => {
  const response = await fetch('/docs/search.json')
  if (!response.ok) return []
  const { entries }: { readonly entries: readonly ReferenceEntry[] } = await response.json()
  return entries.filter(({ kind }) => kind === 'Guide')
}

/** Finds guides of the documentation by the words of its own search. */
export const findGuides = async (text: string): Promise<readonly ReferenceEntry[]> =>
  findEntries(await loadGuides(), text).slice(0, shownGuides)
