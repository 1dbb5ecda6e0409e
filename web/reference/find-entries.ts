import type { ReferenceEntry } from '../../lib/client/generated/models.ts'
import { readSearchTerms, type SearchTerm } from '../kit/search-words.ts'

type Found = Omit<ReferenceEntry, 'text'> & { readonly text?: string | undefined }

/** How much it says that a term stands in a place. */
const weights = { wholeName: 12, wordOfName: 8, partOfName: 4, id: 4, detail: 2, text: 1, wordsInText: 0.3 }

/** People look for guides first. Names of fields have many words of them. */
const kindFactors: Readonly<Record<string, number>> = { Guide: 1.5, Topic: 1.3, Operation: 1.1, Model: 0.8 }
const otherFactor = 0.1

/** A page is more than a part of it, and why something was decided is for those who change it. */
const toFactor = ({ kind, href }: Found): number => {
  const ofKind = kindFactors[kind] ?? otherFactor
  if (/\/\d{4}-[^/]+$/.test(href)) return ofKind * 0.3
  return kind === 'Guide' && !href.includes('#') ? ofKind * 1.2 : ofKind
}

/**
 * Finds entries by what a person typed, the best first. An entry has every term of the query, or most of them if none has all. Exact
 * names and IDs come first.
 */
export const findEntries = <Entry extends Found>(
  entries: readonly Entry[],
  query: string,
): readonly Entry[] => {
  const terms = readSearchTerms(query)
  if (terms.length === 0) return []
  const exact = query.trim().toLowerCase()
  const scored = entries
    .map((entry) => ({ entry, ...scoreEntry(entry, terms, exact) }))
    .filter(({ score }) => score > 0)
  const most = Math.max(0, ...scored.map(({ matched }) => matched))
  return most * 2 < terms.length
    ? []
    : scored
        .filter(({ matched }) => matched === most)
        .sort((a, b) => b.score - a.score)
        .map(({ entry }) => entry)
}

const scoreEntry = (entry: Found, terms: readonly SearchTerm[], exact: string) => {
  const { name, href, detail, text = '' } = entry
  const id = (href.split('#')[1] ?? href.split('/').at(-1) ?? '').toLowerCase()
  const title = name.toLowerCase()
  const isExact = [id, title, id.split('.').at(-1)].some(
    (one) => one === exact || one === exact.replaceAll(' ', '_'),
  )
  const places = { id, title, detail: detail.toLowerCase(), text: text.toLowerCase() }
  const scores = terms.map((term) => scoreTerm(places, term))
  const matched = scores.filter((score) => score > 0).length
  const sum = scores.reduce((total, score) => total + score, 0)
  return isExact
    ? { matched: terms.length, score: (isName(exact) ? exactName : weights.wholeName + 1) * toFactor(entry) }
    : { matched, score: (sum / terms.length) * toFactor(entry) }
}

/** What only code is called. Other words can be the name of something, and mean more. */
const isName = (query: string): boolean => /[_./]/.test(query)
const exactName = 1000

type Places = Readonly<Record<'id' | 'title' | 'detail' | 'text', string>>

/** Other words for what a person typed say a little less than their own. */
const scoreTerm = (places: Places, [typed = '', ...said]: SearchTerm): number =>
  Math.max(scoreWord(places, typed), ...said.map((word) => 0.95 * scoreWord(places, word)))

const scoreWord = ({ id, title, detail, text }: Places, word: string): number => {
  // The name of a part ends with that of its page: `Roles (Organizations)`.
  const own = title.replace(/ \([^)]*\)$/, '')
  if (own === word || own === `${word}s`) return weights.wholeName
  if (hasWord(own, word)) return weights.wordOfName
  if (title.includes(word)) return weights.partOfName
  if (id.includes(word)) return weights.id
  if (detail.includes(word)) return weights.detail
  if (text.includes(word)) return weights.text
  // The words of a section are listed without their order.
  return word.split(' ').every((part) => text.includes(part)) ? weights.wordsInText : 0
}

const hasWord = (title: string, word: string): boolean => {
  const at = title.indexOf(word)
  const isEdge = (character: string | undefined): boolean =>
    character === undefined || !/[\p{L}\p{N}]/u.test(character)
  return at >= 0 && isEdge(title[at - 1]) && isEdge(title[at + word.length])
}
