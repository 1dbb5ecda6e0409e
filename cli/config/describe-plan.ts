import type { ShownChange } from '../../lib/features/configuration/door.part.ts'
import type { Action } from '../../lib/features/configuration/plan.part.ts'
import { settingsKinds } from '../../lib/kernel/contract/managed-kinds.ts'
import { formatTime } from '../../lib/kernel/util/time.ts'

const marks: Readonly<Record<Action, string>> = {
  create: '+',
  adopt: '>',
  update: '~',
  delete: '-',
  keep: ' ',
  none: ' ',
}

const words: Readonly<Record<Action, string>> = {
  create: 'to create',
  adopt: 'to adopt',
  update: 'to change',
  delete: 'to delete',
  keep: 'left out',
  none: 'unchanged',
}

/** Shows a plan: a line for each thing that changes, one for each of its fields, and a sum. */
export const describePlan = (changes: readonly ShownChange[], isStack = false): string => {
  const shown = changes.filter(({ action }) => action !== 'none')
  const counts = Object.entries(words)
    .map(([action, word]) => ({ word, count: changes.filter((one) => one.action === action).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word}`)
  return [
    ...shown.flatMap((change) => describeChange(change, isStack)),
    ...(shown.length > 0 ? [''] : []),
    `${counts.join(', ') || 'Nothing'}.`,
    '',
  ].join('\n')
}

/** What a change is about: `client web`, or `password_policy`. */
export const nameChange = ({ kind, key }: Pick<ShownChange, 'kind' | 'key'>): string =>
  kind === key ? kind : `${kind} ${key}`

const describeNote = (change: ShownChange, isStack: boolean): string => {
  if (change.action !== 'keep') return change.broadens ? describeBroader(change) : ''
  return isStack ? ' (no construct any more: onRemove decides)' : ' (left out, stays)'
}

const describeChange = (change: ShownChange, isStack: boolean): readonly string[] => {
  const { action, fields, unlocked } = change
  return [
    `${marks[action]} ${nameChange(change)}${describeNote(change, isStack)}`,
    ...(unlocked
      ? [`    was unlocked for changes by hand: by user ${unlocked.by}, at ${formatTime(unlocked.at)}`]
      : []),
    ...fields.map(({ name: field, before, after }) =>
      action === 'create'
        ? `    ${field}: ${shorten(after)}`
        : `    ${field}: ${shorten(before)} -> ${shorten(after)}`,
    ),
  ]
}

const describeBroader = ({ kind }: ShownChange): string =>
  settingsKinds.some((one) => one === kind) ? ' (weaker)' : ' (gives rights)'

/** An image of a branding, as plans have it. */
interface PlannedImage {
  readonly content_type: string
  readonly width?: number
  readonly height?: number
  readonly sha256: string
}

const isImage = (value: unknown): value is PlannedImage =>
  typeof value === 'object' && value !== null && 'sha256' in value

const describeImage = ({ content_type: type, width, height, sha256 }: PlannedImage): string =>
  `${type}, ${width} × ${height} pixels, sha256 ${sha256.slice(0, 12)}…`

const mostCharacters = 120

const shorten = (value: unknown): string => {
  if (isImage(value)) return describeImage(value)
  const text = JSON.stringify(value ?? null)
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text
}
