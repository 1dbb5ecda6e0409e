import type { Random } from '../fuzz/random.ts'

/** What a marker in an answer is about. */
export type Subject = `organization ${number}` | `user ${number}` | 'staff'

/** The IDs of each kind begin here, so that an ID in an answer tells what it is about. */
export const firstIds = {
  'access-token': 650_000_000,
  'organization-invitation': 600_000_000,
  organization: 700_000_000,
  'api-token': 800_000_000,
  user: 900_000_000,
} as const

/** IDs of the same form that nothing has. */
export const unknownIds = {
  link: 659_999_999,
  invitation: 699_999_999,
  organization: 799_999_999,
  token: 899_999_999,
  user: 999_999_999,
} as const

const letters = 'bcdfghjkpqrstvwxz'
const length = 12
const markers = new RegExp(`mk[${letters}]{${length}}|\\b[6-9]\\d{8}\\b`, 'g')

/** Words and IDs that nobody can guess, each of which belongs to one organization or user. */
export const createMarkers = (random: Random) => {
  const subjects = new Map<string, Subject>()
  const note = (marker: string | number, subject: Subject): void => {
    subjects.set(String(marker), subject)
  }
  return {
    note,
    /** A new word, which names, slugs and addresses can contain. */
    draw: (subject?: Subject): string => {
      const word = `mk${Array.from({ length }, () => letters[random.below(letters.length)]).join('')}`
      if (subject) note(word, subject)
      return word
    },
    /** All markers in a text with what they are about. */
    find: (text: string): readonly (readonly [marker: string, subject: Subject])[] =>
      [...(text.toLowerCase().match(markers) ?? [])].flatMap((marker) => {
        const subject = subjects.get(marker)
        return subject ? [[marker, subject] as const] : []
      }),
  }
}

export type Markers = ReturnType<typeof createMarkers>
